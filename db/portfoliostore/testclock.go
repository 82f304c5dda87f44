package portfoliostore

import (
	"context"
	"errors"
	"fmt"

	"portal/api/access"
	"portal/api/portfolio"
	"portal/db"
	"portal/db/rows"
)

// TestClock reads the test clock of a demo portfolio. Who moves it has locked the portfolio.
func (s *Store) TestClock(ctx context.Context, in access.Portfolio) (portfolio.TestClock, error) {
	if kept, known := s.db.Kept(ctx, in, "portfolios").(portfolio.TestClock); known {
		return kept, nil
	}
	c, err := rows.Only(ctx, s.db, "portfolio", `SELECT ahead_days, advance_to, advance_from
		FROM portfolios
		WHERE id = $1`, []any{in.ID}, func(scan db.Scan, c *portfolio.TestClock) error {
		return scan(&c.Ahead, &c.AdvanceTo, &c.AdvanceFrom)
	})
	if err == nil {
		s.db.Keep(ctx, in, "portfolios", c)
	}
	return c, err
}

// SetTestClock moves the test clock of a demo portfolio, and leaves that of a live one, along with the next statement
// of the transaction.
func (s *Store) SetTestClock(ctx context.Context, in access.Portfolio, c portfolio.TestClock) error {
	err := s.db.Later(ctx, `UPDATE portfolios
		SET ahead_days = $2, advance_to = $3, advance_from = $4
		WHERE id = $1 AND mode = 'test'`, in.ID, int64(c.Ahead), c.AdvanceTo, c.AdvanceFrom)
	if err == nil && in.Mode == access.Test {
		s.db.Keep(ctx, in, "portfolios", c)
	}
	return err
}

// Advancing calls back with each demo portfolio of an open account whose clock is being advanced and the time zone, and
// gives the errors of all calls.
func (s *Store) Advancing(ctx context.Context, each func(in access.Portfolio, zone string) error) error {
	all, err := s.places(ctx, " AND p.advance_to IS NOT NULL")
	if err != nil {
		return err
	}
	var failed []error
	for _, p := range all {
		if err := each(p.Portfolio, p.zone); err != nil {
			failed = append(failed, fmt.Errorf("advance the clock of portfolio %d: %w", p.ID, err))
		}
	}
	return errors.Join(failed...)
}
