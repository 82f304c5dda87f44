package report

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
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
	// Overview counts at most MostCounted + 1 of each.
	Overview(ctx context.Context, in access.Portfolio, w OverviewWindow) (Overview, error)
}
