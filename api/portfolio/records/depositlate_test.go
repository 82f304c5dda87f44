package records_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/law"
	"portal/api/portfolio/ledger"
	"portal/db/dbtest"
)

// reminded are the homes of which owners were reminded to return the deposit, after the job has run twice.
func (h *leaseFixture) reminded() (homes []string) {
	h.Helper()
	for range 2 {
		h.ok(h.Calendar.RollOver(h.Context(), h.by.Portfolio, h.by.Zone))
	}
	for _, m := range h.emails() {
		if home, is := strings.CutPrefix(m.Subject, "Return the deposit by "); is {
			_, home, _ = strings.Cut(home, ": ")
			homes = append(homes, home)
		}
	}
	slices.Sort(homes)
	return homes
}

// endedUnnoticed adds a lease that ended on a day without anything noting it, as an import or an older process does.
func (h *leaseFixture) endedUnnoticed(home string, on clock.Date) string {
	h.Helper()
	return h.adds(h.lease(portfolio.LeaseExpired, on-300, h.tenants[1]), func(l *portfolio.Lease) {
		l.RentalAddress, l.EndDate, l.SecurityDeposit = home, &on, money.Dollars(500)
	})
}

func TestLeasesWhoseEndNothingHasNotedAreRemindedOfOnce(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		h.Post, h.Events = h.post, nil
		days := clock.Date(law.Of("TX").Deposit.ReturnDays)
		today := h.today()
		h.endedUnnoticed("1 Later", today-days+8)
		h.endedUnnoticed("2 Today", today-days+7)
		h.endedUnnoticed("3 Late", today-days+1)
		h.endedUnnoticed("4 Last day", today-days)
		h.endedUnnoticed("5 Over", today-days-1)
		h.endedUnnoticed("6 Long over", today-2000)
		for _, of := range []struct {
			home string
			on   clock.Date
		}{{"7 Of before, later", today - days + 8}, {"8 Of before, today", today - days + 7}} {
			dbtest.Exec(
				h,
				h.db,
				"UPDATE leases SET deposit_awaited = 2 WHERE id = $1",
				h.endedUnnoticed(of.home, of.on),
			)
		}
		// An older process has set and sent a reminder, which marks the lease.
		sent := h.endedUnnoticed("9 Sent", today-days+6)
		dbtest.Exec(h, h.db, "UPDATE leases SET deposit_reminder_on = 5 WHERE id = $1", sent)
		dbtest.Exec(h, h.db, "UPDATE leases SET deposit_reminder_on = NULL WHERE id = $1", sent)
		for range 25 { // more than one batch
			h.endedUnnoticed("6 Long over", today-2000)
		}
		want := []string{"2 Today", "3 Late", "4 Last day"}
		if got := h.reminded(); !slices.Equal(got, want) {
			h.Errorf("reminded of %q, want %q", got, want)
		}
		left := dbtest.Texts(h, h.db, "SELECT id FROM leases WHERE status = 'expired' AND deposit_awaited <> 1")
		if len(left) > 0 {
			h.Errorf("%d leases are looked at again", len(left))
		}
		h.on(today + 1)
		want = []string{"1 Later", "2 Today", "3 Late", "4 Last day", "7 Of before, later"}
		if got := h.reminded(); !slices.Equal(got, want) {
			h.Errorf("a day later reminded of %q, want %q", got, want)
		}
	})
}

func TestCommercialLeaseHasNoDepositDeadline(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		h.Post, h.Events = h.post, nil
		dbtest.Exec(h, h.db, "UPDATE properties SET property_type = 'commercial'")
		h.pays(h.owes(portfolio.PaymentDeposit, portfolio.PaymentDue), 1000)
		h.endedUnnoticed("1 Shop", h.today()-20)
		h.terminates(h.let)
		d, err := h.Ledger.Deposit(h.Context(), h.by, h.let)
		h.ok(err)
		if !d.Over || d.Deadline != 0 || !d.Commercial || d.Held != money.Dollars(1000) {
			h.Errorf("%+v", d)
		}
		for _, on := range []clock.Date{h.today() + 23, h.today() + 60} {
			h.on(on)
			if got := h.reminded(); len(got) > 0 {
				h.Errorf("reminded of %q", got)
			}
		}
		s := h.returns(h.let, ledger.DepositReturn{Method: new(portfolio.PaymentMethod("cash"))})
		if s.Deadline != 0 || s.Content.Days != 0 || s.Content.Citation != "" {
			h.Errorf("%+v %+v", s, s.Content)
		}
	})
}

func TestOwnersAloneReturnDeposits(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		h.pays(h.owes(portfolio.PaymentDeposit, portfolio.PaymentDue), 1000)
		h.terminates(h.let)
		manager := h.by
		manager.Role = access.Manager
		_, err := h.Ledger.ReturnDeposit(h.Context(), manager, change.Target{ID: h.let}, ledger.DepositReturn{
			Method: new(portfolio.PaymentMethod("cash")),
		})
		if !fault.Is(err, fault.OwnerRequired) {
			h.Errorf("a manager: %v", err)
		}
		if _, _, _, left := h.sums(h.let); left != money.Dollars(1000) {
			h.Error(fmt.Sprint(left, " is left"))
		}
	})
}

// A deposit is held under the lease that runs now, wherever it is shown, and under no other.
func TestDepositMovesToLeaseThatRunsNow(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		h.pays(h.owes(portfolio.PaymentDeposit, portfolio.PaymentDue), 1000)
		start := h.today() + 10
		second := h.adds(h.lease(portfolio.LeaseSigned, start, h.tenants[0]), func(l *portfolio.Lease) {
			l.RenewedFromLeaseID, l.SecurityDeposit = &h.let, money.Dollars(1000)
		})
		draft := h.adds(h.lease(portfolio.LeaseDraft, start+400, h.tenants[0]), func(l *portfolio.Lease) {
			l.RenewedFromLeaseID = &second
		})
		dbtest.Exec(h, h.db, "UPDATE leases SET renewed_to_lease_id = $1 WHERE id = $2", second, h.let)
		holds := func(holder string) {
			h.Helper()
			for _, id := range []string{h.let, second, draft} {
				want := money.Cents(0)
				if id == holder {
					want = money.Dollars(1000)
				}
				l, err := h.Leases.Lease(h.Context(), h.by, id)
				h.ok(err)
				d, err := h.Ledger.Deposit(h.Context(), h.by, id)
				h.ok(err)
				a, err := h.Ledger.Account(h.Context(), h.by, id)
				h.ok(err)
				if !d.Recorded { // what the lease says is asked for, and not what is held
					d.Held = 0
				}
				if l.DepositHeld != want || d.Held != want || a.Balance.DepositHeld != want {
					h.Errorf("%s shows %s, its statement %s and its page %s, want %s", id, l.DepositHeld, d.Held,
						a.Balance.DepositHeld, want)
				}
			}
			all, err := h.Leases.Leases(h.Context(), h.by, portfolio.LeaseFilter{Query: portfolio.AllLeases})
			h.ok(err)
			var sum money.Cents
			for _, l := range all.Data {
				sum += l.DepositHeld
			}
			if sum != money.Dollars(1000) {
				h.Errorf("the list of leases shows %s held in all", sum)
			}
		}
		holds(h.let)
		h.on(start)
		h.ok(h.Calendar.RollOver(h.Context(), h.by.Portfolio, h.by.Zone))
		holds(second)
	})
}
