package portfoliostore

import (
	"context"

	"portal/api/access"
	"portal/api/portfolio"
	"portal/db/rows"
)

// Waiting counts what waits for somebody in a portfolio, at most so many of each. Each number comes
// from an index alone, and reads no more of it than the bound.
func (s Insight) Waiting(ctx context.Context, in access.Portfolio, most int) (w portfolio.Waiting, err error) {
	var leases, tickets, applications int64
	_, err = s.db.One(ctx, `SELECT (
			SELECT count(*)
			FROM (
				SELECT 1
				FROM leases
				WHERE portfolio_id = $1 AND `+rows.Is("status", portfolio.LeasePendingSignature)+`
				LIMIT $2 + 0) l), (
			SELECT count(*)
			FROM (
				SELECT 1
				FROM tickets
				WHERE portfolio_id = $1 AND `+rows.OneOf("status", portfolio.OpenTickets())+`
				LIMIT $2 + 0) t), (
			SELECT count(*)
			FROM (
				SELECT 1
				FROM applications
				WHERE portfolio_id = $1 AND decision IS NULL
				LIMIT $2 + 0) a)`, []any{in.ID, int64(most)}, &leases, &tickets, &applications)
	return portfolio.Waiting{Leases: int(leases), Tickets: int(tickets), Applications: int(applications)}, err
}

// PendingVerifications counts the properties of all accounts that wait for the staff, at most so many.
func (s Verifications) PendingVerifications(ctx context.Context, most int) (int, error) {
	var n int64
	_, err := s.db.One(ctx, `SELECT count(*)
		FROM (
			SELECT 1
			FROM verifications
			WHERE `+rows.Is("status", portfolio.VerificationPending)+`
			LIMIT $1 + 0) v`, []any{int64(most)}, &n)
	return int(n), err
}
