package ledger

import (
	"context"
	"maps"
	"slices"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/law"
	"portal/api/portfolio/lease/terms"
)

// lateCharge names the late fee for a row.
func lateCharge(paymentID string) string { return "late " + paymentID }

// chargeLate charges the late fees for rows of rent, or has those that are charged grow.
func (a *automatic) chargeLate(ctx context.Context, late []portfolio.Payment) error {
	var ids, properties []string
	for i := range late {
		ids, properties = append(ids, late[i].LeaseID), append(properties, late[i].PropertyID)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	leases, err := a.store.LeasesWithTerms(ctx, a.by.Portfolio, ids)
	if err != nil {
		return err
	}
	rows, err := a.store.RowsOfLeases(ctx, a.by.Portfolio, ids)
	if err == nil {
		err = a.places(ctx, properties)
	}
	if err != nil {
		return err
	}
	var fees []portfolio.Payment
	looks := map[clock.Date][]string{}
	for i := range late {
		rent := &late[i]
		fee, look, err := a.chargeLateFee(ctx, leases[rent.LeaseID], rent, rows[rent.LeaseID])
		if err != nil {
			return err
		}
		if fee != nil {
			fees = append(fees, *fee)
		}
		looks[look] = append(looks[look], rent.ID)
	}
	if err := a.store.AddPayments(ctx, a.by.Portfolio, fees); err != nil {
		return err
	}
	for _, day := range slices.Sorted(maps.Keys(looks)) {
		if err := a.store.SetLateFeeOn(ctx, a.by.Portfolio, looks[day], day); err != nil {
			return err
		}
	}
	return nil
}

// chargeLateFee is the late fee that is to be charged for a row of rent, nil for none, and the day on which it is
// looked at again. One that is charged already grows. The rows are all of the lease.
func (a *automatic) chargeLateFee(
	ctx context.Context, l *portfolio.Lease, rent *portfolio.Payment, rows []portfolio.Payment,
) (added *portfolio.Payment, look clock.Date, err error) {
	at, err := a.place(ctx, l.PropertyID)
	if err != nil {
		return nil, 0, err
	}
	from := a.lateFrom(l, at, rent.GraceAfter())
	switch {
	case from == nil:
		return nil, clock.LastDay, nil
	case *from > a.today:
		return nil, *from, nil
	}
	fee, parts := lateFeeOf(rows, rent.ID)
	if fee == nil && parts > 0 { // a person has taken it back
		return nil, clock.LastDay, nil
	}
	amount, more := lateFee(l, at, rent, int64(a.today-*from)+1)
	switch {
	case fee == nil && amount > 0:
		added = a.lateFeeFor(l, rent, *from, amount)
	case fee != nil && amount > fee.Amount:
		err = a.grow(ctx, fee, amount)
	}
	if look = clock.LastDay; more {
		look = a.today + 1
	}
	return added, look, err
}

// lateFeeOf finds the late fee for a row among those of its lease, nil for none, and counts those that there were, but
// for those that the ledger has taken back by itself.
func lateFeeOf(rows []portfolio.Payment, rentID string) (fee *portfolio.Payment, parts int) {
	name := lateCharge(rentID)
	for i := range rows {
		if row := &rows[i]; row.Charge != nil && *row.Charge == name {
			if parts++; row.Status != portfolio.PaymentVoid && row.Status != portfolio.PaymentRefunded {
				fee = row
			}
		}
	}
	return fee, parts
}

// lateFee is what a lease asks for rent that is late for so many days, at most what the law of the state allows, and
// whether it can still become more. Where the law has no figure, a fee for each day ends with the rent itself.
func lateFee(l *portfolio.Lease, at place, rent *portfolio.Payment, day int64) (amount money.Cents, more bool) {
	t := law.Terms{
		Rent:       l.MonthlyRent,
		Deposit:    l.SecurityDeposit,
		LateFee:    l.LateFeeAmount,
		Frequency:  l.Terms.LateFeeFrequency,
		Fees:       l.Terms.Fees,
		Commercial: at.commercial,
		Start:      l.StartDate,
		End:        l.EndDate,
	}
	if l.LeaseType == portfolio.MonthToMonth {
		t.End = nil
	}
	daily := t.Frequency == terms.Daily
	on := func(day int64) money.Cents {
		asked := *l.LateFeeAmount
		if daily {
			asked = min(asked*money.Cents(min(day, mostLateDays)), rent.Amount)
		}
		if most, limited := at.LateFeeLimit(t, rent.Amount, rent.Amount-rent.AmountPaid, day); limited {
			asked = min(asked, most)
		}
		return asked
	}
	amount = on(day)
	return amount, on(mostLateDays) > amount
}

// mostLateDays is more days than a late fee grows for.
const mostLateDays = 1_000_000

// lateFeeFor is the late fee for a row of rent.
func (a *automatic) lateFeeFor(
	l *portfolio.Lease, rent *portfolio.Payment, due clock.Date, amount money.Cents,
) *portfolio.Payment {
	of := "rent"
	if rent.PeriodStart != nil {
		of = "the rent of " + rent.PeriodStart.Std().Format("January 2006")
	}
	fee := a.fee(l, portfolio.LateFee, "Late fee for "+of, amount, due)
	fee.Charge = new(lateCharge(rent.ID))
	return &fee
}

// fee is a fee under a lease that is due at once.
func (a *automatic) fee(
	l *portfolio.Lease, kind portfolio.FeeType, words string, amount money.Cents, due clock.Date,
) portfolio.Payment {
	fee := portfolio.Payment{
		Record:      a.NewRecord(a.by, id.Payment, "payment"),
		LeaseID:     l.ID,
		TenantID:    l.TenantIDs[0],
		UnitID:      l.UnitID,
		PropertyID:  l.PropertyID,
		Type:        portfolio.PaymentFee,
		FeeType:     &kind,
		Description: &words,
		Amount:      amount,
		Currency:    portfolio.Currency,
		Status:      portfolio.PaymentDue,
		DueDate:     due,
	}
	fee.Compute(a.today)
	return fee
}

// grow raises the amount of a row, unless money is under way for it.
func (a *automatic) grow(ctx context.Context, row *portfolio.Payment, amount money.Cents) error {
	if row.UnderWay > 0 {
		return nil
	}
	stored, err := a.store.Transactions(ctx, a.by.Portfolio, row.ID)
	if err != nil {
		return err
	}
	all := row.Told(stored)
	row.Amount = amount
	row.Derive(all, a.today)
	row.Revise(clock.At(a.Now(a.by.Portfolio)))
	if err := a.store.SavePayment(ctx, a.by.Portfolio, row); err != nil {
		return err
	}
	return a.store.AddTransactions(ctx, a.by.Portfolio, row.ID, len(stored), all[len(stored):])
}

// takeLateFeeBack voids the late fee for rent that was paid within the days of grace, as is known only now, unless
// somebody has paid it or is paying it.
func (s *Ledger) takeLateFeeBack(
	ctx context.Context, by access.Actor, rent *portfolio.Payment, all []portfolio.Transaction,
) error {
	if rent.LateFeeOn == nil || rent.Type != portfolio.PaymentRent || rent.AmountPaid < rent.Amount {
		return nil
	}
	since, err := s.store.AutoChargeSince(ctx, by.Portfolio)
	if err != nil || since == nil {
		return err
	}
	a := &automatic{Ledger: s, by: by, since: since, today: s.Today(by), rules: map[string]place{}}
	l, err := s.store.Lease(ctx, by.Portfolio, rent.LeaseID)
	if err != nil {
		return err
	}
	at, err := a.place(ctx, l.PropertyID)
	if err != nil {
		return err
	}
	from := a.lateFrom(&l, at, rent.GraceAfter())
	if from == nil || paidBefore(all, *from, by) < rent.Amount {
		return nil
	}
	rows, err := a.rowsOf(ctx, by, l.ID)
	if err != nil {
		return err
	}
	fee, _ := lateFeeOf(rows, rent.ID)
	if fee == nil || !open(fee) {
		return nil
	}
	var p plan
	p.void(fee)
	fee = &p.changed[0]
	fee.Revise(clock.At(s.Now(by.Portfolio)))
	if err := s.store.SavePayment(ctx, by.Portfolio, fee); err != nil {
		return err
	}
	rent.LateFeeOn = from // should the payment be taken back
	return s.store.SavePayment(ctx, by.Portfolio, rent)
}

// paidBefore is what was paid before a day, without what was taken back at any time: it was not paid.
func paidBefore(all []portfolio.Transaction, day clock.Date, by access.Actor) (sum money.Cents) {
	for i := range all {
		t := &all[i]
		taken := t.Kind == portfolio.TransactionReturn || t.Kind == portfolio.TransactionDispute || t.Corrects != nil
		if t.Status == portfolio.TransactionSucceeded && (taken || clock.DateOf(t.OccurredAt.Std(), by.Zone) < day) {
			sum += t.Amount
		}
	}
	return sum
}
