package developerstore

import (
	"context"

	"portal/api/clock"
	"portal/api/developer"
	"portal/db"
	"portal/db/rows"
)

// accessRequestTable has the columns of access requests, and where in one their values are.
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
	_, err := accessRequestTable.Add(ctx, s.db, &r, "")
	return err
}

// OpenAccessRequest finds the request of an account that is pending or approved.
func (s *Store) OpenAccessRequest(
	ctx context.Context, accountID string,
) (r developer.AccessRequest, found bool, err error) {
	err = s.db.Each(ctx, `SELECT `+accessRequestTable.Columns+`
		FROM access_requests
		WHERE account_id = $1 AND `+rows.OneOf("status", developer.OpenRequests()), []any{
		accountID,
	}, func(scan db.Scan) error {
		found = true
		return accessRequestTable.Scan(scan, &r)
	})
	return r, found, err
}

// AccessRequest finds a request by its id.
func (s *Store) AccessRequest(ctx context.Context, id string) (r developer.AccessRequest, found bool, err error) {
	err = s.db.Each(ctx, "SELECT "+accessRequestTable.Columns+" FROM access_requests WHERE id = $1", []any{
		id,
	}, func(scan db.Scan) error {
		found = true
		return accessRequestTable.Scan(scan, &r)
	})
	return r, found, err
}

// AccessRequests reads all requests in ascending id.
func (s *Store) AccessRequests(ctx context.Context) ([]developer.AccessRequest, error) {
	return s.accessRequests(ctx, "ORDER BY id")
}

// AccessRequestsOf reads the requests of an account, the newest first.
func (s *Store) AccessRequestsOf(ctx context.Context, accountID string) ([]developer.AccessRequest, error) {
	return s.accessRequests(ctx, "WHERE account_id = $1 ORDER BY id DESC", accountID)
}

func (s *Store) accessRequests(ctx context.Context, which string, args ...any) ([]developer.AccessRequest, error) {
	all := []developer.AccessRequest{}
	err := s.db.Each(ctx, "SELECT "+accessRequestTable.Columns+" FROM access_requests "+
		which, args, func(scan db.Scan) error {
		all = append(all, developer.AccessRequest{})
		return accessRequestTable.Scan(scan, &all[len(all)-1])
	})
	return all, err
}

// ReviewAccessRequest stores what a review decided.
func (s *Store) ReviewAccessRequest(ctx context.Context, r developer.AccessRequest) error {
	_, err := s.db.Exec(ctx, `UPDATE access_requests
		SET status = $2, reviewed_at = $3, review_notes = $4, denial_reason = $5, reviewed_by = $6
		WHERE id = $1`, r.ID, r.Status, r.ReviewedAt, r.ReviewNotes, r.DenialReason, r.ReviewedBy)
	return err
}
