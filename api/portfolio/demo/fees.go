package demo

import (
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
)

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
		b.addOnce(l, r)
	}
}

func (b *ledger) addOnce(l *portfolio.Lease, r row) {
	due := b.day(r["due"], known{"made": b.date(l.CreatedAt), "start": l.StartDate})
	fee := newFee(r, due)
	d := b.charge(l, r["fee_type"]+" "+r["due"], fee, b.during(due-9, 13, l.ID))
	b.receiveFee(d, r)
}

// addMonthly charges a fee with each month's rent. A utility bill is never twice the same.
func (b *ledger) addMonthly(l *portfolio.Lease, r row) {
	written := signed(l)
	for _, p := range periods(l, b.today) {
		if p.DueDate > b.opened(l) {
			fee := newFee(r, p.DueDate)
			fee.PeriodStart, fee.PeriodEnd = p.PeriodStart, p.PeriodEnd
			if r["fee_type"] == "utility" {
				fee.Amount += money.Cents(roll(1100, l.ID, p.PeriodStart.String()))
			}
			d := b.charge(l, r["fee_type"]+" "+p.PeriodStart.String(), fee, written)
			b.receiveMonthly(d, r)
		}
		written = b.during(p.DueDate, 6, l.ID)
	}
}

// receiveMonthly pays what is older than a month, and the rest as the table says.
func (b *ledger) receiveMonthly(d *ledgerEntry, r row) {
	if d.DueDate < b.today-31 {
		b.payPromptlyBy(d, portfolio.PaymentMethod(r["method"]))
		return
	}
	b.receiveFee(d, r)
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

// receiveFee lets a fee end as the table says; one that is not due yet stays.
func (b *ledger) receiveFee(d *ledgerEntry, r row) {
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
