// Package portfoliostore keeps the records of portfolios: properties, units, tenants, leases, tickets, payments,
// invitations, applications and verifications, in the database of
// package db.
//
// It knows no rules and no HTTP.
package portfoliostore

import (
	"portal/api/agreement"
	"portal/api/agreement/ceremony"
	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/application"
	"portal/api/portfolio/property/verification"
	"portal/api/portfolio/records"
	"portal/api/portfolio/rentroll"
	"portal/api/portfolio/simulate"
	"portal/api/tenantportal"
	"portal/db"
	"portal/db/accountstore"
	"portal/db/mailstore"
	"portal/db/rows"
	"portal/db/servicestore"
)

// Properties keeps properties, and what people call records.
type Properties struct{ db *db.DB }

// NewProperties is the store over a database.
func NewProperties(d *db.DB) Properties { return Properties{d} }

// Units keeps the units of properties.
type Units struct{ db *db.DB }

// NewUnits is the store over a database.
func NewUnits(d *db.DB) Units { return Units{d} }

// Tenants keeps tenants.
type Tenants struct{ db *db.DB }

// NewTenants is the store over a database.
func NewTenants(d *db.DB) Tenants { return Tenants{d} }

// Leases keeps leases and their parties.
type Leases struct{ db *db.DB }

// NewLeases is the store over a database.
func NewLeases(d *db.DB) Leases { return Leases{d} }

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
	properties    = Properties
	units         = Units
	tenants       = Tenants
	leases        = Leases
	tickets       = Tickets
	payments      = Payments
	books         = Books
	calendar      = Calendar
	invitations   = Invitations
	applications  = Applications
	verifications = Verifications
	mails         = mailstore.Mails
	demos         = servicestore.Demos
)

// New is what the rules of records need of a database.
func New(d *db.DB) records.Stores {
	all := struct {
		rows.Transactor
		properties
		units
		tenants
		leases
		tickets
		payments
		books
		calendar
		invitations
		demos
	}{
		d,
		NewProperties(d),
		NewUnits(d),
		NewTenants(d),
		NewLeases(d),
		NewTickets(d),
		NewPayments(d),
		NewBooks(d),
		NewCalendar(d),
		NewInvitations(d),
		servicestore.NewDemos(d),
	}
	return records.Stores{
		Transactions: all,
		Properties:   all,
		Units:        all,
		Homes:        all,
		Tenants:      all,
		Leases:       all,
		Occupancy:    all,
		Calendar:     all,
		Tickets:      all,
		Places:       all,
		Activities:   NewTicketActivities(d),
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
		properties
		units
		mails
	}{NewInvitations(d), NewApplications(d), NewBooks(d), NewProperties(d), NewUnits(d), mailstore.NewMails(d)}
	return application.Stores{
		Invitations:  all,
		Applications: all,
		Applicants:   all,
		Emails:       all,
	}
}

// ForAgreements is what the rules of agreements need of a database.
func ForAgreements(d *db.DB) agreement.Store {
	return struct {
		books
		invitations
		tenants
		leases
		properties
		units
		LeaseDocuments
	}{NewBooks(d), NewInvitations(d), NewTenants(d), NewLeases(d), NewProperties(d), NewUnits(d), NewLeaseDocuments(d)}
}

// ForCeremonies is what the signing of leases needs of a database.
func ForCeremonies(d *db.DB) ceremony.Stores {
	return ceremony.Stores{
		Signers: NewSignings(d),
		Mails: struct {
			Signings
			mailstore.Mails
		}{NewSignings(d), mailstore.NewMails(d)},
		Codes: struct {
			Codes
			mailstore.Mails
		}{NewCodes(d), mailstore.NewMails(d)},
		Records: struct {
			invitations
			tenants
			leases
		}{NewInvitations(d), NewTenants(d), NewLeases(d)},
	}
}

// ForTenantPortal is what the pages of tenants need of a database.
func ForTenantPortal(d *db.DB) tenantportal.Stores {
	return tenantportal.Stores{
		Links: NewTenantLinks(d),
		Records: struct {
			invitations
			tenants
			leases
		}{NewInvitations(d), NewTenants(d), NewLeases(d)},
		Mails:      mailstore.NewMails(d),
		Activities: NewTicketActivities(d),
		Pictures:   NewTicketActivities(d),
		Codes: struct {
			Codes
			mailstore.Mails
		}{NewCodes(d), mailstore.NewMails(d)},
		Notices: struct {
			tickets
			TicketActivities
			TicketNotices
		}{NewTickets(d), NewTicketActivities(d), NewTicketNotices(d)},
	}
}

// ForVerifications is what the rules of verifications need of a database.
func ForVerifications(d *db.DB) verification.Stores {
	store := struct {
		verifications
		properties
		units
		*accountstore.Store
	}{NewVerifications(d), NewProperties(d), NewUnits(d), accountstore.New(d)}
	return verification.Stores{Store: store, QueueStore: store}
}

// ForImports is what the import of a rent roll needs of a database.
func ForImports(d *db.DB) rentroll.Store {
	return struct {
		rows.Transactor
		books
		demos
	}{d, NewBooks(d), servicestore.NewDemos(d)}
}

// ForSimulator is what playing in a demo portfolio needs of a database.
func ForSimulator(d *db.DB) simulate.Stores {
	all := struct {
		rows.Transactor
		books
		properties
		units
		tenants
		leases
		tickets
		demos
	}{
		d,
		NewBooks(d),
		NewProperties(d),
		NewUnits(d),
		NewTenants(d),
		NewLeases(d),
		NewTickets(d),
		servicestore.NewDemos(d),
	}
	return simulate.Stores{Transactions: all, Records: all, People: all, Resets: all}
}

// recordColumns are the columns that every record has.
func recordColumns[T any](of func(*T) *portfolio.Record) []rows.Column[T] {
	return []rows.Column[T]{
		rows.At("id", func(r *T) *string { return &of(r).ID }),
		rows.At("version", func(r *T) *int64 { return &of(r).Version }),
		rows.At("created_at", func(r *T) *clock.Time { return &of(r).CreatedAt }),
		rows.At("updated_at", func(r *T) *clock.Time { return &of(r).UpdatedAt }),
	}
}
