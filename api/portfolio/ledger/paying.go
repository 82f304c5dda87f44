package ledger

import (
	"context"
	"slices"
	"time"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
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

// RecordPayment notes money that the landlord has got by hand. It raises nothing. The
// version of the target keeps the same money from being noted twice.
func (s *Ledger) RecordPayment(
	ctx context.Context, by access.Actor, t change.Target, c Clearing,
) (*change.Result[portfolio.Payment], error) {
	at, err := s.received(by, c.On)
	if err != nil {
		return nil, err
	}
	details := s.recorded(by, c)
	return s.pay(portfolio.WithDetails(ctx, details), by, t, func(r *row) error {
		if err := recordPayment(r, c, at); err != nil {
			return err
		}
		details["transaction_id"] = r.all[len(r.all)-1].ID
		return nil
	})
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
	today := s.Today(by)
	switch {
	case on == nil || *on == today:
		return s.MomentToday(by), nil
	case *on > today || *on < today-mostDaysAgo:
		return 0, fault.New(fault.InvalidField,
			"paid_on must be today, %s, or a day of the ten years before; not %s.", today, *on).At("paid_on")
	}
	y, m, d := on.Std().Date()
	return clock.At(time.Date(y, m, d, 0, 0, 0, 0, by.Zone)), nil
}

// mostDaysAgo is how far back money can be noted.
const mostDaysAgo = 3653

// row is a ledger row while a step is taken with it: with the transactions that it has, and those that the step adds.
type row struct {
	*portfolio.Payment
	all   []portfolio.Transaction
	added bool // whether the step has added one
	// withoutFee has a return bring no fee, as another row of the same payment has brought it.
	withoutFee bool
	other      *portfolio.PaymentWithTransactions // a row that the step adds to the ledger, nil for none
	newID      func() string
}

// add adds a transaction.
func (r *row) add(t portfolio.Transaction) {
	t.ID = r.newID()
	r.all, r.added = append(r.all, t), true
}

// pay takes a step with a ledger row for a person. What the row shows of payment follows from its transactions.
func (s *Ledger) pay(
	ctx context.Context, by access.Actor, t change.Target, step func(*row) error,
) (*change.Result[portfolio.Payment], error) {
	today := s.Today(by)
	var stored int
	var all []portfolio.Transaction
	var other *portfolio.PaymentWithTransactions
	return portfolio.Amend(ctx, s.Common, by, t, portfolio.Amendment[portfolio.Payment]{
		Noun: "payment",
		Load: s.store.Payment,
		Save: s.store.SavePayment,
		Apply: func(ctx context.Context, p *portfolio.Payment, _ *change.Result[portfolio.Payment]) error {
			kept, err := s.store.Transactions(ctx, by.Portfolio, p.ID)
			if err != nil {
				return err
			}
			r := &row{Payment: p, all: p.Told(kept), newID: func() string {
				return id.New(id.Transaction, s.Now(by.Portfolio))
			}}
			if err := step(r); err != nil || !r.added {
				return err
			}
			p.Derive(r.all, today)
			stored, all, other = len(kept), r.all, r.other
			return nil
		},
		Follow: func(ctx context.Context, m *change.Result[portfolio.Payment]) error {
			if err := s.store.AddTransactions(ctx, by.Portfolio, m.After.ID, stored, all[stored:]); err != nil {
				return err
			}
			if other != nil {
				if err := s.addRow(ctx, by, other); err != nil {
					return err
				}
			}
			return s.followPayment(ctx, by, m.After, all, all[stored:], false)
		},
		Compute: func(p *portfolio.Payment) { p.Compute(today) },
	})
}

// followPayment has the rest of the ledger follow what has happened to a row, which some of its transactions tell of. A
// return brings the fee of the lease for it, unless it is to be without.
func (s *Ledger) followPayment(
	ctx context.Context, by access.Actor, p *portfolio.Payment, all, added []portfolio.Transaction, withoutFee bool,
) error {
	for i := range added {
		if added[i].Kind == portfolio.TransactionReturn && !withoutFee {
			if err := s.chargeReturned(ctx, by, p, &added[i]); err != nil {
				return err
			}
		}
	}
	if err := s.takeLateFeeBack(ctx, by, p, all); err != nil {
		return err
	}
	return s.applyCredits(ctx, by, p.LeaseID)
}

// addRow adds a row with its transactions.
func (s *Ledger) addRow(ctx context.Context, by access.Actor, p *portfolio.PaymentWithTransactions) error {
	if err := s.store.AddPayment(ctx, by.Portfolio, &p.Payment); err != nil {
		return err
	}
	return s.store.AddTransactions(ctx, by.Portfolio, p.ID, 0, p.Transactions)
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

func recordPayment(r *row, c Clearing, now clock.Time) error {
	if err := mustBe(r.Payment, r.Status.Payable(), "recorded"); err != nil {
		return err
	}
	if !c.Method.ByHand() || !slices.Contains(c.Method.Values(), string(c.Method)) {
		return fault.New(fault.InvalidField,
			"method must be check, cash, money_order, bank_transfer or other, not %q.", c.Method).At("method")
	}
	if owed := r.Left(); c.Amount <= 0 || c.Amount > owed {
		return fault.New(fault.InvalidField, "amount must be more than 0 and at most %s, the amount owed; not %s.",
			owed, c.Amount).At("amount")
	}
	r.add(portfolio.Transaction{
		Kind:       portfolio.TransactionPayment,
		Method:     &c.Method,
		Amount:     c.Amount,
		Status:     portfolio.TransactionSucceeded,
		Reference:  c.Reference,
		OccurredAt: now,
		RecordedBy: portfolio.ByDashboard,
	})
	return nil
}
