package portfolio

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"portal/api/clock"
	"portal/api/money"
)

// Balance is how a lease stands on a day. It adds up the rows that count (Payment.Counts), so every list, tool and page
// that shows what is owed shows the same amount.
type Balance struct {
	Due         money.Cents // rent and fees that are owed, below 0 for a credit that is left
	DepositDue  money.Cents // what is owed of the deposit
	DepositHeld money.Cents // what has been paid of the deposit and not gone back, under its DepositHolder alone
}

// Counts reports whether a row is a part of what is owed on a day: it is due by then, not void or refunded, and no
// money for it is under way. A credit that is left counts with its negative balance.
func (p *Payment) Counts(today clock.Date) bool {
	left := p.Amount > p.AmountPaid || p.Amount < 0 && p.AmountPaid > p.Amount
	return left && p.Status.Payable() && p.DueDate <= today
}

// Add adds a row of the lease.
func (b *Balance) Add(p *Payment, today clock.Date) {
	left := money.Cents(0)
	if p.Counts(today) {
		left = p.Amount - p.AmountPaid
	}
	if p.Type != PaymentDeposit {
		b.Due += left
		return
	}
	b.DepositDue += left
	if p.Status != PaymentVoid && p.Status != PaymentRefunded {
		b.DepositHeld += p.AmountPaid
	}
}

// Owed is what the tenants owe today, with the deposit. A credit reduces neither the deposit nor what is owed under
// another lease, as the ledger never pays those with it.
func (b Balance) Owed() money.Cents { return max(b.Due, 0) + max(b.DepositDue, 0) }

// Credit is what is owed to the tenants.
func (b Balance) Credit() money.Cents { return max(-b.Due, 0) + max(-b.DepositDue, 0) }

// Show puts the balance into its lease.
func (b Balance) Show(l *Lease) { l.BalanceDue, l.DepositHeld = b.Due, b.DepositHeld }

// OverdueCharge is a row that should have been paid before a day.
type OverdueCharge struct {
	ID, LeaseID string
	Deposit     bool
	DueDate     clock.Date
	Left        money.Cents // what is owed of it
}

// CreditOf names what credits of a lease pay: its deposit, or its rent and fees.
type CreditOf struct {
	LeaseID string
	Deposit bool
}

// TakeOff takes credits off what is owed of overdue charges, the oldest of each lease first, so that a lease whose
// balance is 0 or less has nothing that is overdue. The charges of a lease are complete, or its oldest ones, and come
// in any order. It returns them the oldest first, also those of which nothing is left.
func TakeOff(credits map[CreditOf]money.Cents, overdue []OverdueCharge) []OverdueCharge {
	slices.SortStableFunc(overdue, func(a, b OverdueCharge) int {
		return cmp.Or(cmp.Compare(a.DueDate, b.DueDate), strings.Compare(a.ID, b.ID))
	})
	rest := maps.Clone(credits)
	for i := range overdue {
		c := &overdue[i]
		of := CreditOf{c.LeaseID, c.Deposit}
		if taken := min(rest[of], c.Left); taken > 0 {
			rest[of] -= taken
			c.Left -= taken
		}
	}
	return overdue
}

// DepositHolder is the lease under which the deposit of a lease is held on a day, among leases that renew one another:
// the latest that has begun, all of whose parties had signed. A deposit moves on with each renewal.
func DepositHolder(leaseID string, chain map[string]*Lease, today clock.Date) string {
	for range len(chain) {
		l := chain[leaseID]
		if l == nil || l.RenewedToLeaseID == nil {
			break
		}
		next := chain[*l.RenewedToLeaseID]
		if next == nil || !next.Binding() || next.NeverStarted() || next.StartDate > today {
			break
		}
		leaseID = next.ID
	}
	return leaseID
}

// MoveDeposits has each deposit be held under the lease that is its DepositHolder, and under no other.
func MoveDeposits(all map[string]Balance, chain map[string]*Lease, today clock.Date) {
	for leaseID := range chain {
		to := DepositHolder(leaseID, chain, today)
		from, is := all[leaseID]
		if !is || to == leaseID || from.DepositHeld == 0 {
			continue
		}
		held := all[to]
		held.DepositHeld += from.DepositHeld
		from.DepositHeld = 0
		all[leaseID], all[to] = from, held
	}
}
