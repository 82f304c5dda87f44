// Package portfoliostore keeps the records of portfolios: properties, units, tenants, leases and their documents,
// tickets, payments, invitations, applications, verifications and uploads, in the database of
// package db.
//
// It knows no rules and no HTTP.
package portfoliostore

import (
	"portal/api/agreement"
	"portal/api/agreement/ceremony"
	"portal/api/agreement/evidence"
	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/application"
	"portal/api/portfolio/property/verification"
	"portal/api/portfolio/records"
	"portal/api/portfolio/simulate"
	"portal/api/portfolio/upload"
	"portal/api/tenantportal"
	"portal/db"
	"portal/db/accountstore"
	"portal/db/rows"
	"portal/db/servicestore"
)

var (
	_ agreement.Store    = (*Store)(nil)
	_ application.Store  = (*Store)(nil)
	_ ceremony.Store     = (*Store)(nil)
	_ evidence.HeadStore = (*Store)(nil)
	_ records.Store      = (*Store)(nil)
	_ simulate.Store     = (*Store)(nil)
	_ tenantportal.Store = (*Store)(nil)
	_ upload.Store       = (*Store)(nil)
	_ verification.Store = (*Store)(nil)
)

// Store keeps the records of portfolios.
type Store struct {
	db                  *db.DB
	*accountstore.Store // knows who takes part in an account
	servicestore.Demos  // limits demo portfolios
}

// New is the store over a database.
func New(d *db.DB) *Store { return &Store{d, accountstore.New(d), servicestore.NewDemos(d)} }

// recordColumns are the columns that every record has.
func recordColumns[T any](of func(*T) *portfolio.Record) []rows.Column[T] {
	return []rows.Column[T]{
		rows.At("id", func(r *T) *string { return &of(r).ID }),
		rows.At("version", func(r *T) *int64 { return &of(r).Version }),
		rows.At("created_at", func(r *T) *clock.Time { return &of(r).CreatedAt }),
		rows.At("updated_at", func(r *T) *clock.Time { return &of(r).UpdatedAt }),
	}
}
