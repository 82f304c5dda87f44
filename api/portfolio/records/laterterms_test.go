package records_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"portal/api/change"
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/lease/terms"
	"portal/db"
	"portal/db/dbtest"
)

// runningLease is a lease for $1,000 from 2027-01-16 on, signed on that day where the ledger charges by itself, without
// a late fee. It is 2027-03-10, and nothing is paid.
func runningLease(t *testing.T, d *db.DB) (w *ledgerWorld, l *ledgerLease) {
	t.Helper()
	w = emptyLedger(t, d, rand.New(rand.NewPCG(1, 1)), "terms", "America/Chicago")
	w.now = time.Date(2027, 1, 16, 9, 0, 0, 0, w.by.Zone)
	w.hour()
	rules := lateRules(t)
	rule := rules[slices.IndexFunc(rules, func(r lateRule) bool { return r.state == "TX" })]
	is, tenant := w.home(rule)
	is.StartDate, is.MonthlyRent, is.LeaseType, is.RentDueDay = w.today(), money.Dollars(
		1000,
	), portfolio.MonthToMonth, 1
	is.Terms.LateFeeFrequency = terms.Once
	l = w.signs(&is, tenant, rule)
	w.until(time.March, 10)
	return w, l
}

// until runs the job each day until one of 2027.
func (w *ledgerWorld) until(month time.Month, day int) {
	w.Helper()
	for end := clock.Day(2027, month, day); w.today() < end; {
		w.now = w.now.AddDate(0, 0, 1)
		w.hour()
	}
}

func (w *ledgerWorld) updates(l *ledgerLease, u lease.Update) {
	w.Helper()
	w.ok(second(w.Leases.UpdateLease(w.Context(), w.by, change.Target{ID: l.id}, u)))
	l.lateTerms = l.lateTerms || u.LateFeeAmount.Given
	w.hour()
}

// charged are the rows of a lease in words that count, the oldest due date first.
func (w *ledgerWorld) charged(l *ledgerLease) (all []string) {
	w.Helper()
	for _, p := range w.read(l) {
		if p.Status != portfolio.PaymentVoid {
			all = append(all, fmt.Sprintf("%s %s %s", p.DueDate, p.Amount, *p.Description))
		}
	}
	slices.Sort(all)
	return all
}

func (w *ledgerWorld) same(what string, got, want []string) {
	w.Helper()
	if !slices.Equal(got, want) {
		w.Errorf("%s:\ngot  %q\nwant %q", what, got, want)
	}
}

// A late fee that is added to a running lease is charged for rent that falls due later, and for none that was late
// before it was agreed on.
func TestLateFeeAddedLaterIsChargedForLaterRentAlone(t *testing.T) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) {
		w, l := runningLease(t, d)
		before := w.charged(l)
		w.updates(l, lease.Update{
			LateFeeAmount: change.To(new(money.Dollars(50))), LateFeeGraceDays: change.To(new(3)),
		})
		w.until(time.April, 4)
		rent := append(before, "2027-05-01 1000.00 Rent for May 2027")
		w.same("within the grace of April", w.charged(l), rent)
		w.until(time.April, 5)
		w.same("after it", w.charged(l), slices.Insert(slices.Clone(rent), 4,
			"2027-04-05 50.00 Late fee for the rent of April 2027"))
		w.updates(l, lease.Update{LateFeeAmount: change.To[*money.Cents](nil)})
		w.until(time.May, 20)
		for _, row := range w.charged(l) {
			if row > "2027-05" && row[11:16] == "50.00" {
				w.Errorf("charged after the late fee was taken out of the lease: %s", row)
			}
		}
	})
}

// An earlier first day charges the days before, which all have signed under a ledger that charges by itself, without
// late fees for the time in which nobody could know. A later one takes unpaid rent back.
func TestRentFollowsFirstDayOfRunningLease(t *testing.T) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) {
		w, l := runningLease(t, d)
		later := []string{
			"2027-02-01 1000.00 Rent for February 2027", "2027-03-01 1000.00 Rent for March 2027",
			"2027-04-01 1000.00 Rent for April 2027",
		}
		w.same("at first", w.charged(l), append([]string{"2027-01-16 516.13 Prorated rent for January 2027"}, later...))
		w.updates(l, lease.Update{
			LateFeeAmount: change.To(new(money.Dollars(50))), LateFeeGraceDays: change.To(new(3)),
		})
		w.updates(l, lease.Update{StartDate: change.To(clock.Day(2026, 12, 20))})
		want := append([]string{
			"2026-12-20 387.10 Prorated rent for December 2026", "2027-01-16 1000.00 Rent for January 2027",
		}, later...)
		w.same("from December 20 on", w.charged(l), want)
		w.until(time.March, 13)
		w.same("in the days of grace", w.charged(l), want)
		w.updates(l, lease.Update{StartDate: change.To(clock.Day(2027, 2, 8))})
		w.same("from February 8 on", w.charged(l), append([]string{
			"2027-02-01 750.00 Prorated rent for February 2027",
		}, later[1:]...))
		w.check()
	})
}
