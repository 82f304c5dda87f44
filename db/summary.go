package db

import (
	"context"
	"fmt"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
)

// Summary counts the records of a portfolio and sums what is owed of rent, all at the
// same moment. Each number comes from an index alone.
func (d *DB) Summary(ctx context.Context, in access.Portfolio, today clock.Date) (portfolio.Summary, error) {
	var sum portfolio.Summary
	err := d.each(ctx, `SELECT 'properties', '', count(*)
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
		WHERE portfolio_id = $1 AND status IN ('open', 'in_progress', 'scheduled', 'on_hold')
		UNION ALL
		SELECT 'rent', '', CAST(COALESCE(sum(amount - amount_paid), 0) AS BIGINT)
		FROM payments
		WHERE portfolio_id = $1 AND `+owed, []any{in.ID, int64(today)}, func(s scan) error {
		var what, status string
		var n int64
		if err := s(&what, &status, &n); err != nil {
			return err
		}
		return tally(&sum, what, status, n)
	})
	return sum, err
}

// tally puts a number of a summary into its place.
func tally(sum *portfolio.Summary, what, status string, n int64) error {
	switch what {
	case "properties":
		sum.Properties = int(n)
	case "units":
		sum.Units += int(n)
		switch portfolio.UnitStatus(status) {
		case portfolio.UnitOccupied, portfolio.UnitNotice:
			sum.OccupiedUnits += int(n)
		case portfolio.UnitVacant:
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
