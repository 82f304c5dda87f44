package ledger

import (
	"context"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/money"
	"portal/api/operation"
	"portal/api/portfolio"
)

// Forgiveness is a part of a charge that nobody owes any more.
type Forgiveness struct {
	// How much is forgiven, in dollars: at most what is owed.
	Amount money.Cents `json:"amount"`
	// Why, in one line that the tenant can read.
	Reason string `json:"reason" minlen:"1" maxlen:"200"`
}

var forgivePart = operation.DefineInput[Forgiveness]("forgive_part")

// ForgivePart forgives a part of what is owed of a row. A second row with the amount below 0 takes it back, so that
// what was charged stays as it was, and a correction settles both.
func (s *Ledger) ForgivePart(
	ctx context.Context, by access.Actor, t change.Target, f Forgiveness,
) (*change.Result[portfolio.Payment], error) {
	if err := forgivePart.Check(&f, s.Today(by)); err != nil {
		return nil, err
	}
	details := map[string]string{"forgiven": f.Amount.String(), "reason": f.Reason}
	reversal := s.NewRecord(by, id.Payment, "payment")
	now := s.MomentToday(by)
	return s.pay(portfolio.WithDetails(ctx, details), by, t, func(r *row) error {
		details["reversal"] = reversal.ID
		return forgive(r, f, reversal, now)
	})
}

func forgive(r *row, f Forgiveness, reversal portfolio.Record, now clock.Time) error {
	if err := mustBe(r.Payment, r.Status.Payable(), "forgiven"); err != nil {
		return err
	}
	if r.Status == portfolio.PaymentScheduled { // a change of the lease may still revise or void it
		return fault.New(fault.InvalidTransition, "A charge is forgiven in part once it is due, %s.", r.DueDate)
	}
	switch owed := r.Left(); {
	case f.Amount <= 0 || f.Amount > owed:
		return fault.New(fault.InvalidField, "amount must be more than 0 and at most %s, the amount owed; not %s.",
			owed, f.Amount).At("amount")
	case f.Amount == r.Amount:
		return fault.New(fault.InvalidField, "amount must be less than %s: to forgive all of it, void the charge.",
			r.Amount).At("amount")
	}
	correction := portfolio.Transaction{
		Kind:       portfolio.TransactionCorrection,
		Amount:     f.Amount,
		Status:     portfolio.TransactionSucceeded,
		OccurredAt: now,
		RecordedBy: portfolio.ByDashboard,
		Reason:     &f.Reason,
	}
	r.add(correction)
	p := *r.Payment
	p.Record, p.ReversesPaymentID, p.Description = reversal, &r.ID, &f.Reason
	p.Amount, p.InitiatedAt, p.Reference, p.PaymentID = -f.Amount, nil, nil, nil
	// The row that is forgiven goes on to be the charge.
	p.Charge, p.Part, p.LateFeeOn, p.LateAfter, p.MonthlyRent = nil, 0, nil, 0, 0
	correction.ID, correction.Amount = r.newID(), -f.Amount
	p.Derive([]portfolio.Transaction{correction}, p.DueDate)
	r.other = &portfolio.PaymentWithTransactions{Payment: p, Transactions: []portfolio.Transaction{correction}}
	return nil
}
