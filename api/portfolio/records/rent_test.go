package records_test

import (
	"fmt"
	"sync"
	"testing"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/money"
	"portal/api/portfolio"
)

// charged is the next rent of a lease in one line.
func (h *leaseFixture) charged(lease string) string {
	h.Helper()
	m, err := h.Ledger.ChargeRent(h.Context(), h.by, lease)
	if fault.Is(err, fault.InvalidTransition) {
		return "no more"
	}
	h.ok(err)
	p, err := h.Ledger.Payment(h.Context(), h.by, m.After.ID)
	h.ok(err)
	if m.Before != nil || fmt.Sprint(h.shown(m.After, nil)) != fmt.Sprint(h.shown(p, nil)) {
		h.Errorf("said\n%+v, wrote\n%+v", m.After, p)
	}
	return fmt.Sprintf("%s, %s, $%s, due %s, %s", *p.Description, p.Status, p.Amount, p.DueDate, p.PeriodEnd)
}

func TestRentIsChargedMonthlyUntilLeaseEnds(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		for i, want := range []string{
			"Rent for November 2026, due, $1450.00, due 2026-11-01, 2026-11-30",
			"Rent for December 2026, scheduled, $1450.00, due 2026-12-01, 2026-12-31",
			"no more",
		} {
			if got := h.charged(h.let); got != want {
				h.Errorf("month %d: %s", i, got)
			}
		}
		h.quiet()
	})
}

func TestRentIsDueOnRentDueDay(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		day := clock.DateOf(h.now, h.by.Zone)
		for offset, want := range []portfolio.PaymentStatus{portfolio.PaymentDue, portfolio.PaymentScheduled} {
			lease := h.adds(h.lease(portfolio.LeaseSigned, day+clock.Date(offset), h.tenants[1]), nil)
			if m, err := h.Ledger.ChargeRent(h.Context(), h.by, lease); err != nil || m.After.Status != want {
				h.Errorf("in %d days: %+v, %v", offset, m, err)
			}
		}
	})
}

func TestPartialMonthRentIsProrated(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		lease := h.adds(h.lease(portfolio.LeaseSigned, clock.Day(2027, 2, 15), h.tenants[1]), func(l *portfolio.Lease) {
			l.EndDate, l.RentDueDay, l.MonthlyRent = new(clock.Day(2027, 4, 10)), 20, money.Dollars(1000)
		})
		for i, want := range []string{
			"Prorated rent for February 2027, scheduled, $500.00, due 2027-02-20, 2027-02-28",
			"Rent for March 2027, scheduled, $1000.00, due 2027-03-20, 2027-03-31",
			"Prorated rent for April 2027, scheduled, $333.33, due 2027-04-10, 2027-04-10",
			"no more",
		} {
			if got := h.charged(lease); got != want {
				h.Errorf("month %d: %s", i, got)
			}
		}
	})
}

func TestMonthToMonthLeaseIsChargedUntilMoveOut(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		byMonth := func(out *clock.Date) func(*portfolio.Lease) {
			return func(l *portfolio.Lease) { l.LeaseType, l.EndDate, l.MoveOutDate = portfolio.MonthToMonth, nil, out }
		}
		staying := h.adds(h.lease(portfolio.LeaseActive, clock.Day(2020, 1, 1), h.tenants[1]), byMonth(nil))
		leaving := h.adds(
			h.lease(portfolio.LeaseActive, clock.Day(2020, 1, 1), h.tenants[1]),
			byMonth(new(clock.Day(2026, 11, 30))),
		)
		for i := range 20 {
			if got := h.charged(staying); got == "no more" {
				h.Fatalf("month %d: %s", i, got)
			}
		}
		h.charged(leaving)
		if got := h.charged(leaving); got != "no more" {
			h.Error(got)
		}
	})
}

func TestNoRentIsChargedAfterLastSupportedDate(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		for _, end := range []*clock.Date{nil, new(clock.LastDay)} {
			lease := h.adds(h.lease(
				portfolio.LeaseSigned,
				clock.Day(9999, 11, 1),
				h.tenants[1],
			), func(l *portfolio.Lease) {
				l.EndDate = end
				if end == nil {
					l.LeaseType = portfolio.MonthToMonth
				}
			})
			for i, want := range []string{
				"Rent for November 9999, scheduled, $1450.00, due 9999-11-01, 9999-11-30",
				"Rent for December 9999, scheduled, $1450.00, due 9999-12-01, 9999-12-31",
				"no more",
			} {
				if got := h.charged(lease); got != want {
					h.Errorf("until %v, month %d: %s", end, i, got)
				}
			}
		}
	})
}

func TestOnlyLeaseInForceIsCharged(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		for _, status := range portfolio.LeaseDraft.Values() {
			lease := h.adds(h.lease(portfolio.LeaseStatus(status), clock.Day(2026, 10, 1), h.tenants[1]), nil)
			if got, may := h.charged(lease), status == "signed" || status == "active"; may != (got != "no more") {
				h.Errorf("%s: %s", status, got)
			}
		}
		if _, err := h.Ledger.ChargeRent(h.Context(), h.owner(access.Test), h.let); !fault.Is(err, fault.NoRecord) {
			h.Errorf("from another portfolio: %v", err)
		}
	})
}

func TestConcurrentChargesNeverChargeMonthTwice(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				if _, err := h.Ledger.ChargeRent(h.Context(), h.by, h.let); err != nil &&
					!fault.Is(err, fault.InvalidTransition) {
					h.Error(err)
				}
			})
		}
		all.Wait()
		page, err := h.Ledger.Payments(h.Context(), h.by, portfolio.PaymentFilter{Query: everything})
		h.ok(err)
		if len(page.Data) != 2 || *page.Data[0].PeriodStart == *page.Data[1].PeriodStart {
			h.Errorf("%d rows", len(page.Data))
		}
	})
}

// What was voided with the end of a lease may be charged again.
func TestVoidedRentCanBeChargedAgain(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		first := h.charged(h.let)
		row, err := h.Ledger.NewestRow(h.Context(), h.by, h.let)
		h.ok(err)
		_, err = h.Ledger.VoidCharge(h.Context(), h.by, change.Target{ID: row})
		h.ok(err)
		if again := h.charged(h.let); again != first {
			h.Errorf("%s, and then %s", first, again)
		}
	})
}
