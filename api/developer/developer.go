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
	store Store
	now   clock.Clock
	fill  func(ctx context.Context, demo access.Portfolio, zone *time.Location) error
	zones zones
	audit audit.Log
}

// New makes the service over a store. Fill puts its contents into the demo
// portfolio of a new account, within the transaction that makes the account.
func New(store Store, now clock.Clock, fill func(ctx context.Context, demo access.Portfolio, zone *time.Location) error) *Service {
	return &Service{store: store, now: now, fill: fill, audit: audit.Log{Store: store, Now: now}}
}

// Store keeps accounts, requests and keys.
type Store interface {
	Atomically(ctx context.Context, do func(context.Context) error) error
	audit.Store
	accounts
	requests
	keys
	history
	requestLog
}

type accounts interface {
	// AddUser tells false where the e-mail address is taken.
	AddUser(ctx context.Context, u User) (bool, error)
	// User finds by e-mail address in lower case.
	User(ctx context.Context, email string) (User, bool, error)
	AddAccount(ctx context.Context, a Account) error
	AddPortfolio(ctx context.Context, accountID string, mode access.Mode) (access.Portfolio, error)
	// SetMember adds a member or changes the role of one.
	SetMember(ctx context.Context, accountID, userID string, role access.Role, at clock.Time) error
	// AccountOf finds the account that a user owns, the oldest where there are several.
	AccountOf(ctx context.Context, userID string) (Account, bool, error)
	SetPlan(ctx context.Context, accountID string, p Plan) error
	// LockAccount lets other transactions that lock the account wait until this one ends.
	LockAccount(ctx context.Context, accountID string) error
}

type requests interface {
	AddAccessRequest(ctx context.Context, accountID, userID string, r AccessRequest) error
	// OpenAccessRequest finds the one request of an account that is pending or approved.
	OpenAccessRequest(ctx context.Context, accountID string) (AccessRequest, bool, error)
	AccessRequests(ctx context.Context) ([]AccessRequest, error)
	ReviewAccessRequest(ctx context.Context, r AccessRequest) error
}

type keys interface {
	AddKey(ctx context.Context, accountID, userID string, in access.Portfolio, k Key) error
	Keys(ctx context.Context, accountID string) ([]Key, error)
	// RevokeKey tells whose key it is, "" where no key has this id; one that was revoked
	// stays so.
	RevokeKey(ctx context.Context, id string, at clock.Time) (accountID string, err error)
	RevokeKeys(ctx context.Context, accountID string, at clock.Time) error
	PortfolioOf(ctx context.Context, accountID string, mode access.Mode) (access.Portfolio, error)
	// Caller finds who a key belongs to by the SHA-256 of the key.
	Caller(ctx context.Context, hash []byte) (Caller, bool, error)
	// UnitCount counts the units of a portfolio.
	UnitCount(ctx context.Context, in access.Portfolio) (int, error)
}
