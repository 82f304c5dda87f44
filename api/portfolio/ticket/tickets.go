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
	store    Store
	places   Places
	followed Activities
}

// New makes the rules over their stores.
func New(c *portfolio.Common, store Store, places Places, followed Activities) *Tickets {
	return &Tickets{c, store, places, followed}
}

// Store keeps tickets.
type Store interface {
	// AddTicket writes a ticket and gives it the next number of the portfolio.
	AddTicket(ctx context.Context, in access.Portfolio, t *portfolio.Ticket) error
	SaveTicket(ctx context.Context, in access.Portfolio, t *portfolio.Ticket) error
	Ticket(ctx context.Context, in access.Portfolio, id string) (portfolio.Ticket, error)
	Lists
}

// Places reads where a ticket is, and who lives there.
type Places interface {
	Leases(ctx context.Context, in access.Portfolio, f portfolio.LeaseFilter) ([]portfolio.Lease, error)
	Property(ctx context.Context, in access.Portfolio, id string) (portfolio.Property, error)
	Tenant(ctx context.Context, in access.Portfolio, id string) (portfolio.Tenant, error)
	Unit(ctx context.Context, in access.Portfolio, id string) (portfolio.Unit, error)
}

// Lists is what lists need of it.
type Lists interface {
	Tickets(ctx context.Context, in access.Portfolio, f portfolio.TicketFilter) ([]portfolio.Ticket, error)
	// TicketCounts counts by status what passes a filter, whatever status that asks for.
	TicketCounts(
		ctx context.Context, in access.Portfolio, f portfolio.TicketFilter,
	) (list.Counts[portfolio.TicketStatus], error)
}

// Tickets lists maintenance tickets.
func (s *Tickets) Tickets(
	ctx context.Context,
	by access.Actor,
	f portfolio.TicketFilter,
) (*list.Page[portfolio.Ticket], error) {
	rows, err := s.store.Tickets(ctx, by.Portfolio, f)
	now := s.Now(by.Portfolio)
	for i := range rows {
		s.compute(&rows[i], now)
	}
	return list.Of(rows, f.Limit, func(t *portfolio.Ticket) string { return t.ID }), err
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
