package records_test

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"testing"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
	"portal/db/portfoliostore"
)

// owes writes a ledger row of the lease in force over $1,000, due on the first of November.
func (h *leaseFixture) owes(kind portfolio.PaymentType, status portfolio.PaymentStatus) string {
	h.Helper()
	u := h.home.Unit[access.Live]
	p := portfolio.Payment{
		Record:     h.record(id.Payment, "payment"),
		LeaseID:    h.let,
		TenantID:   h.tenants[0],
		UnitID:     u.ID,
		PropertyID: u.PropertyID,
		Type:       kind,
		Amount:     money.Dollars(1000),
		Status:     status,
		DueDate:    clock.Day(2026, 11, 1),
		Currency:   portfolio.Currency,
	}
	h.ok(portfoliostore.New(h.db).AddPayment(h.Context(), h.by.Portfolio, &p))
	return p.ID
}

func (h *leaseFixture) starts(payment string, method portfolio.PaymentMethod) {
	h.Helper()
	h.ok(second(h.Ledger.StartPayment(h.Context(), h.by, payment, method)))
}

func dollars(n int64, method portfolio.PaymentMethod) ledger.Clearing {
	return ledger.Clearing{Amount: money.Dollars(n), Method: method, Reference: new("r1")}
}

func TestEachClearedRentPaymentSendsOneEvent(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		row := h.owes(portfolio.PaymentRent, portfolio.PaymentDue)
		for i, c := range []ledger.Clearing{dollars(400, portfolio.PayByACH), dollars(600, portfolio.PayByCard)} {
			h.starts(row, c.Method)
			m, err := h.Ledger.ClearPayment(h.Context(), h.by, row, c)
			h.ok(err)
			kinds, records := h.events()
			if len(kinds) != i+1 || kinds[i] != "payment.succeeded" || m.After.Version != int64(3+2*i) ||
				m.Before.Status != portfolio.PaymentProcessing {
				h.Fatalf("told of %q: %+v", kinds, m.After)
			}
			if want := h.shown(h.Ledger.Payment(h.Context(), h.by, row)); !reflect.DeepEqual(records[i], want) {
				h.Errorf("told\n%v\nnot\n%v", records[i], want)
			}
			part := i == 0
			if records[i]["overdue"] != part || (records[i]["balance_due"] != 0.0) != part ||
				(m.After.PaidAt == nil) != part || *m.After.Reference != "r1" || *m.After.Method != c.Method {
				h.Errorf("%v", records[i])
			}
			if _, err := h.Ledger.ClearPayment(h.Context(), h.by, row, c); !fault.Is(err, fault.InvalidTransition) {
				h.Errorf("cleared again: %v", err)
			}
		}
	})
}

func TestOnlyProcessorRentPaymentsSendEvents(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		for _, kind := range []portfolio.PaymentType{portfolio.PaymentDeposit, portfolio.PaymentFee} {
			row := h.owes(kind, portfolio.PaymentDue)
			h.starts(row, portfolio.PayByCard)
			h.ok(second(h.Ledger.ClearPayment(h.Context(), h.by, row, dollars(1000, portfolio.PayByCard))))
		}
		for _, method := range []portfolio.PaymentMethod{"check", "cash", "money_order", "bank_transfer", "other"} {
			row := h.owes(portfolio.PaymentRent, portfolio.PaymentScheduled)
			h.ok(second(h.Ledger.RecordPayment(h.Context(), h.by, change.Target{ID: row}, dollars(300, method))))
			m, err := h.Ledger.RecordPayment(h.Context(), h.by, change.Target{ID: row}, dollars(700, method))
			h.ok(err)
			p := m.After
			if p.Status != portfolio.PaymentSucceeded || *p.PaidAt != clock.At(h.now) ||
				*p.Method != method || p.BalanceDue != 0 || p.InitiatedAt != nil || p.Version != 3 {
				h.Errorf("%+v", p)
			}
		}
		h.quiet()
	})
}

// fails writes that the payment of a row that was under way has failed.
func (h *leaseFixture) fails(row string) {
	h.Helper()
	payments := portfoliostore.New(h.db)
	p, err := payments.Payment(h.Context(), h.by.Portfolio, row)
	h.ok(err)
	p.Status, p.FailureCode, p.FailureMessage = portfolio.PaymentFailed, new("insufficient_funds"), new("No money.")
	p.Revise(clock.At(h.now))
	h.ok(payments.SavePayment(h.Context(), h.by.Portfolio, &p))
}

func TestFailedPaymentCanBeRestarted(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		row := h.owes(portfolio.PaymentRent, portfolio.PaymentDue)
		h.starts(row, portfolio.PayByACH)
		h.fails(row)
		p, err := h.Ledger.Payment(h.Context(), h.by, row)
		h.ok(err)
		if p.Status != portfolio.PaymentFailed || *p.FailureCode != "insufficient_funds" ||
			*p.FailureMessage == "" || !p.Overdue || *p.InitiatedAt != clock.At(h.now) {
			h.Errorf("%+v", p)
		}
		h.starts(row, portfolio.PayByCard)
		if p, err := h.Ledger.Payment(h.Context(), h.by, row); err != nil || p.FailureCode != nil ||
			p.FailureMessage != nil || p.Overdue || *p.Method != portfolio.PayByCard {
			h.Errorf("%+v, %v", p, err)
		}
		h.quiet()
	})
}

func TestOverpaymentOrInvalidMethodIsRefused(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		under := h.owes(portfolio.PaymentRent, portfolio.PaymentProcessing)
		open := h.owes(portfolio.PaymentRent, portfolio.PaymentDue)
		for _, amount := range []money.Cents{-1, 0, 100_001, money.Max} {
			for name, err := range map[string]error{
				"cleared": second(h.Ledger.ClearPayment(h.Context(), h.by, under, ledger.Clearing{
					Amount: amount,
					Method: portfolio.PayByCard,
				})),
				"recorded": second(h.Ledger.RecordPayment(
					h.Context(),
					h.by,
					change.Target{ID: open},
					ledger.Clearing{Amount: amount, Method: "cash"},
				)),
			} {
				if !fault.Is(err, fault.InvalidField) || fault.From(err).Param != "amount" {
					h.Errorf("%s %s: %v", amount, name, err)
				}
			}
		}
		for name, err := range map[string]error{
			"started by check":   second(h.Ledger.StartPayment(h.Context(), h.by, open, "check")),
			"started by nothing": second(h.Ledger.StartPayment(h.Context(), h.by, open, "")),
			"cleared in cash":    second(h.Ledger.ClearPayment(h.Context(), h.by, under, dollars(1, "cash"))),
			"recorded by card": second(h.Ledger.RecordPayment(h.Context(), h.by, change.Target{
				ID: open,
			}, dollars(1, "card"))),
			"recorded by barter": second(h.Ledger.RecordPayment(h.Context(), h.by, change.Target{
				ID: open,
			}, dollars(1, "barter"))),
		} {
			if !fault.Is(err, fault.InvalidField) || fault.From(err).Param != "method" {
				h.Errorf("%s: %v", name, err)
			}
		}
		h.quiet()
	})
}

func TestClearingPaymentNeedsItsPortfolioAndWriteScope(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		row := h.owes(portfolio.PaymentRent, portfolio.PaymentProcessing)
		if _, err := h.Ledger.ClearPayment(
			h.Context(),
			h.owner(access.Test),
			row,
			dollars(1, "card"),
		); !fault.Is(err, fault.NoRecord) {
			h.Error(err)
		}
		reader := h.by
		reader.Scopes = access.Scopes{access.Read}
		if _, err := h.Ledger.ClearPayment(
			h.Context(),
			reader,
			row,
			dollars(1, "card"),
		); !fault.Is(err, fault.ScopeRequired) {
			h.Error(err)
		}
		h.quiet()
	})
}

func TestRolledBackPaymentSendsNoEvent(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		row := h.owes(portfolio.PaymentRent, portfolio.PaymentProcessing)
		h.stopped(func(ctx context.Context) error {
			return second(h.Ledger.ClearPayment(ctx, h.by, row, dollars(1000, "card")))
		})
		p, err := h.Ledger.Payment(h.Context(), h.by, row)
		if err != nil || p.Status != portfolio.PaymentProcessing || p.AmountPaid != 0 || p.Version != 1 {
			h.Errorf("%+v, %v", p, err)
		}
	})
}

func TestTwentyConcurrentClearingsSendOneEvent(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		row := h.owes(portfolio.PaymentRent, portfolio.PaymentProcessing)
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				if _, err := h.Ledger.ClearPayment(h.Context(), h.by, row, dollars(10, "card")); err != nil &&
					!fault.Is(err, fault.InvalidTransition) {
					h.Error(err)
				}
			})
		}
		all.Wait()
		p, err := h.Ledger.Payment(h.Context(), h.by, row)
		h.ok(err)
		kinds, _ := h.events()
		if fmt.Sprint(kinds) != "[payment.succeeded]" || p.AmountPaid != money.Dollars(10) || p.Version != 2 {
			h.Errorf("told of %q: %+v", kinds, p)
		}
	})
}
