package db

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/portfolio"
)

const ticketColumns = `id, version, created_at, updated_at, number, property_id, unit_id, tenant_id, lease_id, title, description,
	status, priority, category, triage, vendor, source, entry_permission, entry_notes, scheduled_start, scheduled_end, due_date,
	estimated_cost, cost_limit, actual_cost, completed_at, cancelled_at, reopened_count, priority_set, category_set`

func readTicket(mode access.Mode) func(scan, *portfolio.Ticket) error {
	return func(s scan, t *portfolio.Ticket) error {
		var number int64
		err := s(&t.ID, &t.Version, &t.CreatedAt, &t.UpdatedAt, &number, &t.PropertyID, &t.UnitID, &t.TenantID, &t.LeaseID, &t.Title, &t.Description,
			&t.Status, &t.Priority, &t.Category, jsonInto(&t.Triage), jsonInto(&t.Vendor), &t.Source, &t.EntryPermission, &t.EntryNotes, &t.ScheduledStart, &t.ScheduledEnd, &t.DueDate,
			&t.EstimatedCost, &t.CostLimit, &t.ActualCost, &t.CompletedAt, &t.CancelledAt, &t.ReopenedCount, &t.Set.Priority, &t.Set.Category)
		t.Object, t.Mode, t.Currency, t.Number = "maintenance_ticket", mode, portfolio.Currency, "T-"+strconv.FormatInt(number, 10)
		return err
	}
}

func ticketValues(t *portfolio.Ticket) ([]any, error) {
	number, err := ticketNumber(t)
	return []any{t.ID, t.Version, t.CreatedAt, t.UpdatedAt, number, t.PropertyID, t.UnitID, t.TenantID, t.LeaseID, t.Title, t.Description,
		t.Status, t.Priority, t.Category, jsonOf(t.Triage), jsonOf(t.Vendor), t.Source, t.EntryPermission, t.EntryNotes, t.ScheduledStart, t.ScheduledEnd, t.DueDate,
		t.EstimatedCost, t.CostLimit, t.ActualCost, t.CompletedAt, t.CancelledAt, t.ReopenedCount, t.Set.Priority, t.Set.Category}, err
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
func (d *DB) Tickets(ctx context.Context, in access.Portfolio, f portfolio.TicketFilter) ([]portfolio.Ticket, error) {
	l := d.listed(ticketColumns, "tickets", in, id.Ticket, f.Query)
	l.equal("unit_id", f.UnitID)
	l.equal("tenant_id", f.TenantID)
	l.equal("property_id", f.PropertyID)
	l.equal("category", string(f.Category))
	l.equal("priority", string(f.Priority))
	l.equal("status", string(f.Status))
	return rows(ctx, d, l, readTicket(in.Mode))
}

// Ticket reads one ticket, or fault.NotFound.
func (d *DB) Ticket(ctx context.Context, in access.Portfolio, id string) (portfolio.Ticket, error) {
	t, found, err := record(ctx, d, ticketColumns, "tickets", in, id, readTicket(in.Mode))
	if err == nil && !found {
		err = fault.NotFound("maintenance ticket")
	}
	return t, err
}
