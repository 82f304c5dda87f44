package reportstore

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
				LIMIT $2) l), (
			SELECT count(*)
			FROM (
				SELECT 1
				FROM tickets
				WHERE portfolio_id = $1 AND `+rows.OneOf("status", portfolio.OpenTickets())+`
				LIMIT $2) t), (
			SELECT count(*)
			FROM (
				SELECT 1
				FROM applications
				WHERE portfolio_id = $1 AND decision IS NULL
				LIMIT $2) a)`, []any{in.ID, int64(most)}, &leases, &tickets, &applications)
	return portfolio.Waiting{Leases: int(leases), Tickets: int(tickets), Applications: int(applications)}, err
}
