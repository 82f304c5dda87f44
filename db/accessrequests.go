package db

import (
	"context"

	"portal/api/developer"
)

const accessRequestColumns = `id, status, company_name, contact_email, use_case, expected_monthly_calls, integration_type, website_url,
	submitted_at, reviewed_at, review_notes, denial_reason`

func readAccessRequest(s scan, r *developer.AccessRequest) error {
	return s(&r.ID, &r.Status, &r.CompanyName, &r.ContactEmail, &r.UseCase, &r.ExpectedMonthlyCalls, &r.IntegrationType, &r.WebsiteURL,
		&r.SubmittedAt, &r.ReviewedAt, &r.ReviewNotes, &r.DenialReason)
}

// AddAccessRequest adds a request; an index keeps a second open one away.
func (d *DB) AddAccessRequest(ctx context.Context, accountID, userID string, r developer.AccessRequest) error {
	_, err := d.exec(ctx, `INSERT INTO access_requests (account_id, user_id, `+accessRequestColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
		accountID, userID, r.ID, r.Status, r.CompanyName, r.ContactEmail, r.UseCase, r.ExpectedMonthlyCalls, r.IntegrationType, r.WebsiteURL,
		r.SubmittedAt, r.ReviewedAt, r.ReviewNotes, r.DenialReason)
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

// AccessRequests reads all requests in ascending id.
func (d *DB) AccessRequests(ctx context.Context) ([]developer.AccessRequest, error) {
	all := []developer.AccessRequest{}
	err := d.each(ctx, "SELECT "+accessRequestColumns+" FROM access_requests ORDER BY id", nil, func(s scan) error {
		all = append(all, developer.AccessRequest{})
		return readAccessRequest(s, &all[len(all)-1])
	})
	return all, err
}

// ReviewAccessRequest stores what a review decided.
func (d *DB) ReviewAccessRequest(ctx context.Context, r developer.AccessRequest) error {
	_, err := d.exec(ctx, `UPDATE access_requests
		SET status = $2, reviewed_at = $3, review_notes = $4, denial_reason = $5
		WHERE id = $1`, r.ID, r.Status, r.ReviewedAt, r.ReviewNotes, r.DenialReason)
	return err
}
