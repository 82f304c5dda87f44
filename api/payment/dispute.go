package payment

import (
	"context"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/operation"
)

// DisputeAnswer is what speaks for the landlord in a dispute.
type DisputeAnswer struct {
	// Why the payment is right, in the words of the landlord. The bank of the card reads it.
	Evidence string `json:"evidence" minlen:"1" maxlen:"10000"`
}

var disputeAnswer = operation.DefineInput[DisputeAnswer]("answer_dispute")

// Answerable reports whether the dispute of an attempt can be answered on a day.
func (a *Attempt) Answerable(today clock.Date) bool {
	return a.Back == Disputed && a.DisputeStatus != nil && *a.DisputeStatus == NeedsResponse &&
		(a.DisputeDueOn == nil || today <= *a.DisputeDueOn)
}

// The statuses of a dispute.
const (
	NeedsResponse = "needs_response"
	UnderReview   = "under_review"
	DisputeWon    = "won"
	DisputeLost   = "lost"
)

// Answer has the processor hand on what speaks for the landlord in the dispute of an attempt, which a row was part of.
// It can be done once.
//
// Errors: fault.InvalidField at evidence, fault.InvalidTransition where the dispute cannot be answered any more,
// fault.StaleWrite where the row has changed meanwhile, fault.Unavailable where the processor does not answer.
func (s *Service) Answer(
	ctx context.Context, by access.Actor, t change.Target, attemptID string, answer DisputeAnswer,
) error {
	if err := by.Need(access.Payments); err != nil {
		return err
	}
	if err := disputeAnswer.Check(&answer, s.Today(by)); err != nil {
		return err
	}
	a, err := s.disputed(ctx, by, t, attemptID)
	if err != nil {
		return err
	}
	p, _, err := s.processor(ctx, by.Portfolio)
	if err != nil {
		return err
	}
	if p == nil || p.Name() != a.Processor {
		return fault.New(fault.InvalidTransition, notSetUp)
	}
	err = p.Contest(ctx, by, a, answer.Evidence)
	if fault.Is(err, fault.InvalidTransition) { // it was answered already, as in the processor's own dashboard
		_ = s.Refresh(ctx, by, a.ID) // so that the page shows that
		return err
	}
	if err != nil {
		return fault.New(fault.Unavailable,
			"The payment service didn’t answer. The dispute may not be answered yet. Look at it in a few minutes.").
			Because(err)
	}
	if err := s.Tx.Exclusively(ctx, by.Portfolio, func(ctx context.Context) error {
		if err := s.ledger.Touch(ctx, by, t.ID); err != nil {
			return err
		}
		return s.RecordDone(ctx, by, "payment.dispute_answered", t.ID, map[string]string{
			"attempt": a.ID, "evidence": answer.Evidence,
		})
	}); err != nil {
		return err
	}
	return s.Refresh(ctx, by, a.ID)
}

// disputed is an attempt whose dispute can be answered, and which a row was part of that has not changed.
func (s *Service) disputed(
	ctx context.Context, by access.Actor, t change.Target, attemptID string,
) (*Attempt, error) {
	row, err := s.ledger.Payment(ctx, by, t.ID)
	if err != nil {
		return nil, err
	}
	if err := t.Check("payment", row.Version); err != nil {
		return nil, err
	}
	all, err := s.store.AttemptsOfPayment(ctx, by.Portfolio, row.ID, mostLooks)
	if err != nil {
		return nil, err
	}
	for i := range all {
		if a := &all[i]; a.ID == attemptID {
			if !a.Answerable(s.Today(by)) {
				return nil, fault.New(fault.InvalidTransition, "This dispute can’t be answered any more.")
			}
			return a, nil
		}
	}
	return nil, fault.NotFound("payment")
}
