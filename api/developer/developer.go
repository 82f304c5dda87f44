// Package developer is the side of the people who integrate: accounts and their
// members, requests for access, API keys, plans, the log of requests, and the record of
// what assistants did.
//
// It knows nothing of HTTP, SQL or pages.
package developer

import (
	"context"
	"hash/fnv"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/mail"
	"portal/api/secret"
	"portal/api/texts"
)

// Service is what can be done with accounts, access and keys.
type Service struct {
	Reviews *Reviews
	Post    mail.Post // takes the emails to applicants; nil: none are written
	BaseURL string    // that the emails lead to

	PasswordCost secret.Cost // of the passwords of new users; New sets secret.StandardCost

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

		PasswordCost: secret.StandardCost,
	}
	s.Reviews = &Reviews{s}
	return s
}

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
	// SetAutoChargeSince has the ledger of a portfolio charge by itself from a moment on.
	SetAutoChargeSince(ctx context.Context, in access.Portfolio, since *clock.Time) error
	// SetRentNotices has tenants of a portfolio get emails about rent from now on, or no longer.
	SetRentNotices(ctx context.Context, in access.Portfolio, on bool) error
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

	AddUnitRequest(ctx context.Context, r UnitRequest) error
	// ChangeUnitRequest stores who asked for how many units and when, and the answer.
	ChangeUnitRequest(ctx context.Context, r UnitRequest) error
	// OpenUnitRequest finds the one request of an account that is not answered.
	OpenUnitRequest(ctx context.Context, accountID string) (UnitRequest, bool, error)
	// UnitRequestsOf are those of an account, the newest first.
	UnitRequestsOf(ctx context.Context, accountID string) ([]UnitRequest, error)
	// StaffEmails are the addresses of all people of the staff, in the order of their ids.
	StaffEmails(ctx context.Context) ([]string, error)
	// UnitCases are at most so many that are not answered, the oldest first.
	UnitCases(ctx context.Context, most int) ([]UnitCase, error)

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

// Case is an access request as its reviewers see it.
type Case struct {
	AccessRequest
	Account   string // the account's name
	Applicant string // email address of the user who applied
	Reviewer  string // email address of the staff user who reviewed it last, "" for none
}

// Identity is the id of the request, which is its place in the queue.
func (c *Case) Identity() string { return c.ID }

// Revision is the same for all: a request keeps its place.
func (*Case) Revision() int64 { return 1 }

// CaseFilter narrows the queue of requests, which comes the newest first.
type CaseFilter struct {
	OldestFirst bool          // instead
	Status      RequestStatus // "" for all
	After       string        // the id of the last one of the page before
	Limit       int           // 1 to 100; 0 is 20
}

// Cases is a page of the queue.
func (s *Reviews) Cases(ctx context.Context, f CaseFilter) (*list.Page[Case], error) {
	if f.After != "" && !id.Valid(id.AccessRequest, f.After) {
		return nil, fault.Of(fault.InvalidCursor)
	}
	if f.Limit == 0 {
		f.Limit = list.Default
	}
	limit := min(max(f.Limit, 1), list.Max)
	f.Limit = limit + 1
	rows, err := s.service.store.Cases(ctx, f)
	return list.Of(rows, limit, (*Case).Identity), err
}

// CaseCounts are how many requests have each status.
func (s *Reviews) CaseCounts(ctx context.Context) (list.Counts[RequestStatus], error) {
	return s.service.store.CaseCounts(ctx)
}

// Case is one request.
func (s *Reviews) Case(ctx context.Context, requestID string) (Case, error) {
	c, found, err := s.service.store.Case(ctx, requestID)
	if err == nil && !found {
		err = fault.New(fault.NoRecord, "No access request has the id %s.", requestID)
	}
	return c, err
}

// AccountMember is a person who takes part in an account.
type AccountMember struct {
	AccountID string
	Account   string // the account's name
	Plan      Tier
	UserID    string
	Email     string
	Role      access.Role
}

// Identity is the cursor of the list of members: a person has a row for each of their accounts.
func (m *AccountMember) Identity() string { return m.AccountID + "." + m.UserID }

// Revision changes with the email address, which is the place of a member in the list.
func (m *AccountMember) Revision() int64 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(m.Email))
	return int64(h.Sum32())
}

// MemberFilter narrows the members of all accounts, in the order of their email addresses.
type MemberFilter struct {
	Email      string // what the address begins with; nobody is found without it
	Descending bool   // from the last address to the first
	After      string // the Identity of the last one of the page before
	Limit      int    // 1 to 100; 0 is 20
}

// Position is the account and the user of the last one of the page before, both "" for the first page.
func (f MemberFilter) Position() (accountID, userID string) {
	accountID, userID, _ = strings.Cut(f.After, ".")
	return accountID, userID
}

// FindMembers is a page of the people whose email address begins with a text, with their accounts.
func (s *Service) FindMembers(ctx context.Context, f MemberFilter) (*list.Page[AccountMember], error) {
	accountID, userID := f.Position()
	if f.After != "" && (!id.Valid(id.Account, accountID) || !id.Valid(id.User, userID)) {
		return nil, fault.Of(fault.InvalidCursor)
	}
	if f.Limit == 0 {
		f.Limit = list.Default
	}
	limit := min(max(f.Limit, 1), list.Max)
	f.Limit = limit + 1
	f.Email = strings.ToLower(strings.TrimSpace(f.Email))
	if f.Email == "" || texts.Unreadable(f.Email, false) {
		return list.Of([]AccountMember{}, limit, (*AccountMember).Identity), nil
	}
	rows, err := s.store.Holders(ctx, f)
	return list.Of(rows, limit, (*AccountMember).Identity), err
}

// AccountDetails is an account as the staff sees it.
type AccountDetails struct {
	Account
	Members []AccountMember
	Units   int // live ones
}

// Member is the member who is a user, or fault.NoRecord.
func (h *AccountDetails) Member(userID string) (*AccountMember, error) {
	for i := range h.Members {
		if h.Members[i].UserID == userID {
			return &h.Members[i], nil
		}
	}
	return nil, fault.Of(fault.NoRecord)
}

// AccountDetails is an account with its members.
func (s *Service) AccountDetails(ctx context.Context, accountID string) (h AccountDetails, err error) {
	var found bool
	if h.Account, found, err = s.store.AccountByID(ctx, accountID); err != nil {
		return h, err
	}
	if !found {
		return h, fault.New(fault.NoRecord, "No account has the id %s.", accountID)
	}
	if h.Members, err = s.store.HoldersOf(ctx, accountID); err != nil {
		return h, err
	}
	live, err := s.store.PortfolioOf(ctx, accountID, access.Live)
	if err != nil {
		return h, err
	}
	h.Units, err = s.store.UnitCount(ctx, live)
	return h, err
}

// Logged is a line of the request log, of any account.
func (s *Service) Logged(ctx context.Context, requestID string) (Request, error) {
	r, found, err := s.store.Logged(ctx, requestID)
	if err == nil && !found {
		err = fault.New(fault.NoRecord,
			"The log has no request with the ID %s. Requests are kept for 90 days.",
			requestID)
	}
	return r, err
}
