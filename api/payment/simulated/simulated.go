// Package simulated is the payment processor of demo portfolios. It moves no money: what becomes of a payment follows
// from the test number that was typed, and from the portfolio's clock. A card clears at once, a bank account after
// three business days.
//
// It keeps no number of a card or an account, and takes no payment of a live portfolio.
package simulated

import (
	"context"
	"fmt"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/payment"
	"portal/api/portfolio"
)

// Name is the processor's in attempts.
const Name = "simulated"

// CheckoutPath is where the page of the processor is, after the address of the attempt's own page.
const CheckoutPath = "/checkout"

// clearDays is how many business days a payment from a bank account takes.
const clearDays = 3

// Payment is what the processor knows of an attempt once it was sent, or canceled.
type Payment struct {
	AttemptID string
	Method    *portfolio.PaymentMethod // nil for one that was canceled
	Outcome   Outcome
	SentAt    clock.Time // by the portfolio's clock
	SentOn    clock.Date
	NextOn    *clock.Date // when something happens to it, nil for never
	// When its dispute was answered, nil where it was not, and whether the answer wins.
	AnsweredOn *clock.Date
	Wins       bool
}

// Source is the card or the bank account that a tenant has given for autopay: what becomes of payments with it.
type Source struct {
	AutopayID string
	Method    portfolio.PaymentMethod
	Outcome   Outcome
}

// Store keeps what the processor knows.
type Store interface {
	// AddSource writes what autopay charges, and reports whether nothing was known of it before.
	AddSource(ctx context.Context, in access.Portfolio, s *Source) (bool, error)
	// Source reads what autopay charges, and reports whether anything is known of it.
	Source(ctx context.Context, in access.Portfolio, autopayID string) (s Source, known bool, err error)
	DeleteSource(ctx context.Context, in access.Portfolio, autopayID string) error
	// AddSimulated writes what becomes of an attempt, and reports whether nothing was known of it before.
	AddSimulated(ctx context.Context, in access.Portfolio, p *Payment) (bool, error)
	// Simulated reads what is known of an attempt, and reports whether anything is.
	Simulated(ctx context.Context, in access.Portfolio, attemptID string) (p Payment, known bool, err error)
	SaveSimulated(ctx context.Context, in access.Portfolio, p *Payment) error
	// SentSimulated are all that were sent, with their attempts and the refunds that were made of them.
	SentSimulated(ctx context.Context, in access.Portfolio) ([]Sent, error)
	// DueSimulated names attempts to which something happens by a day, at most so many.
	DueSimulated(ctx context.Context, in access.Portfolio, today clock.Date, most int) ([]string, error)
}

// Processor is the simulated processor.
type Processor struct {
	rules *portfolio.Common
	store Store
}

// New makes the processor, whose clock is that of the rules.
func New(c *portfolio.Common, store Store) *Processor { return &Processor{c, store} }

// Name is payment.Processor's.
func (*Processor) Name() string { return Name }

// Start is payment.Processor's. The page is below the attempt's own.
func (*Processor) Start(
	_ context.Context, by access.Actor, a *payment.Attempt, returnTo string,
) (payment.Started, error) {
	if by.Portfolio.Mode != access.Test {
		return payment.Started{}, errLive(a)
	}
	return payment.Started{URL: checkoutAt(returnTo)}, nil
}

// checkoutAt is the page of the processor below an address, which may have a query.
func checkoutAt(address string) string {
	path, query, has := strings.Cut(address, "?")
	if has {
		query = "?" + query
	}
	return path + CheckoutPath + query
}

func errLive(a *payment.Attempt) error {
	return fmt.Errorf("the payment %s is of a live portfolio, and nothing is simulated there", a.ID)
}

// Send pays an attempt as a tenant does on the page of the processor. One that was sent or canceled before is
// fault.InvalidTransition.
func (p *Processor) Send(
	ctx context.Context, by access.Actor, a *payment.Attempt, method portfolio.PaymentMethod, o Outcome,
) error {
	if by.Portfolio.Mode != access.Test || a.Processor != Name {
		return errLive(a)
	}
	sent := Payment{
		AttemptID: a.ID, Method: &method, Outcome: o, SentAt: p.rules.MomentToday(by), SentOn: p.rules.Today(by),
	}
	sent.NextOn = sent.next(sent.SentOn)
	fresh, err := p.store.AddSimulated(ctx, by.Portfolio, &sent)
	if err == nil && !fresh {
		err = fault.New(fault.InvalidTransition, "This payment was sent or canceled already.")
	}
	return err
}

// Cancel is payment.Processor's.
func (p *Processor) Cancel(ctx context.Context, by access.Actor, a *payment.Attempt) error {
	_, err := p.store.AddSimulated(ctx, by.Portfolio, &Payment{
		AttemptID: a.ID, Outcome: canceled, SentAt: p.rules.MomentToday(by), SentOn: p.rules.Today(by),
	})
	return err
}

// Refund is payment.Processor's: State reports every refund as made.
func (*Processor) Refund(context.Context, access.Actor, *payment.Attempt, *payment.Refund) error {
	return nil
}

// State is payment.Processor's. It follows from what was sent and the portfolio's day alone. Of an attempt that a demo
// portfolio began with, nothing was sent here, and its status stands.
func (p *Processor) State(
	ctx context.Context, by access.Actor, a *payment.Attempt, refunds []payment.Refund,
) (payment.State, error) {
	state := payment.State{Status: payment.Open, Amount: a.Total(), Currency: portfolio.Currency}
	sent, known, err := p.store.Simulated(ctx, by.Portfolio, a.ID)
	switch {
	case err != nil:
		return state, err
	case known:
		sent.fill(&state, p.rules.Today(by), by.Zone)
	default:
		state.Status = a.Status
	}
	if a.Reference != nil { // such as one that the demo portfolio began with
		state.Reference = a.Reference
	}
	if state.Status == payment.Succeeded {
		for _, r := range refunds {
			r.Status, r.Reference = payment.RefundSucceeded, new("demo_"+r.ID)
			if state.Back != nil && state.Back.How != payment.Won {
				r.Status = payment.RefundFailed // the money is not there any more
			}
			state.Refunds = append(state.Refunds, r)
		}
	}
	return state, nil
}

// reference is what the processor calls a payment.
func (p *Payment) reference() string {
	return "demo_" + string(*p.Method) + "_" + p.AttemptID[len(p.AttemptID)-8:]
}

// fill says what has become of a payment by a day.
func (p *Payment) fill(state *payment.State, today clock.Date, zone *time.Location) {
	state.At = p.SentAt
	if p.Method == nil {
		state.Status = payment.Canceled
		return
	}
	state.Method = *p.Method
	state.Reference = new(p.reference())
	code, message := p.Outcome.failure()
	cleared := p.SentOn
	if *p.Method == portfolio.PayByACH {
		cleared = businessDaysAfter(p.SentOn, clearDays)
		if today < cleared || p.Outcome == NeverClears {
			state.Status = payment.Processing
			return
		}
		state.At = startOf(cleared, zone)
	}
	if p.Outcome.fails() {
		state.Status, state.FailureCode, state.FailureMessage = payment.Failed, &code, &message
		return
	}
	state.Status = payment.Succeeded
	if p.Outcome.backAfter() == 0 {
		return
	}
	back := cleared.AddDays(p.Outcome.backAfter())
	if today < back {
		return
	}
	state.Back = &payment.WentBack{How: payment.Returned, At: startOf(back, zone), Code: code, Message: message}
	if p.Outcome != ChargeDisputed {
		return
	}
	due := back.AddDays(answerDays)
	state.Back.How, state.Back.DueOn, state.Back.Status = payment.Disputed, &due, payment.NeedsResponse
	switch {
	case p.AnsweredOn == nil && today > due:
		state.Back.Status = payment.DisputeLost
	case p.AnsweredOn == nil:
	case today < p.AnsweredOn.AddDays(reviewDays):
		state.Back.Status = payment.UnderReview
	case p.Wins:
		state.Back.How, state.Back.Status = payment.Won, payment.DisputeWon
		state.Back.At = startOf(p.AnsweredOn.AddDays(reviewDays), zone)
	default:
		state.Back.Status = payment.DisputeLost
	}
}

// reviewDays is for how many days the bank reviews the answer to a dispute.
const reviewDays = 7

// answerDays is for how many days a dispute can be answered.
const answerDays = 21

// next is the first day after one on which something happens to a payment, nil for never.
func (p *Payment) next(today clock.Date) *clock.Date {
	if p.Method == nil || p.Outcome == NeverClears {
		return nil
	}
	cleared := p.SentOn
	if *p.Method == portfolio.PayByACH {
		cleared = businessDaysAfter(p.SentOn, clearDays)
	}
	days := []clock.Date{cleared}
	if after := p.Outcome.backAfter(); after > 0 {
		days = append(days, cleared.AddDays(after))
	}
	if p.Outcome == ChargeDisputed {
		ends := days[1].AddDays(answerDays + 1)
		if p.AnsweredOn != nil {
			ends = p.AnsweredOn.AddDays(reviewDays)
		}
		days = append(days, ends)
	}
	for _, day := range days {
		if day > today {
			return &day
		}
	}
	return nil
}

// startOf is the first moment of a day.
func startOf(day clock.Date, zone *time.Location) clock.Time {
	y, m, d := day.Std().Date()
	return clock.At(time.Date(y, m, d, 0, 0, 0, 0, zone))
}

// businessDaysAfter is so many days of banks after a day, weekends left out.
func businessDaysAfter(day clock.Date, n int) clock.Date {
	for n > 0 {
		day++
		if w := day.Std().Weekday(); w != time.Saturday && w != time.Sunday {
			n--
		}
	}
	return day
}
