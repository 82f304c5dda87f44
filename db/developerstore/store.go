// Package developerstore keeps access requests, keys, and what they were used for, in the database of
// package db.
//
// It knows no rules and no HTTP.
package developerstore

import (
	"portal/api/developer"
	"portal/db"
	"portal/db/accountstore"
	"portal/db/portfoliostore"
	"portal/db/rows"
	"portal/db/servicestore"
)

// AccessRequests keeps who asked for access to the API.
type AccessRequests struct{ db *db.DB }

// NewAccessRequests is the store over a database.
func NewAccessRequests(d *db.DB) AccessRequests { return AccessRequests{d} }

// Keys keeps the keys of the API.
type Keys struct{ db *db.DB }

// NewKeys is the store over a database.
func NewKeys(d *db.DB) Keys { return Keys{d} }

// Requests keeps the log of requests, what was sent with them and how many there were.
type Requests struct{ db *db.DB }

// NewRequests is the store over a database.
func NewRequests(d *db.DB) Requests { return Requests{d} }

// Activity keeps the calls of tools and the clients that made them.
type Activity struct{ db *db.DB }

// NewActivity is the store over a database.
func NewActivity(d *db.DB) Activity { return Activity{d} }

// Stores are put together by other names, as a field may not be called as a method is.
type (
	trail          = servicestore.Trail
	accounts       = accountstore.Accounts
	accessRequests = AccessRequests
	apiKeys        = Keys
	requests       = Requests
	activity       = Activity
	books          = portfoliostore.Books
)

// New is what the rules of accounts and keys need of a database.
func New(d *db.DB) developer.Stores {
	all := struct {
		rows.Transactor
		trail
		accounts
		accessRequests
		apiKeys
		requests
		activity
		books
	}{
		d,
		servicestore.NewTrail(d),
		accountstore.NewAccounts(d),
		NewAccessRequests(d),
		NewKeys(d),
		NewRequests(d),
		NewActivity(d),
		portfoliostore.NewBooks(d),
	}
	return developer.Stores{
		Transactions: all,
		Audit:        all,
		Accounts:     all,
		Members:      all,
		Portfolios:   all,
		Requests:     all,
		Reviews:      all,
		Queue:        all,
		Keys:         all,
		RequestLog:   all,
		ToolCalls:    all,
	}
}

// ForActivity is what the log of tool calls needs of a database.
func ForActivity(d *db.DB) developer.ActivityLog {
	return struct {
		rows.Transactor
		activity
	}{d, NewActivity(d)}
}
