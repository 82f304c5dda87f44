package developerstore

import (
	"context"

	"portal/api/clock"
	"portal/api/developer"
	"portal/db"
	"portal/db/rows"
)

var unitRequestTable = rows.NewTable(
	"unit_requests",
	rows.At("id", func(r *developer.UnitRequest) *string { return &r.ID }),
	rows.At("account_id", func(r *developer.UnitRequest) *string { return &r.AccountID }),
	rows.At("user_id", func(r *developer.UnitRequest) *string { return &r.AskedBy }),
	rows.At("units", func(r *developer.UnitRequest) *int { return &r.Units }),
	rows.At("asked_at", func(r *developer.UnitRequest) *clock.Time { return &r.AskedAt }),
	rows.At("answered_at", func(r *developer.UnitRequest) **clock.Time { return &r.AnsweredAt }),
	rows.At("reason", func(r *developer.UnitRequest) **string { return &r.Reason }),
)

// AddUnitRequest adds a request; an index keeps a second open one away.
func (s *Store) AddUnitRequest(ctx context.Context, r developer.UnitRequest) error {
	return unitRequestTable.Add(ctx, s.db, &r)
}

// ChangeUnitRequest stores who asked for how many units and when, and the answer.
func (s *Store) ChangeUnitRequest(ctx context.Context, r developer.UnitRequest) error {
	return s.db.Run(ctx, `UPDATE unit_requests
		SET user_id = $3, units = $4, asked_at = $5, answered_at = $6, reason = $7
		WHERE id = $1 AND account_id = $2`,
		r.ID, r.AccountID, r.AskedBy, r.Units, r.AskedAt, r.AnsweredAt, r.Reason)
}

// OpenUnitRequest finds the request of an account that is not answered.
func (s *Store) OpenUnitRequest(ctx context.Context, accountID string) (developer.UnitRequest, bool, error) {
	return unitRequestTable.First(ctx, s.db, "WHERE account_id = $1 AND answered_at IS NULL", accountID)
}

// UnitRequestsOf reads the requests of an account, the newest first.
func (s *Store) UnitRequestsOf(ctx context.Context, accountID string) ([]developer.UnitRequest, error) {
	return unitRequestTable.All(ctx, s.db, "WHERE account_id = $1 ORDER BY id DESC", accountID)
}

// UnitCases reads requests that are not answered, the oldest first.
func (s *Store) UnitCases(ctx context.Context, most int) ([]developer.UnitCase, error) {
	return rows.All(ctx, s.db, `SELECT `+unitRequestTable.Of("r")+`, a.name, a.plan, a.unit_ceiling, u.email
		FROM unit_requests r
		JOIN accounts a ON a.id = r.account_id
		JOIN users u ON u.id = r.user_id
		WHERE r.answered_at IS NULL
		ORDER BY r.id
		LIMIT $1`, []any{int64(most)}, func(scan db.Scan, c *developer.UnitCase) error {
		own := unitRequestTable.Targets(&c.UnitRequest)
		return scan(append(own, &c.Account, &c.Plan.Tier, &c.Plan.Units, &c.Asker)...)
	})
}

// OpenUnitRequests counts the requests for more units that wait for the staff, at most so many.
func (s *Store) OpenUnitRequests(ctx context.Context, most int) (int, error) {
	return rows.AtMost(ctx, s.db, most, "unit_requests WHERE answered_at IS NULL")
}

// StaffEmails reads the addresses of all people of the staff, in the order of their ids.
func (s *Store) StaffEmails(ctx context.Context) ([]string, error) {
	return rows.All(ctx, s.db, "SELECT email FROM users WHERE "+rows.Is("role", developer.Staff)+" ORDER BY id",
		nil, rows.Value[string])
}
