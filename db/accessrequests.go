package db

import (
	"context"

	"portal/api/developer"
)

const accessRequestColumns = `id, status, company_name, contact_email, use_case, expected_monthly_calls, integration_type, website_url,
	submitted_at, reviewed_at, review_notes, denial_reason, account_id, user_id, reviewed_by`

func readAccessRequest(s scan, r *developer.AccessRequest) error {
	return s(&r.ID, &r.Status, &r.CompanyName, &r.ContactEmail, &r.UseCase, &r.ExpectedMonthlyCalls, &r.IntegrationType, &r.WebsiteURL,
		&r.SubmittedAt, &r.ReviewedAt, &r.ReviewNotes, &r.DenialReason, &r.AccountID, &r.SubmittedBy, &r.ReviewedBy)
}

// AddAccessRequest adds a request; an index keeps a second open one away.
func (d *DB) AddAccessRequest(ctx context.Context, r developer.AccessRequest) error {
	_, err := d.exec(ctx, `INSERT INTO access_requests (`+accessRequestColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
		r.ID, r.Status, r.CompanyName, r.ContactEmail, r.UseCase, r.ExpectedMonthlyCalls, r.IntegrationType, r.WebsiteURL,
		r.SubmittedAt, r.ReviewedAt, r.ReviewNotes, r.DenialReason, r.AccountID, r.SubmittedBy, r.ReviewedBy)
	return err
}

// OpenAccessRequest finds the request of an account that is pending or approved.
func (d *DB) OpenAccessRequest(ctx context.Context, accountID string) (r developer.AccessRequest, found bool, err error) {
	err = d.each(ctx, `SELECT `+accessRequestColumns+`
		FROM access_requests
		WHERE account_id = $1 AND status IN ('pending', 'approved')`, []any{accountID}, func(s scan) error {
		found = true
		return readAccessRequest(s, &r)
	})
	return r, found, err
}

// AccessRequest finds a request by its id.
func (d *DB) AccessRequest(ctx context.Context, id string) (r developer.AccessRequest, found bool, err error) {
	err = d.each(ctx, "SELECT "+accessRequestColumns+" FROM access_requests WHERE id = $1", []any{id}, func(s scan) error {
		found = true
		return readAccessRequest(s, &r)
	})
	return r, found, err
}

// AccessRequests reads all requests in ascending id.
func (d *DB) AccessRequests(ctx context.Context) ([]developer.AccessRequest, error) {
	return d.accessRequests(ctx, "ORDER BY id")
}

// AccessRequestsOf reads the requests of an account, the newest first.
func (d *DB) AccessRequestsOf(ctx context.Context, accountID string) ([]developer.AccessRequest, error) {
	return d.accessRequests(ctx, "WHERE account_id = $1 ORDER BY id DESC", accountID)
}

func (d *DB) accessRequests(ctx context.Context, which string, args ...any) ([]developer.AccessRequest, error) {
	all := []developer.AccessRequest{}
	err := d.each(ctx, "SELECT "+accessRequestColumns+" FROM access_requests "+which, args, func(s scan) error {
		all = append(all, developer.AccessRequest{})
		return readAccessRequest(s, &all[len(all)-1])
	})
	return all, err
}

// ReviewAccessRequest stores what a review decided.
func (d *DB) ReviewAccessRequest(ctx context.Context, r developer.AccessRequest) error {
	_, err := d.exec(ctx, `UPDATE access_requests
		SET status = $2, reviewed_at = $3, review_notes = $4, denial_reason = $5, reviewed_by = $6
		WHERE id = $1`, r.ID, r.Status, r.ReviewedAt, r.ReviewNotes, r.DenialReason, r.ReviewedBy)
	return err
}
