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

// Mails keeps email.
type Mails struct{ db *db.DB }

// NewMails is the store over a database.
func NewMails(d *db.DB) Mails { return Mails{d} }

type mails = Mails // as a field may not be called as a method is

// New is what sending needs of a database.
func New(d *db.DB) mail.Store {
	return struct {
		rows.Transactor
		mails
	}{d, NewMails(d)}
}
