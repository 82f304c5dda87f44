package demo

import (
	"iter"

	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/schedule"
)

// ledgerEntry is a ledger row while it is written, with what decides how it is paid.
type ledgerEntry struct {
	*portfolio.Payment
	lease *portfolio.Lease
	payer payer
	back  int // how many rows of its kind have fallen due after it
}

// ledger writes the payments of a book.
type ledger struct {
	*draft
	habits, failures []row // of the tables
}

// addPayments writes the ledger of a year: it begins twelve months ago, or when the
// property came here.
func (b *ledger) addPayments() {
	for i := range b.Leases {
		l := &b.Leases[i]
		if l.Binding() {
			b.addDeposit(l)
			b.addRents(l)
		}
	}
	b.addFees()
	for _, p := range b.payments {
		if p.Status != portfolio.PaymentVoid && p.Status != portfolio.PaymentRefunded {
			p.BalanceDue = p.Amount - p.AmountPaid
		}
	}
}

// charge writes a row. It is scheduled, or due when its day has come. The name
// keeps the rows of a lease apart.
func (b *ledger) charge(l *portfolio.Lease, name string, p portfolio.Payment, written clock.Time) *ledgerEntry {
	p.Record = record("payment", l.ID+" "+name, max(written, l.CreatedAt+90_000))
	p.LeaseID, p.UnitID, p.PropertyID = l.ID, l.UnitID, l.PropertyID
	p.TenantID = l.TenantIDs[0]
	p.Currency = portfolio.Currency
	p.Status = portfolio.PaymentScheduled
	if p.DueDate <= b.today {
		p.Status = portfolio.PaymentDue
		touch(&p.Record, b.during(p.DueDate, 0, p.ID))
	}
	b.payments = append(b.payments, &p)
	return &ledgerEntry{Payment: &p, lease: l, payer: b.payers[l.ID]}
}

// signed is when a lease came into force: with the last signature, or the import.
func signed(l *portfolio.Lease) clock.Time {
	if l.SignedAt != nil {
		return *l.SignedAt + 400
	}
	return l.CreatedAt + 90_000
}

// opened is the day on which the ledger of a lease begins.
func (b *ledger) opened(l *portfolio.Lease) clock.Date {
	return max(b.today.AddMonths(-12), b.date(b.units[l.UnitID].CreatedAt))
}

// lastDay is the last one that is charged, nil when none is known.
func lastDay(l *portfolio.Lease) *clock.Date {
	switch {
	case l.TerminatedOn != nil:
		return l.TerminatedOn
	case l.LeaseType == portfolio.FixedWithRollover && l.RenewedToLeaseID == nil: // it goes on
		return l.MoveOutDate
	case l.EndDate != nil:
		return l.EndDate
	}
	return l.MoveOutDate
}

// addDeposit charges the deposit of a lease that began here, a week before the start.
// Of an ended lease it is paid back after some two weeks.
func (b *ledger) addDeposit(l *portfolio.Lease) {
	if l.SecurityDeposit == 0 || l.RenewedFromLeaseID != nil || b.imported(l) {
		return
	}
	p := portfolio.Payment{
		Type: portfolio.PaymentDeposit, Amount: l.SecurityDeposit, Charge: new(schedule.Deposit),
	}
	p.DueDate = max(l.StartDate-7, b.date(*l.SignedAt)+1)
	if roll(3, "words", l.ID) > 0 {
		p.Description = new("Security deposit")
	}
	d := b.charge(l, "deposit", p, signed(l))
	b.pay(d, d.payer.method, p.DueDate)
	if end := lastDay(l); l.Status == portfolio.LeaseTerminated && d.payer.habit != "skipped" {
		b.refund(d, *end+13)
	}
}

// months are the rents of a lease from the beginning of its ledger to the first that is
// still to come, and what else falls due within the days for which the ledger charges ahead,
// each with when it is charged. The first is charged when the lease is signed, each other one
// when the one before it falls due, so one is always ahead.
func (b *ledger) months(l *portfolio.Lease) iter.Seq2[portfolio.Payment, clock.Time] {
	return func(yield func(portfolio.Payment, clock.Time) bool) {
		written, end, last := signed(l), lastDay(l), clock.LastDay
		if end != nil {
			last = *end
		}
		ahead := false // whether one that is still to come was charged
		for from := l.StartDate; from <= last; from = from.LastOfMonth() + 1 {
			p := l.RentFrom(from, end)
			if ahead && p.DueDate > b.today+chargedAhead || p.DueDate > b.opened(l) && !yield(p, written) {
				return
			}
			if ahead = p.DueDate > b.today; !ahead {
				written = b.during(p.DueDate, 6, l.ID)
			}
		}
	}
}

// chargedAhead is for how many days the ledger charges ahead.
const chargedAhead = 30

// addRents charges the rent of each month and lets what is due be paid as the tenants do.
func (b *ledger) addRents(l *portfolio.Lease) {
	var due []*ledgerEntry
	for p, written := range b.months(l) {
		if d := b.chargeRent(l, p, written); d.DueDate <= b.today {
			due = append(due, d)
		}
	}
	for i, d := range due {
		d.back = len(due) - 1 - i
		b.receive(d)
		b.lateFee(d)
	}
	if l.Status == portfolio.LeaseTerminated {
		b.chargeVoid(l)
	}
}

// chargeRent charges the rent of a month. Whether it is late on a day that is still to come, the ledger sees by itself.
func (b *ledger) chargeRent(l *portfolio.Lease, p portfolio.Payment, written clock.Time) *ledgerEntry {
	p.Charge = new(schedule.Rent + " " + schedule.Month(*p.PeriodStart))
	if l.LateFeeAmount != nil {
		if late := p.DueDate.AddDays(*l.LateFeeGraceDays + 1); late > b.today {
			p.LateFeeOn = &late
		}
	}
	return b.charge(l, "rent "+p.PeriodStart.String(), p, written)
}

// chargeVoid is the month after a termination: charged before it, void since.
func (b *ledger) chargeVoid(l *portfolio.Lease) {
	p := l.RentFrom(l.TerminatedOn.FirstOfMonth().AddMonths(1), nil)
	if p.DueDate <= b.opened(l) {
		return
	}
	before := min(l.TerminatedOn.FirstOfMonth()+clock.Date(l.RentDueDay-1), *l.TerminatedOn)
	d := b.chargeRent(l, p, b.during(before, 6, l.ID))
	b.void(d, b.during(*l.TerminatedOn, 23, d.ID))
}

// lateFee charges the fee of a row that was or is unpaid after the days of grace.
// It is paid with the row, and now and then waived.
func (b *ledger) lateFee(d *ledgerEntry) {
	l := d.lease
	if l.LateFeeAmount == nil || d.Status == portfolio.PaymentVoid {
		return
	}
	day := d.DueDate.AddDays(*l.LateFeeGraceDays + 1)
	paid, ok := b.started(d)
	if day > b.today || ok && paid < day {
		return
	}
	fee := b.chargeFee("late", "Late fee for ", d, *l.LateFeeAmount, day, b.during(day, 7, d.ID))
	switch {
	case ok && roll(5, "waived", d.ID) == 0:
		b.void(fee, b.during(day+1, 10, fee.ID))
	case ok:
		b.pay(fee, *d.Method, max(paid, day))
	}
}

// started is the day on which the payment of a row began that went through or may
// still do so.
func (b *ledger) started(d *ledgerEntry) (clock.Date, bool) {
	switch d.Status {
	case portfolio.PaymentProcessing, portfolio.PaymentSucceeded, portfolio.PaymentRefunded:
		if d.InitiatedAt != nil {
			return b.date(*d.InitiatedAt), true
		}
		return b.date(*d.PaidAt), true
	}
	return 0, false
}

// returnFee charges what the bank takes for a returned payment.
func (b *ledger) returnFee(d *ledgerEntry) {
	day := b.date(d.UpdatedAt)
	fee := b.chargeFee("returned_payment", "Returned ACH payment of ", d, money.Dollars(25), day, d.UpdatedAt)
	b.pay(fee, card, d.DueDate+9)
}

// chargeFee charges a fee because of another row, whose month follows in the description.
// It is due on the day on which it is written.
func (b *ledger) chargeFee(
	kind portfolio.FeeType, of string, d *ledgerEntry, amount money.Cents, day clock.Date, at clock.Time,
) *ledgerEntry {
	fee := portfolio.Payment{
		Type:        portfolio.PaymentFee,
		FeeType:     &kind,
		Description: new(of + month(d.DueDate)),
		Amount:      amount,
		DueDate:     day,
	}
	return b.charge(d.lease, string(kind)+" "+d.ID, fee, max(at, d.CreatedAt+1))
}

// month is a month as people write it: November 2026.
func month(d clock.Date) string { return d.Std().Format("January 2006") }

// addFees writes the fees of the table, each under the latest lease of its unit that
// was ever in force or is to be.
func (b *ledger) addFees() {
	latest := make(map[string]*portfolio.Lease)
	for i := range b.Leases {
		if l := &b.Leases[i]; l.Binding() {
			latest[l.UnitID] = l
		}
	}
	for _, r := range table("fees") {
		l := latest[r["unit"]]
		if r["due"] == "monthly" {
			b.addMonthly(l, r)
			continue
		}
		due := b.day(r["due"], known{"made": b.date(l.CreatedAt), "start": l.StartDate})
		b.addFee(l, r, r["due"], newFee(r, due), b.during(due-9, 13, l.ID))
	}
}

// addMonthly charges a fee with each month's rent. A utility bill is never twice the same.
func (b *ledger) addMonthly(l *portfolio.Lease, r row) {
	for p, written := range b.months(l) {
		fee := newFee(r, p.DueDate)
		fee.PeriodStart, fee.PeriodEnd = p.PeriodStart, p.PeriodEnd
		if r["fee_type"] == "utility" {
			fee.Amount += money.Cents(roll(1100, l.ID, p.PeriodStart.String()))
		}
		b.addFee(l, r, p.PeriodStart.String(), fee, written)
	}
}

func newFee(r row, due clock.Date) portfolio.Payment {
	return portfolio.Payment{
		Type:        portfolio.PaymentFee,
		FeeType:     new(portfolio.FeeType(r["fee_type"])),
		Description: r.text("description"),
		Amount:      dollars(r["amount"]),
		DueDate:     due,
	}
}

// addFee charges a fee, whose outcome is a habit once it is due. A monthly one of more than
// a month ago is paid.
func (b *ledger) addFee(l *portfolio.Lease, r row, name string, fee portfolio.Payment, written clock.Time) {
	d := b.charge(l, r["fee_type"]+" "+name, fee, written)
	d.payer = payer{portfolio.PaymentMethod(r["method"]), r["outcome"]}
	if r["due"] == "monthly" && d.DueDate < b.today-31 {
		d.payer.habit = "paid"
	}
	if d.DueDate <= b.today {
		b.receive(d)
	}
}
