package portfoliostore

import (
	"context"
	"slices"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/portfolio"
	"portal/db"
	"portal/db/rows"
)

// LeasesToRollOver reads leases whose status a day or a moment changes, in ascending
// id and at most so many. What becomes of each is up to the calendar.
func (s *Store) LeasesToRollOver(
	ctx context.Context, in access.Portfolio, today clock.Date, now clock.Time, most int,
) ([]portfolio.Lease, error) {
	leases, read := []portfolio.Lease{}, readLease(in.Mode)
	query := `SELECT ` + leaseTable.Columns + `
		FROM leases
		WHERE portfolio_id = $1 AND (
			` + rows.Is("status", portfolio.LeaseSigned) + ` AND start_date <= $2
			OR ` + rows.Is("status", portfolio.LeaseActive) + ` AND end_date < $2
			OR ` + rows.Is("status", portfolio.LeaseActive) + ` AND renewed_to_lease_id IN (
				SELECT id
				FROM leases
				WHERE portfolio_id = $1 AND ` + rows.OneOf("status", portfolio.AgreedLeases()) + ` AND start_date <= $2)
			OR ` + rows.OneOf("status", portfolio.OfferedLeases()) + ` AND expires_at <= $3)
		ORDER BY id
		LIMIT $4`
	err := s.db.Each(ctx, query, []any{in.ID, int64(today), int64(now), int64(most)}, func(scan db.Scan) error {
		leases = append(leases, portfolio.Lease{})
		return read(scan, &leases[len(leases)-1])
	})
	if err != nil {
		return nil, err
	}
	for part := range slices.Chunk(leases, rows.Bulk) {
		if err := s.partiesOf(ctx, in, part); err != nil {
			return nil, err
		}
	}
	return leases, nil
}

// Portfolios calls back with every portfolio of an open account and the time zone.
func (s *Store) Portfolios(ctx context.Context, each func(in access.Portfolio, zone string) error) error {
	type place struct {
		access.Portfolio
		zone string
	}
	var all []place
	err := s.db.Each(ctx, `SELECT p.id, p.mode, a.time_zone
		FROM portfolios p
		JOIN accounts a ON a.id = p.account_id
		WHERE a.closed_at IS NULL
		ORDER BY p.id`, nil, func(scan db.Scan) error {
		all = append(all, place{})
		p := &all[len(all)-1]
		return scan(&p.ID, &p.Mode, &p.zone)
	})
	if err != nil {
		return err
	}
	for _, p := range all {
		if err := each(p.Portfolio, p.zone); err != nil {
			return err
		}
	}
	return nil
}
