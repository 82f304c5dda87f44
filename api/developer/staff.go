package developer

import (
	"context"
	"hash/fnv"
	"strings"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/texts"
)

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
