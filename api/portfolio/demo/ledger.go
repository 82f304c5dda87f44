package demo

import (
	"portal/api/clock"
	"portal/api/portfolio"
)

// ledgerEntry is a ledger row while it is written, with what decides how it is paid.
type ledgerEntry struct {
	*portfolio.Payment
	lease *portfolio.Lease
	payer payer
	back  int // how many rows of its kind have fallen due after it
}

// ledger writes the payments of a book.
type ledger struct{ *draft }

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
