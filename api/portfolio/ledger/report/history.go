package report

import (
	"context"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
)

// HistoryKind is which records of a unit are looked at.
type HistoryKind string

// The kinds of a unit's history.
const (
	HistoryLeases      HistoryKind = "leases"
	HistoryMaintenance HistoryKind = "maintenance"
	HistoryPayments    HistoryKind = "payments"
)

// Values are all kinds of a unit's history.
func (HistoryKind) Values() []string { return []string{"leases", "maintenance", "payments"} }

// HistoryFilter says of which unit the history is looked at, and which records of it.
type HistoryFilter struct {
	// The unit.
	UnitID string `json:"unit_id" format:"ref" prefix:"unit"`
	// Which records to list.
	Kind HistoryKind `in:"query" name:"kind" default:"leases"`
	// How many records a page holds at most.
	Limit int `in:"query" name:"limit" min:"1" max:"100" default:"20"`
	// The next_cursor of the page before, of the same kind.
	StartingAfter string `in:"query" name:"starting_after" format:"position" example:"lea_01KA5R2M7Q8D4E6F9G1H3J5K7M"`
}

// UnitLeases lists the leases of a unit in ascending id.
func (s *Reports) UnitLeases(
	ctx context.Context, by access.Actor, f HistoryFilter,
) (*list.Page[portfolio.Lease], error) {
	q, err := s.pageOf(ctx, by, f, id.Lease)
	if err != nil {
		return nil, err
	}
	return s.leases.Leases(ctx, by, portfolio.LeaseFilter{Query: q, UnitID: f.UnitID})
}

// UnitTickets lists the maintenance tickets of a unit in ascending id.
func (s *Reports) UnitTickets(
	ctx context.Context, by access.Actor, f HistoryFilter,
) (*list.Page[portfolio.Ticket], error) {
	q, err := s.pageOf(ctx, by, f, id.Ticket)
	if err != nil {
		return nil, err
	}
	return s.tickets.Tickets(ctx, by, portfolio.TicketFilter{Query: q, UnitID: f.UnitID})
}

// UnitPayments lists the ledger rows of a unit in ascending id.
func (s *Reports) UnitPayments(
	ctx context.Context, by access.Actor, f HistoryFilter,
) (*list.Page[portfolio.Payment], error) {
	q, err := s.pageOf(ctx, by, f, id.Payment)
	if err != nil {
		return nil, err
	}
	return s.ledger.Payments(ctx, by, portfolio.PaymentFilter{Query: q, UnitID: f.UnitID})
}

// pageOf is the page that a history asks for. A cursor of another kind is refused
// before the unit is looked for, as every wrong argument is (docs/site/records.md).
func (s *Reports) pageOf(ctx context.Context, by access.Actor, f HistoryFilter, prefix string) (list.Query, error) {
	q := list.Query{Limit: f.Limit, StartingAfter: f.StartingAfter}
	if q.StartingAfter != "" && !id.Valid(prefix, q.StartingAfter) {
		return q, fault.Of(fault.InvalidCursor).At("starting_after")
	}
	_, err := s.store.Unit(ctx, by.Portfolio, f.UnitID)
	if fault.Is(err, fault.NoRecord) {
		err = fault.NotFound("unit").At("unit_id")
	}
	return q, err
}
