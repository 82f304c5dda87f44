package db

import (
	"context"
	"fmt"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
)

// SaveProperty writes a property that has changed.
func (d *DB) SaveProperty(ctx context.Context, in access.Portfolio, p *portfolio.Property) error {
	return save(ctx, d, in, "properties", propertyWrites, propertyValues(p))
}

// SaveTicket writes a ticket that has changed.
func (d *DB) SaveTicket(ctx context.Context, in access.Portfolio, t *portfolio.Ticket) error {
	values, err := ticketValues(t)
	if err != nil {
		return err
	}
	return save(ctx, d, in, "tickets", ticketColumns, values)
}

// AddTicket writes a ticket and gives it the next number of its portfolio.
func (d *DB) AddTicket(ctx context.Context, in access.Portfolio, t *portfolio.Ticket) error {
	return d.Atomically(ctx, func(ctx context.Context) error {
		var next int64
		_, err := d.one(ctx, `UPDATE portfolios
			SET next_ticket_number = next_ticket_number + 1
			WHERE id = $1
			RETURNING next_ticket_number`, []any{in.ID}, &next)
		if err != nil {
			return err
		}
		t.Number = fmt.Sprintf("T-%d", next-1)
		sql, args, err := insertion(d, in, "tickets", ticketColumns, []portfolio.Ticket{*t}, ticketValues)
		if err != nil {
			return err
		}
		return d.later(ctx, sql, args...)
	})
}

// VoidRent voids the unpaid rent of a lease whose period starts after a day.
func (d *DB) VoidRent(ctx context.Context, in access.Portfolio, leaseID string, after clock.Date, at clock.Time) (int64, error) {
	return d.exec(ctx, `UPDATE payments
		SET status = 'void', version = version + 1, updated_at = $4
		WHERE portfolio_id = $1 AND lease_id = $2 AND type = 'rent' AND status IN ('scheduled', 'due', 'failed')
			AND amount_paid = 0 AND COALESCE(period_start, due_date) > $3`, in.ID, leaseID, int64(after), at)
}

// ReviseRent changes the scheduled rent of a lease from one amount to its present one.
func (d *DB) ReviseRent(ctx context.Context, in access.Portfolio, l *portfolio.Lease, from money.Cents, at clock.Time) (int64, error) {
	return d.exec(ctx, `UPDATE payments
		SET amount = $4, version = version + 1, updated_at = $5
		WHERE portfolio_id = $1 AND lease_id = $2 AND type = 'rent' AND status = 'scheduled' AND amount = $3`, in.ID, l.ID, int64(from), int64(l.MonthlyRent), at)
}
