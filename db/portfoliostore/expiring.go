package portfoliostore

import (
	"context"

	"portal/api/access"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger/report"
	"portal/db/rows"
)

// ExpiringLeases reads active leases behind a position in the order of their last day
// and their id, one more than the limit. Those of a portfolio stand in the index
// leases_ending in this order; those of a property are few, and are sorted.
func (s *Store) ExpiringLeases(ctx context.Context, in access.Portfolio, e report.Ends) ([]portfolio.Lease, error) {
	l := rows.NewListing(s.db, e.Limit, in.ID, int64(e.After.Day), e.After.LeaseID, int64(e.Through))
	active := rows.Is("status", portfolio.LeaseActive)
	if e.PropertyID != "" {
		active = l.Plus + active
	}
	l.SQL.WriteString(
		"SELECT " + leaseTable.Columns + " FROM leases WHERE portfolio_id = $1 AND " + active +
			" AND (end_date, id) > ($2, $3) AND end_date <= $4",
	)
	l.Equal("property_id", e.PropertyID)
	leases, err := rows.Ordered(ctx, s.db, l, "end_date, id", readLease(in.Mode))
	if err != nil {
		return nil, err
	}
	return leases, s.partiesOf(ctx, in, leases)
}
