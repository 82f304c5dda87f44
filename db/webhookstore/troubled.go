package webhookstore

import (
	"context"

	"portal/api/access"
	"portal/api/webhook"
	"portal/db/rows"
)

// Troubled counts the endpoints of a portfolio of which nothing but failures comes, and those that were
// disabled for it, at most so many.
func (s *Store) Troubled(ctx context.Context, in access.Portfolio, most int) (int, error) {
	var n int64
	_, err := s.db.One(ctx, `SELECT count(*)
		FROM (
			SELECT 1
			FROM webhook_endpoints
			WHERE portfolio_id = $1 AND (failing_since IS NOT NULL OR `+
		rows.Is("disabled_reason", webhook.ByFailures)+`)
			LIMIT $2) e`, []any{in.ID, int64(most)}, &n)
	return int(n), err
}
