package demo

import (
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
)

// lateFee charges the fee of a row that was or is unpaid after the days of grace.
// It is paid with the row, and now and then waived.
func (b *book) lateFee(d *debt) {
	l := d.lease
	if l.LateFeeAmount == nil || d.Status == portfolio.PaymentVoid {
		return
	}
	day := d.DueDate + clock.Date(*l.LateFeeGraceDays) + 1
	paid, ok := b.started(d)
	if day > b.today || ok && paid < day {
		return
	}
	fee := b.chargeFee(l, "late", d, *l.LateFeeAmount, day)
	fee.Description = new("Late fee for " + month(d.DueDate))
	switch {
	case roll(5, "waived", d.ID) == 0:
		b.void(fee, b.during(day+1, 10, fee.ID))
	case ok:
		b.pay(fee, *d.Method, max(paid, day))
	}
}

// started is the day on which the payment of a row began that went through or may
// still do so.
func (b *book) started(d *debt) (clock.Date, bool) {
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
func (b *book) returnFee(d *debt) {
	day := b.date(d.UpdatedAt)
	fee := b.chargeFee(d.lease, "returned_payment", d, money.Dollars(25), day)
	fee.Description = new("Returned ACH payment of " + month(d.DueDate))
	b.pay(fee, card, d.DueDate+9)
}

// chargeFee charges a fee on the day on which it becomes due, because of another row.
func (b *book) chargeFee(l *portfolio.Lease, kind portfolio.FeeType, of *debt, amount money.Cents, day clock.Date) *debt {
	fee := portfolio.Payment{Type: portfolio.PaymentFee, FeeType: &kind, Amount: amount, DueDate: day}
	at := max(b.during(day, 7, of.ID), of.CreatedAt+1)
	return b.charge(l, string(kind)+" "+of.ID, fee, at)
}

// addFees writes the fees of the table, each under the latest lease of its unit that
// was ever in force or is to be.
func (b *book) addFees() {
	latest := make(map[string]*portfolio.Lease)
	for i := range b.Leases {
		if l := &b.Leases[i]; binding(l) {
			latest[l.UnitID] = l
		}
	}
	for _, r := range table("fees") {
		l := latest[r["unit"]]
		if r["due"] == "monthly" {
			b.addMonthly(l, r)
			continue
		}
		b.addOnce(l, r)
	}
}

func (b *book) addOnce(l *portfolio.Lease, r row) {
	due := b.day(r["due"], known{"made": b.date(l.CreatedAt), "start": l.StartDate})
	fee := newFee(r, due)
	d := b.charge(l, r["fee_type"]+" "+r["due"], fee, b.during(due-9, 13, l.ID))
	b.settleFee(d, r)
}

// addMonthly charges a fee with each month's rent. A utility bill is never twice the same.
func (b *book) addMonthly(l *portfolio.Lease, r row) {
	written := l.StartDate - 5
	for _, p := range periods(l, b.today) {
		if p.due > b.opened(l) {
			fee := newFee(r, p.due)
			fee.PeriodStart, fee.PeriodEnd = &p.from, &p.to
			if r["fee_type"] == "utility" {
				fee.Amount += money.Cents(roll(1100, l.ID, p.from.String()))
			}
			d := b.charge(l, r["fee_type"]+" "+p.from.String(), fee, b.during(written, 6, l.ID+"fee"))
			b.settleMonthly(d, r)
		}
		written = p.due
	}
}

// settleMonthly pays what is older than a month, and the rest as the table says.
func (b *book) settleMonthly(d *debt, r row) {
	if d.DueDate < b.today-31 {
		b.payPromptlyBy(d, portfolio.PaymentMethod(r["method"]))
		return
	}
	b.settleFee(d, r)
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

// settleFee lets a fee end as the table says; one that is not due yet stays.
func (b *book) settleFee(d *debt, r row) {
	if d.DueDate > b.today {
		return
	}
	method := portfolio.PaymentMethod(r["method"])
	switch r["outcome"] {
	case "paid":
		b.payPromptlyBy(d, method)
	case "part":
		b.payPart(d, method, part(d.Amount, 50), d.DueDate+2)
	case "failed":
		b.fail(d, method, insufficientFunds, d.DueDate+1)
	case "refunded":
		b.pay(d, method, d.DueDate)
		b.refund(d, d.DueDate+5)
	case "void":
		b.void(d, b.during(d.DueDate+3, 10, d.ID))
	}
}
