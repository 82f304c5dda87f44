package portfoliostore

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/db"
	"portal/db/rows"
)

// ticketTable has the columns of tickets, and where in a record their values are.
var ticketTable = rows.NewTable(
	"tickets",
	append(recordColumns(func(t *portfolio.Ticket) *portfolio.Record { return &t.Record }),
		rows.Column[portfolio.Ticket]{
			Name:   "number",
			Target: func(t *portfolio.Ticket) any { return ticketNumber{t} },
			Value:  func(t *portfolio.Ticket) (any, error) { return ticketNumber{t}.value() },
		},
		rows.At("property_id", func(t *portfolio.Ticket) *string { return &t.PropertyID }),
		rows.At("unit_id", func(t *portfolio.Ticket) **string { return &t.UnitID }),
		rows.At("tenant_id", func(t *portfolio.Ticket) **string { return &t.TenantID }),
		rows.At("lease_id", func(t *portfolio.Ticket) **string { return &t.LeaseID }),
		rows.At("title", func(t *portfolio.Ticket) *string { return &t.Title }),
		rows.At("description", func(t *portfolio.Ticket) *string { return &t.Description }),
		rows.At("status", func(t *portfolio.Ticket) *portfolio.TicketStatus { return &t.Status }),
		rows.At("priority", func(t *portfolio.Ticket) *portfolio.Priority { return &t.Priority }),
		rows.At("category", func(t *portfolio.Ticket) *portfolio.Category { return &t.Category }),
		rows.JSONAt("triage", func(t *portfolio.Ticket) **portfolio.Triage { return &t.Triage }),
		rows.JSONAt("vendor", func(t *portfolio.Ticket) **portfolio.Vendor { return &t.Vendor }),
		rows.At("source", func(t *portfolio.Ticket) *portfolio.TicketSource { return &t.Source }),
		rows.At("entry_permission", func(t *portfolio.Ticket) *portfolio.EntryPermission { return &t.EntryPermission }),
		rows.At("entry_notes", func(t *portfolio.Ticket) **string { return &t.EntryNotes }),
		rows.At("scheduled_start", func(t *portfolio.Ticket) **clock.Time { return &t.ScheduledStart }),
		rows.At("scheduled_end", func(t *portfolio.Ticket) **clock.Time { return &t.ScheduledEnd }),
		rows.At("due_date", func(t *portfolio.Ticket) **clock.Date { return &t.DueDate }),
		rows.At("estimated_cost", func(t *portfolio.Ticket) **money.Cents { return &t.EstimatedCost }),
		rows.At("cost_limit", func(t *portfolio.Ticket) **money.Cents { return &t.CostLimit }),
		rows.At("actual_cost", func(t *portfolio.Ticket) **money.Cents { return &t.ActualCost }),
		rows.At("completed_at", func(t *portfolio.Ticket) **clock.Time { return &t.CompletedAt }),
		rows.At("cancelled_at", func(t *portfolio.Ticket) **clock.Time { return &t.CancelledAt }),
		rows.At("reopened_count", func(t *portfolio.Ticket) *int { return &t.ReopenedCount }),
		rows.At("priority_set", func(t *portfolio.Ticket) *bool { return &t.Set.Priority }),
		rows.At("category_set", func(t *portfolio.Ticket) *bool { return &t.Set.Category }),
		rows.Column[portfolio.Ticket]{
			Name:   "photos",
			Target: func(t *portfolio.Ticket) any { return ticketPhotos{t} },
			Value:  func(t *portfolio.Ticket) (any, error) { return ticketPhotos{t}.value() },
		},
		rows.At("tenant_wrote_at", func(t *portfolio.Ticket) **clock.Time { return &t.TenantWroteAt }),
		rows.At("seen_at", func(t *portfolio.Ticket) **clock.Time { return &t.SeenAt }),
		rows.Written("search_text", func(t *portfolio.Ticket) any { return string(t.SearchText()) }),
	)...)

func readTicket(mode access.Mode) func(db.Scan, *portfolio.Ticket) error {
	return func(scan db.Scan, t *portfolio.Ticket) error {
		err := ticketTable.Scan(scan, t)
		t.Object = "maintenance_ticket"
		t.Mode = mode
		t.Currency = portfolio.Currency
		return err
	}
}

// ticketNumber is the column with the count of a number for people: 1042 for T-1042.
type ticketNumber struct{ of *portfolio.Ticket }

// Scan is sql.Scanner.
func (c ticketNumber) Scan(src any) error {
	n, is := src.(int64)
	if !is {
		return fmt.Errorf("the number of a ticket is a %T", src)
	}
	c.of.Number = "T-" + strconv.FormatInt(n, 10)
	return nil
}

func (c ticketNumber) value() (any, error) {
	n, err := strconv.ParseInt(strings.TrimPrefix(c.of.Number, "T-"), 10, 64)
	if err != nil {
		return nil, fmt.Errorf("ticket number %q: %w", c.of.Number, err)
	}
	return n, nil
}

// ticketPhotos is the column with the photos of a ticket, NULL for none.
type ticketPhotos struct{ of *portfolio.Ticket }

// storedPhoto is a photo within the column.
type storedPhoto struct {
	ID     string `json:"id"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
}

// Scan is sql.Scanner.
func (c ticketPhotos) Scan(src any) error {
	c.of.Photos = portfolio.Photos{}
	var all []storedPhoto
	switch text := src.(type) {
	case nil:
		return nil
	case string:
		if err := json.Unmarshal([]byte(text), &all); err != nil {
			return err
		}
	default:
		return fmt.Errorf("the photos of a ticket are a %T", src)
	}
	for _, p := range all {
		c.of.Photos = append(c.of.Photos, portfolio.Photo{ID: p.ID, Width: p.Width, Height: p.Height})
	}
	return nil
}

func (c ticketPhotos) value() (any, error) {
	if len(c.of.Photos) == 0 {
		return nil, nil //nolint:nilnil // NULL
	}
	all := make([]storedPhoto, len(c.of.Photos))
	for i, p := range c.of.Photos {
		all[i] = storedPhoto{p.ID, p.Width, p.Height}
	}
	text, err := json.Marshal(all)
	return string(text), err
}

// Tickets reads the tickets of a portfolio that pass the filter, one more than
// its limit.
func (s *Store) Tickets(
	ctx context.Context, in access.Portfolio, f portfolio.TicketFilter,
) ([]portfolio.Ticket, error) {
	if forPeople(&f.Query, portfolio.TicketSorts()) {
		return rows.ReadSorted(ctx, sortedTickets(s.db, in, f), readTicket(in.Mode))
	}
	l := rows.Listed(s.db, ticketTable.Columns, "tickets", in, id.Ticket, f.Query)
	l.Equal("unit_id", f.UnitID)
	l.Equal("tenant_id", f.TenantID)
	ticketNamers.narrow(l, f.Named)
	l.Equal("property_id", f.PropertyID)
	l.Equal("category", string(f.Category))
	l.Equal("priority", string(f.Priority))
	l.Equal("status", string(f.Status))
	return rows.Rows(ctx, s.db, l, readTicket(in.Mode))
}

// Ticket reads one ticket, or fault.NotFound.
func (s *Store) Ticket(ctx context.Context, in access.Portfolio, id string) (portfolio.Ticket, error) {
	t, found, err := rows.Record(ctx, s.db, ticketTable.Columns, "tickets", in, id, readTicket(in.Mode))
	if err == nil && !found {
		err = fault.NotFound("maintenance ticket")
	}
	return t, err
}

// SaveTicket writes a ticket that has changed.
func (s *Store) SaveTicket(ctx context.Context, in access.Portfolio, t *portfolio.Ticket) error {
	return ticketTable.Save(ctx, s.db, in, t)
}

// AddTicket writes a ticket and gives it the next number of its portfolio.
func (s *Store) AddTicket(ctx context.Context, in access.Portfolio, t *portfolio.Ticket) error {
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
		sql, args, err := ticketTable.Insertion(s.db, in, []portfolio.Ticket{*t})
		if err != nil {
			return err
		}
		return s.db.Later(ctx, sql, args...)
	})
}
