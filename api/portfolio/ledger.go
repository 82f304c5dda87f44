package portfolio

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/list"
)

// Ledger is what can be done with the rows of the rent ledger.
type Ledger struct {
	*Common
	store LedgerStore
}

// LedgerStore is what they need of the store.
type LedgerStore interface {
	AddPayment(ctx context.Context, in access.Portfolio, p *Payment) error
	Lease(ctx context.Context, in access.Portfolio, id string) (Lease, error)
	Payment(ctx context.Context, in access.Portfolio, id string) (Payment, error)
	Payments(ctx context.Context, in access.Portfolio, f PaymentFilter, today clock.Date) ([]Payment, error)
	SavePayment(ctx context.Context, in access.Portfolio, p *Payment) error
}

// Payments lists rows of the rent ledger.
func (s *Ledger) Payments(ctx context.Context, by access.Actor, f PaymentFilter) (*list.Page[Payment], error) {
	today := s.Today(by)
	rows, err := s.store.Payments(ctx, by.Portfolio, f, today)
	for i := range rows {
		rows[i].compute(today)
	}
	return list.Of(rows, f.Limit, func(p *Payment) string { return p.ID }), err
}

// Payment is one row of the rent ledger.
func (s *Ledger) Payment(ctx context.Context, by access.Actor, id string) (*Payment, error) {
	p, err := s.store.Payment(ctx, by.Portfolio, id)
	p.compute(s.Today(by))
	return &p, err
}
