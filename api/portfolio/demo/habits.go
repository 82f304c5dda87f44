package demo

import (
	"portal/api/clock"
	"portal/api/portfolio"
)

// habits are the ways in which tenants pay their rent, by the names in the table of
// leases.
var habits = map[string]func(*ledger, *ledgerEntry){
	"autopay":    (*ledger).payAtOnce,
	"prompt":     (*ledger).payPromptly,
	"late":       (*ledger).payLate,
	"bounced":    (*ledger).bounce,
	"failing":    (*ledger).failNow,
	"behind":     (*ledger).fallBehind,
	"partial":    (*ledger).payInParts,
	"processing": (*ledger).payYesterday,
	"unpaid":     (*ledger).forget,
	"refund":     (*ledger).payTwice,
	"void":       (*ledger).waive,
	"skipped":    (*ledger).skip,
}

// receive lets the rows of a lease that are due be paid as its tenants do.
func (b *ledger) receive(rows []*ledgerEntry) {
	for len(rows) > 0 && rows[len(rows)-1].DueDate > b.today {
		rows = rows[:len(rows)-1]
	}
	for i, d := range rows {
		d.back = len(rows) - 1 - i
		habits[d.payer.habit](b, d)
		b.lateFee(d)
	}
}

func (b *ledger) payAtOnce(d *ledgerEntry) { b.pay(d, d.payer.method, d.DueDate) }

func (b *ledger) payPromptly(d *ledgerEntry) { b.payPromptlyBy(d, d.payer.method) }

func (b *ledger) payPromptlyBy(d *ledgerEntry, method portfolio.PaymentMethod) {
	b.pay(d, method, d.DueDate+clock.Date(roll(4, "prompt", d.ID)))
}

// payLate is now and then later than the days of grace.
func (b *ledger) payLate(d *ledgerEntry) {
	days := 3 + roll(3, "late", d.ID)
	if roll(5, "often", d.ID) < 2 {
		days += 5 + roll(6, "later", d.ID)
	}
	b.pay(d, d.payer.method, d.DueDate+clock.Date(days))
}

// bounce lets ACH be returned twice a year; the rent comes by card a week later.
func (b *ledger) bounce(d *ledgerEntry) {
	if d.back != 1 && d.back != 4 {
		b.payPromptly(d)
		return
	}
	if b.fail(d, ach, insufficientFunds, d.DueDate+1) {
		b.returnFee(d)
		b.pay(d, card, d.DueDate+8)
	}
}

// failNow leaves the latest payment failed.
func (b *ledger) failNow(d *ledgerEntry) {
	if d.back > 0 {
		b.payPromptly(d)
		return
	}
	if b.fail(d, d.payer.method, usual(d), d.DueDate) && d.payer.method == ach {
		b.returnFee(d)
	}
}

// fallBehind owes two months and half of the one before.
func (b *ledger) fallBehind(d *ledgerEntry) {
	switch d.back {
	case 0, 1:
	case 2:
		b.payPart(d, "money_order", part(d.Amount, 50), d.DueDate+9)
	default:
		b.payLate(d)
	}
}

func (b *ledger) payInParts(d *ledgerEntry) {
	if d.back > 0 {
		b.payPromptly(d)
		return
	}
	b.payPart(d, d.payer.method, part(d.Amount, 60), d.DueDate+1)
}

// payYesterday has the latest payment under way.
func (b *ledger) payYesterday(d *ledgerEntry) {
	if d.back > 0 {
		b.payPromptly(d)
		return
	}
	b.pay(d, ach, max(d.DueDate, b.today-1))
}

// forget leaves the latest row unpaid.
func (b *ledger) forget(d *ledgerEntry) {
	if d.back > 0 {
		b.payPromptly(d)
	}
}

// payTwice had one month paid by another hand as well, and given back.
func (b *ledger) payTwice(d *ledgerEntry) {
	b.payPromptly(d)
	if d.back == 2 {
		b.refund(d, d.DueDate+11)
	}
}

// waive had one month forgiven for repairs.
func (b *ledger) waive(d *ledgerEntry) {
	if d.back != 4 {
		b.payPromptly(d)
		return
	}
	d.Description = new("Rent for " + month(d.DueDate) + ", waived while the bathroom was rebuilt")
	b.void(d, b.during(d.DueDate+2, 11, d.ID))
}

// skip left without paying the last two months.
func (b *ledger) skip(d *ledgerEntry) {
	switch d.back {
	case 0:
	case 1:
		b.fail(d, ach, accountClosed, d.DueDate+3)
	default:
		b.payPromptly(d)
	}
}
