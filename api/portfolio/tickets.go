package portfolio

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/list"
)

// Tickets is what can be done with maintenance tickets.
type Tickets struct {
	*Common
	store TicketStore
}

// TicketStore is what they need of the store.
type TicketStore interface {
	// AddTicket writes a ticket and gives it the next number of the portfolio.
	AddTicket(ctx context.Context, in access.Portfolio, t *Ticket) error
	Leases(ctx context.Context, in access.Portfolio, f LeaseFilter) ([]Lease, error)
	Property(ctx context.Context, in access.Portfolio, id string) (Property, error)
	SaveTicket(ctx context.Context, in access.Portfolio, t *Ticket) error
	Tenant(ctx context.Context, in access.Portfolio, id string) (Tenant, error)
	Ticket(ctx context.Context, in access.Portfolio, id string) (Ticket, error)
	Tickets(ctx context.Context, in access.Portfolio, f TicketFilter) ([]Ticket, error)
	Unit(ctx context.Context, in access.Portfolio, id string) (Unit, error)
}

// Tickets lists maintenance tickets.
func (s *Tickets) Tickets(ctx context.Context, by access.Actor, f TicketFilter) (*list.Page[Ticket], error) {
	rows, err := s.store.Tickets(ctx, by.Portfolio, f)
	for i := range rows {
		rows[i].compute(clock.At(s.Now()))
	}
	return list.Of(rows, f.Limit, func(t *Ticket) string { return t.ID }), err
}

// Ticket is one maintenance ticket.
func (s *Tickets) Ticket(ctx context.Context, by access.Actor, id string) (*Ticket, error) {
	t, err := s.store.Ticket(ctx, by.Portfolio, id)
	t.compute(clock.At(s.Now()))
	return &t, err
}
