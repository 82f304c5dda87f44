package developerstore

import (
	"context"

	"portal/api/access"
	"portal/api/webhook"
	"portal/db/rows"
)

// Delivered reports whether a webhook of a portfolio was ever acknowledged. It looks at the
// first and at the latest thousand deliveries, so that it stays quick where all fail.
func (s Keys) Delivered(ctx context.Context, in access.Portfolio) (bool, error) {
	var one int
	return s.db.One(ctx, `SELECT 1
		FROM (
			SELECT status FROM (SELECT status FROM deliveries WHERE portfolio_id = $1 ORDER BY id LIMIT 1000) f
			UNION ALL
			SELECT status FROM (SELECT status FROM deliveries WHERE portfolio_id = $1 ORDER BY id DESC LIMIT 1000) l
		) d
		WHERE `+rows.Is("d.status", webhook.Succeeded)+`
		LIMIT 1`, []any{in.ID}, &one)
}
