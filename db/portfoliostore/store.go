// Package portfoliostore keeps the records of portfolios: properties, units, tenants, leases, tickets, payments,
// invitations, applications and verifications, in the database of
// package db.
package portfoliostore

import (
	"portal/api/agreement"
	"portal/api/portfolio"
	"portal/api/portfolio/application"
	"portal/api/portfolio/rentroll"
	"portal/api/portfolio/report"
	"portal/api/portfolio/simulate"
	"portal/api/portfolio/verification"
	"portal/db"
	"portal/db/accountstore"
	"portal/db/kit"
	"portal/db/limitstore"
	"portal/db/mailstore"
)

// Places keeps properties and units, and what people call records.
type Places struct{ db *db.DB }

// NewPlaces is the store over a database.
func NewPlaces(d *db.DB) Places { return Places{d} }

// People keeps tenants and leases.
type People struct{ db *db.DB }

// NewPeople is the store over a database.
func NewPeople(d *db.DB) People { return People{d} }

// Tickets keeps maintenance tickets.
type Tickets struct{ db *db.DB }

// NewTickets is the store over a database.
func NewTickets(d *db.DB) Tickets { return Tickets{d} }

// Payments keeps the ledger.
type Payments struct{ db *db.DB }

// NewPayments is the store over a database.
func NewPayments(d *db.DB) Payments { return Payments{d} }

// Books writes and deletes the records of a portfolio together.
type Books struct{ db *db.DB }

// NewBooks is the store over a database.
func NewBooks(d *db.DB) Books { return Books{d} }

// Calendar finds what a day changes.
type Calendar struct{ db *db.DB }

// NewCalendar is the store over a database.
func NewCalendar(d *db.DB) Calendar { return Calendar{d} }

// Insight answers questions over a whole portfolio.
type Insight struct{ db *db.DB }

// NewInsight is the store over a database.
func NewInsight(d *db.DB) Insight { return Insight{d} }

// Invitations keeps invitations to apply, and who wants none.
type Invitations struct{ db *db.DB }

// NewInvitations is the store over a database.
func NewInvitations(d *db.DB) Invitations { return Invitations{d} }

// Applications keeps what invited people answered.
type Applications struct{ db *db.DB }

// NewApplications is the store over a database.
func NewApplications(d *db.DB) Applications { return Applications{d} }

// Verifications keeps what was shown of who owns a property.
type Verifications struct{ db *db.DB }

// NewVerifications is the store over a database.
func NewVerifications(d *db.DB) Verifications { return Verifications{d} }

// Stores are put together by other names, as a field may not be called as a method is.
type (
	places        = Places
	people        = People
	tickets       = Tickets
	payments      = Payments
	books         = Books
	calendar      = Calendar
	insight       = Insight
	invitations   = Invitations
	applications  = Applications
	verifications = Verifications
	accounts      = accountstore.Accounts
	mails         = mailstore.Mails
	demos         = limitstore.Demos
)

// New is what the rules of records need of a database.
func New(d *db.DB) portfolio.Stores {
	all := struct {
		kit.Transactor
		places
		people
		tickets
		payments
		books
		calendar
		invitations
		demos
	}{
		d,
		NewPlaces(d),
		NewPeople(d),
		NewTickets(d),
		NewPayments(d),
		NewBooks(d),
		NewCalendar(d),
		NewInvitations(d),
		limitstore.NewDemos(d),
	}
	return portfolio.Stores{
		Transactions: all,
		Properties:   all,
		Units:        all,
		Homes:        all,
		Tenants:      all,
		Leases:       all,
		Occupancy:    all,
		Calendar:     all,
		Tickets:      all,
		Ledger:       all,
		Finder:       all,
		Records:      all,
	}
}

// ForApplications is what the rules of applications need of a database.
func ForApplications(d *db.DB) application.Stores {
	all := struct {
		invitations
		applications
		books
		places
		mails
	}{NewInvitations(d), NewApplications(d), NewBooks(d), NewPlaces(d), mailstore.NewMails(d)}
	return application.Stores{
		Invitations:  all,
		Applications: all,
		Applicants:   all,
		Emails:       all,
	}
}

// ForAgreements is what the rules of agreements need of a database.
func ForAgreements(d *db.DB) agreement.Stores {
	return agreement.Stores{
		Records: struct {
			books
			invitations
			people
			places
		}{NewBooks(d), NewInvitations(d), NewPeople(d), NewPlaces(d)},
		Documents: NewLeaseDocuments(d),
	}
}

// ForVerifications is what the rules of verifications need of a database.
func ForVerifications(d *db.DB) verification.Store {
	return struct {
		verifications
		places
		accounts
	}{NewVerifications(d), NewPlaces(d), accountstore.NewAccounts(d)}
}

// ForReports is what reports need of a database.
func ForReports(d *db.DB) report.Store {
	return struct {
		insight
		places
	}{NewInsight(d), NewPlaces(d)}
}

// ForImports is what the import of a rent roll needs of a database.
func ForImports(d *db.DB) rentroll.Store {
	return struct {
		kit.Transactor
		books
		demos
	}{d, NewBooks(d), limitstore.NewDemos(d)}
}

// ForSimulator is what playing in a demo portfolio needs of a database.
func ForSimulator(d *db.DB) simulate.Stores {
	all := struct {
		kit.Transactor
		books
		places
		people
		tickets
		demos
	}{d, NewBooks(d), NewPlaces(d), NewPeople(d), NewTickets(d), limitstore.NewDemos(d)}
	return simulate.Stores{Transactions: all, Records: all, Resets: all}
}
