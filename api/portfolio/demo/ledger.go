package demo

import (
	"fmt"

	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
)

// debt is a ledger row while it is written, with what decides how it is paid.
type debt struct {
	*portfolio.Payment
	lease *portfolio.Lease
	payer payer
	back  int // how many rows of its kind have fallen due after it
}

// addPayments writes the ledger of a year: it begins twelve months ago, or when the
// property came here.
func (b *book) addPayments() {
	for i := range b.Leases {
		l := &b.Leases[i]
		if binding(l) {
			b.addDeposit(l)
			b.addRents(l)
		}
	}
	b.addFees()
}

// charge writes a row. It is scheduled, or due when its day has come. The name
// keeps the rows of a lease apart.
func (b *book) charge(l *portfolio.Lease, name string, p portfolio.Payment, written clock.Time) *debt {
	p.Record = record("payment", l.ID+" "+name, max(written, b.inForce(l)))
	p.LeaseID, p.UnitID, p.PropertyID = l.ID, l.UnitID, l.PropertyID
	p.TenantID = l.TenantIDs[0]
	p.Currency = portfolio.Currency
	p.Status = portfolio.PaymentScheduled
	if p.DueDate <= b.today {
		p.Status = portfolio.PaymentDue
		touch(&p.Record, b.during(p.DueDate, 0, p.ID))
	}
	b.payments = append(b.payments, &p)
	return &debt{Payment: &p, lease: l, payer: b.payers[l.ID]}
}

// inForce is the first moment at which a lease is charged.
func (b *book) inForce(l *portfolio.Lease) clock.Time {
	if l.SignedAt != nil {
		return min(*l.SignedAt+90_000, b.last)
	}
	return min(l.CreatedAt+90_000, b.last)
}

// opened is the day on which the ledger of a lease begins.
func (b *book) opened(l *portfolio.Lease) clock.Date {
	return max(b.today.AddMonths(-12), b.date(b.units[l.UnitID].CreatedAt))
}

// addRents charges the rent of each month. A charge is written when the one before it
// falls due, so one is always ahead.
func (b *book) addRents(l *portfolio.Lease) {
	var rows []*debt
	written := l.StartDate - 5
	for _, p := range periods(l, b.today) {
		if p.due > b.opened(l) {
			rows = append(rows, b.chargeRent(l, p, written))
		}
		written = p.due
	}
	b.settle(rows)
	if l.Status == portfolio.LeaseTerminated {
		b.chargeVoid(l)
	}
}

func (b *book) chargeRent(l *portfolio.Lease, p period, written clock.Date) *debt {
	words := "Rent for "
	if p.rent != l.MonthlyRent {
		words = "Prorated rent for "
	}
	return b.charge(l, "rent "+p.from.String(), portfolio.Payment{
		Type:        portfolio.PaymentRent,
		Description: new(words + month(p.from)),
		Amount:      p.rent,
		DueDate:     p.due,
		PeriodStart: &p.from,
		PeriodEnd:   &p.to,
	}, b.during(written, 6, l.ID))
}

// chargeVoid is the month after a termination: charged before it, void since.
func (b *book) chargeVoid(l *portfolio.Lease) {
	p := cut(l, first(*l.TerminatedOn).AddMonths(1), nil)
	if p.due <= b.opened(l) {
		return
	}
	written := first(*l.TerminatedOn) + clock.Date(l.RentDueDay-1)
	d := b.chargeRent(l, p, min(written, *l.TerminatedOn))
	b.void(d, b.during(*l.TerminatedOn, 23, d.ID))
}

// addDeposit charges the deposit of a lease that began here, a week before the start.
// Of an ended lease it is paid back after some two weeks.
func (b *book) addDeposit(l *portfolio.Lease) {
	if l.SecurityDeposit == 0 || l.RenewedFromLeaseID != nil || b.imported(l) {
		return
	}
	p := portfolio.Payment{Type: portfolio.PaymentDeposit, Amount: l.SecurityDeposit}
	p.DueDate = max(l.StartDate-7, b.date(*l.SignedAt)+1)
	if roll(3, "words", l.ID) > 0 {
		p.Description = new("Security deposit")
	}
	d := b.charge(l, "deposit", p, 0)
	b.pay(d, d.payer.method, p.DueDate)
	if end := lastDay(l); l.Status == portfolio.LeaseTerminated && d.payer.habit != "skipped" {
		b.refund(d, *end+13)
	}
}

// month is a month as people write it: November 2026.
func month(d clock.Date) string { return d.Std().Format("January 2006") }

// part is a share of an amount in percent, cut to the dollar.
func part(amount money.Cents, percent int64) money.Cents {
	return amount * money.Cents(percent) / 10_000 * 100
}

// reference is what the landlord or the processor notes of a payment, nil for cash.
func (b *book) reference(d *debt, method portfolio.PaymentMethod) *string {
	n := roll(90_000_000, "reference", d.ID)
	switch method {
	case "check":
		months := int(d.DueDate-b.today) / 30 // a tenant's checks count up
		return new(fmt.Sprintf("check %d", 1000+roll(800, d.LeaseID)+months))
	case "money_order":
		return new(fmt.Sprintf("money order 22-%08d", n))
	case "bank_transfer":
		return new(fmt.Sprintf("wire %06d", n/100))
	case "other":
		return new("county rental assistance")
	case "cash":
		return nil
	}
	return new(fmt.Sprintf("demo_%s_%08d", method, n))
}
