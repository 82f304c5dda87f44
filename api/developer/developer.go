// Package developer is the side of the people who integrate: accounts and their
// members, requests for access, API keys, plans, the log of requests, and the record of
// what assistants did.
//
// It knows nothing of HTTP, SQL or pages.
package developer

import (
	"context"
	"time"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/clock"
)

// Service is what can be done with accounts, access and keys.
type Service struct {
	Reviews *Reviews
	Post    Post   // takes the emails to applicants; nil: none are written
	BaseURL string // that the emails lead to

	store Store
	now   clock.Clock
	fill  func(ctx context.Context, demo access.Portfolio, zone *time.Location) error
	audit audit.Log
}

// New makes the service over a store. Fill puts its contents into the demo
// portfolio of a new account, within the transaction that makes the account.
func New(
	store Store,
	now clock.Clock,
	fill func(ctx context.Context, demo access.Portfolio, zone *time.Location) error,
) *Service {
	s := &Service{
		store: store,
		now:   now,
		fill:  fill,
		audit: audit.Log{Store: store, Now: now},
	}
	s.Reviews = &Reviews{s}
	return s
}
