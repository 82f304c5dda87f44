// Package auditstore keeps what people did, in the database of
// package db.
package auditstore

import "portal/db"

// Trail keeps the trail.
type Trail struct{ db *db.DB }

// New is the store over a database.
func New(d *db.DB) Trail { return Trail{d} }
