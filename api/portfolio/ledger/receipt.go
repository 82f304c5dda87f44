package ledger

import (
	"cmp"
	"context"
	"slices"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio"
)

// Receipt is a payment that has cleared, with the charge that it paid and what became of both.
type Receipt struct {
	Landlord    string
	Lease       *portfolio.Lease
	Charge      portfolio.Payment
	Transaction portfolio.Transaction
	PaidOn      clock.Date
	// Later are the movements that took it back since then, and money of the charge that went back.
	Later []portfolio.Transaction
	By    access.Actor // whose zone its days are in
	Today clock.Date
}

// Receipted reports whether there is a receipt for a transaction of a row: it is money that has come for a charge.
func Receipted(p *portfolio.Payment, t *portfolio.Transaction) bool {
	return p.Amount > 0 && t.Kind == portfolio.TransactionPayment && t.Status == portfolio.TransactionSucceeded &&
		t.Amount > 0
}

// Receipt is that of a transaction of a row, or fault.NotFound.
func (s *Ledger) Receipt(ctx context.Context, by access.Actor, paymentID, transactionID string) (*Receipt, error) {
	p, err := s.PaymentWithTransactions(ctx, by, paymentID)
	if err != nil {
		return nil, err
	}
	l, err := s.store.Lease(ctx, by.Portfolio, p.LeaseID)
	if err != nil {
		return nil, err
	}
	landlord, err := s.store.Landlord(ctx, by.Portfolio)
	if err != nil {
		return nil, err
	}
	r := &Receipt{Landlord: landlord.Name, Lease: &l, By: by, Today: s.Today(by)}
	if r.of(p, transactionID) {
		return r, nil
	}
	return nil, fault.NotFound("receipt")
}

// of fills in a transaction of a row, and reports whether there is a receipt for it.
func (r *Receipt) of(p *portfolio.PaymentWithTransactions, transactionID string) bool {
	i := slices.IndexFunc(p.Transactions, func(t portfolio.Transaction) bool { return t.ID == transactionID })
	if i < 0 || !Receipted(&p.Payment, &p.Transactions[i]) {
		return false
	}
	r.Charge, r.Transaction = p.Payment, p.Transactions[i]
	r.PaidOn = r.Day(&r.Transaction)
	for _, t := range p.Transactions[i+1:] {
		corrects := t.Corrects != nil && *t.Corrects == transactionID
		back := t.Corrects == nil && t.Kind != portfolio.TransactionCorrection && t.Amount < 0
		if t.Status == portfolio.TransactionSucceeded && (corrects || back) {
			r.Later = append(r.Later, t)
		}
	}
	return true
}

// Day is the day of a transaction in the landlord's zone.
func (r *Receipt) Day(t *portfolio.Transaction) clock.Date {
	return min(clock.DateOf(t.OccurredAt.Std(), r.By.Zone), r.Today)
}

// Receipts are those of leases, the latest first, at most so many.
func (s *Ledger) Receipts(
	ctx context.Context, by access.Actor, leases []portfolio.Lease, most int,
) (all []Receipt, err error) {
	ids := make([]string, len(leases))
	for i := range leases {
		ids[i] = leases[i].ID
	}
	rows, err := s.movements(ctx, by, ids)
	if err != nil {
		return nil, err
	}
	today := s.Today(by)
	for i := range leases {
		for j := range rows[leases[i].ID] {
			p := &rows[leases[i].ID][j]
			for k := range p.Transactions {
				r := Receipt{Lease: &leases[i], By: by, Today: today}
				if r.of(p, p.Transactions[k].ID) {
					all = append(all, r)
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b Receipt) int {
		return cmp.Or(
			cmp.Compare(b.PaidOn, a.PaidOn), cmp.Compare(b.Charge.DueDate, a.Charge.DueDate),
			cmp.Compare(b.Transaction.ID, a.Transaction.ID),
		)
	})
	return all[:min(len(all), most)], nil
}
