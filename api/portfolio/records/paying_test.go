package records_test

import (
	"context"
	"reflect"
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

func dollars(n int64, method portfolio.PaymentMethod) ledger.Clearing {
	return ledger.Clearing{Amount: money.Dollars(n), Method: method, Reference: new("r1")}
}

func TestEachClearedRentPaymentSendsOneEvent(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		row := h.owes(portfolio.PaymentRent, portfolio.PaymentDue)
		for i, c := range []ledger.Clearing{dollars(400, portfolio.PayByACH), dollars(600, portfolio.PayByCard)} {
			h.starts(row, c.Method)
			h.clears(row, c)
			kinds, records := h.events()
			p, err := h.Ledger.PaymentWithTransactions(h.Context(), h.by, row)
			h.ok(err)
			if len(kinds) != i+1 || kinds[i] != "payment.succeeded" || p.Version != int64(3+2*i) {
				h.Fatalf("told of %q: %+v", kinds, p)
			}
			object, _ := records[i]["object"].(map[string]any)
			if want := h.shown(h.Ledger.Payment(h.Context(), h.by, row)); !reflect.DeepEqual(object, want) {
				h.Errorf("told\n%v\nnot\n%v", object, want)
			}
			part := i == 0
			if object["overdue"] != part || (object["balance_due"] != 0.0) != part ||
				(p.PaidAt == nil) != part || *p.Reference != "r1" || *p.Method != c.Method {
				h.Errorf("%v", object)
			}
			paid, _ := records[i]["transaction"].(map[string]any)
			if last := p.Transactions[len(p.Transactions)-1]; paid["id"] != last.ID ||
				paid["amount"] != map[bool]any{true: 400.0, false: 600.0}[part] || paid["reference"] != "r1" {
				h.Errorf("told of the payment %v, which is %+v", paid, last)
			}
		}
	})
}

func TestOnlyProcessorRentPaymentsSendEvents(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		for _, kind := range []portfolio.PaymentType{portfolio.PaymentDeposit, portfolio.PaymentFee} {
			row := h.owes(kind, portfolio.PaymentDue)
			h.starts(row, portfolio.PayByCard)
			h.clears(row, dollars(1000, portfolio.PayByCard))
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
		open := h.owes(portfolio.PaymentRent, portfolio.PaymentDue)
		record := func(amount money.Cents, method portfolio.PaymentMethod) error {
			return second(h.Ledger.RecordPayment(h.Context(), h.by, change.Target{ID: open}, ledger.Clearing{
				Amount: amount, Method: method,
			}))
		}
		for _, amount := range []money.Cents{-1, 0, 100_001, money.Max} {
			if err := record(amount, "cash"); !fault.Is(err, fault.InvalidField) || fault.From(err).Param != "amount" {
				h.Errorf("%s: %v", amount, err)
			}
		}
		for _, method := range []portfolio.PaymentMethod{"card", "ach", "barter", ""} {
			if err := record(100, method); !fault.Is(err, fault.InvalidField) || fault.From(err).Param != "method" {
				h.Errorf("%s: %v", method, err)
			}
		}
		h.quiet()
	})
}

// What is under way through a processor is kept for it: neither a person nor a credit pays it too.
func TestMoneyUnderWayIsNotPaidAnotherTime(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		row := h.owes(portfolio.PaymentRent, portfolio.PaymentDue)
		p, err := h.Ledger.Payment(h.Context(), h.by, row)
		h.ok(err)
		half := &ledger.Attempt{
			ID: "pmt_half", LeaseID: p.LeaseID, Method: portfolio.PayByACH,
			Shares: []ledger.Share{{PaymentID: row, Amount: money.Dollars(600)}},
		}
		h.ok(h.Ledger.BeginAttempt(h.Context(), h.by, half, ledger.Moved{At: clock.At(h.now)}))
		c := ledger.Clearing{Amount: money.Dollars(401), Method: "check"}
		err = second(h.Ledger.RecordPayment(h.Context(), h.by, change.Target{ID: row}, c))
		if !fault.Is(err, fault.InvalidField) {
			h.Errorf("more than is left is recorded: %v", err)
		}
		err = second(h.Ledger.VoidCharge(h.Context(), h.by, change.Target{ID: row}))
		if !fault.Is(err, fault.InvalidTransition) {
			h.Errorf("voided: %v", err)
		}
		c.Amount = money.Dollars(400)
		h.ok(second(h.Ledger.RecordPayment(h.Context(), h.by, change.Target{ID: row}, c)))
		if p, err = h.Ledger.Payment(h.Context(), h.by, row); err != nil || p.Status != portfolio.PaymentProcessing {
			h.Fatalf("%+v, %v", p, err)
		}
		surplus, _, err := h.Ledger.ClearAttempt(h.Context(), h.by, half, ledger.Moved{At: clock.At(h.now)})
		h.ok(err)
		p, err = h.Ledger.Payment(h.Context(), h.by, row)
		if err != nil || surplus != 0 || p.Status != portfolio.PaymentSucceeded || p.AmountPaid != money.Dollars(1000) {
			h.Errorf("%s, %+v, %v", surplus, p, err)
		}
	})
}

func TestRolledBackPaymentSendsNoEvent(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		row := h.owes(portfolio.PaymentRent, portfolio.PaymentDue)
		h.starts(row, portfolio.PayByCard)
		before, err := h.Ledger.Payment(h.Context(), h.by, row)
		h.ok(err)
		h.stopped(func(ctx context.Context) error {
			return h.processor().clears(ctx, before, dollars(1000, "card"))
		})
		p, err := h.Ledger.Payment(h.Context(), h.by, row)
		if err != nil || p.Status != portfolio.PaymentProcessing || p.AmountPaid != 0 || p.Version != before.Version {
			h.Errorf("%+v, %v", p, err)
		}
	})
}
