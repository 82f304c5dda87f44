package portfoliostore

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/db"
	"portal/db/rows"
)

const ticketColumns = `id, version, created_at, updated_at, number, property_id, unit_id, tenant_id, lease_id, title, description,
	status, priority, category, triage, vendor, source, entry_permission, entry_notes, scheduled_start,
	scheduled_end, due_date,
	estimated_cost, cost_limit, actual_cost, completed_at, cancelled_at, reopened_count, priority_set, category_set`

func readTicket(mode access.Mode) func(db.Scan, *portfolio.Ticket) error {
	return func(scan db.Scan, t *portfolio.Ticket) error {
		var number int64
		err := scan(
			&t.ID,
			&t.Version,
			&t.CreatedAt,
			&t.UpdatedAt,
			&number,
			&t.PropertyID,
			&t.UnitID,
			&t.TenantID,
			&t.LeaseID,
			&t.Title,
			&t.Description,
			&t.Status,
			&t.Priority,
			&t.Category,
			rows.JSONInto(&t.Triage),
			rows.JSONInto(&t.Vendor),
			&t.Source,
			&t.EntryPermission,
			&t.EntryNotes,
			&t.ScheduledStart,
			&t.ScheduledEnd,
			&t.DueDate,
			&t.EstimatedCost,
			&t.CostLimit,
			&t.ActualCost,
			&t.CompletedAt,
			&t.CancelledAt,
			&t.ReopenedCount,
			&t.Set.Priority,
			&t.Set.Category,
		)
		t.Object = "maintenance_ticket"
		t.Mode = mode
		t.Currency = portfolio.Currency
		t.Number = "T-" + strconv.FormatInt(number, 10)
		return err
	}
}

func ticketValues(t *portfolio.Ticket) ([]any, error) {
	number, err := ticketNumber(t)
	return []any{
		t.ID,
		t.Version,
		t.CreatedAt,
		t.UpdatedAt,
		number,
		t.PropertyID,
		t.UnitID,
		t.TenantID,
		t.LeaseID,
		t.Title,
		t.Description,
		t.Status,
		t.Priority,
		t.Category,
		rows.JSONOf(t.Triage),
		rows.JSONOf(t.Vendor),
		t.Source,
		t.EntryPermission,
		t.EntryNotes,
		t.ScheduledStart,
		t.ScheduledEnd,
		t.DueDate,
		t.EstimatedCost,
		t.CostLimit,
		t.ActualCost,
		t.CompletedAt,
		t.CancelledAt,
		t.ReopenedCount,
		t.Set.Priority,
		t.Set.Category,
	}, err
}

// ticketNumber is the count in a number for people: 1042 of T-1042.
func ticketNumber(t *portfolio.Ticket) (int64, error) {
	n, err := strconv.ParseInt(strings.TrimPrefix(t.Number, "T-"), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("ticket number %q: %w", t.Number, err)
	}
	return n, nil
}

// Tickets reads the tickets of a portfolio that pass the filter, one more than
// its limit.
func (s Tickets) Tickets(
	ctx context.Context, in access.Portfolio, f portfolio.TicketFilter,
) ([]portfolio.Ticket, error) {
	l := rows.Listed(s.db, ticketColumns, "tickets", in, id.Ticket, f.Query)
	l.Equal("unit_id", f.UnitID)
	l.Equal("tenant_id", f.TenantID)
	l.Equal("property_id", f.PropertyID)
	l.Equal("category", string(f.Category))
	l.Equal("priority", string(f.Priority))
	l.Equal("status", string(f.Status))
	return rows.Rows(ctx, s.db, l, readTicket(in.Mode))
}

// Ticket reads one ticket, or fault.NotFound.
func (s Tickets) Ticket(ctx context.Context, in access.Portfolio, id string) (portfolio.Ticket, error) {
	t, found, err := rows.Record(ctx, s.db, ticketColumns, "tickets", in, id, readTicket(in.Mode))
	if err == nil && !found {
		err = fault.NotFound("maintenance ticket")
	}
	return t, err
}

// SaveTicket writes a ticket that has changed.
func (s Tickets) SaveTicket(ctx context.Context, in access.Portfolio, t *portfolio.Ticket) error {
	values, err := ticketValues(t)
	if err != nil {
		return err
	}
	return rows.Save(ctx, s.db, in, "tickets", ticketColumns, values)
}

// AddTicket writes a ticket and gives it the next number of its portfolio.
func (s Tickets) AddTicket(ctx context.Context, in access.Portfolio, t *portfolio.Ticket) error {
	return s.db.Atomically(ctx, func(ctx context.Context) error {
		var next int64
		_, err := s.db.One(ctx, `UPDATE portfolios
			SET next_ticket_number = next_ticket_number + 1
			WHERE id = $1
			RETURNING next_ticket_number`, []any{in.ID}, &next)
		if err != nil {
			return err
		}
		t.Number = fmt.Sprintf("T-%d", next-1)
		sql, args, err := rows.Insertion(s.db, in, "tickets", ticketColumns, []portfolio.Ticket{*t}, ticketValues)
		if err != nil {
			return err
		}
		return s.db.Later(ctx, sql, args...)
	})
}
