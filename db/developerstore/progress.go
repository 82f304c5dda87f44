package developerstore

import (
	"context"

	"portal/api/access"
)

// Delivered reports whether a webhook of a portfolio was ever acknowledged, or an event streamed. The endpoints know
// of the first, of which a portfolio has few: a delivery that is sent again forgets it.
func (s *Store) Delivered(ctx context.Context, in access.Portfolio) (bool, error) {
	var one int
	return s.db.One(ctx, `SELECT 1
		FROM webhook_endpoints
		WHERE portfolio_id = $1 AND last_success_at IS NOT NULL
		UNION ALL
		SELECT 1 FROM portfolios WHERE id = $1 AND streamed_at IS NOT NULL
		LIMIT 1`, []any{in.ID}, &one)
}
