package reportstore

import (
	"context"
	"fmt"
	"sync"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger/report"
	"portal/db"
	"portal/db/rows"
)

// mostSummaries is of how many portfolios the summary is kept.
const mostSummaries = 10_000

// summaries are those that were counted last, by the portfolio.
type summaries struct {
	mu  sync.Mutex
	all map[int64]tallied
}

// tallied is a summary with what it was counted at.
type tallied struct {
	revision int64
	today    clock.Date
	summary  report.Summary
}

func (s *summaries) get(in int64) tallied {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all[in]
}

func (s *summaries) keep(in int64, c tallied) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil || len(s.all) >= mostSummaries {
		s.all = map[int64]tallied{}
	}
	s.all[in] = c
}

// Summary counts the records of a portfolio and sums what is owed of rent, all at the
// same moment. What was counted before stands as long as the portfolio's revision says
// that nothing has changed since: it is read first, so a change meanwhile is at worst
// counted twice.
func (s Insight) Summary(ctx context.Context, in access.Portfolio, today clock.Date) (report.Summary, error) {
	if db.Inside(ctx) { // it may never come to be
		return s.summary(ctx, in, today)
	}
	now := tallied{today: today}
	if _, err := s.db.One(ctx, "SELECT revision FROM portfolios WHERE id = $1", []any{
		in.ID,
	}, &now.revision); err != nil {
		return now.summary, err
	}
	before := db.Beside[summaries](s.db).get(in.ID)
	if before.today == today && before.revision == now.revision && now.revision > 0 {
		return before.summary, nil
	}
	var err error
	if now.summary, err = s.summary(ctx, in, today); err == nil {
		db.Beside[summaries](s.db).keep(in.ID, now)
	}
	return now.summary, err
}

// summary counts. Each number comes from an index alone.
func (s Insight) summary(ctx context.Context, in access.Portfolio, today clock.Date) (report.Summary, error) {
	var sum report.Summary
	err := s.db.Each(ctx, `SELECT 'properties', '', count(*)
		FROM properties
		WHERE portfolio_id = $1
		UNION ALL
		SELECT 'units', status, count(*)
		FROM units
		WHERE portfolio_id = $1
		GROUP BY status
		UNION ALL
		SELECT 'tenants', '', count(*)
		FROM tenants
		WHERE portfolio_id = $1
		UNION ALL
		SELECT 'leases', status, count(*)
		FROM leases
		WHERE portfolio_id = $1
		GROUP BY status
		UNION ALL
		SELECT 'tickets', '', count(*)
		FROM tickets
		WHERE portfolio_id = $1 AND `+rows.OneOf("status", portfolio.OpenTickets())+`
		UNION ALL
		SELECT 'rent', '', CAST(COALESCE(sum(amount - amount_paid), 0) AS BIGINT)
		FROM payments
		WHERE portfolio_id = $1 AND `+owed, []any{in.ID, int64(today)}, func(scan db.Scan) error {
		var what, status string
		var n int64
		if err := scan(&what, &status, &n); err != nil {
			return err
		}
		return addCount(&sum, what, status, n)
	})
	return sum, err
}

// addCount puts a number of a summary into its place.
func addCount(sum *report.Summary, what, status string, n int64) error {
	switch what {
	case "properties":
		sum.Properties = int(n)
	case "units":
		sum.Units += int(n)
		switch unit := portfolio.UnitStatus(status); {
		case unit.Occupied():
			sum.OccupiedUnits += int(n)
		case unit == portfolio.UnitVacant:
			sum.VacantUnits = int(n)
		}
	case "tenants":
		sum.Tenants = int(n)
	case "leases":
		at := sum.Leases.Of(portfolio.LeaseStatus(status))
		if at == nil {
			return fmt.Errorf("%d leases have the unknown status %q", n, status)
		}
		*at = int(n)
	case "tickets":
		sum.OpenTickets = int(n)
	case "rent":
		sum.RentDueTotal = money.Cents(n)
	}
	return nil
}
