package developerstore

import (
	"cmp"
	"context"
	"errors"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/api/quota"
	"portal/db"
	"portal/db/rows"
)

// exchangeRow is what a row of what was sent takes beside its content, in bytes. The triggers that
// count its end know the same.
const exchangeRow = 300

// exchangeTable has the columns of what was sent, and where its values are.
var exchangeTable = rows.NewTable(
	"request_exchanges",
	rows.At("id", func(e *developer.SealedExchange) *string { return &e.RequestID }),
	rows.At("portfolio_id", func(e *developer.SealedExchange) *int64 { return &e.PortfolioID }),
	rows.At("sealed", func(e *developer.SealedExchange) *[]byte { return &e.Sealed }),
)

// withRoom leaves out what was sent to demo portfolios that hold as much as they may.
func (s *Store) withRoom(ctx context.Context, chunk []developer.SealedExchange) ([]developer.SealedExchange, error) {
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

// addExchanges writes what was sent with requests, and by how much it grew demo portfolios. As a rule all of
// it is new, and its sizes need not be read back. Where some may be there, that stays as it is and counts no
// more.
func (s *Store) addExchanges(ctx context.Context, chunk []developer.SealedExchange, someThere bool) error {
	chunk, err := s.withRoom(ctx, chunk)
	if err != nil || len(chunk) == 0 {
		return err
	}
	all := map[int64]int64{}
	for i := range chunk {
		all[chunk[i].PortfolioID] += exchangeRow + int64(len(chunk[i].Sealed))
	}
	sql, args, err := exchangeTable.Bulked(s.db, chunk)
	if err != nil {
		return err
	}
	sql += " ON CONFLICT (id) DO NOTHING"
	if someThere {
		all, err = s.insertNew(ctx, sql, args)
	} else if n, failed := s.db.Exec(ctx, sql, args...); failed != nil || n != int64(len(chunk)) {
		err = cmp.Or(failed, errThereAlready)
	}
	if err != nil {
		return err
	}
	return s.addGrowth(ctx, all)
}

// insertNew inserts what is not there, and tells by how much each portfolio has grown.
func (s *Store) insertNew(ctx context.Context, query string, args []any) (grown map[int64]int64, err error) {
	grown = map[int64]int64{}
	err = s.db.Each(ctx, query+" RETURNING portfolio_id, length(sealed)", args, func(scan db.Scan) error {
		var portfolio, size int64
		err := scan(&portfolio, &size)
		grown[portfolio] += exchangeRow + size
		return err
	})
	return grown, err
}

// addGrowth adds the bytes that portfolios grew by, where they are demo portfolios.
func (s *Store) addGrowth(ctx context.Context, grown map[int64]int64) error {
	for portfolio, bytes := range grown {
		if err := s.db.Run(ctx, `INSERT INTO demo_growth (portfolio_id, records, bytes)
			SELECT portfolio_id, 0, $2
			FROM demo_usage
			WHERE portfolio_id = $1`, portfolio, bytes); err != nil {
			return err
		}
	}
	return nil
}

// SealedExchange finds what was sent with a request of a portfolio.
func (s *Store) SealedExchange(
	ctx context.Context, in access.Portfolio, requestID string,
) ([]byte, bool, error) {
	return rows.First(ctx, s.db, `SELECT sealed
		FROM request_exchanges
		WHERE portfolio_id = $1 AND id = $2`, []any{in.ID, requestID}, rows.Value[[]byte])
}

// ForgetExchanges deletes what was sent with requests before a moment, a bounded number at a
// time, and tells how many.
func (s *Store) ForgetExchanges(ctx context.Context, before clock.Time, most int) (int64, error) {
	return rows.Forget(
		ctx,
		s.db,
		"request_exchanges",
		"id",
		"id < $1",
		"id",
		id.After(id.Request, (before-1).Std()),
		most,
	)
}
