// Package accountstore keeps people, their sessions, accounts and teams, in the database of
// package db.
//
// It knows no rules and no HTTP.
package accountstore

import (
	"portal/api/account"
	"portal/db"
	"portal/db/mailstore"
	"portal/db/retentionstore"
	"portal/db/rows"
	"portal/db/servicestore"
)

// Accounts keeps users, accounts, their portfolios and members.
type Accounts struct{ db *db.DB }

// NewAccounts is the store over a database.
func NewAccounts(d *db.DB) Accounts { return Accounts{d} }

// Persons keeps who people are and how they show it.
type Persons struct{ db *db.DB }

// NewPersons is the store over a database.
func NewPersons(d *db.DB) Persons { return Persons{d} }

// Links keeps what a link in an email, or a step of signing in, leads on to.
type Links struct{ db *db.DB }

// NewLinks is the store over a database.
func NewLinks(d *db.DB) Links { return Links{d} }

// Sessions keeps where people are signed in, and how often they have tried.
type Sessions struct{ db *db.DB }

// NewSessions is the store over a database.
func NewSessions(d *db.DB) Sessions { return Sessions{d} }

// Teams keeps who takes part in an account.
type Teams struct{ db *db.DB }

// NewTeams is the store over a database.
func NewTeams(d *db.DB) Teams { return Teams{d} }

// Stores are put together by other names, as a field may not be called as a method is.
type (
	trail    = servicestore.Trail
	accounts = Accounts
	persons  = Persons
	links    = Links
	sessions = Sessions
	teams    = Teams
	mails    = mailstore.Mails
	closing  = retentionstore.Accounts
)

// New is what the rules of people need of a database.
func New(d *db.DB) account.Stores {
	all := struct {
		rows.Transactor
		trail
		accounts
		persons
		links
		sessions
		teams
		mails
		closing
	}{
		d,
		servicestore.NewTrail(d),
		NewAccounts(d),
		NewPersons(d),
		NewLinks(d),
		NewSessions(d),
		NewTeams(d),
		mailstore.NewMails(d),
		retentionstore.New(d),
	}
	return account.Stores{
		Transactions:    all,
		Audit:           all,
		Common:          all,
		SignIns:         all,
		SecondFactors:   all,
		Passkeys:        all,
		Sessions:        all,
		Visitors:        all,
		Passwords:       all,
		Emails:          all,
		SignUps:         all,
		Invitations:     all,
		OpenInvitations: all,
		Members:         all,
		Notices:         all,
		Memberships:     all,
		Closing:         all,
	}
}
