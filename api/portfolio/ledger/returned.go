package ledger

import (
	"context"

	"portal/api/access"
	"portal/api/money"
	"portal/api/portfolio"
)

// ReturnedFee is what a lease charges for a payment of a row that the bank returned, at most what the state usually
// allows; 0 where the lease has no such fee, or the ledger does not charge by itself.
func (s *Ledger) ReturnedFee(ctx context.Context, by access.Actor, p *portfolio.Payment) (money.Cents, error) {
	_, _, amount, err := s.returnedFee(ctx, by, p)
	return amount, err
}

func (s *Ledger) returnedFee(
	ctx context.Context, by access.Actor, p *portfolio.Payment,
) (a *automatic, l portfolio.Lease, amount money.Cents, err error) {
	since, err := s.store.AutoChargeSince(ctx, by.Portfolio)
	if err != nil || since == nil {
		return nil, l, 0, err
	}
	l, err = s.store.Lease(ctx, by.Portfolio, p.LeaseID)
	if err != nil || l.Terms.ReturnedPaymentFee == nil {
		return nil, l, 0, err
	}
	a = &automatic{Ledger: s, by: by, since: since, today: s.Today(by), rules: map[string]place{}}
	at, err := a.place(ctx, l.PropertyID)
	if err != nil {
		return nil, l, 0, err
	}
	amount = *l.Terms.ReturnedPaymentFee
	if most := at.ReturnedPayment.Limit; most != nil {
		amount = min(amount, *most)
	}
	return a, l, max(0, amount), nil
}

// chargeReturned charges ReturnedFee.
func (s *Ledger) chargeReturned(
	ctx context.Context, by access.Actor, p *portfolio.Payment, returned *portfolio.Transaction,
) error {
	a, l, amount, err := s.returnedFee(ctx, by, p)
	if err != nil || amount == 0 {
		return err
	}
	words := "Returned payment"
	if p.Description != nil {
		words += ": " + *p.Description
	}
	fee := a.fee(&l, portfolio.ReturnedFee, words, amount, a.today)
	fee.Charge = new("returned " + returned.ID)
	return s.store.AddPayments(ctx, by.Portfolio, []portfolio.Payment{fee})
}
