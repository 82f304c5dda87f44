package demo

import (
	"portal/api/clock"
	"portal/api/portfolio"
)

// addRents charges the rent of each month. The first charge is written when the lease
// is signed, each other one when the one before it falls due, so one is always ahead.
func (b *ledger) addRents(l *portfolio.Lease) {
	var rows []*ledgerEntry
	written := signed(l)
	for _, p := range periods(l, b.today) {
		if p.DueDate > b.opened(l) {
			rows = append(rows, b.chargeRent(l, p, written))
		}
		written = b.during(p.DueDate, 6, l.ID)
	}
	b.receive(rows)
	if l.Status == portfolio.LeaseTerminated {
		b.chargeVoid(l)
	}
}

func (b *ledger) chargeRent(l *portfolio.Lease, p portfolio.Payment, written clock.Time) *ledgerEntry {
	return b.charge(l, "rent "+p.PeriodStart.String(), p, written)
}

// chargeVoid is the month after a termination: charged before it, void since.
func (b *ledger) chargeVoid(l *portfolio.Lease) {
	p := l.RentFrom(first(*l.TerminatedOn).AddMonths(1), nil)
	if p.DueDate <= b.opened(l) {
		return
	}
	before := min(first(*l.TerminatedOn)+clock.Date(l.RentDueDay-1), *l.TerminatedOn)
	d := b.chargeRent(l, p, b.during(before, 6, l.ID))
	b.void(d, b.during(*l.TerminatedOn, 23, d.ID))
}

// month is a month as people write it: November 2026.
func month(d clock.Date) string { return d.Std().Format("January 2006") }
