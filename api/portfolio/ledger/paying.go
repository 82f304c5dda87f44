package ledger

import (
	"context"
	"slices"
	"time"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/event"
	"portal/api/fault"
	"portal/api/money"
	"portal/api/portfolio"
)

// Clearing is money that has come: how much, in which way and under which reference.
type Clearing struct {
	// How much came, in dollars; at most what is owed.
	Amount money.Cents `json:"amount"`
	// In which way it came.
	Method portfolio.PaymentMethod `json:"method"`
	On     *clock.Date             `json:"-"` // day on which it came, nil for now; only of what is recorded by hand
	// The number of the check, or what names it otherwise.
	Reference *string `json:"reference" maxlen:"127"`
}

// StartPayment notes that the payment of a ledger row is under way through a
// processor. One that is only scheduled may be paid ahead of its day.
func (s *Ledger) StartPayment(
	ctx context.Context, by access.Actor, paymentID string, method portfolio.PaymentMethod,
) (*change.Result[portfolio.Payment], error) {
	if !processed(method) {
		return nil, fault.New(fault.InvalidField,
			"method must be ach or card, not %q; what comes in another way is recorded when it is there.",
			method).At("method")
	}
	now := clock.At(s.Now(by.Portfolio))
	return s.pay(
		ctx,
		by,
		change.Target{ID: paymentID},
		func(p *portfolio.Payment) error { return startPayment(p, method, now) },
		false,
	)
}

// ClearPayment notes that money that was under way is there, all of what is owed or a
// part. It raises payment.succeeded for rent by ACH or card.
func (s *Ledger) ClearPayment(
	ctx context.Context, by access.Actor, paymentID string, c Clearing,
) (*change.Result[portfolio.Payment], error) {
	now := clock.At(s.Now(by.Portfolio))
	return s.pay(
		ctx,
		by,
		change.Target{ID: paymentID},
		func(p *portfolio.Payment) error { return clearPayment(p, c, now) },
		true,
	)
}

// RecordPayment notes money that the landlord has got by hand. It raises nothing. The
// version of the target keeps the same money from being noted twice.
func (s *Ledger) RecordPayment(
	ctx context.Context, by access.Actor, t change.Target, c Clearing,
) (*change.Result[portfolio.Payment], error) {
	at, err := s.received(by, c.On)
	if err != nil {
		return nil, err
	}
	return s.pay(portfolio.WithDetails(ctx, s.recorded(by, c)), by, t, func(p *portfolio.Payment) error {
		return recordPayment(p, c, at)
	}, false)
}

// recorded is what the trail keeps of money that was recorded by hand.
func (s *Ledger) recorded(by access.Actor, c Clearing) map[string]string {
	on := s.Today(by)
	if c.On != nil {
		on = *c.On
	}
	details := map[string]string{"recorded": c.Amount.String(), "paid_on": on.String()}
	if c.Reference != nil {
		details["reference"] = *c.Reference
	}
	return details
}

// received is the moment that stands for a day on which money came: now for today, and
// the first one of a day before.
func (s *Ledger) received(by access.Actor, on *clock.Date) (clock.Time, error) {
	now, today := s.Now(by.Portfolio), s.Today(by)
	switch {
	case on == nil || *on == today:
		return clock.At(now), nil
	case *on > today || *on < today-mostDaysAgo:
		return 0, fault.New(fault.InvalidField,
			"paid_on must be today, %s, or a day of the ten years before; not %s.", today, *on).At("paid_on")
	}
	y, m, d := on.Std().Date()
	return clock.At(time.Date(y, m, d, 0, 0, 0, 0, by.Zone)), nil
}

// mostDaysAgo is how far back money can be noted.
const mostDaysAgo = 3653

// pay takes a step with a ledger row. Whether the outside is told of rent is up to the
// step.
func (s *Ledger) pay(
	ctx context.Context, by access.Actor, t change.Target, step func(*portfolio.Payment) error, told bool,
) (*change.Result[portfolio.Payment], error) {
	today := s.Today(by)
	return portfolio.Amend(ctx, s.Common, by, t, portfolio.Amendment[portfolio.Payment]{
		Noun: "payment",
		Load: s.store.Payment,
		Save: s.store.SavePayment,
		Apply: func(_ context.Context, p *portfolio.Payment, _ *change.Result[portfolio.Payment]) error {
			return step(p)
		},
		Follow: func(ctx context.Context, m *change.Result[portfolio.Payment]) error {
			if !told || m.After.Type != portfolio.PaymentRent {
				return nil
			}
			m.After.Compute(today)
			return s.Raise(ctx, by, event.PaymentSucceeded, m.After)
		},
		Compute: func(p *portfolio.Payment) { p.Compute(today) },
	})
}

// nextSteps tells what can be done with a row.
func nextSteps(s portfolio.PaymentStatus) string {
	switch {
	case s.Payable():
		return "a payment of it can be started, or recorded"
	case s == portfolio.PaymentProcessing:
		return "it becomes succeeded, partially_paid or failed first"
	}
	return "no payment changes it any more"
}

// mustBe refuses a step that the status does not allow.
func mustBe(p *portfolio.Payment, allowed bool, step string) error {
	if allowed {
		return nil
	}
	return fault.New(fault.InvalidTransition, "A payment that is %s cannot be %s; %s.", p.Status, step,
		nextSteps(p.Status))
}

func startPayment(p *portfolio.Payment, method portfolio.PaymentMethod, now clock.Time) error {
	if err := mustBe(p, p.Status.Payable(), "started"); err != nil {
		return err
	}
	p.Status, p.Method, p.InitiatedAt = portfolio.PaymentProcessing, &method, &now
	p.FailureCode, p.FailureMessage = nil, nil
	return nil
}

func clearPayment(p *portfolio.Payment, c Clearing, now clock.Time) error {
	if err := mustBe(p, p.Status == portfolio.PaymentProcessing, "cleared"); err != nil {
		return err
	}
	if !processed(c.Method) {
		return fault.New(fault.InvalidField, "method must be ach or card, not %q.", c.Method).At("method")
	}
	return takeMoney(p, c, now)
}

func recordPayment(p *portfolio.Payment, c Clearing, now clock.Time) error {
	if err := mustBe(p, p.Status.Payable(), "recorded"); err != nil {
		return err
	}
	if processed(c.Method) || !slices.Contains(c.Method.Values(), string(c.Method)) {
		return fault.New(fault.InvalidField,
			"method must be check, cash, money_order, bank_transfer or other, not %q.", c.Method).At("method")
	}
	return takeMoney(p, c, now)
}

// takeMoney adds money to a row, at most what is owed. What was paid in parts is paid on the day of the last of them.
func takeMoney(p *portfolio.Payment, c Clearing, now clock.Time) error {
	if owed := p.Amount - p.AmountPaid; c.Amount <= 0 || c.Amount > owed {
		return fault.New(fault.InvalidField, "amount must be more than 0 and at most %s, the amount owed; not %s.",
			owed, c.Amount).At("amount")
	}
	p.AmountPaid += c.Amount
	p.Status, p.Method, p.Reference = portfolio.PaymentPartiallyPaid, &c.Method, c.Reference
	p.FailureCode, p.FailureMessage = nil, nil
	if p.ReceivedAt == nil || *p.ReceivedAt < now {
		p.ReceivedAt = &now
	}
	if p.AmountPaid == p.Amount {
		p.Status, p.PaidAt = portfolio.PaymentSucceeded, p.ReceivedAt
	}
	return nil
}

// processed reports whether money of a way to pay comes through a processor.
func processed(m portfolio.PaymentMethod) bool {
	return m == portfolio.PayByACH || m == portfolio.PayByCard
}
