// Package reportstore answers questions over a whole portfolio, which only reports, the overview and the numbers
// in the navigation ask, from the database of package db.
//
// It knows no rules and no HTTP.
package reportstore

import (
	"portal/api/portfolio/ledger/report"
	"portal/db"
	"portal/db/portfoliostore"
)

// Insight answers questions over a whole portfolio.
type Insight struct{ db *db.DB }

// NewInsight is the store over a database.
func NewInsight(d *db.DB) Insight { return Insight{d} }

// New is what reports need of a database.
func New(d *db.DB) report.Store {
	return struct {
		Insight
		*portfoliostore.Store
	}{NewInsight(d), portfoliostore.New(d)}
}
