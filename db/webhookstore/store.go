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
	"portal/db/accountstore"
	"portal/db/portfoliostore"
	"portal/db/rows"
	"portal/db/servicestore"
)

// Endpoints keeps the endpoints and how they fare.
type Endpoints struct{ db *db.DB }

// NewEndpoints is the store over a database.
func NewEndpoints(d *db.DB) Endpoints { return Endpoints{d} }

// Deliveries keeps events and their deliveries.
type Deliveries struct{ db *db.DB }

// NewDeliveries is the store over a database.
func NewDeliveries(d *db.DB) Deliveries { return Deliveries{d} }

// Dispatch hands out deliveries to the processes that attempt them.
type Dispatch struct{ db *db.DB }

// NewDispatch is the store over a database.
func NewDispatch(d *db.DB) Dispatch { return Dispatch{d} }

// Stores are put together by other names, as a field may not be called as a method is.
type (
	endpoints  = Endpoints
	deliveries = Deliveries
	dispatcher = Dispatch
	landlords  = portfoliostore.Invitations
	accounts   = accountstore.Accounts
	demos      = servicestore.Demos
)

// transactor runs changes together, as package webhook asks for it: a db.DB.
type transactor interface {
	rows.Transactor
	Promptly(ctx context.Context, do func(context.Context) error) error
	After(ctx context.Context, then func())
}

// New is what the rules of webhooks need of a database.
func New(d *db.DB) webhook.Stores {
	all := struct {
		transactor
		endpoints
		deliveries
		dispatcher
		landlords
		accounts
		demos
	}{
		d,
		NewEndpoints(d),
		NewDeliveries(d),
		NewDispatch(d),
		portfoliostore.NewInvitations(d),
		accountstore.NewAccounts(d),
		servicestore.NewDemos(d),
	}
	return webhook.Stores{
		Transactions: all,
		Endpoints:    all,
		Events:       all,
		Deliveries:   all,
		Missed:       all,
		Owners:       all,
		Health:       all,
		Claims:       all,
		Failing:      all,
	}
}

// processes are those that send, as a database knows them.
type processes interface {
	Promptly(ctx context.Context, do func(context.Context) error) error
	Present(ctx context.Context, process string, heard func(message string))
	Tell(ctx context.Context, message string) error
}

// ForDispatch is what the dispatcher needs of a database.
func ForDispatch(d *db.DB) dispatch.Store {
	return struct {
		processes
		dispatcher
	}{d, NewDispatch(d)}
}
