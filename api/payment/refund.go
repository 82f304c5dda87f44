package payment

import (
	"context"
	"slices"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/money"
	"portal/api/operation"
	"portal/api/portfolio"
)

// RefundCreate asks for a refund of what a payment through a processor has paid of a row.
type RefundCreate struct {
	// The transaction of the row by which the payment paid it.
	TransactionID string `json:"transaction_id" format:"ref" prefix:"txn"`
	// How much goes back, in dollars: more than 0, and at most what is left of the payment.
	Amount money.Cents `json:"amount"`
	// Why. Members of the account can read it.
	Reason string `json:"reason" minlen:"1" maxlen:"500"`
}

var refundCreate = operation.DefineInput[RefundCreate]("refund_payment")

// Refund has the processor give back what a payment has paid of a row, or a part of it. It is noted before the
// processor is asked, and asked again until it has answered: the refund is booked once it says that it was made.
// The row gets a new version at once, so the same form asks for no second refund.
//
// Errors: fault.InvalidField at amount or transaction_id, fault.InvalidTransition where the payment went back already,
// fault.StaleWrite where the row has changed meanwhile.
func (s *Service) Refund(
	ctx context.Context, by access.Actor, t change.Target, c RefundCreate,
) (*Refund, error) {
	if err := by.Need(access.Payments); err != nil {
		return nil, err
	}
	if err := refundCreate.Check(&c, s.Today(by)); err != nil {
		return nil, err
	}
	var r *Refund
	err := s.Tx.Exclusively(ctx, by.Portfolio, func(ctx context.Context) error {
		p, err := s.ledger.PaymentWithTransactions(ctx, by, t.ID)
		if err != nil {
			return err
		}
		if err := t.Check("payment", p.Version); err != nil {
			return err
		}
		at := slices.IndexFunc(p.Transactions, func(x portfolio.Transaction) bool { return x.ID == c.TransactionID })
		if at < 0 || p.Transactions[at].AttemptID == nil {
			return fault.NotFound("transaction").At("transaction_id")
		}
		attemptID := *p.Transactions[at].AttemptID
		left, err := s.Refundable(ctx, by, p, attemptID)
		switch {
		case err != nil:
			return err
		case left == 0:
			return fault.New(fault.InvalidTransition, "Nothing of this payment can be refunded any more.")
		case c.Amount <= 0 || c.Amount > left:
			return fault.New(
				fault.InvalidField,
				"amount must be more than 0 and at most %s, what is left of the payment; not %s.",
				left,
				c.Amount,
			).At("amount")
		}
		now := s.Now(by.Portfolio)
		r = &Refund{
			ID:        id.New(id.Refund, now),
			CreatedAt: clock.At(now),
			AttemptID: attemptID,
			PaymentID: p.ID,
			Amount:    c.Amount,
			Status:    RefundPending,
			Reason:    c.Reason,
		}
		if err := s.store.AddRefund(ctx, by.Portfolio, r); err != nil {
			return err
		}
		// Until the refund is booked, nothing else of the row shows it.
		if err := s.ledger.Touch(ctx, by, p.ID); err != nil {
			return err
		}
		if err := s.RecordDone(ctx, by, "payment.refunded", p.ID, map[string]string{
			"refund": r.ID, "amount": c.Amount.String(), "reason": c.Reason,
		}); err != nil {
			return err
		}
		return s.change(ctx, by, attemptID, func(_ context.Context, a *Attempt) error {
			a.LookAt = new(clock.At(now))
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	// It is noted. A processor that does not answer now is asked again by Reconcile.
	_ = s.Refresh(ctx, by, r.AttemptID)
	all, err := s.store.RefundsOf(ctx, by.Portfolio, r.AttemptID)
	if at := slices.IndexFunc(all, func(x Refund) bool { return x.ID == r.ID }); at >= 0 {
		r = &all[at]
	}
	return r, err
}

// Refunds are those of an attempt, in the order in which they were asked for.
func (s *Service) Refunds(ctx context.Context, by access.Actor, attemptID string) ([]Refund, error) {
	return s.store.RefundsOf(ctx, by.Portfolio, attemptID)
}

// Refundable is what can be refunded of what an attempt has paid of a row: what has cleared, without what went back and
// what a refund was asked for.
func (s *Service) Refundable(
	ctx context.Context, by access.Actor, p *portfolio.PaymentWithTransactions, attemptID string,
) (left money.Cents, err error) {
	for i := range p.Transactions {
		t := &p.Transactions[i]
		if t.AttemptID != nil && *t.AttemptID == attemptID && t.Status == portfolio.TransactionSucceeded {
			left += t.Amount
		}
	}
	refunds, err := s.store.RefundsOf(ctx, by.Portfolio, attemptID)
	for i := range refunds {
		if refunds[i].Status == RefundPending && refunds[i].PaymentID == p.ID {
			left -= refunds[i].Amount
		}
	}
	return max(0, left), err
}
