package ledger

import (
	"context"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
)

// ChargeRent writes the rent of the period that follows the last one charged under a
// lease. The ledger of a lease that has none begins with the present month.
func (s *Ledger) ChargeRent(
	ctx context.Context,
	by access.Actor,
	leaseID string,
) (*change.Result[portfolio.Payment], error) {
	today := s.Today(by)
	return portfolio.Write(ctx, s.Common, by, func(ctx context.Context) (*change.Result[portfolio.Payment], error) {
		l, err := s.store.Lease(ctx, by.Portfolio, leaseID)
		if err != nil {
			return nil, err
		}
		rows, err := s.store.Payments(ctx, by.Portfolio, portfolio.PaymentFilter{Query: allRows, LeaseID: l.ID}, today)
		if err != nil {
			return nil, err
		}
		p, err := nextRent(&l, rows, today)
		if err != nil {
			return nil, err
		}
		p.Record = s.NewRecord(by, id.Payment, "payment")
		p.Compute(today)
		return &change.Result[portfolio.Payment]{After: &p}, s.store.AddPayment(ctx, by.Portfolio, &p)
	})
}

// allRows is more than the ledger of a lease ever has.
var allRows = list.Query{Limit: 10_000}

// nextRent is the rent that follows what is charged already.
func nextRent(l *portfolio.Lease, charged []portfolio.Payment, today clock.Date) (portfolio.Payment, error) {
	from, last := max(l.StartDate, today.FirstOfMonth()), l.LastDay()
	if last == nil {
		last = l.MoveOutDate
	}
	if last == nil {
		last = new(clock.LastDay)
	}
	if end := chargedUntil(charged); end != nil {
		from = *end + 1
	}
	if l.Status != portfolio.LeaseSigned && l.Status != portfolio.LeaseActive || from > *last {
		return portfolio.Payment{}, fault.New(fault.InvalidTransition,
			"No more rent can be charged under the lease: it is %s, and charged until it ends.",
			l.Status)
	}
	p := l.RentFrom(from, last)
	p.LeaseID, p.TenantID, p.UnitID, p.PropertyID = l.ID, l.TenantIDs[0], l.UnitID, l.PropertyID
	p.Currency = portfolio.Currency
	p.Status = portfolio.PaymentScheduled
	if p.DueDate <= today {
		p.Status = portfolio.PaymentDue
	}
	return p, nil
}

// chargedUntil is the last day that rent is charged for, void rent apart, nil where none
// is.
func chargedUntil(rows []portfolio.Payment) (last *clock.Date) {
	for i := range rows {
		p := &rows[i]
		if p.Type == portfolio.PaymentRent && p.Status != portfolio.PaymentVoid && p.PeriodEnd != nil &&
			(last == nil || *p.PeriodEnd > *last) {
			last = p.PeriodEnd
		}
	}
	return last
}
