// Package ticket holds the rules of maintenance tickets: who may open one and where, how its text is
// triaged, and how it moves from open to completed.
//
// It knows nothing of HTTP, SQL, queues or pages.
package ticket

import (
	"context"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/list"
	"portal/api/portfolio"
)

// Tickets is what can be done with maintenance tickets.
type Tickets struct {
	*portfolio.Common
	store Store
}

// New makes the rules over their store.
func New(c *portfolio.Common, store Store) *Tickets { return &Tickets{c, store} }

// Store keeps tickets, and what happened to those of tenants.
type Store interface {
	portfolio.Store
	// AddTicket writes a ticket and gives it the next number of the portfolio.
	AddTicket(ctx context.Context, in access.Portfolio, t *portfolio.Ticket) error
	SaveTicket(ctx context.Context, in access.Portfolio, t *portfolio.Ticket) error
	Ticket(ctx context.Context, in access.Portfolio, id string) (portfolio.Ticket, error)
	Tickets(ctx context.Context, in access.Portfolio, f portfolio.TicketFilter) ([]portfolio.Ticket, error)
	// TicketCounts counts by status what passes a filter, whatever status that asks for.
	TicketCounts(
		ctx context.Context, in access.Portfolio, f portfolio.TicketFilter,
	) (list.Counts[portfolio.TicketStatus], error)

	// AddActivity writes what happened to a ticket.
	AddActivity(ctx context.Context, in access.Portfolio, a *portfolio.TicketActivity) error
	// Activities reads what happened to a ticket after a moment, the first one first.
	Activities(
		ctx context.Context, in access.Portfolio, ticketID string, after clock.Time,
	) ([]portfolio.TicketActivity, error)
	// AddPhoto writes a photo. One without a ticket waits for it until it expires.
	AddPhoto(ctx context.Context, in access.Portfolio, p *Picture) error
	// WaitingPhotos reads photos of a tenant, without their content, that wait for a ticket, in the order of the ids.
	WaitingPhotos(ctx context.Context, in access.Portfolio, tenantID string, ids []string) (portfolio.Photos, error)
	// AttachPhotos gives photos that wait to a ticket.
	AttachPhotos(ctx context.Context, in access.Portfolio, tenantID, ticketID string, ids []string) error
	// Photo reads a photo of a ticket as JPEG, or its thumbnail, or fault.NotFound.
	Photo(ctx context.Context, in access.Portfolio, ticketID, photoID string, thumbnail bool) ([]byte, error)
	// SeeTicket notes that a member of the account has seen what a tenant has written until a moment.
	SeeTicket(ctx context.Context, in access.Portfolio, ticketID string, at clock.Time) error
	// TenantWrote notes that the tenant of a ticket has written.
	TenantWrote(ctx context.Context, in access.Portfolio, ticketID string, at clock.Time) error
}

// Tickets lists maintenance tickets.
func (s *Tickets) Tickets(
	ctx context.Context, by access.Actor, f portfolio.TicketFilter,
) (*list.Page[portfolio.Ticket], error) {
	f.Query = f.Walked()
	rows, err := s.store.Tickets(ctx, by.Portfolio, f)
	now := s.Now(by.Portfolio)
	for i := range rows {
		s.compute(&rows[i], now)
	}
	return list.Walked(rows, &f.Query, func(t *portfolio.Ticket) string { return t.ID }), err
}

// Ticket is one maintenance ticket.
func (s *Tickets) Ticket(ctx context.Context, by access.Actor, id string) (*portfolio.Ticket, error) {
	t, err := s.store.Ticket(ctx, by.Portfolio, id)
	s.compute(&t, s.Now(by.Portfolio))
	if err != nil {
		return nil, err
	}
	return &t, nil
}

// compute fills what is computed.
func (s *Tickets) compute(t *portfolio.Ticket, now time.Time) {
	t.Compute(clock.At(now))
	s.link(t, now)
}

// TicketCounts counts the tickets that pass a filter, by their status: list.Most of each at most. The status
// that the filter asks for is not looked at.
func (s *Tickets) TicketCounts(
	ctx context.Context, by access.Actor, f portfolio.TicketFilter,
) (list.Counts[portfolio.TicketStatus], error) {
	return s.store.TicketCounts(ctx, by.Portfolio, f)
}
