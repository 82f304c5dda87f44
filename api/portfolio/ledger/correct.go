package ledger

import (
	"context"
	"slices"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/operation"
	"portal/api/portfolio"
)

// Correction takes a payment back that a person recorded in error.
type Correction struct {
	// The transaction that was recorded in error.
	TransactionID string `json:"transaction_id" format:"ref" prefix:"txn"`
	// Why it is taken back. Members of the account can read it.
	Reason string `json:"reason" minlen:"1" maxlen:"500"`
}

var correctPayment = operation.DefineInput[Correction]("correct_payment")

// CorrectPayment takes a payment back that was recorded by hand in error, by a transaction of the opposite amount. What
// it paid is owed again. Money that came through a processor is refunded instead.
func (s *Ledger) CorrectPayment(
	ctx context.Context, by access.Actor, t change.Target, c Correction,
) (*change.Result[portfolio.Payment], error) {
	return s.takeBack(ctx, by, t, c, portfolio.TransactionCorrection)
}

// ReturnPayment notes that the bank returned a payment that was recorded by hand, such as a check. What it paid is owed
// again, with the lease's fee for a returned payment where the ledger charges by itself.
func (s *Ledger) ReturnPayment(
	ctx context.Context, by access.Actor, t change.Target, c Correction,
) (*change.Result[portfolio.Payment], error) {
	return s.takeBack(ctx, by, t, c, portfolio.TransactionReturn)
}

func (s *Ledger) takeBack(
	ctx context.Context, by access.Actor, t change.Target, c Correction, kind portfolio.TransactionKind,
) (*change.Result[portfolio.Payment], error) {
	if err := correctPayment.Check(&c, s.Today(by)); err != nil {
		return nil, err
	}
	now := s.MomentToday(by)
	details := map[string]string{"corrected": c.TransactionID, "reason": c.Reason}
	if kind == portfolio.TransactionReturn {
		details = map[string]string{"returned": c.TransactionID, "reason": c.Reason}
	}
	return s.pay(portfolio.WithDetails(ctx, details), by, t, func(r *row) error {
		if err := correct(r, c, kind, now); err != nil {
			return err
		}
		last := r.all[len(r.all)-1]
		details["transaction_id"], details["recorded"] = last.ID, last.Amount.String()
		return nil
	})
}

func correct(r *row, c Correction, kind portfolio.TransactionKind, now clock.Time) error {
	if err := mustBe(r.Payment, r.Status == portfolio.PaymentSucceeded || r.Status.Payable(), "corrected"); err != nil {
		return err
	}
	i := slices.IndexFunc(r.all, func(t portfolio.Transaction) bool { return t.ID == c.TransactionID })
	if i < 0 {
		return fault.NotFound("transaction").At("transaction_id")
	}
	wrong := r.all[i]
	if !r.Correctable(&wrong, r.all) {
		return fault.New(fault.InvalidTransition,
			"Only a payment that was recorded by hand can be taken back, and only once.").At("transaction_id")
	}
	r.add(portfolio.Transaction{
		Kind:       kind,
		Method:     wrong.Method,
		Amount:     -wrong.Amount,
		Status:     portfolio.TransactionSucceeded,
		Reference:  wrong.Reference,
		OccurredAt: now,
		RecordedBy: portfolio.ByDashboard,
		Corrects:   &wrong.ID,
		Reason:     &c.Reason,
	})
	return nil
}
