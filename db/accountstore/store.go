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
	"portal/db/servicestore"
)

var _ account.Store = (*Store)(nil)

// Store keeps users, how they sign in, their accounts and who takes part in them.
type Store struct {
	db *db.DB
	servicestore.Trail
	mailstore.Store         // runs transactions, and counts the emails to an address
	retentionstore.Accounts // closes accounts
}

// New is the store over a database.
func New(d *db.DB) *Store {
	return &Store{d, servicestore.NewTrail(d), mailstore.New(d), retentionstore.New(d)}
}
