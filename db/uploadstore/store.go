// Package uploadstore keeps rent rolls that wait for their import, in the database of
// package db.
//
// It knows no rules and no HTTP, and nothing of the format of a rent roll.
package uploadstore

import (
	"portal/api/portfolio/upload"
	"portal/db"
	"portal/db/portfoliostore"
)

// Uploads keeps uploads.
type Uploads struct{ db *db.DB }

// NewUploads is the store over a database.
func NewUploads(d *db.DB) Uploads { return Uploads{d} }

// New is what uploads of rent rolls need of a database.
func New(d *db.DB) upload.Stores {
	return upload.Stores{Uploads: NewUploads(d), Rolls: portfoliostore.ForImports(d)}
}
