package demo

import (
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
)

// The ways to pay that pass through the processor. The landlord notes the others by
// hand when the money is there.
const (
	ach  portfolio.PaymentMethod = "ach"
	card portfolio.PaymentMethod = "card"
)

// pay lets a row be paid on a day, if that has come. A card clears at once, ACH
// within some four days and is under way until then.
func (b *ledger) pay(d *ledgerEntry, method portfolio.PaymentMethod, day clock.Date) {
	at, ok := b.begin(d, method, day)
	if !ok {
		return
	}
	switch method {
	case ach:
		if cleared := at + clock.Time(80+roll(30, d.ID))*3_600_000; cleared <= b.last {
			b.succeed(d, cleared)
		}
	case card:
		b.succeed(d, min(at+2_400, b.last))
	default:
		b.succeed(d, at)
	}
}

// begin starts a payment and returns when, false if that is still to come. Through
// the processor it is under way then.
func (b *ledger) begin(d *ledgerEntry, method portfolio.PaymentMethod, day clock.Date) (clock.Time, bool) {
	at := max(b.within(day, 8+roll(13, "pay", d.ID), d.ID), d.UpdatedAt+60_000)
	if at > b.last {
		return 0, false
	}
	d.Method, d.Reference = &method, b.reference(d, method)
	if method == ach || method == card {
		d.InitiatedAt, d.Status = &at, portfolio.PaymentProcessing
		touch(&d.Record, at)
	}
	return at, true
}

func (b *ledger) succeed(d *ledgerEntry, at clock.Time) {
	d.Status, d.AmountPaid, d.PaidAt = portfolio.PaymentSucceeded, d.Amount, &at
	d.FailureCode, d.FailureMessage = nil, nil
	touch(&d.Record, at)
}

// payPart lets some of a row be paid by hand or by card.
func (b *ledger) payPart(d *ledgerEntry, method portfolio.PaymentMethod, amount money.Cents, day clock.Date) {
	at, ok := b.begin(d, method, day)
	if !ok {
		return
	}
	d.Status, d.AmountPaid = portfolio.PaymentPartiallyPaid, amount
	touch(&d.Record, at)
}

// fail lets a payment be refused and reports whether it was: a card at once, ACH by a
// return two days later, and until then it is under way.
func (b *ledger) fail(d *ledgerEntry, method portfolio.PaymentMethod, f failure, day clock.Date) bool {
	at, ok := b.begin(d, method, day)
	if method == ach {
		at += 49 * 3_600_000
	}
	if !ok || at > b.last {
		return false
	}
	d.Status = portfolio.PaymentFailed
	d.FailureCode, d.FailureMessage = &f.code, &f.message
	touch(&d.Record, at)
	return true
}

// refund gives back a row that was paid, if the day has come.
func (b *ledger) refund(d *ledgerEntry, day clock.Date) {
	if day > b.today || d.Status != portfolio.PaymentSucceeded {
		return
	}
	d.Status = portfolio.PaymentRefunded
	touch(&d.Record, min(max(b.during(day, 14, d.ID), *d.PaidAt+3_600_000), b.last))
}

// void cancels a row of which nothing is paid.
func (b *ledger) void(d *ledgerEntry, at clock.Time) {
	d.Status = portfolio.PaymentVoid
	touch(&d.Record, max(at, d.UpdatedAt+1))
}

// part is a share of an amount in percent, cut to the dollar.
func part(amount money.Cents, percent int64) money.Cents {
	return amount * money.Cents(percent) / 10_000 * 100
}
