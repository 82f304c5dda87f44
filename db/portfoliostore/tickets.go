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
	"portal/api/portfolio/ticket"
	"portal/api/tenantportal"
	"portal/db"
	"portal/db/rows"
)

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
	)...).Completed(func(t *portfolio.Ticket, mode access.Mode) {
	t.Object = "maintenance_ticket"
	t.Mode = mode
	t.Currency = portfolio.Currency
})

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
		return rows.ReadSorted(ctx, sortedTickets(s.db, in, f), ticketTable.Read(in))
	}
	l := rows.Listed(s.db, ticketTable.Columns, "tickets", in, id.Ticket, f.Query)
	l.Equal("unit_id", f.UnitID)
	l.Equal("tenant_id", f.TenantID)
	ticketNamers.narrow(l, f.Named)
	l.Equal("property_id", f.PropertyID)
	l.Equal("category", string(f.Category))
	l.Equal("priority", string(f.Priority))
	l.Equal("status", string(f.Status))
	return rows.Rows(ctx, s.db, l, ticketTable.Read(in))
}

// Ticket reads one ticket, or fault.NotFound.
func (s *Store) Ticket(ctx context.Context, in access.Portfolio, id string) (portfolio.Ticket, error) {
	return ticketTable.Record(ctx, s.db, "maintenance ticket", in, id)
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

var activityTable = rows.NewTable(
	"ticket_activities",
	rows.At("id", func(a *portfolio.TicketActivity) *string { return &a.ID }),
	rows.At("created_at", func(a *portfolio.TicketActivity) *clock.Time { return &a.CreatedAt }),
	rows.At("ticket_id", func(a *portfolio.TicketActivity) *string { return &a.TicketID }),
	rows.At("kind", func(a *portfolio.TicketActivity) *portfolio.ActivityKind { return &a.Kind }),
	rows.At("by_tenant", func(a *portfolio.TicketActivity) *bool { return &a.ByTenant }),
	rows.At("author", func(a *portfolio.TicketActivity) *string { return &a.Author }),
	rows.At("words", func(a *portfolio.TicketActivity) *string { return &a.Words }),
	rows.At("status", func(a *portfolio.TicketActivity) *portfolio.TicketStatus { return &a.Status }),
	rows.At("visit_start", func(a *portfolio.TicketActivity) **clock.Time { return &a.Start }),
	rows.At("visit_end", func(a *portfolio.TicketActivity) **clock.Time { return &a.End }),
)

// AddActivity writes what happened to a ticket. Its moment comes after that of the latest email to who has yet to learn
// of it, so that the next one tells it: the clock of the node that sent that email may be ahead.
func (s *Store) AddActivity(ctx context.Context, in access.Portfolio, a *portfolio.TicketActivity) error {
	var told clock.Time
	_, err := s.db.One(ctx, `SELECT sent_at
		FROM ticket_notices
		WHERE portfolio_id = $1 AND ticket_id = $2 AND recipient = $3`,
		[]any{in.ID, a.TicketID, string(a.Reader())}, &told)
	if err != nil {
		return err
	}
	a.CreatedAt = max(a.CreatedAt, told+1)
	return activityTable.Insert(ctx, s.db, in, []portfolio.TicketActivity{*a})
}

// Activities reads what happened to a ticket after a moment, the first one first.
func (s *Store) Activities(
	ctx context.Context, in access.Portfolio, ticketID string, after clock.Time,
) ([]portfolio.TicketActivity, error) {
	return activityTable.All(ctx, s.db, `WHERE portfolio_id = $1 AND ticket_id = $2 AND created_at > $3
		ORDER BY id`, in.ID, ticketID, int64(after))
}

var photoTable = rows.NewTable(
	"ticket_photos",
	rows.At("id", func(p *ticket.Picture) *string { return &p.ID }),
	rows.At("created_at", func(p *ticket.Picture) *clock.Time { return &p.CreatedAt }),
	rows.At("tenant_id", func(p *ticket.Picture) *string { return &p.TenantID }),
	rows.At("ticket_id", func(p *ticket.Picture) **string { return &p.TicketID }),
	rows.At("width", func(p *ticket.Picture) *int { return &p.Width }),
	rows.At("height", func(p *ticket.Picture) *int { return &p.Height }),
	rows.At("content", func(p *ticket.Picture) *[]byte { return &p.Content }),
	rows.At("thumbnail", func(p *ticket.Picture) *[]byte { return &p.Thumbnail }),
	rows.At("expires_at", func(p *ticket.Picture) **clock.Time { return &p.ExpiresAt }),
)

// AddPhoto writes a photo. One without a ticket waits for it until it expires.
func (s *Store) AddPhoto(ctx context.Context, in access.Portfolio, p *ticket.Picture) error {
	return photoTable.Insert(ctx, s.db, in, []ticket.Picture{*p})
}

// WaitingPhotos reads photos of a tenant, without their content, that wait for a ticket, in the order of the ids.
func (s *Store) WaitingPhotos(
	ctx context.Context, in access.Portfolio, tenantID string, ids []string,
) (all portfolio.Photos, err error) {
	found := map[string]portfolio.Photo{}
	err = s.db.Each(ctx, `SELECT id, width, height
		FROM ticket_photos
		WHERE portfolio_id = $1 AND tenant_id = $2 AND ticket_id IS NULL AND id IN (`+db.Placeholders(2, len(ids))+`)`,
		db.With([]any{in.ID, tenantID}, ids), func(scan db.Scan) error {
			var p portfolio.Photo
			err := scan(&p.ID, &p.Width, &p.Height)
			found[p.ID] = p
			return err
		})
	all = portfolio.Photos{}
	for _, id := range ids {
		if p, has := found[id]; has {
			all = append(all, p)
			delete(found, id) // named twice it counts once
		}
	}
	return all, err
}

// AttachPhotos gives photos that wait to a ticket.
func (s *Store) AttachPhotos(ctx context.Context, in access.Portfolio, tenantID, ticketID string, ids []string) error {
	n, err := s.db.Exec(ctx, `UPDATE ticket_photos
		SET ticket_id = $3, expires_at = NULL
		WHERE portfolio_id = $1 AND tenant_id = $2 AND ticket_id IS NULL AND id IN (`+db.Placeholders(3, len(ids))+`)`,
		db.With([]any{in.ID, tenantID, ticketID}, ids)...)
	if err == nil && n != int64(len(ids)) {
		err = fmt.Errorf("%d of %d photos wait for the ticket %s", n, len(ids), ticketID)
	}
	return err
}

// Photo reads a photo of a ticket as JPEG, or its thumbnail, or fault.NotFound.
func (s *Store) Photo(
	ctx context.Context, in access.Portfolio, ticketID, photoID string, thumbnail bool,
) ([]byte, error) {
	column := "content"
	if thumbnail {
		column = "thumbnail"
	}
	return rows.Only(ctx, s.db, "photo", "SELECT "+column+` FROM ticket_photos
		WHERE portfolio_id = $1 AND id = $2 AND ticket_id = $3`, []any{in.ID, photoID, ticketID}, rows.Value[[]byte])
}

// LinkedPhoto reads a photo of a ticket or of a condition report whose signed link somebody has, or fault.NotFound. It
// sees the portfolios of all open accounts.
func (s *Store) LinkedPhoto(ctx context.Context, photoID string) (in access.Portfolio, content []byte, err error) {
	in, content, err = s.linkedTicketPhoto(ctx, photoID)
	if fault.Is(err, fault.NoRecord) {
		return s.linkedConditionPhoto(ctx, photoID)
	}
	return in, content, err
}

func (s *Store) linkedTicketPhoto(
	ctx context.Context, photoID string,
) (in access.Portfolio, content []byte, err error) {
	err = rows.Find(ctx, s.db, "photo", `SELECT p.id, p.mode, p.ahead_days, f.content
		FROM ticket_photos f`+s.db.IndexedBy("ticket_photos_id")+`
		JOIN portfolios p ON p.id = f.portfolio_id
		JOIN accounts a ON a.id = p.account_id
		WHERE f.id = $1 AND f.ticket_id IS NOT NULL
			AND a.closed_at IS NULL`, []any{photoID}, &in.ID, &in.Mode, &in.Ahead, &content)
	return in, content, err
}

// SeeTicket notes that a member of the account has seen what a tenant has written until a moment.
func (s *Store) SeeTicket(ctx context.Context, in access.Portfolio, ticketID string, at clock.Time) error {
	return s.db.Run(ctx, `UPDATE tickets SET seen_at = $3
		WHERE portfolio_id = $1 AND id = $2 AND (seen_at IS NULL OR seen_at < $3)`, in.ID, ticketID, int64(at))
}

// TenantWrote notes that the tenant of a ticket has written.
func (s *Store) TenantWrote(ctx context.Context, in access.Portfolio, ticketID string, at clock.Time) error {
	return s.db.Later(ctx, "UPDATE tickets SET tenant_wrote_at = $3 WHERE portfolio_id = $1 AND id = $2",
		in.ID, ticketID, int64(at))
}

// TicketNotice reads when somebody was emailed about a ticket. SentAt is 0 where they never were.
func (s *Store) TicketNotice(
	ctx context.Context, in access.Portfolio, ticketID string, to portfolio.TicketReader,
) (tenantportal.TicketNotice, error) {
	n := tenantportal.TicketNotice{TicketID: ticketID, To: to}
	_, err := s.db.One(ctx, `SELECT sent_at, due_at
		FROM ticket_notices
		WHERE portfolio_id = $1 AND ticket_id = $2 AND recipient = $3`, []any{in.ID, ticketID, string(to)},
		&n.SentAt, &n.DueAt)
	return n, err
}

// SaveTicketNotice writes when somebody was emailed about a ticket, and when they will be.
func (s *Store) SaveTicketNotice(ctx context.Context, in access.Portfolio, n tenantportal.TicketNotice) error {
	return s.db.Run(ctx, `INSERT INTO ticket_notices (portfolio_id, ticket_id, recipient, sent_at, due_at)
		VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (portfolio_id, ticket_id, recipient) DO UPDATE
		SET sent_at = excluded.sent_at, due_at = excluded.due_at`,
		in.ID, n.TicketID, string(n.To), int64(n.SentAt), n.DueAt)
}

// DueTicketNotices finds emails of open accounts that are due at a moment, in their order: at most so many that
// follow another one. It sees all portfolios.
func (s *Store) DueTicketNotices(
	ctx context.Context, at clock.Time, after tenantportal.DueNotice, most int,
) ([]tenantportal.DueNotice, error) {
	return rows.All(ctx, s.db, `SELECT p.id, p.mode, p.ahead_days, n.ticket_id, n.recipient, n.due_at
		FROM ticket_notices n`+s.db.IndexedBy("ticket_notices_due")+`
		JOIN portfolios p ON p.id = n.portfolio_id
		JOIN accounts a ON a.id = p.account_id
		WHERE n.due_at IS NOT NULL AND n.due_at <= $1 AND a.closed_at IS NULL
			AND (n.due_at, n.portfolio_id, n.ticket_id, n.recipient) > ($2, $3, $4, $5)
		ORDER BY n.due_at, n.portfolio_id, n.ticket_id, n.recipient
		LIMIT $6`,
		[]any{int64(at), int64(after.At), after.In.ID, after.TicketID, string(after.To), int64(most)},
		func(scan db.Scan, d *tenantportal.DueNotice) error {
			return scan(&d.In.ID, &d.In.Mode, &d.In.Ahead, &d.TicketID, &d.To, &d.At)
		})
}

// AccountOpen reports whether the account of a portfolio is open.
func (s *Store) AccountOpen(ctx context.Context, in access.Portfolio) (bool, error) {
	return s.db.Has(ctx, `SELECT 1
		FROM portfolios p
		JOIN accounts a ON a.id = p.account_id
		WHERE p.id = $1 AND a.closed_at IS NULL`, []any{in.ID})
}

// MailStopped is when a tenant stopped emails about tickets, by their latest link, nil where they did not.
func (s *Store) MailStopped(ctx context.Context, in access.Portfolio, tenantID string) (at *clock.Time, err error) {
	_, err = s.db.One(ctx, `SELECT mail_stopped_at
		FROM tenant_links
		WHERE portfolio_id = $1 AND tenant_id = $2
		ORDER BY id DESC
		LIMIT 1`, []any{in.ID, tenantID}, &at)
	return at, err
}

// SaveMailStopped writes when the tenant whose link is live stopped emails about tickets, nil where they want them.
func (s *Store) SaveMailStopped(ctx context.Context, in access.Portfolio, tenantID string, at *clock.Time) error {
	return s.db.Run(ctx, `UPDATE tenant_links
		SET mail_stopped_at = $3
		WHERE portfolio_id = $1 AND tenant_id = $2 AND ended_at IS NULL`, in.ID, tenantID, at)
}
