package portfolio

import (
	"context"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/money"
)

// RentFrom is the rent of the calendar month of a lease that begins on a day, cut to the
// last day that is charged, if that is known. It falls due on the lease's due day, or on the nearest of its own
// days. Of an incomplete month the rent is due by the day, rounded to the cent.
func (l *Lease) RentFrom(from clock.Date, last *clock.Date) Payment {
	month, to := from.FirstOfMonth(), from.LastOfMonth()
	length := int64(to - month + 1)
	if last != nil {
		to = min(to, *last)
	}
	days := int64(to - from + 1)
	rent := money.Cents((int64(l.MonthlyRent)*days*2 + length) / (length * 2))
	words := "Rent for "
	if rent != l.MonthlyRent {
		words = "Prorated rent for "
	}
	return Payment{
		Type:        PaymentRent,
		Description: new(words + from.Std().Format("January 2006")),
		Amount:      rent,
		DueDate:     min(max(month+clock.Date(l.RentDueDay-1), from), to),
		PeriodStart: &from,
		PeriodEnd:   &to,
	}
}

// ChargeRent writes the rent of the period that follows the last one charged under a
// lease. The ledger of a lease that has none begins with the present month.
func (s *Ledger) ChargeRent(ctx context.Context, by access.Actor, leaseID string) (*change.Result[Payment], error) {
	today := s.Today(by)
	return Write(ctx, s.Common, by, func(ctx context.Context) (*change.Result[Payment], error) {
		l, err := s.store.Lease(ctx, by.Portfolio, leaseID)
		if err != nil {
			return nil, err
		}
		rows, err := s.store.Payments(ctx, by.Portfolio, PaymentFilter{Query: allRows, LeaseID: l.ID}, today)
		if err != nil {
			return nil, err
		}
		p, err := l.nextRent(rows, today)
		if err != nil {
			return nil, err
		}
		p.Record = s.NewRecord(by, id.Payment, "payment")
		p.compute(today)
		return &change.Result[Payment]{After: &p}, s.store.AddPayment(ctx, by.Portfolio, &p)
	})
}

// allRows is more than the ledger of a lease ever has.
var allRows = list.Query{Limit: 10_000}

// nextRent is the rent that follows what is charged already.
func (l *Lease) nextRent(charged []Payment, today clock.Date) (Payment, error) {
	from, last := max(l.StartDate, today.FirstOfMonth()), l.lastDay()
	if last == nil {
		last = l.MoveOutDate
	}
	if last == nil {
		last = new(clock.LastDay)
	}
	if end := chargedUntil(charged); end != nil {
		from = *end + 1
	}
	if l.Status != LeaseSigned && l.Status != LeaseActive || from > *last {
		return Payment{}, fault.New(fault.InvalidTransition,
			"No more rent can be charged under the lease: it is %s, and charged until it ends.",
			l.Status)
	}
	p := l.RentFrom(from, last)
	p.LeaseID, p.TenantID, p.UnitID, p.PropertyID, p.Currency = l.ID, l.TenantIDs[0], l.UnitID, l.PropertyID, Currency
	p.Status = PaymentScheduled
	if p.DueDate <= today {
		p.Status = PaymentDue
	}
	return p, nil
}

// chargedUntil is the last day that rent is charged for, void rent apart, nil where none
// is.
func chargedUntil(rows []Payment) (last *clock.Date) {
	for i := range rows {
		p := &rows[i]
		if p.Type == PaymentRent && p.Status != PaymentVoid && p.PeriodEnd != nil &&
			(last == nil || *p.PeriodEnd > *last) {
			last = p.PeriodEnd
		}
	}
	return last
}
