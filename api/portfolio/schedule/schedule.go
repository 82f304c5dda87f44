// Package schedule calculates what a lease charges: how much, for what, and on which day it is due. Documents, the
// ledger and the pages of tenants have their amounts from here.
//
// It knows neither what was charged already nor what was paid.
package schedule

import (
	"iter"
	"slices"
	"strconv"

	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/terms"
)

// Charge is one thing that a lease charges, as a row of the ledger that nobody has paid. Its fields Charge and
// LateFeeOn apart, only what the lease says is filled: type, description, amount, due date and period.
type Charge struct {
	portfolio.Payment
	AtStart bool // due at the start of the term
}

// Held is the deposit that the landlord holds already under the lease that this one renews.
func Held(l *portfolio.Lease) money.Cents {
	if l.RenewedFromLeaseID == nil || l.Terms.HeldDeposit == nil {
		return 0
	}
	return *l.Terms.HeldDeposit
}

// DepositDue is what of the deposit is paid at the start: what is not held already.
func DepositDue(l *portfolio.Lease) money.Cents { return max(0, l.SecurityDeposit-Held(l)) }

// DepositBack is what of the deposit that is held the tenants get back at the start.
func DepositBack(l *portfolio.Lease) money.Cents { return max(0, Held(l)-l.SecurityDeposit) }

// FirstRent is the rent of the first month, or of the part of it from the first day on.
func FirstRent(l *portfolio.Lease) portfolio.Payment { return l.RentFrom(l.StartDate, l.LastDay()) }

// FirstFee is what of a monthly fee is charged for the first month: a part where the rent is a part.
func FirstFee(l *portfolio.Lease, f terms.Fee) money.Cents {
	return share(l, f, l.StartDate, l.LastDay())
}

// share is what of a monthly fee is charged for the calendar month that begins on a day: a part where the rent is.
func share(l *portfolio.Lease, f terms.Fee, from clock.Date, last *clock.Date) money.Cents {
	of := *l
	of.MonthlyRent = f.Amount
	return of.RentFrom(from, last).Amount
}

// AtStart is everything that is due at the start of the term: the first rent, the deposit less what is held already,
// one-time fees, and the first monthly fees.
func AtStart(l *portfolio.Lease) []Charge {
	all := []Charge{}
	for c := range Charges(l, l.LastDay()) {
		if !c.AtStart {
			break
		}
		all = append(all, c)
	}
	return all
}

// Charges are those of a lease until its last day, nil for one without an end: those that are due at the start, then
// the rent and the monthly fees of each month. What amounts to nothing is left out.
func Charges(l *portfolio.Lease, last *clock.Date) iter.Seq[Charge] {
	return func(yield func(Charge) bool) {
		if last != nil && *last < l.StartDate {
			return
		}
		for _, c := range once(l) {
			if !yield(c) {
				return
			}
		}
		monthly := l.MonthlyRent > 0 || slices.ContainsFunc(l.Terms.Fees, func(f terms.Fee) bool {
			return f.Frequency == terms.Monthly
		})
		for from := l.StartDate; monthly; from = from.LastOfMonth() + 1 {
			if last != nil && from > *last || from > clock.LastDay {
				return
			}
			for _, c := range month(l, from, last) {
				if !yield(c) {
					return
				}
			}
		}
	}
}

// once are the deposit and the fees that are charged once.
func once(l *portfolio.Lease) (all []Charge) {
	add := func(name string, p portfolio.Payment) {
		p.Charge, p.DueDate = &name, l.StartDate
		if p.Amount > 0 {
			all = append(all, Charge{p, true})
		}
	}
	add(Deposit, portfolio.Payment{
		Type:        portfolio.PaymentDeposit,
		Description: new("Security deposit"),
		Amount:      DepositDue(l),
	})
	for i, f := range l.Terms.Fees {
		if f.Frequency == terms.OneTime {
			add(fee(i), newFee(f, f.Amount))
		}
	}
	return all
}

// month is what is charged for a calendar month that begins on a day, or for a part of it.
func month(l *portfolio.Lease, from clock.Date, last *clock.Date) (all []Charge) {
	rent := l.RentFrom(from, last)
	add := func(name string, p portfolio.Payment) {
		p.Charge = new(name + " " + Month(from))
		p.DueDate, p.PeriodStart, p.PeriodEnd = rent.DueDate, rent.PeriodStart, rent.PeriodEnd
		if p.Amount > 0 {
			all = append(all, Charge{p, from == l.StartDate})
		}
	}
	add(Rent, rent)
	for i, f := range l.Terms.Fees {
		if f.Frequency == terms.Monthly {
			add(fee(i), newFee(f, share(l, f, from, last)))
		}
	}
	return all
}

// The names of charges. A row's is followed by the month where it is charged each month.
const (
	Rent    = "rent"
	Deposit = "deposit"
)

// fee names a fee of a lease by its place: what all have signed keeps its fees.
func fee(i int) string { return "fee " + strconv.Itoa(i) }

// Month is how charges name the month of a day: 2026-11.
func Month(d clock.Date) string { return d.Std().Format("2006-01") }

// newFee is a fee of a lease as a row, with its name.
func newFee(f terms.Fee, amount money.Cents) portfolio.Payment {
	return portfolio.Payment{
		Type:        portfolio.PaymentFee,
		FeeType:     new(portfolio.OtherFee),
		Description: &f.Name,
		Amount:      amount,
	}
}
