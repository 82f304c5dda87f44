// Package developerstore keeps access requests, keys, and what they were used for, in the database of
// package db.
//
// It knows no rules and no HTTP.
package developerstore

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/list"
	"portal/db"
	"portal/db/portfoliostore"
	"portal/db/rows"
)

var (
	_ developer.Store       = (*Store)(nil)
	_ developer.ActivityLog = (*Store)(nil)
)

// Store keeps access requests, keys, and the logs of requests and tool calls.
type Store struct {
	db                    *db.DB
	*portfoliostore.Store // counts the units of a portfolio, and has its account
}

// New is the store over a database.
func New(d *db.DB) *Store { return &Store{d, portfoliostore.New(d)} }

var accessRequestTable = rows.NewTable(
	"access_requests",
	rows.At("id", func(r *developer.AccessRequest) *string { return &r.ID }),
	rows.At("status", func(r *developer.AccessRequest) *developer.RequestStatus { return &r.Status }),
	rows.At("company_name", func(r *developer.AccessRequest) **string { return &r.CompanyName }),
	rows.At("contact_email", func(r *developer.AccessRequest) *string { return &r.ContactEmail }),
	rows.At("use_case", func(r *developer.AccessRequest) *string { return &r.UseCase }),
	rows.At("expected_monthly_calls", func(r *developer.AccessRequest) **int { return &r.ExpectedMonthlyCalls }),
	rows.At("integration_type", func(r *developer.AccessRequest) **string { return &r.IntegrationType }),
	rows.At("website_url", func(r *developer.AccessRequest) **string { return &r.WebsiteURL }),
	rows.At("submitted_at", func(r *developer.AccessRequest) *clock.Time { return &r.SubmittedAt }),
	rows.At("reviewed_at", func(r *developer.AccessRequest) **clock.Time { return &r.ReviewedAt }),
	rows.At("review_notes", func(r *developer.AccessRequest) **string { return &r.ReviewNotes }),
	rows.At("denial_reason", func(r *developer.AccessRequest) **string { return &r.DenialReason }),
	rows.At("account_id", func(r *developer.AccessRequest) *string { return &r.AccountID }),
	rows.At("user_id", func(r *developer.AccessRequest) *string { return &r.SubmittedBy }),
	rows.At("reviewed_by", func(r *developer.AccessRequest) **string { return &r.ReviewedBy }),
)

// AddAccessRequest adds a request; an index keeps a second open one away.
func (s *Store) AddAccessRequest(ctx context.Context, r developer.AccessRequest) error {
	return accessRequestTable.Add(ctx, s.db, &r)
}

// OpenAccessRequest finds the request of an account that is pending or approved.
func (s *Store) OpenAccessRequest(
	ctx context.Context, accountID string,
) (developer.AccessRequest, bool, error) {
	return accessRequestTable.First(ctx, s.db, "WHERE account_id = $1 AND "+
		rows.OneOf("status", developer.OpenRequests()), accountID)
}

// AccessRequest finds a request by its id.
func (s *Store) AccessRequest(ctx context.Context, id string) (developer.AccessRequest, bool, error) {
	return accessRequestTable.First(ctx, s.db, "WHERE id = $1", id)
}

// AccessRequests reads all requests in ascending id.
func (s *Store) AccessRequests(ctx context.Context) ([]developer.AccessRequest, error) {
	return accessRequestTable.All(ctx, s.db, "ORDER BY id")
}

// AccessRequestsOf reads the requests of an account, the newest first.
func (s *Store) AccessRequestsOf(ctx context.Context, accountID string) ([]developer.AccessRequest, error) {
	return accessRequestTable.All(ctx, s.db, "WHERE account_id = $1 ORDER BY id DESC", accountID)
}

// ReviewAccessRequest stores what a review decided.
func (s *Store) ReviewAccessRequest(ctx context.Context, r developer.AccessRequest) error {
	return s.db.Run(ctx, `UPDATE access_requests
		SET status = $2, reviewed_at = $3, review_notes = $4, denial_reason = $5, reviewed_by = $6
		WHERE id = $1`, r.ID, r.Status, r.ReviewedAt, r.ReviewNotes, r.DenialReason, r.ReviewedBy)
}

var cases = `SELECT ` + accessRequestTable.Of("r") + `, a.name, u.email, COALESCE(v.email, '')
	FROM access_requests r
	JOIN accounts a ON a.id = r.account_id
	JOIN users u ON u.id = r.user_id
	LEFT JOIN users v ON v.id = r.reviewed_by
	WHERE `

func (s *Store) cases(ctx context.Context, which string, args ...any) ([]developer.Case, error) {
	return rows.All(ctx, s.db, cases+which, args, func(scan db.Scan, c *developer.Case) error {
		return scan(append(accessRequestTable.Targets(&c.AccessRequest), &c.Account, &c.Applicant, &c.Reviewer)...)
	})
}

// Cases lists requests with what their reviewers know of them.
func (s *Store) Cases(ctx context.Context, f developer.CaseFilter) ([]developer.Case, error) {
	which, args := rows.CasesAfter("r", "areq", f.After, string(f.Status), f.OldestFirst, f.Limit)
	return s.cases(ctx, which, args...)
}

// CaseCounts counts the requests of each status, one more than list.Most at most, with one query.
func (s *Store) CaseCounts(ctx context.Context) (list.Counts[developer.RequestStatus], error) {
	return rows.CountStatuses(ctx, s.db, "access_requests",
		developer.Pending, developer.Approved, developer.Denied, developer.Withdrawn, developer.Revoked)
}

// Case finds a request by its id.
func (s *Store) Case(ctx context.Context, id string) (developer.Case, bool, error) {
	all, err := s.cases(ctx, "r.id = $1", id)
	if err != nil || len(all) == 0 {
		return developer.Case{}, false, err
	}
	return all[0], true, nil
}

// PendingAccessRequests counts the requests that wait for the staff, at most so many.
func (s *Store) PendingAccessRequests(ctx context.Context, most int) (int, error) {
	return rows.AtMost(ctx, s.db, most, "access_requests WHERE "+rows.Is("status", developer.Pending))
}

// Delivered reports whether a webhook of a portfolio was ever acknowledged, or an event streamed. The endpoints know
// of the first, of which a portfolio has few: a delivery that is sent again forgets it.
func (s *Store) Delivered(ctx context.Context, in access.Portfolio) (bool, error) {
	return s.db.Has(ctx, `SELECT 1
		FROM webhook_endpoints
		WHERE portfolio_id = $1 AND last_success_at IS NOT NULL
		UNION ALL
		SELECT 1 FROM portfolios WHERE id = $1 AND streamed_at IS NOT NULL
		LIMIT 1`, []any{in.ID})
}
