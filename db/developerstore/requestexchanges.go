package developerstore

import (
	"context"
	"errors"
	"strings"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/api/quota"
	"portal/db"
)

// exchangeRow is what a row of what was sent takes beside its content, in bytes. The triggers that
// count its end know the same.
const exchangeRow = 300

// withRoom leaves out what was sent to demo portfolios that hold as much as they may.
func (s Requests) withRoom(ctx context.Context, chunk []developer.SealedExchange) ([]developer.SealedExchange, error) {
	args := []any{int64(quota.MaxBytes)}
	for i := range chunk {
		args = append(args, chunk[i].PortfolioID)
	}
	full := map[int64]bool{}
	err := s.db.Each(ctx, `SELECT u.portfolio_id
		FROM demo_usage u
		WHERE u.portfolio_id IN (`+db.Placeholders(1, len(chunk))+`) AND u.bytes + COALESCE((
			SELECT CAST(sum(g.bytes) AS BIGINT)
			FROM demo_growth g
			WHERE g.portfolio_id = u.portfolio_id), 0) >= $1`, args, func(scan db.Scan) error {
		var portfolio int64
		err := scan(&portfolio)
		full[portfolio] = true
		return err
	})
	var all []developer.SealedExchange
	for i := range chunk {
		if !full[chunk[i].PortfolioID] {
			all = append(all, chunk[i])
		}
	}
	return all, err
}

// errThereAlready ends the transaction of a batch of which something is there: it is written again, with a
// look at what is new.
var errThereAlready = errors.New("what was sent with a request is there already")

// addExchanges writes what was sent with requests, and by how much it grew demo portfolios. All of it is
// new as a rule, and its sizes need not be read back.
func (s Requests) addExchanges(ctx context.Context, chunk []developer.SealedExchange) error {
	chunk, err := s.withRoom(ctx, chunk)
	if err != nil || len(chunk) == 0 {
		return err
	}
	query, args := s.insertExchanges(chunk)
	n, err := s.db.Exec(ctx, query, args...)
	if err == nil && n != int64(len(chunk)) {
		err = errThereAlready
	}
	if err != nil {
		return err
	}
	grown := map[int64]int64{}
	for i := range chunk {
		grown[chunk[i].PortfolioID] += exchangeRow + int64(len(chunk[i].Sealed))
	}
	return s.addGrowth(ctx, grown)
}

// addOtherExchanges is addExchanges where some may be there: they stay as they are, and count no more.
func (s Requests) addOtherExchanges(ctx context.Context, chunk []developer.SealedExchange) error {
	chunk, err := s.withRoom(ctx, chunk)
	if err != nil || len(chunk) == 0 {
		return err
	}
	query, args := s.insertExchanges(chunk)
	grown := map[int64]int64{}
	err = s.db.Each(ctx, query+" RETURNING portfolio_id, length(sealed)", args, func(scan db.Scan) error {
		var portfolio, size int64
		err := scan(&portfolio, &size)
		grown[portfolio] += exchangeRow + size
		return err
	})
	if err != nil {
		return err
	}
	return s.addGrowth(ctx, grown)
}

func (s Requests) insertExchanges(chunk []developer.SealedExchange) (query string, args []any) {
	const width = 3
	var sql strings.Builder
	sql.WriteString("INSERT INTO request_exchanges (id, portfolio_id, sealed) VALUES ")
	args = make([]any, 0, width*len(chunk))
	for i := range chunk {
		if i > 0 {
			sql.WriteString(", ")
		}
		sql.WriteString("(" + s.db.Marks(len(args), width) + ")")
		args = append(args, chunk[i].RequestID, chunk[i].PortfolioID, chunk[i].Sealed)
	}
	sql.WriteString(" ON CONFLICT (id) DO NOTHING")
	return sql.String(), args
}

// addGrowth adds the bytes that portfolios grew by, where they are demo portfolios.
func (s Requests) addGrowth(ctx context.Context, grown map[int64]int64) error {
	for portfolio, bytes := range grown {
		if _, err := s.db.Exec(ctx, `INSERT INTO demo_growth (portfolio_id, records, bytes)
			SELECT portfolio_id, 0, $2
			FROM demo_usage
			WHERE portfolio_id = $1`, portfolio, bytes); err != nil {
			return err
		}
	}
	return nil
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
