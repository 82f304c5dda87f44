// Package webhookstore keeps webhook endpoints, events and deliveries, in the database of
// package db.
//
// It knows no rules and no HTTP.
package webhookstore

import (
	"context"

	"portal/api/webhook"
	"portal/api/webhook/dispatch"
	"portal/db"
	"portal/db/portfoliostore"
)

var (
	_ webhook.Store  = (*Store)(nil)
	_ dispatch.Store = (*Store)(nil)
)

// Store keeps endpoints, events and deliveries, and hands these out to the processes that
// attempt them.
type Store struct {
	db *db.DB
	database
	*portfoliostore.Store // knows the landlord of a portfolio, and limits demo portfolios
}

// database is what the rules use of a db.DB.
type database interface {
	Promptly(ctx context.Context, do func(context.Context) error) error
	After(ctx context.Context, then func())
	Present(ctx context.Context, process string, heard func(message string))
	Tell(ctx context.Context, message string) error
}

// New is the store over a database.
func New(d *db.DB) *Store { return &Store{d, d, portfoliostore.New(d)} }
