// Package retentionstore is the end of what is to be kept no longer: closed accounts, and what has expired.
//
// It knows no HTTP, nor when it runs.
package retentionstore

import "portal/db"

// Accounts ends accounts and what has expired.
type Accounts struct{ db *db.DB }

// New is the store over a database.
func New(d *db.DB) Accounts { return Accounts{d} }
