package portfoliostore

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio"
	"portal/api/portfolio/ticket"
	"portal/db"
	"portal/db/rows"
)

// activityTable has the columns of what happened, and where in an activity their values are.
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
) (all []portfolio.TicketActivity, err error) {
	err = s.db.Each(ctx, "SELECT "+activityTable.Columns+` FROM ticket_activities
		WHERE portfolio_id = $1 AND ticket_id = $2 AND created_at > $3
		ORDER BY id`, []any{in.ID, ticketID, int64(after)}, func(scan db.Scan) error {
		all = append(all, portfolio.TicketActivity{})
		return activityTable.Scan(scan, &all[len(all)-1])
	})
	return all, err
}

// photoTable has the columns of photos, and where in a photo their values are.
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
		WHERE portfolio_id = $1 AND tenant_id = $2 AND ticket_id IS NULL AND id IN `+marks(3, len(ids)),
		identified(ids, in.ID, tenantID), func(scan db.Scan) error {
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
		WHERE portfolio_id = $1 AND tenant_id = $2 AND ticket_id IS NULL AND id IN `+marks(4, len(ids)),
		identified(ids, in.ID, tenantID, ticketID)...)
	if err == nil && n != int64(len(ids)) {
		err = fmt.Errorf("%d of %d photos wait for the ticket %s", n, len(ids), ticketID)
	}
	return err
}

// marks are placeholders for n values from one on, in parentheses.
func marks(from, n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = "$" + strconv.Itoa(from+i)
	}
	return "(" + strings.Join(all, ", ") + ")"
}

// identified are the arguments of a statement that ends with ids.
func identified(ids []string, first ...any) []any {
	for _, id := range ids {
		first = append(first, id)
	}
	return first
}

// Photo reads a photo of a ticket as JPEG, or its thumbnail, or fault.NotFound.
func (s *Store) Photo(
	ctx context.Context, in access.Portfolio, ticketID, photoID string, thumbnail bool,
) (content []byte, err error) {
	column := "content"
	if thumbnail {
		column = "thumbnail"
	}
	found, err := s.db.One(ctx, "SELECT "+column+` FROM ticket_photos
		WHERE portfolio_id = $1 AND id = $2 AND ticket_id = $3`, []any{in.ID, photoID, ticketID}, &content)
	if err == nil && !found {
		err = fault.NotFound("photo")
	}
	return content, err
}

// LinkedPhoto reads a photo of a ticket whose signed link somebody has, or fault.NotFound. It sees the portfolios of
// all open accounts.
func (s *Store) LinkedPhoto(ctx context.Context, photoID string) (in access.Portfolio, content []byte, err error) {
	found, err := s.db.One(ctx, `SELECT p.id, p.mode, f.content
		FROM ticket_photos f`+s.db.IndexedBy("ticket_photos_id")+`
		JOIN portfolios p ON p.id = f.portfolio_id
		JOIN accounts a ON a.id = p.account_id
		WHERE f.id = $1 AND f.ticket_id IS NOT NULL AND a.closed_at IS NULL`, []any{photoID}, &in.ID, &in.Mode, &content)
	if err == nil && !found {
		err = fault.NotFound("photo")
	}
	return in, content, err
}

// SeeTicket notes that a member of the account has seen what a tenant has written until a moment.
func (s *Store) SeeTicket(ctx context.Context, in access.Portfolio, ticketID string, at clock.Time) error {
	_, err := s.db.Exec(ctx, `UPDATE tickets SET seen_at = $3
		WHERE portfolio_id = $1 AND id = $2 AND (seen_at IS NULL OR seen_at < $3)`, in.ID, ticketID, int64(at))
	return err
}

// TenantWrote notes that the tenant of a ticket has written.
func (s *Store) TenantWrote(ctx context.Context, in access.Portfolio, ticketID string, at clock.Time) error {
	return s.db.Later(ctx, "UPDATE tickets SET tenant_wrote_at = $3 WHERE portfolio_id = $1 AND id = $2",
		in.ID, ticketID, int64(at))
}
