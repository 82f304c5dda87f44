package db

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio"
)

// save writes all columns of a record that is there; its id is the first value.
func save(ctx context.Context, d *DB, in access.Portfolio, table, columns string, values []any) error {
	var sets []string
	for i, column := range strings.Split(columns, ",")[1:] {
		sets = append(sets, fmt.Sprintf("%s = $%d", strings.TrimSpace(column), i+3))
	}
	query := "UPDATE " + table + " SET " + strings.Join(sets, ", ") + " WHERE portfolio_id = $1 AND id = $2"
	n, err := d.exec(ctx, query, append([]any{in.ID}, values...)...)
	if err == nil && n != 1 {
		err = fmt.Errorf("%d rows of %s have the id %v", n, table, values[0])
	}
	return err
}

// SaveLease writes a lease that has changed, but not its parties.
func (d *DB) SaveLease(ctx context.Context, in access.Portfolio, l *portfolio.Lease) error {
	return save(ctx, d, in, "leases", leaseColumns, leaseValues(l))
}

// SaveUnit writes a unit that has changed.
func (d *DB) SaveUnit(ctx context.Context, in access.Portfolio, u *portfolio.Unit) error {
	return save(ctx, d, in, "units", unitColumns, unitValues(u))
}

// SaveTenant writes a tenant that has changed.
func (d *DB) SaveTenant(ctx context.Context, in access.Portfolio, t *portfolio.Tenant) error {
	return save(ctx, d, in, "tenants", tenantWrites, tenantValues(t))
}

// Unit reads one unit, or fault.NotFound.
func (d *DB) Unit(ctx context.Context, in access.Portfolio, id string) (portfolio.Unit, error) {
	u, found, err := record(ctx, d, unitColumns, "units", in, id, readUnit(in.Mode))
	if err == nil && !found {
		err = fault.NotFound("unit")
	}
	return u, err
}

// RecountProperty counts the units of a property anew and raises its version.
func (d *DB) RecountProperty(ctx context.Context, in access.Portfolio, id string, at clock.Time) error {
	return d.GrowProperty(ctx, in, id, nil, nil, at)
}

// TurningLeases reads leases whose status a day or a moment changes, in ascending
// id and at most so many.
func (d *DB) TurningLeases(ctx context.Context, in access.Portfolio, today clock.Date, now clock.Time, most int) ([]portfolio.Lease, error) {
	leases, read := []portfolio.Lease{}, readLease(in.Mode)
	query := `SELECT ` + leaseColumns + `
		FROM leases
		WHERE portfolio_id = $1 AND (
			status = 'signed' AND start_date <= $2
			OR status = 'active' AND end_date < $2
			OR status = 'active' AND renewed_to_lease_id IN (
				SELECT id
				FROM leases
				WHERE portfolio_id = $1 AND status IN ('signed', 'active') AND start_date <= $2)
			OR status IN ('draft', 'pending_signature') AND expires_at <= $3)
		ORDER BY id
		LIMIT $4 + 0`
	err := d.each(ctx, query, []any{in.ID, int64(today), int64(now), int64(most)}, func(s scan) error {
		leases = append(leases, portfolio.Lease{})
		return read(s, &leases[len(leases)-1])
	})
	if err != nil {
		return nil, err
	}
	for part := range slices.Chunk(leases, bulk) {
		if err := d.partiesOf(ctx, in, part); err != nil {
			return nil, err
		}
	}
	return leases, nil
}

// DuePayments turns the scheduled ledger rows that are due by a day.
func (d *DB) DuePayments(ctx context.Context, in access.Portfolio, today clock.Date, at clock.Time) (int64, error) {
	return d.exec(ctx, `UPDATE payments
		SET status = 'due', version = version + 1, updated_at = $3
		WHERE portfolio_id = $1 AND status = 'scheduled' AND due_date <= $2`, in.ID, int64(today), int64(at))
}

// Portfolios calls back with every portfolio of an open account and the time zone.
func (d *DB) Portfolios(ctx context.Context, each func(in access.Portfolio, zone string) error) error {
	type place struct {
		access.Portfolio
		zone string
	}
	var all []place
	err := d.each(ctx, `SELECT p.id, p.mode, a.time_zone
		FROM portfolios p
		JOIN accounts a ON a.id = p.account_id
		WHERE a.closed_at IS NULL
		ORDER BY p.id`, nil, func(s scan) error {
		all = append(all, place{})
		p := &all[len(all)-1]
		return s(&p.ID, &p.Mode, &p.zone)
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
