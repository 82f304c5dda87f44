package developer

import (
	"context"
	"time"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/list"
)

// Store keeps accounts, requests for access, API keys, and what those were used for. Where a
// lookup returns a bool, it reports whether the record was found.
type Store interface {
	change.Transactor
	audit.Store

	// AddUser tells false where the email address is taken.
	AddUser(ctx context.Context, u User) (bool, error)
	// User finds by email address in lower case.
	User(ctx context.Context, email string) (User, bool, error)
	AddAccount(ctx context.Context, a Account) error
	AddPortfolio(ctx context.Context, accountID string, mode access.Mode) (access.Portfolio, error)
	// SetMember adds a member or changes the role of one.
	SetMember(ctx context.Context, accountID, userID string, role access.Role, at clock.Time) error
	// AccountsOf are the open accounts that a user owns, the one they joined first first.
	AccountsOf(ctx context.Context, userID string) ([]Account, error)
	SetPlan(ctx context.Context, accountID string, p Plan) error
	// LockAccount lets other transactions that lock the account wait until this one ends.
	LockAccount(ctx context.Context, accountID string) error

	AccountByID(ctx context.Context, id string) (Account, bool, error)
	// Holders have an email address that begins with a text, in the order of the addresses.
	Holders(ctx context.Context, f MemberFilter) ([]AccountMember, error)
	// HoldersOf are those of an account, the longest there first.
	HoldersOf(ctx context.Context, accountID string) ([]AccountMember, error)
	IsMember(ctx context.Context, accountID, userID string) (bool, error)

	PortfolioOf(ctx context.Context, accountID string, mode access.Mode) (access.Portfolio, error)
	// UnitCount counts the units of a portfolio.
	UnitCount(ctx context.Context, in access.Portfolio) (int, error)
	// Delivered reports whether a webhook of a portfolio was ever acknowledged.
	Delivered(ctx context.Context, in access.Portfolio) (bool, error)

	AccessRequest(ctx context.Context, id string) (AccessRequest, bool, error)
	// AccessRequests come the newest first.
	AccessRequests(ctx context.Context) ([]AccessRequest, error)
	// AccessRequestsOf are those of an account, the newest first.
	AccessRequestsOf(ctx context.Context, accountID string) ([]AccessRequest, error)
	AddAccessRequest(ctx context.Context, r AccessRequest) error
	// OpenAccessRequest finds the one request of an account that is pending or approved.
	OpenAccessRequest(ctx context.Context, accountID string) (AccessRequest, bool, error)
	ReviewAccessRequest(ctx context.Context, r AccessRequest) error

	// CaseCounts are how many requests have each status, at most one more than list.Most of each.
	CaseCounts(ctx context.Context) (list.Counts[RequestStatus], error)
	Case(ctx context.Context, id string) (Case, bool, error)
	Cases(ctx context.Context, f CaseFilter) ([]Case, error)

	AddKey(ctx context.Context, accountID, userID string, in access.Portfolio, k Key) error
	Key(ctx context.Context, accountID, id string) (Key, bool, error)
	Keys(ctx context.Context, accountID string) ([]Key, error)
	// EndKey lets a key of an account expire at a moment.
	EndKey(ctx context.Context, accountID, id string, at clock.Time) error
	// RevokeKey tells whose key it is, "" where no key has this id; one that was revoked
	// stays so.
	RevokeKey(ctx context.Context, id string, at clock.Time) (accountID string, err error)
	RevokeKeys(ctx context.Context, accountID string, at clock.Time) error
	// RevokeKeysOf revokes the keys of an account that a user made, or those of sessions
	// alone, and gives the ids of those that were not revoked before.
	RevokeKeysOf(ctx context.Context, accountID, userID string, sessionsAlone bool, at clock.Time) ([]string, error)
	// Caller finds who a key belongs to by the SHA-256 of the key.
	Caller(ctx context.Context, hash []byte) (Caller, bool, error)

	// Request is one of a moment or later, or fault.NotFound.
	Request(ctx context.Context, in access.Portfolio, id string, since clock.Time) (Request, error)
	// Requests come the newest first, one more than the limit where there are more. Of what is narrowed
	// RequestsSearched are looked at; reached is the last one of them, "" where none is behind it.
	Requests(ctx context.Context, in access.Portfolio, f RequestFilter) (found []Request, reached string, err error)
	// Logged is a line of the request log.
	Logged(ctx context.Context, id string) (Request, bool, error)
	// UnkeyedRequests are those without a valid key from a moment on and before another,
	// the oldest first.
	UnkeyedRequests(ctx context.Context, from, before clock.Time, most int) ([]Request, error)
	// RequestCounts are those of a client, "" for all, and those of OtherClients, the most
	// frequent first.
	RequestCounts(ctx context.Context, from, before clock.Time, client string, most int) ([]RequestCount, error)
	// KeyDays come in the order of the keys and the days.
	KeyDays(ctx context.Context, accountID string, from clock.Date) ([]KeyDay, error)
	// RequestSpans come in the order of time, without those in which nothing came.
	RequestSpans(ctx context.Context, in access.Portfolio, since clock.Time, span time.Duration) ([]RequestSpan, error)

	// ToolCall is one call, or fault.NotFound.
	ToolCall(ctx context.Context, in access.Portfolio, id string) (ToolCall, error)
	// ToolCalls come the newest first, one more than the limit where there are more.
	ToolCalls(ctx context.Context, in access.Portfolio, f CallFilter) ([]ToolCall, error)
	// Clients come the one that was seen last first: of a key, or for "" of all.
	Clients(ctx context.Context, in access.Portfolio, keyID string, most int) ([]Client, error)
}
