// Package uploadstore keeps rent rolls that wait for their import, in the database of
// package db.
package uploadstore

import (
	"portal/api/portfolio/rentroll"
	"portal/api/portfolio/upload"
	"portal/db"
	"portal/db/portfoliostore"
)

// Uploads keeps uploads.
type Uploads struct{ db *db.DB }

// NewUploads is the store over a database.
func NewUploads(d *db.DB) Uploads { return Uploads{d} }

type uploads = Uploads // as a field may not be called as a method is

// New is what uploads of rent rolls need of a database.
func New(d *db.DB) upload.Store {
	return struct {
		rentroll.Store
		uploads
	}{portfoliostore.ForImports(d), NewUploads(d)}
}
