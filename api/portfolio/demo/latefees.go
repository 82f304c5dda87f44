package demo

import (
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
)

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
	fee := b.chargeFee("late", d, *l.LateFeeAmount, day, b.during(day, 7, d.ID))
	fee.Description = new("Late fee for " + month(d.DueDate))
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
	fee := b.chargeFee("returned_payment", d, money.Dollars(25), day, d.UpdatedAt)
	fee.Description = new("Returned ACH payment of " + month(d.DueDate))
	b.pay(fee, card, d.DueDate+9)
}

// chargeFee charges a fee because of another row. It is due on the day on which it is
// written.
func (b *ledger) chargeFee(
	kind portfolio.FeeType, of *ledgerEntry, amount money.Cents, day clock.Date, at clock.Time,
) *ledgerEntry {
	fee := portfolio.Payment{
		Type:    portfolio.PaymentFee,
		FeeType: &kind,
		Amount:  amount,
		DueDate: day,
	}
	return b.charge(of.lease, string(kind)+" "+of.ID, fee, max(at, of.CreatedAt+1))
}
