// Package developerstore keeps access requests, keys, and what they were used for, in the database of
// package db.
//
// It knows no rules and no HTTP.
package developerstore

import (
	"portal/api/developer"
	"portal/db"
	"portal/db/portfoliostore"
)

var (
	_ developer.Store       = (*Store)(nil)
	_ developer.ActivityLog = (*Store)(nil)
)

// Store keeps access requests, keys, and the logs of requests and tool calls.
type Store struct {
	db                    *db.DB
	*portfoliostore.Store // counts the units of a portfolio, and has its account
}

// New is the store over a database.
func New(d *db.DB) *Store { return &Store{d, portfoliostore.New(d)} }
