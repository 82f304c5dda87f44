package developerstore

import (
	"context"
	"strings"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
)

// addExchanges writes what was sent with requests. What is there already stays as it is.
func (s Requests) addExchanges(ctx context.Context, chunk []developer.SealedExchange) error {
	const width = 3
	var sql strings.Builder
	sql.WriteString("INSERT INTO request_exchanges (id, portfolio_id, sealed) VALUES ")
	args := make([]any, 0, width*len(chunk))
	for i := range chunk {
		if i > 0 {
			sql.WriteString(", ")
		}
		sql.WriteString("(" + s.db.Marks(len(args), width) + ")")
		args = append(args, chunk[i].RequestID, chunk[i].PortfolioID, chunk[i].Sealed)
	}
	sql.WriteString(" ON CONFLICT (id) DO NOTHING")
	_, err := s.db.Exec(ctx, sql.String(), args...)
	return err
}

// SealedExchange finds what was sent with a request of a portfolio.
func (s Requests) SealedExchange(ctx context.Context, in access.Portfolio, requestID string) (sealed []byte, found bool, err error) {
	found, err = s.db.One(ctx, `SELECT sealed
		FROM request_exchanges
		WHERE portfolio_id = $1 AND id = $2`, []any{in.ID, requestID}, &sealed)
	return sealed, found, err
}

// ForgetExchanges deletes what was sent with requests before a moment, a bounded number at a
// time, and tells how many.
func (s Requests) ForgetExchanges(ctx context.Context, before clock.Time, most int) (int64, error) {
	return s.db.Exec(ctx, `DELETE FROM request_exchanges
		WHERE id IN (SELECT id FROM request_exchanges WHERE id < $1 ORDER BY id LIMIT $2)`, id.After(id.Request, (before-1).Std()), most)
}
