package simulated

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/money"
	"portal/api/payment"
	"portal/api/portfolio"
)

// Sent is a payment that was sent, with its attempt and the refunds that were made of it.
type Sent struct {
	Payment
	Total   money.Cents
	Refunds []payment.Refund
}

// WinningEvidence is what an answer to a dispute has to contain so that it is won, as in Stripe's test mode.
const WinningEvidence = "winning_evidence"

// payoutDays is how many business days after money has come it is paid out, and arrivalDays how many more until it is
// at the bank.
const (
	payoutDays  = 2
	arrivalDays = 1
)

// Contest is payment.Bookkeeper's. An answer that contains WinningEvidence wins.
func (p *Processor) Contest(ctx context.Context, by access.Actor, a *payment.Attempt, evidence string) error {
	sent, known, err := p.store.Simulated(ctx, by.Portfolio, a.ID)
	if err != nil {
		return err
	}
	if !known || sent.AnsweredOn != nil {
		return fault.New(fault.InvalidTransition, "This dispute was answered already.")
	}
	today := p.rules.Today(by)
	sent.AnsweredOn, sent.Wins = &today, strings.Contains(evidence, WinningEvidence)
	sent.NextOn = sent.next(today)
	return p.store.SaveSimulated(ctx, by.Portfolio, &sent)
}

// Movements is payment.Bookkeeper's.
func (p *Processor) Movements(
	ctx context.Context, by access.Actor, _ *string, from, to clock.Time,
) ([]payment.Movement, error) {
	all, err := p.movements(ctx, by)
	return slices.DeleteFunc(all, func(m payment.Movement) bool { return m.At < from || m.At >= to }), err
}

// movements are all that have changed the balance of a portfolio, in that order.
func (p *Processor) movements(ctx context.Context, by access.Actor) (all []payment.Movement, err error) {
	sent, err := p.store.SentSimulated(ctx, by.Portfolio)
	if err != nil {
		return nil, err
	}
	today := p.rules.Today(by)
	for i := range sent {
		all = sent[i].moved(all, today, by.Zone)
	}
	slices.SortStableFunc(all, func(a, b payment.Movement) int {
		return cmp.Or(cmp.Compare(a.At, b.At), strings.Compare(a.Reference, b.Reference))
	})
	return all, nil
}

// moved adds the movements of a payment by a day.
func (s *Sent) moved(all []payment.Movement, today clock.Date, zone *time.Location) []payment.Movement {
	if s.Method == nil {
		return all
	}
	var state payment.State
	if s.fill(&state, today, zone); state.Status != payment.Succeeded {
		return all
	}
	reference := s.reference()
	add := func(suffix string, kind payment.MovementKind, amount, fee money.Cents, at clock.Time) {
		all = append(all, payment.Movement{
			Reference: reference + suffix, Kind: kind, Payment: &reference, Amount: amount, Fee: fee, At: at,
		})
	}
	add("", payment.MovedPayment, s.Total, Fee(*s.Method, s.Total), state.At)
	var refunded money.Cents
	for i := range s.Refunds {
		r := &s.Refunds[i]
		refunded += r.Amount
		add("_"+r.ID[len(r.ID)-8:], payment.MovedRefund, -r.Amount, 0, r.At)
	}
	b := state.Back
	if b == nil {
		return all
	}
	if b.How == payment.Returned {
		add("_return", payment.MovedReturn, refunded-s.Total, 0, b.At)
		return all
	}
	disputed := s.SentOn.AddDays(s.Outcome.backAfter())
	add("_dispute", payment.MovedDispute, refunded-s.Total, 0, startOf(disputed, zone))
	if b.How == payment.Won {
		add("_won", payment.MovedDispute, s.Total-refunded, 0, b.At)
	}
	return all
}

// Fee is what a payment costs the landlord: the rates that Stripe publishes for cards and ACH.
func Fee(method portfolio.PaymentMethod, amount money.Cents) money.Cents {
	if method == portfolio.PayByCard {
		return (amount*29+500)/1000 + 30
	}
	return min((amount*8+500)/1000, money.Dollars(5))
}

// Payouts is payment.Bookkeeper's. What has come is paid out two business days later, together with what else has
// happened on that day. Where more has gone back than come, the rest goes into the payout after that.
func (p *Processor) Payouts(
	ctx context.Context, by access.Actor, _ *string, since clock.Date,
) (all []payment.Payout, err error) {
	moved, err := p.movements(ctx, by)
	if err != nil {
		return nil, err
	}
	today := p.rules.Today(by)
	var waiting []payment.Movement
	var sum money.Cents
	for i := range moved {
		waiting, sum = append(waiting, moved[i]), sum+moved[i].Amount-moved[i].Fee
		day := payoutDay(&moved[i], by.Zone)
		if i+1 < len(moved) && payoutDay(&moved[i+1], by.Zone) == day || day > today || sum <= 0 {
			continue
		}
		out := payment.Payout{
			Reference: "demo_po_" + day.Std().Format("20060102"),
			Amount:    sum,
			Status:    payment.PayoutPending,
			CreatedAt: startOf(day, by.Zone),
			ArrivesOn: businessDaysAfter(day, arrivalDays),
			Movements: waiting,
		}
		if out.ArrivesOn <= today {
			out.Status = payment.PayoutPaid
		}
		if waiting, sum = nil, 0; day >= since {
			all = append(all, out)
		}
	}
	slices.Reverse(all)
	return all, nil
}

func payoutDay(m *payment.Movement, zone *time.Location) clock.Date {
	return businessDaysAfter(clock.DateOf(m.At.Std(), zone), payoutDays)
}
