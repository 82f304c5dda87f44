package servicestore

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/quota"
	"portal/db"
)

// Demos counts what demo portfolios hold.
type Demos struct{ db *db.DB }

// NewDemos is the store over a database.
func NewDemos(d *db.DB) Demos { return Demos{d} }

// mostGrowth is how many rows of growth are summed at most times: behind it they are moved together.
const mostGrowth = 200

// DemoUsage is what a demo portfolio holds beyond what it was made with, nothing where it is being made.
// Whoever asks holds the portfolio, so that nobody else moves its growth.
func (s Demos) DemoUsage(ctx context.Context, in access.Portfolio) (u quota.Usage, err error) {
	var rows int
	_, err = s.db.One(ctx, `SELECT u.records + COALESCE(g.records, 0), u.bytes + COALESCE(g.bytes, 0), g.number
		FROM demo_usage u,
			(SELECT CAST(sum(records) AS BIGINT) AS records, CAST(sum(bytes) AS BIGINT) AS bytes, count(*) AS number
			FROM demo_growth WHERE portfolio_id = $1) g
		WHERE u.portfolio_id = $1`, []any{in.ID}, &u.Records, &u.Bytes, &rows)
	if err != nil || rows < mostGrowth {
		return u, err
	}
	return u, s.fold(ctx, in)
}

// fold moves the growth of a portfolio to its usage. Growth that others add meanwhile stays.
func (s Demos) fold(ctx context.Context, in access.Portfolio) error {
	var moved quota.Usage
	err := s.db.Each(ctx, "DELETE FROM demo_growth WHERE portfolio_id = $1 RETURNING records, bytes", []any{in.ID},
		func(scan db.Scan) error {
			var g quota.Usage
			err := scan(&g.Records, &g.Bytes)
			moved.Records, moved.Bytes = moved.Records+g.Records, moved.Bytes+g.Bytes
			return err
		})
	if err != nil {
		return err
	}
	_, err = s.db.Exec(ctx, "UPDATE demo_usage SET records = records + $2, bytes = bytes + $3 WHERE portfolio_id = $1",
		in.ID, moved.Records, moved.Bytes)
	return err
}

// FoldGrowth moves the growth of demo portfolios that nobody writes to, so that it stays short. It does
// all of them at once, whatever most says, and tells 0.
func (s Demos) FoldGrowth(ctx context.Context, _ clock.Time, _ int) (int64, error) {
	var long []access.Portfolio
	err := s.db.Each(ctx, "SELECT portfolio_id FROM demo_growth GROUP BY portfolio_id HAVING count(*) >= $1",
		[]any{mostGrowth}, func(scan db.Scan) error {
			in := access.Portfolio{Mode: access.Test}
			err := scan(&in.ID)
			long = append(long, in)
			return err
		})
	for i := 0; i < len(long) && err == nil; i++ {
		err = s.db.Exclusively(ctx, long[i], func(ctx context.Context) error { return s.fold(ctx, long[i]) })
	}
	return 0, err
}
