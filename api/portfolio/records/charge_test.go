package records_test

import (
	"strings"
	"sync"
	"testing"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
)

// fee is a late fee of $50 due on the day of the test.
func (h *leaseFixture) fee() ledger.ChargeCreate {
	return ledger.ChargeCreate{
		Charge:      "late",
		Description: new("Late fee"),
		Amount:      money.Dollars(50),
		DueDate:     clock.DateOf(h.now, h.by.Zone),
	}
}

func TestFeesAndDepositsAreChargedToPrimaryTenant(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		today := clock.DateOf(h.now, h.by.Zone)
		deposit := ledger.ChargeCreate{
			Charge:  ledger.ChargeDeposit,
			Amount:  money.Dollars(1450),
			DueDate: today + 1,
		}
		for want, c := range map[portfolio.PaymentStatus]ledger.ChargeCreate{
			portfolio.PaymentDue:       h.fee(),
			portfolio.PaymentScheduled: deposit,
		} {
			m, err := h.Ledger.AddCharge(h.Context(), h.by, h.let, c)
			h.ok(err)
			got, err := h.Ledger.Payment(h.Context(), h.by, m.After.ID)
			h.ok(err)
			if got.Status != want || got.TenantID != h.tenants[0] || got.LeaseID != h.let ||
				got.Amount != c.Amount || got.BalanceDue != c.Amount || got.Version != 1 || got.DueDate != c.DueDate {
				h.Errorf("%+v", got)
			}
			fee := got.Type == portfolio.PaymentFee && got.FeeType != nil && *got.FeeType == "late"
			deposited := got.Type == portfolio.PaymentDeposit && got.FeeType == nil
			if c.Charge == "late" && !fee || c.Charge == ledger.ChargeDeposit && !deposited ||
				got.PeriodStart != nil {
				h.Errorf("%+v", got)
			}
		}
		h.quiet()
	})
}

func TestInvalidChargesAreRefused(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		for param, wrong := range map[string]func(*ledger.ChargeCreate){
			"charge":      func(c *ledger.ChargeCreate) { c.Charge = "rent" },
			"amount":      func(c *ledger.ChargeCreate) { c.Amount = 0 },
			"description": func(c *ledger.ChargeCreate) { c.Description = new(strings.Repeat("ä", 256)) },
		} {
			c := h.fee()
			wrong(&c)
			if _, err := h.Ledger.AddCharge(h.Context(), h.by, h.let, c); !fault.Is(err, fault.InvalidField) ||
				fault.From(err).Param != param {
				h.Errorf("%s: %v", param, err)
			}
		}
		if _, err := h.Ledger.AddCharge(h.Context(), h.by, h.open, h.fee()); !fault.Is(err, fault.InvalidTransition) {
			h.Errorf("under a draft: %v", err)
		}
		if _, err := h.Ledger.AddCharge(
			h.Context(),
			h.owner(access.Test),
			h.let,
			h.fee(),
		); !fault.Is(err, fault.NoRecord) {
			h.Errorf("in another portfolio: %v", err)
		}
		reader := h.by
		reader.Scopes = access.Scopes{access.Read}
		if _, err := h.Ledger.AddCharge(h.Context(), reader, h.let, h.fee()); !fault.Is(err, fault.ScopeRequired) {
			h.Errorf("by who may only read: %v", err)
		}
	})
}

func TestTwentyConcurrentChargesAreWrittenOnce(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		seen, err := h.Ledger.NewestRow(h.Context(), h.by, h.let)
		h.ok(err)
		c := h.fee()
		c.Seen = &seen
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				if _, err := h.Ledger.AddCharge(h.Context(), h.by, h.let, c); err != nil &&
					!fault.Is(err, fault.StaleWrite) {
					h.Error(err)
				}
			})
		}
		all.Wait()
		page, err := h.Ledger.Payments(h.Context(), h.by, portfolio.PaymentFilter{Query: someRows, LeaseID: h.let})
		h.ok(err)
		if len(page.Data) != 1 {
			h.Errorf("%d rows", len(page.Data))
		}
	})
}

func TestOnlyUnpaidChargeCanBeVoided(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		for _, s := range (portfolio.PaymentStatus("")).Values() {
			status := portfolio.PaymentStatus(s)
			may := status == portfolio.PaymentDue || status == portfolio.PaymentScheduled ||
				status == portfolio.PaymentFailed || status == portfolio.PaymentPartiallyPaid
			row := h.owes(portfolio.PaymentFee, status)
			m, err := h.Ledger.VoidCharge(h.Context(), h.by, change.Target{ID: row, Version: new(int64(1))})
			if may != (err == nil) || err != nil && !fault.Is(err, fault.InvalidTransition) {
				h.Errorf("%s: %v", status, err)
			}
			if may && (m.After.Status != portfolio.PaymentVoid || m.After.BalanceDue != 0 || m.After.Version != 2) {
				h.Errorf("%+v", m.After)
			}
		}
		row := h.owes(portfolio.PaymentRent, portfolio.PaymentDue)
		h.ok(second(h.Ledger.RecordPayment(h.Context(), h.by, change.Target{ID: row}, dollars(1, "cash"))))
		if _, err := h.Ledger.VoidCharge(h.Context(), h.by, change.Target{
			ID: row,
		}); !fault.Is(err, fault.InvalidTransition) {
			h.Errorf("a part was paid: %v", err)
		}
		if _, err := h.Ledger.VoidCharge(h.Context(), h.owner(access.Test), change.Target{
			ID: row,
		}); !fault.Is(err, fault.NoRecord) {
			h.Errorf("in another portfolio: %v", err)
		}
		h.quiet()
	})
}

func TestConcurrentCashPaymentIsRecordedOnce(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		row := h.owes(portfolio.PaymentRent, portfolio.PaymentDue)
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				if _, err := h.Ledger.RecordPayment(h.Context(), h.by, change.Target{
					ID:      row,
					Version: new(int64(1)),
				}, dollars(10, "cash")); err != nil && !fault.Is(err, fault.StaleWrite) {
					h.Error(err)
				}
			})
		}
		all.Wait()
		if p, err := h.Ledger.Payment(h.Context(), h.by, row); err != nil ||
			p.AmountPaid != money.Dollars(10) || p.Version != 2 {
			h.Errorf("%+v, %v", p, err)
		}
		h.quiet()
	})
}

func TestPaymentIsRecordedForDayReceived(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		today := clock.DateOf(h.now, h.by.Zone)
		for _, on := range []clock.Date{today + 1, today - 4000} {
			c := dollars(1000, "cash")
			c.On = &on
			if _, err := h.Ledger.RecordPayment(h.Context(), h.by, change.Target{
				ID: h.owes(portfolio.PaymentRent, portfolio.PaymentDue),
			}, c); !fault.Is(err, fault.InvalidField) || fault.From(err).Param != "paid_on" {
				h.Errorf("%s: %v", on, err)
			}
		}
		for _, on := range []clock.Date{today, today - 40} {
			c := dollars(1000, "check")
			c.On = &on
			m, err := h.Ledger.RecordPayment(h.Context(), h.by, change.Target{
				ID: h.owes(portfolio.PaymentRent, portfolio.PaymentDue),
			}, c)
			h.ok(err)
			if got := clock.DateOf(m.After.PaidAt.Std(), h.by.Zone); got != on {
				h.Errorf("paid on %s, not %s", got, on)
			}
		}
	})
}
