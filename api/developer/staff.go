package developer

import (
	"context"
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

// CaseFilter narrows the queue of requests. Those that wait come the oldest first, all
// others the newest first.
type CaseFilter struct {
	Status RequestStatus // "" for all
	After  string        // the id of the last one of the page before
	Limit  int           // 1 to 100; 0 is 20
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
	rows, err := s.store.Cases(ctx, f)
	return list.Of(rows, limit, func(c *Case) string { return c.ID }), err
}

// CaseCounts are how many requests have each status.
func (s *Reviews) CaseCounts(ctx context.Context) (list.Counts[RequestStatus], error) {
	return s.queue.CaseCounts(ctx)
}

// Case is one request.
func (s *Reviews) Case(ctx context.Context, requestID string) (Case, error) {
	c, found, err := s.store.Case(ctx, requestID)
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

// mostFound is how many people a search shows.
const mostFound = 50

// FindMembers are the people whose email address begins with a text, with their accounts.
func (s *Service) FindMembers(ctx context.Context, email string) ([]AccountMember, error) {
	email = strings.ToLower(strings.TrimSpace(email))
	if email == "" || texts.Unreadable(email, false) {
		return nil, nil
	}
	return s.stores.Members.Holders(ctx, email, mostFound)
}

// AccountDetails is an account as the staff sees it.
type AccountDetails struct {
	Account
	Members []AccountMember
	Units   int // live ones
}

// AccountDetails is an account with its members.
func (s *Service) AccountDetails(ctx context.Context, accountID string) (h AccountDetails, err error) {
	var found bool
	if h.Account, found, err = s.stores.Members.AccountByID(ctx, accountID); err != nil {
		return h, err
	}
	if !found {
		return h, fault.New(fault.NoRecord, "No account has the id %s.", accountID)
	}
	if h.Members, err = s.stores.Members.HoldersOf(ctx, accountID); err != nil {
		return h, err
	}
	live, err := s.stores.Portfolios.PortfolioOf(ctx, accountID, access.Live)
	if err != nil {
		return h, err
	}
	h.Units, err = s.stores.Portfolios.UnitCount(ctx, live)
	return h, err
}

// Logged is a line of the request log, of any account.
func (s *Service) Logged(ctx context.Context, requestID string) (Request, error) {
	r, found, err := s.stores.RequestLog.Logged(ctx, requestID)
	if err == nil && !found {
		err = fault.New(fault.NoRecord,
			"The log has no request with the ID %s. Requests are kept for 90 days.",
			requestID)
	}
	return r, err
}
