// Package report answers questions over a whole portfolio: what is owed, which leases end, what
// happened in a unit.
//
// It changes nothing, and the rules of a portfolio know nothing of it.
package report

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/ledger"
	"portal/api/portfolio/records"
	"portal/api/portfolio/ticket"
)

// Reports answers questions over a whole portfolio.
type Reports struct {
	*portfolio.Common
	store   Store
	leases  *lease.Leases
	ledger  *ledger.Ledger
	tickets *ticket.Tickets
}

// New makes them beside the rules of a portfolio.
func New(p *records.Service, store Store) *Reports {
	return &Reports{p.Common, store, p.Leases, p.Ledger, p.Tickets}
}

// Store is what they need of the store.
type Store interface {
	// ExpiringLeases reads active leases by their last day, one more than the limit, in
	// the order of that day and then of their id.
	ExpiringLeases(ctx context.Context, in access.Portfolio, e Ends) ([]portfolio.Lease, error)
	// RentBalances reads a page of leases of which rent is owed, one more than the limit,
	// and what all that pass the filter owe. Of a balance, what follows from its charges
	// is left to the rules.
	RentBalances(
		ctx context.Context, in access.Portfolio, f BalanceFilter, today clock.Date,
	) ([]RentBalance, money.Cents, error)
	Unit(ctx context.Context, in access.Portfolio, id string) (portfolio.Unit, error)
	// Summary counts the records of a portfolio and sums the rent that is owed.
	Summary(ctx context.Context, in access.Portfolio, today clock.Date) (Summary, error)
	// OwnerStatement adds up the ledger by unit, of one property where its id is not "".
	OwnerStatement(
		ctx context.Context, in access.Portfolio, propertyID string, from, until, today clock.Date,
	) ([]UnitStatement, error)
	Landlord(ctx context.Context, in access.Portfolio) (portfolio.Landlord, error)
	// Overview counts at most MostCounted + 1 of each.
	Overview(ctx context.Context, in access.Portfolio, w OverviewWindow) (Overview, error)
}

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
