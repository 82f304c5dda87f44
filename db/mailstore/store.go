// Package mailstore keeps the email that is to be sent and was sent, in the database of
// package db.
//
// It knows no rules and no HTTP, and nothing of who sends the email.
package mailstore

import (
	"portal/api/mail"
	"portal/db"
	"portal/db/rows"
)

var _ mail.Store = Store{}

// Store keeps email.
type Store struct {
	db *db.DB
	rows.Transactor
}

// New is the store over a database.
func New(d *db.DB) Store { return Store{d, d} }
