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
	zones zones
	audit audit.Log
}

// New makes the service over a store. Fill puts its contents into the demo
// portfolio of a new account, within the transaction that makes the account.
func New(store Store, now clock.Clock, fill func(ctx context.Context, demo access.Portfolio, zone *time.Location) error) *Service {
	s := &Service{store: store, now: now, fill: fill, audit: audit.Log{Store: store, Now: now}}
	s.Reviews = &Reviews{s, store}
	return s
}

// Store keeps accounts, requests and keys.
type Store interface {
	Atomically(ctx context.Context, do func(context.Context) error) error
	audit.Store
	accounts
	requests
	keys
	keyring
	staff
	history
}

type accounts interface {
	// AddUser tells false where the email address is taken.
	AddUser(ctx context.Context, u User) (bool, error)
	// User finds by email address in lower case.
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
	AddAccessRequest(ctx context.Context, r AccessRequest) error
	AccessRequest(ctx context.Context, id string) (AccessRequest, bool, error)
	// OpenAccessRequest finds the one request of an account that is pending or approved.
	OpenAccessRequest(ctx context.Context, accountID string) (AccessRequest, bool, error)
	AccessRequests(ctx context.Context) ([]AccessRequest, error)
	// AccessRequestsOf are those of an account, the newest first.
	AccessRequestsOf(ctx context.Context, accountID string) ([]AccessRequest, error)
	ReviewAccessRequest(ctx context.Context, r AccessRequest) error
	Cases(ctx context.Context, f CaseFilter) ([]Case, error)
	Case(ctx context.Context, id string) (Case, bool, error)
}

type keys interface {
	AddKey(ctx context.Context, accountID, userID string, in access.Portfolio, k Key) error
	Keys(ctx context.Context, accountID string) ([]Key, error)
	// RevokeKey tells whose key it is, "" where no key has this id; one that was revoked
	// stays so.
	RevokeKey(ctx context.Context, id string, at clock.Time) (accountID string, err error)
	RevokeKeys(ctx context.Context, accountID string, at clock.Time) error
	// RevokeKeysOf revokes the keys of an account that a user made, or those of sessions
	// alone, and gives the ids of those that were not revoked before.
	RevokeKeysOf(ctx context.Context, accountID, userID string, sessionsAlone bool, at clock.Time) ([]string, error)
	PortfolioOf(ctx context.Context, accountID string, mode access.Mode) (access.Portfolio, error)
	// Caller finds who a key belongs to by the SHA-256 of the key.
	Caller(ctx context.Context, hash []byte) (Caller, bool, error)
	// UnitCount counts the units of a portfolio.
	UnitCount(ctx context.Context, in access.Portfolio) (int, error)
}

type keyring interface {
	Key(ctx context.Context, accountID, id string) (Key, bool, error)
	// EndKey lets a key of an account expire at a moment.
	EndKey(ctx context.Context, accountID, id string, at clock.Time) error
	// Delivered tells whether a webhook of a portfolio was ever acknowledged.
	Delivered(ctx context.Context, in access.Portfolio) (bool, error)
}

type staff interface {
	IsMember(ctx context.Context, accountID, userID string) (bool, error)
	AccountByID(ctx context.Context, id string) (Account, bool, error)
	// Holders have an email address that begins with a text, in the order of the addresses.
	Holders(ctx context.Context, email string, most int) ([]AccountMember, error)
	// HoldersOf are those of an account, the longest there first.
	HoldersOf(ctx context.Context, accountID string) ([]AccountMember, error)
	// Logged is a line of the request log.
	Logged(ctx context.Context, id string) (Request, bool, error)
	// UnkeyedRequests are those without a valid key from a moment on and before another,
	// the oldest first.
	UnkeyedRequests(ctx context.Context, from, before clock.Time, most int) ([]Request, error)
	// RequestCounts are those of a client, "" for all, and those of OtherClients, the most
	// frequent first.
	RequestCounts(ctx context.Context, from, before clock.Time, client string, most int) ([]RequestCount, error)
}
