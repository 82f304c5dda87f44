package demo

import "portal/api/portfolio"

// addDeposit charges the deposit of a lease that began here, a week before the start.
// Of an ended lease it is paid back after some two weeks.
func (b *ledger) addDeposit(l *portfolio.Lease) {
	if l.SecurityDeposit == 0 || l.RenewedFromLeaseID != nil || b.imported(l) {
		return
	}
	p := portfolio.Payment{Type: portfolio.PaymentDeposit, Amount: l.SecurityDeposit}
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
