package records_test

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
)

// processor is what has payments of ledger rows go through a processor, as package payment does.
type processor struct {
	ledger *ledger.Ledger
	by     access.Actor
	at     clock.Time
}

// starts has all that is left of a row be under way.
func (p processor) starts(ctx context.Context, row *portfolio.Payment, method portfolio.PaymentMethod) error {
	return p.startsPart(ctx, row, method, row.Left())
}

// startsPart has so much of a row be under way.
func (p processor) startsPart(
	ctx context.Context, row *portfolio.Payment, method portfolio.PaymentMethod, amount money.Cents,
) error {
	return p.ledger.BeginAttempt(ctx, p.by, &ledger.Attempt{
		ID:      id.New(id.Attempt, p.at.Std()),
		LeaseID: row.LeaseID,
		Method:  method,
		Shares:  []ledger.Share{{PaymentID: row.ID, Amount: amount}},
	}, ledger.Moved{At: p.at})
}

// attempt is the latest one of a row, which a part of it is cleared by.
func (p processor) attempt(row *portfolio.Payment, c ledger.Clearing) *ledger.Attempt {
	a := &ledger.Attempt{
		LeaseID:   row.LeaseID,
		Method:    c.Method,
		Reference: c.Reference,
		Shares:    []ledger.Share{{PaymentID: row.ID, Amount: c.Amount}},
	}
	if row.PaymentID != nil {
		a.ID = *row.PaymentID
	}
	return a
}

// clears has money come that was under way of a row.
func (p processor) clears(ctx context.Context, row *portfolio.Payment, c ledger.Clearing) error {
	_, _, err := p.ledger.ClearAttempt(ctx, p.by, p.attempt(row, c), ledger.Moved{At: p.at})
	return err
}

// fails has money not come that was under way of a row.
func (p processor) fails(ctx context.Context, row *portfolio.Payment) error {
	a := p.attempt(row, ledger.Clearing{Amount: row.UnderWay, Method: *row.Method})
	return p.ledger.FailAttempt(ctx, p.by, a, ledger.Moved{
		At: p.at, FailureCode: new("insufficient_funds"), FailureMessage: new("No money."),
	})
}

func (h *leaseFixture) processor() processor { return processor{h.Ledger, h.by, clock.At(h.now)} }

func (h *leaseFixture) starts(row string, method portfolio.PaymentMethod) {
	h.Helper()
	p, err := h.Ledger.Payment(h.Context(), h.by, row)
	h.ok(err)
	h.ok(h.processor().starts(h.Context(), p, method))
}

func (h *leaseFixture) clears(row string, c ledger.Clearing) {
	h.Helper()
	p, err := h.Ledger.Payment(h.Context(), h.by, row)
	h.ok(err)
	h.ok(h.processor().clears(h.Context(), p, c))
}

// fails has the payment of a row that was under way fail.
func (h *leaseFixture) fails(row string) {
	h.Helper()
	p, err := h.Ledger.Payment(h.Context(), h.by, row)
	h.ok(err)
	h.ok(h.processor().fails(h.Context(), p))
}

func (w *ledgerWorld) processor() processor { return processor{w.Ledger, w.by, clock.At(w.now)} }

// fails has a payment fail that is under way.
func (w *ledgerWorld) fails(paymentID string) {
	w.Helper()
	p, err := w.Ledger.Payment(w.Context(), w.by, paymentID)
	w.ok(err)
	w.ok(w.processor().fails(w.Context(), p))
}
