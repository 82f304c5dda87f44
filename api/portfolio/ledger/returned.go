package ledger

import (
	"context"

	"portal/api/access"
	"portal/api/portfolio"
)

// chargeReturned charges the lease's fee for a payment that the bank returned, at most what the state usually allows,
// where the ledger charges by itself.
func (s *Ledger) chargeReturned(
	ctx context.Context, by access.Actor, p *portfolio.Payment, returned *portfolio.Transaction,
) error {
	since, err := s.store.AutoChargeSince(ctx, by.Portfolio)
	if err != nil || since == nil {
		return err
	}
	l, err := s.store.Lease(ctx, by.Portfolio, p.LeaseID)
	if err != nil || l.Terms.ReturnedPaymentFee == nil {
		return err
	}
	a := &automatic{Ledger: s, by: by, since: since, today: s.Today(by), rules: map[string]place{}}
	at, err := a.place(ctx, l.PropertyID)
	if err != nil {
		return err
	}
	amount := *l.Terms.ReturnedPaymentFee
	if most := at.ReturnedPayment.Limit; most != nil {
		amount = min(amount, *most)
	}
	if amount <= 0 {
		return nil
	}
	words := "Returned payment"
	if p.Description != nil {
		words += ": " + *p.Description
	}
	fee := a.fee(&l, portfolio.ReturnedFee, words, amount, a.today)
	fee.Charge = new("returned " + returned.ID)
	return s.store.AddPayments(ctx, by.Portfolio, []portfolio.Payment{fee})
}
