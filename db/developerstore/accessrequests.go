package developerstore

import (
	"context"

	"portal/api/developer"
	"portal/db"
	"portal/db/rows"
)

const accessRequestColumns = `id, status, company_name, contact_email, use_case, expected_monthly_calls, integration_type, website_url,
	submitted_at, reviewed_at, review_notes, denial_reason, account_id, user_id, reviewed_by`

func readAccessRequest(scan db.Scan, r *developer.AccessRequest) error {
	return scan(
		&r.ID,
		&r.Status,
		&r.CompanyName,
		&r.ContactEmail,
		&r.UseCase,
		&r.ExpectedMonthlyCalls,
		&r.IntegrationType,
		&r.WebsiteURL,
		&r.SubmittedAt,
		&r.ReviewedAt,
		&r.ReviewNotes,
		&r.DenialReason,
		&r.AccountID,
		&r.SubmittedBy,
		&r.ReviewedBy,
	)
}

// AddAccessRequest adds a request; an index keeps a second open one away.
func (s AccessRequests) AddAccessRequest(ctx context.Context, r developer.AccessRequest) error {
	_, err := s.db.Exec(
		ctx,
		`INSERT INTO access_requests (`+accessRequestColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
		r.ID,
		r.Status,
		r.CompanyName,
		r.ContactEmail,
		r.UseCase,
		r.ExpectedMonthlyCalls,
		r.IntegrationType,
		r.WebsiteURL,
		r.SubmittedAt,
		r.ReviewedAt,
		r.ReviewNotes,
		r.DenialReason,
		r.AccountID,
		r.SubmittedBy,
		r.ReviewedBy,
	)
	return err
}

// OpenAccessRequest finds the request of an account that is pending or approved.
func (s AccessRequests) OpenAccessRequest(
	ctx context.Context, accountID string,
) (r developer.AccessRequest, found bool, err error) {
	err = s.db.Each(ctx, `SELECT `+accessRequestColumns+`
		FROM access_requests
		WHERE account_id = $1 AND `+rows.OneOf("status", developer.OpenRequests()), []any{
		accountID,
	}, func(scan db.Scan) error {
		found = true
		return readAccessRequest(scan, &r)
	})
	return r, found, err
}

// AccessRequest finds a request by its id.
func (s AccessRequests) AccessRequest(
	ctx context.Context, id string,
) (r developer.AccessRequest, found bool, err error) {
	err = s.db.Each(ctx, "SELECT "+accessRequestColumns+" FROM access_requests WHERE id = $1", []any{
		id,
	}, func(scan db.Scan) error {
		found = true
		return readAccessRequest(scan, &r)
	})
	return r, found, err
}

// AccessRequests reads all requests in ascending id.
func (s AccessRequests) AccessRequests(ctx context.Context) ([]developer.AccessRequest, error) {
	return s.accessRequests(ctx, "ORDER BY id")
}

// AccessRequestsOf reads the requests of an account, the newest first.
func (s AccessRequests) AccessRequestsOf(ctx context.Context, accountID string) ([]developer.AccessRequest, error) {
	return s.accessRequests(ctx, "WHERE account_id = $1 ORDER BY id DESC", accountID)
}

func (s AccessRequests) accessRequests(
	ctx context.Context, which string, args ...any,
) ([]developer.AccessRequest, error) {
	all := []developer.AccessRequest{}
	err := s.db.Each(ctx, "SELECT "+accessRequestColumns+" FROM access_requests "+
		which, args, func(scan db.Scan) error {
		all = append(all, developer.AccessRequest{})
		return readAccessRequest(scan, &all[len(all)-1])
	})
	return all, err
}

// ReviewAccessRequest stores what a review decided.
func (s AccessRequests) ReviewAccessRequest(ctx context.Context, r developer.AccessRequest) error {
	_, err := s.db.Exec(ctx, `UPDATE access_requests
		SET status = $2, reviewed_at = $3, review_notes = $4, denial_reason = $5, reviewed_by = $6
		WHERE id = $1`, r.ID, r.Status, r.ReviewedAt, r.ReviewNotes, r.DenialReason, r.ReviewedBy)
	return err
}
