package payment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
)

// Refresh asks the processor what has become of an attempt, and books what is new.
func (s *Service) Refresh(ctx context.Context, by access.Actor, attemptID string) error {
	a, err := s.store.Attempt(ctx, by.Portfolio, attemptID)
	if err != nil {
		return err
	}
	p := s.processors[by.Portfolio.Mode]
	if p == nil || p.Name() != a.Processor {
		return nil
	}
	refunds, err := s.store.RefundsOf(ctx, by.Portfolio, a.ID)
	if err != nil {
		return err
	}
	for i := range refunds {
		if refunds[i].Status != RefundPending {
			continue
		}
		if err := p.Refund(ctx, by, &a, &refunds[i]); err != nil {
			return fmt.Errorf("ask for the refund %s: %w", refunds[i].ID, err)
		}
	}
	if a.AutopayID != nil && a.Status == Open {
		if err := s.charge(ctx, by, p, &a); err != nil {
			return fmt.Errorf("have autopay pay %s: %w", a.ID, err)
		}
	}
	state, err := p.State(ctx, by, &a, refunds)
	if err != nil {
		return fmt.Errorf("ask for the state of the payment %s: %w", a.ID, err)
	}
	return s.Settle(ctx, by, a.ID, state)
}

// Settle books what a state says and the ledger does not have: under the lock of the portfolio, in one transaction. A
// state that is older than what is booked changes nothing. One that does not fit the attempt, as another amount does
// not, books nothing and is kept for a person.
func (s *Service) Settle(ctx context.Context, by access.Actor, attemptID string, state State) error {
	return s.change(ctx, by, attemptID, func(ctx context.Context, a *Attempt) error {
		a.LookAt = s.nextLook(by, a, &state)
		if problem := a.differs(&state); problem != "" {
			return s.noteProblem(ctx, by, a, problem)
		}
		if state.Reference != nil {
			a.Reference = state.Reference
		}
		if state.Method != "" {
			a.Method = &state.Method
		}
		before, back := a.Status, a.Back
		for _, step := range []func(context.Context, access.Actor, *Attempt, *State) error{
			s.settlePayment, s.settleRefunds, s.settleBack,
		} {
			if err := step(ctx, by, a, &state); err != nil {
				return err
			}
		}
		if !a.noted {
			a.Problem = nil
		}
		if err := s.followAutopay(ctx, by, a, before, back); err != nil {
			return err
		}
		if a.Status != Succeeded || before == Succeeded || s.Notices == nil {
			return nil
		}
		return s.Notices.PaymentCleared(ctx, by, a)
	})
}

// nextLook is when the processor is asked again without news.
func (s *Service) nextLook(by access.Actor, a *Attempt, state *State) *clock.Time {
	now := s.Now(by.Portfolio)
	switch state.Status {
	case Open:
		if a.AutopayID != nil {
			return new(clock.At(now.Add(lookAgain)))
		}
		return new(max(clock.At(now.Add(time.Minute)), a.ExpiresAt))
	case Processing:
		return new(clock.At(now.Add(silentFor)))
	case Succeeded, Failed, Canceled:
	}
	return nil
}

// differs says in which way a state is not of the attempt, "" where it is.
func (a *Attempt) differs(state *State) string {
	switch {
	case state.Currency != portfolio.Currency:
		return fmt.Sprintf("The processor reports a payment in %q instead of %s.", state.Currency, portfolio.Currency)
	case state.Amount != a.Total():
		return fmt.Sprintf("The processor reports %s instead of %s.", state.Amount.Dollars(), a.Total().Dollars())
	case a.Account != nil && (state.Account == nil || *state.Account != *a.Account):
		return "The processor reports a payment to another account."
	case a.Reference != nil && state.Reference != nil && *state.Reference != *a.Reference:
		return fmt.Sprintf("The processor reports the payment %s instead of %s.", *state.Reference, *a.Reference)
	}
	return ""
}

// inLedger is the attempt as the ledger knows it.
func (a *Attempt) inLedger() *ledger.Attempt {
	l := &ledger.Attempt{ID: a.ID, LeaseID: a.LeaseID, Reference: a.Reference, Shares: a.Shares}
	if a.Method != nil {
		l.Method = *a.Method
	}
	return l
}

func (s *Service) settlePayment(ctx context.Context, by access.Actor, a *Attempt, state *State) (err error) {
	moved := ledger.Moved{At: state.At, FailureCode: state.FailureCode, FailureMessage: state.FailureMessage}
	switch {
	case a.Status == state.Status || a.Status == Succeeded:
		return nil
	case state.Status == Succeeded: // also of one that was canceled too late
		a.FailureCode, a.FailureMessage, a.ClearedAt = nil, nil, &state.At
		var credit string
		if a.Surplus, credit, err = s.ledger.ClearAttempt(ctx, by, a.inLedger(), moved); credit != "" {
			a.CreditID = &credit
		}
	case a.Status == Failed || a.Status == Canceled:
		return nil
	case state.Status == Processing && a.Status == Open:
		err = s.ledger.BeginAttempt(ctx, by, a.inLedger(), moved)
	case state.Status == Failed, state.Status == Canceled && a.Status == Processing:
		a.FailureCode, a.FailureMessage = state.FailureCode, state.FailureMessage
		err = s.ledger.FailAttempt(ctx, by, a.inLedger(), moved)
	case state.Status == Open:
		return nil
	}
	a.Status = state.Status
	return err
}

// settleRefunds books refunds that were asked for here.
func (s *Service) settleRefunds(ctx context.Context, by access.Actor, a *Attempt, state *State) error {
	if a.Status != Succeeded {
		return nil
	}
	kept, err := s.store.RefundsOf(ctx, by.Portfolio, a.ID)
	if err != nil {
		return err
	}
	for _, known := range state.Refunds {
		at := slices.IndexFunc(kept, func(r Refund) bool { return r.ID == known.ID })
		switch {
		case known.ID == "" && known.Status == RefundSucceeded:
			if err := s.settleForeignRefund(ctx, by, a, kept, &known); err != nil {
				return err
			}
		case at >= 0 && kept[at].Status == RefundPending && known.Status != RefundPending:
			if err := s.settleRefund(ctx, by, a, &kept[at], &known); err != nil {
				return err
			}
		}
	}
	if slices.ContainsFunc(kept, func(r Refund) bool { return r.Status == RefundPending }) {
		a.LookAt = new(clock.At(s.Now(by.Portfolio).Add(silentFor)))
	}
	return nil
}

// settleRefund books what has become of a refund that was asked for.
func (s *Service) settleRefund(ctx context.Context, by access.Actor, a *Attempt, r, known *Refund) error {
	if r.Status, r.Reference = known.Status, known.Reference; r.Status == RefundSucceeded {
		if r.At = known.At; r.At == 0 {
			r.At = s.MomentToday(by)
		}
		refunded, err := s.ledger.RefundAttempt(ctx, by, a.inLedger(), r.PaymentID, r.Amount, ledger.Moved{At: r.At})
		if err != nil {
			return err
		}
		a.Refunded += refunded
	}
	return s.store.SaveRefund(ctx, by.Portfolio, r)
}

// settleForeignRefund books a refund that was not asked for here, as one in the processor's own dashboard: of the rows
// that are due last first. It is known by its reference from then on.
func (s *Service) settleForeignRefund(
	ctx context.Context, by access.Actor, a *Attempt, kept []Refund, known *Refund,
) error {
	if known.Reference == nil || slices.ContainsFunc(kept, func(r Refund) bool {
		return r.Reference != nil && *r.Reference == *known.Reference
	}) {
		return nil
	}
	left := known.Amount
	for _, share := range slices.Backward(a.Shares) {
		if left == 0 {
			break
		}
		refunded, err := s.ledger.RefundAttempt(
			ctx, by, a.inLedger(), share.PaymentID, min(left, share.Amount), ledger.Moved{At: known.At},
		)
		if err != nil {
			return err
		}
		if refunded == 0 {
			continue
		}
		a.Refunded, left = a.Refunded+refunded, left-refunded
		if err := s.store.AddRefund(ctx, by.Portfolio, &Refund{
			ID:        id.New(id.Refund, s.Now(by.Portfolio)),
			CreatedAt: clock.At(s.Now(by.Portfolio)),
			AttemptID: a.ID,
			PaymentID: share.PaymentID,
			Amount:    refunded,
			Status:    RefundSucceeded,
			Reason:    "Refunded at the payment processor.",
			Reference: known.Reference,
			At:        known.At,
		}); err != nil {
			return err
		}
	}
	if left > 0 {
		return s.noteProblem(ctx, by, a, fmt.Sprintf(
			"The processor reports a refund of %s, and %s of it is in no charge.",
			known.Amount.Dollars(),
			left.Dollars(),
		))
	}
	return nil
}

// settleBack books that all of the payment went back, or has come again.
func (s *Service) settleBack(ctx context.Context, by access.Actor, a *Attempt, state *State) error {
	b := state.Back
	if b == nil || a.Status != Succeeded {
		return nil
	}
	moved := ledger.Moved{At: b.At}
	if b.How != Won {
		moved.FailureCode, moved.FailureMessage = &b.Code, &b.Message
	}
	switch {
	case a.Back == "" && b.How != Won:
		kind := portfolio.TransactionReturn
		if b.How == Disputed {
			kind = portfolio.TransactionDispute
		}
		if err := s.ledger.TakeAttemptBack(ctx, by, a.inLedger(), kind, a.Surplus, moved); err != nil {
			return err
		}
		a.Back, a.BackOn, a.BackAt = b.How, new(clock.DateOf(b.At.Std(), by.Zone)), &b.At
		a.FailureCode, a.FailureMessage = &b.Code, &b.Message
	case a.Back == Disputed && b.How == Won:
		if err := s.ledger.RestoreAttempt(ctx, by, a.inLedger(), a.Surplus, moved); err != nil {
			return err
		}
		a.Back, a.FailureCode, a.FailureMessage, a.RestoredAt = Won, nil, nil, &b.At
	}
	if b.How != Returned {
		a.DisputeDueOn, a.DisputeStatus = b.DueOn, &b.Status
	}
	return nil
}

// Reconcile asks processors about attempts that have been silent for an hour, cancels those that were started and not
// sent in time, sends those of autopay, and looks after autopay itself. One that fails keeps no other back.
func (s *Service) Reconcile(ctx context.Context, now time.Time) error {
	var failed []error
	again := clock.At(now.Add(lookAgain))
	attempts := s.lookAtAll(ctx, now, &failed, s.store.AttemptsToLookAt,
		func(by access.Actor, attemptID string) error {
			err := s.cancelUnsent(ctx, by, attemptID)
			if err == nil {
				err = s.Refresh(ctx, by, attemptID)
			}
			if err == nil {
				return nil
			}
			return errors.Join(err, s.change(ctx, by, attemptID, func(_ context.Context, a *Attempt) error {
				a.LookAt = &again // behind the others
				return nil
			}))
		})
	autopays := s.lookAtAll(ctx, now, &failed, s.store.AutopaysToLookAt,
		func(by access.Actor, autopayID string) error {
			err := s.RefreshAutopay(ctx, by, autopayID)
			if err == nil {
				return nil
			}
			return errors.Join(err, s.changeAutopay(ctx, by, autopayID, func(_ context.Context, a *Autopay) error {
				a.LookAt = &again
				return nil
			}))
		})
	return errors.Join(append(failed, attempts, autopays)...)
}

// lookAtAll looks at all records that are due, some after the others, and adds what fails to a list. It stops where
// none of some got another time to be looked at.
func (s *Service) lookAtAll(
	ctx context.Context,
	now time.Time,
	failed *[]error,
	due func(context.Context, clock.Time, int, func(in access.Portfolio, zone, id string) error) error,
	look func(by access.Actor, id string) error,
) error {
	seen := map[string]bool{}
	for fresh := true; fresh; {
		fresh = false
		err := due(ctx, clock.At(now), mostLooks, s.looking(ctx, failed, func(by access.Actor, id string) error {
			if seen[id] {
				return nil
			}
			seen[id], fresh = true, true
			return look(by, id)
		}))
		if err != nil || len(seen)%mostLooks != 0 {
			return err
		}
	}
	return nil
}

// looking looks at one record after the other, and adds what fails to a list.
func (s *Service) looking(
	ctx context.Context, failed *[]error, look func(by access.Actor, id string) error,
) func(in access.Portfolio, zone, id string) error {
	return func(in access.Portfolio, zone, id string) error {
		location, err := clock.Zone(zone)
		if err == nil {
			err = look(access.Actor{Portfolio: in, Zone: location}, id)
		}
		if err != nil {
			*failed = append(*failed, fmt.Errorf("reconcile %s: %w", id, err))
		}
		return ctx.Err()
	}
}

// cancelUnsent cancels an attempt that the tenant has not sent in time.
func (s *Service) cancelUnsent(ctx context.Context, by access.Actor, attemptID string) error {
	a, err := s.store.Attempt(ctx, by.Portfolio, attemptID)
	if err != nil || a.AutopayID != nil { // Refresh sends those of autopay
		return err
	}
	return s.Cancel(ctx, by, attemptID)
}

// Reconciliation looks at so many attempts at a time, and again at those that failed after a while.
const (
	mostLooks = 200
	lookAgain = 10 * time.Minute
)
