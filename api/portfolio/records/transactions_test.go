package records_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/list"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

// moves are the transactions of a row in words.
func (h *leaseFixture) moves(row string) (all []string) {
	h.Helper()
	p, err := h.Ledger.PaymentWithTransactions(h.Context(), h.by, row)
	h.ok(err)
	for _, t := range p.Transactions {
		said := fmt.Sprintf("%s %s %s %s by %s", t.Kind, *t.Method, t.Amount, t.Status, t.RecordedBy)
		if t.Reference != nil {
			said += " " + *t.Reference
		}
		if t.FailureCode != nil {
			said += " " + *t.FailureCode
		}
		all = append(all, said)
	}
	return all
}

func (h *leaseFixture) wantMoves(row string, want ...string) {
	h.Helper()
	if got := h.moves(row); !slices.Equal(got, want) {
		h.Errorf("the transactions are\n%q, want\n%q", got, want)
	}
}

func TestEveryMovementOfMoneyIsATransaction(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		row := h.owes(portfolio.PaymentRent, portfolio.PaymentDue)
		h.wantMoves(row)
		c := dollars(400, "check")
		c.On = new(clock.DateOf(h.now, h.by.Zone) - 20)
		h.ok(second(h.Ledger.RecordPayment(h.Context(), h.by, change.Target{ID: row}, c)))
		h.starts(row, portfolio.PayByACH)
		h.clears(row, ledger.Clearing{Amount: c.Amount / 2, Method: portfolio.PayByACH, Reference: new("ach 7")})
		cash := dollars(400, "cash")
		cash.Reference = nil
		h.ok(second(h.Ledger.RecordPayment(h.Context(), h.by, change.Target{ID: row}, cash)))
		h.wantMoves(row,
			"payment check 400.00 succeeded by dashboard r1",
			"payment ach 600.00 processing by processor",
			"payment ach 200.00 succeeded by processor ach 7",
			"payment cash 400.00 succeeded by dashboard",
		)
		p, err := h.Ledger.PaymentWithTransactions(h.Context(), h.by, row)
		h.ok(err)
		if p.Status != portfolio.PaymentSucceeded || *p.Method != "cash" || p.Reference != nil ||
			*p.PaidAt != clock.At(h.now) || *p.InitiatedAt != p.Transactions[1].OccurredAt ||
			p.Transactions[0].OccurredAt >= p.Transactions[1].OccurredAt {
			h.Errorf("%+v", p)
		}
		ids := map[string]bool{}
		for _, t := range p.Transactions {
			ids[t.ID] = true
		}
		if len(ids) != len(p.Transactions) {
			h.Errorf("%d transactions have %d ids", len(p.Transactions), len(ids))
		}
		_, err = h.Ledger.PaymentWithTransactions(h.Context(), h.elsewhere(), row)
		if !fault.Is(err, fault.NoRecord) {
			h.Errorf("another portfolio reads it: %v", err)
		}
		listed, err := h.Ledger.WithTransactions(h.Context(), h.by, portfolio.PaymentFilter{
			Query: list.Query{Limit: 20}, LeaseID: h.let,
		})
		h.ok(err)
		i := slices.IndexFunc(listed.Data, func(l portfolio.PaymentWithTransactions) bool { return l.ID == row })
		if i < 0 || !reflect.DeepEqual(&listed.Data[i], p) {
			h.Errorf("the list has %+v", listed.Data)
		}
	})
}

func TestPaymentRecordedInErrorIsTakenBackOnce(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		row := h.owes(portfolio.PaymentRent, portfolio.PaymentDue)
		h.ok(second(h.Ledger.RecordPayment(h.Context(), h.by, change.Target{ID: row}, dollars(400, "check"))))
		h.ok(second(h.Ledger.RecordPayment(h.Context(), h.by, change.Target{ID: row}, dollars(600, "cash"))))
		before, err := h.Ledger.PaymentWithTransactions(h.Context(), h.by, row)
		h.ok(err)
		c := ledger.Correction{TransactionID: before.Transactions[1].ID, Reason: "It was for the other unit."}
		_, err = h.Ledger.CorrectPayment(h.Context(), h.elsewhere(), change.Target{ID: row}, c)
		if !fault.Is(err, fault.NoRecord) {
			h.Errorf("from another portfolio: %v", err)
		}
		stale := change.Target{ID: row, Version: new(before.Version - 1)}
		if _, err := h.Ledger.CorrectPayment(h.Context(), h.by, stale, c); !fault.Is(err, fault.StaleWrite) {
			h.Errorf("of an older version: %v", err)
		}
		m, err := h.Ledger.CorrectPayment(h.Context(), h.by, change.Target{ID: row}, c)
		h.ok(err)
		p := m.After
		if p.Status != portfolio.PaymentPartiallyPaid || p.AmountPaid != 400_00 || p.BalanceDue != 600_00 ||
			*p.Method != "check" || p.PaidAt != nil || p.Version != before.Version+1 {
			h.Errorf("%+v", p)
		}
		h.wantMoves(row,
			"payment check 400.00 succeeded by dashboard r1",
			"payment cash 600.00 succeeded by dashboard r1",
			"correction cash -600.00 succeeded by dashboard r1",
		)
		for name, wrong := range map[string]ledger.Correction{
			"taken back":   c,
			"the reversal": {TransactionID: h.lastMove(row), Reason: "Twice."},
		} {
			_, err := h.Ledger.CorrectPayment(h.Context(), h.by, change.Target{ID: row}, wrong)
			if !fault.Is(err, fault.InvalidTransition) {
				h.Errorf("%s: %v", name, err)
			}
		}
		unknown := ledger.Correction{TransactionID: "txn_01KA5R2M7Q8D4E6F9G1H3J5K7M", Reason: "Unknown."}
		_, err = h.Ledger.CorrectPayment(h.Context(), h.by, change.Target{ID: row}, unknown)
		if !fault.Is(err, fault.NoRecord) {
			h.Errorf("an unknown one: %v", err)
		}
		h.ok(second(h.Ledger.RecordPayment(h.Context(), h.by, change.Target{ID: row}, dollars(600, "other"))))
		c.TransactionID = before.Transactions[0].ID
		h.ok(second(h.Ledger.CorrectPayment(h.Context(), h.by, change.Target{ID: row}, c)))
		c.TransactionID = h.moveOf(row, "other")
		m, err = h.Ledger.CorrectPayment(h.Context(), h.by, change.Target{ID: row}, c)
		h.ok(err)
		if m.After.Status != portfolio.PaymentDue || m.After.AmountPaid != 0 || m.After.Method != nil ||
			m.After.Reference != nil {
			h.Errorf("of which all is taken back: %+v", m.After)
		}
		h.quiet()
	})
}

func TestForgivenPartIsTakenBackByRowOfItsOwn(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		row := h.owes(portfolio.PaymentRent, portfolio.PaymentDue)
		target := change.Target{ID: row}
		f := ledger.Forgiveness{Amount: 100_00, Reason: "The heat was off."}
		for amount, code := range map[money.Cents]fault.Code{
			0: fault.InvalidField, -1: fault.InvalidField, 1000_01: fault.InvalidField, 1000_00: fault.InvalidField,
		} {
			_, err := h.Ledger.ForgivePart(h.Context(), h.by, target, ledger.Forgiveness{Amount: amount, Reason: "No."})
			if !fault.Is(err, code) {
				h.Errorf("%s: %v", amount, err)
			}
		}
		ahead := change.Target{ID: h.owes(portfolio.PaymentFee, portfolio.PaymentScheduled)}
		if _, err := h.Ledger.ForgivePart(h.Context(), h.by, ahead, f); !fault.Is(err, fault.InvalidTransition) {
			h.Errorf("before it is due: %v", err)
		}
		if _, err := h.Ledger.ForgivePart(h.Context(), h.elsewhere(), target, f); !fault.Is(err, fault.NoRecord) {
			h.Errorf("from another portfolio: %v", err)
		}
		h.ok(second(h.Ledger.ForgivePart(h.Context(), h.by, target, f)))
		h.ok(second(h.Ledger.RecordPayment(h.Context(), h.by, target, dollars(850, "check"))))
		f.Amount = 50_00
		m, err := h.Ledger.ForgivePart(h.Context(), h.by, change.Target{ID: row, Version: new(int64(3))}, f)
		h.ok(err)
		if p := m.After; p.Status != portfolio.PaymentSucceeded || p.AmountPaid != p.Amount || p.PaidAt == nil ||
			*p.Method != "check" || p.Amount != 1000_00 {
			h.Errorf("%+v", p)
		}
		_, err = h.Ledger.ForgivePart(h.Context(), h.by, change.Target{ID: row, Version: new(int64(3))}, f)
		if !fault.Is(err, fault.StaleWrite) {
			h.Errorf("the same form once more: %v", err)
		}
		if _, err = h.Ledger.ForgivePart(h.Context(), h.by, target, f); !fault.Is(err, fault.InvalidTransition) {
			h.Errorf("of what is paid: %v", err)
		}
		all, err := h.Ledger.WithTransactions(h.Context(), h.by, portfolio.PaymentFilter{
			Query: list.Query{Limit: 20}, LeaseID: h.let,
		})
		h.ok(err)
		var charged, paid, owed money.Cents
		reversals := 0
		for _, p := range all.Data {
			if p.ID == ahead.ID {
				continue
			}
			charged, paid, owed = charged+p.Amount, paid+p.AmountPaid, owed+p.BalanceDue
			if p.ReversesPaymentID == nil {
				continue
			}
			reversals++
			if *p.ReversesPaymentID != row || p.Status != portfolio.PaymentSucceeded || p.Amount >= 0 ||
				*p.Description != "The heat was off." || p.Type != portfolio.PaymentRent ||
				len(p.Transactions) != 1 || p.Transactions[0].Amount != p.Amount {
				h.Errorf("%+v", p)
			}
		}
		if reversals != 2 || charged != 850_00 || paid != 850_00 || owed != 0 {
			h.Errorf("%d reversals; %s charged, %s paid, %s owed", reversals, charged, paid, owed)
		}
		h.quiet()
	})
}

// Money that came through a processor is refunded, not taken back by hand.
func TestProcessorPaymentIsNotCorrectedByHand(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		row := h.owes(portfolio.PaymentFee, portfolio.PaymentDue)
		h.starts(row, portfolio.PayByCard)
		c := ledger.Correction{TransactionID: h.lastMove(row), Reason: "It was for the other unit."}
		_, err := h.Ledger.CorrectPayment(h.Context(), h.by, change.Target{ID: row}, c)
		if !fault.Is(err, fault.InvalidTransition) {
			h.Errorf("under way: %v", err)
		}
		h.clears(row, dollars(1000, portfolio.PayByCard))
		c.TransactionID = h.lastMove(row)
		_, err = h.Ledger.CorrectPayment(h.Context(), h.by, change.Target{ID: row}, c)
		if !fault.Is(err, fault.InvalidTransition) {
			h.Errorf("cleared: %v", err)
		}
	})
}

// lastMove names the latest transaction of a row.
func (h *leaseFixture) lastMove(row string) string {
	h.Helper()
	p, err := h.Ledger.PaymentWithTransactions(h.Context(), h.by, row)
	h.ok(err)
	return p.Transactions[len(p.Transactions)-1].ID
}

// moveOf names the transaction of a row by its method.
func (h *leaseFixture) moveOf(row string, method portfolio.PaymentMethod) string {
	h.Helper()
	p, err := h.Ledger.PaymentWithTransactions(h.Context(), h.by, row)
	h.ok(err)
	i := slices.IndexFunc(p.Transactions, func(t portfolio.Transaction) bool { return *t.Method == method })
	return p.Transactions[i].ID
}

// elsewhere is the same landlord in the portfolio of the other mode.
func (h *leaseFixture) elsewhere() access.Actor {
	by := h.by
	by.Portfolio = h.home.Test
	return by
}

// What was paid before transactions were kept, and what a node of the version before records beside this one, is told
// by the row, and stored with the next movement under the ids that were shown.
func TestOlderRowTellsItsTransactions(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		row := h.owes(portfolio.PaymentRent, portfolio.PaymentDue)
		older := func(change func(*portfolio.Payment)) {
			payments := portfoliostore.New(h.db)
			p, err := payments.Payment(h.Context(), h.by.Portfolio, row)
			h.ok(err)
			change(&p)
			p.Revise(clock.At(h.now))
			h.ok(payments.SavePayment(h.Context(), h.by.Portfolio, &p))
		}
		older(func(p *portfolio.Payment) {
			p.Status, p.AmountPaid, p.Method = portfolio.PaymentPartiallyPaid, 300_00, new(
				portfolio.PaymentMethod("check"),
			)
			p.Reference, p.ReceivedAt = new("101"), new(clock.At(h.now))
		})
		h.wantMoves(row, "payment check 300.00 succeeded by dashboard 101")
		shown, err := h.Ledger.PaymentWithTransactions(h.Context(), h.by, row)
		h.ok(err)
		h.ok(second(h.Ledger.RecordPayment(h.Context(), h.by, change.Target{ID: row}, dollars(100, "cash"))))
		older(func(p *portfolio.Payment) {
			p.Status, p.AmountPaid, p.Method = portfolio.PaymentSucceeded, 1000_00, new(
				portfolio.PaymentMethod("other"),
			)
			p.Reference, p.PaidAt = nil, new(clock.At(h.now))
		})
		h.wantMoves(row,
			"payment check 300.00 succeeded by dashboard 101",
			"payment cash 100.00 succeeded by dashboard r1",
			"payment other 600.00 succeeded by dashboard",
		)
		now, err := h.Ledger.PaymentWithTransactions(h.Context(), h.by, row)
		h.ok(err)
		if now.Transactions[0] != shown.Transactions[0] && now.Transactions[0].ID != shown.Transactions[0].ID {
			h.Errorf("it was %+v, and is stored as %+v", shown.Transactions[0], now.Transactions[0])
		}
	})
}

// A row of before may have a part by a processor beside one by hand, which it tells as one payment.
func TestOlderRowWithProcessorPaymentIsNotCorrectedByHand(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		row := h.owes(portfolio.PaymentRent, portfolio.PaymentDue)
		dbtest.Exec(h.T, h.db, `UPDATE payments
			SET status = 'succeeded', amount_paid = amount, method = 'check', initiated_at = 1, paid_at = 2
			WHERE id = $1`, row)
		c := ledger.Correction{TransactionID: h.lastMove(row), Reason: "The check was for another unit."}
		_, err := h.Ledger.CorrectPayment(h.Context(), h.by, change.Target{ID: row}, c)
		if !fault.Is(err, fault.InvalidTransition) {
			h.Errorf("%v", err)
		}
		dbtest.Exec(h.T, h.db, "UPDATE payments SET initiated_at = NULL WHERE id = $1", row)
		h.ok(second(h.Ledger.CorrectPayment(h.Context(), h.by, change.Target{ID: row}, c)))
	})
}

func TestRowOfDemoBeforeTransactionsIsRefundedToNothing(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		row := h.owes(portfolio.PaymentDeposit, portfolio.PaymentDue)
		dbtest.Exec(h.T, h.db, `UPDATE payments SET status = 'refunded', amount_paid = 0, method = 'check', paid_at = 1
			WHERE id = $1`, row)
		h.wantMoves(row,
			"payment check 1000.00 succeeded by dashboard", "refund check -1000.00 succeeded by dashboard")
	})
}

func TestPartOfWhatTheLedgerChargesByItselfCanBeForgiven(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		row := h.charges(h.let, clock.Day(2026, 11, 1), func(p *portfolio.Payment) {
			p.Charge, p.LateFeeOn = new("rent 2026-11"), new(clock.Day(2026, 11, 6))
		})
		for range 2 {
			m, err := h.Ledger.ForgivePart(h.Context(), h.by, change.Target{ID: row}, ledger.Forgiveness{
				Amount: money.Dollars(100), Reason: "The heating was off.",
			})
			h.ok(err)
			if m.After.Charge == nil || m.After.LateFeeOn == nil {
				h.Errorf("%+v", m.After)
			}
		}
		page, err := h.Ledger.Payments(h.Context(), h.by, portfolio.PaymentFilter{Query: everything, LeaseID: h.let})
		h.ok(err)
		for _, p := range page.Data {
			if p.ID != row && (p.Charge != nil || p.LateFeeOn != nil) {
				h.Errorf("what is forgiven charges %s", *p.Charge)
			}
		}
	})
}
