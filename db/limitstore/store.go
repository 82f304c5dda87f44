// Package limitstore keeps how much of a rate limit is used, in the database of
// package db.
package limitstore

import "portal/db"

// Limits keeps the limits.
type Limits struct{ db *db.DB }

// New is the store over a database.
func New(d *db.DB) Limits { return Limits{d} }
