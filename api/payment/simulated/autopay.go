package simulated

import (
	"context"
	"fmt"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/payment"
	"portal/api/portfolio"
)

// Enroll is payment.Charger's. The page is below that of autopay.
func (*Processor) Enroll(
	_ context.Context, by access.Actor, p *payment.Autopay, returnTo string,
) (payment.Started, error) {
	if by.Portfolio.Mode != access.Test {
		return payment.Started{}, errLiveAutopay(p)
	}
	return payment.Started{URL: checkoutAt(returnTo)}, nil
}

func errLiveAutopay(p *payment.Autopay) error {
	return fmt.Errorf("autopay %s is of a live portfolio, and nothing is simulated there", p.ID)
}

// Give gives a card or a bank account for autopay, as a tenant does on the page of the processor. Where that was done
// before it is fault.InvalidTransition.
func (p *Processor) Give(
	ctx context.Context, by access.Actor, a *payment.Autopay, method portfolio.PaymentMethod, o Outcome,
) error {
	if by.Portfolio.Mode != access.Test || a.Processor != Name {
		return errLiveAutopay(a)
	}
	fresh, err := p.store.AddSource(ctx, by.Portfolio, &Source{AutopayID: a.ID, Method: method, Outcome: o})
	if err == nil && !fresh {
		err = fault.New(fault.InvalidTransition, "Autopay was set up already.")
	}
	return err
}

// Enrolled is payment.Charger's.
func (p *Processor) Enrolled(
	ctx context.Context, by access.Actor, a *payment.Autopay,
) (payment.Enrollment, error) {
	e := payment.Enrollment{Status: payment.AutopayPending}
	source, known, err := p.store.Source(ctx, by.Portfolio, a.ID)
	if err == nil && known {
		e.Status, e.Method = payment.AutopayActive, source.Method
	}
	return e, err
}

// Charge is payment.Charger's: what the tenant has given is charged once.
func (p *Processor) Charge(
	ctx context.Context, by access.Actor, a *payment.Attempt, autopay *payment.Autopay,
) (*string, error) {
	source, known, err := p.store.Source(ctx, by.Portfolio, autopay.ID)
	switch {
	case err != nil:
		return nil, err
	case !known:
		return nil, p.Cancel(ctx, by, a)
	}
	err = p.Send(ctx, by, a, source.Method, source.Outcome)
	if fault.Is(err, fault.InvalidTransition) {
		err = nil // it was charged before
	}
	return nil, err
}

// Release is payment.Charger's.
func (p *Processor) Release(ctx context.Context, by access.Actor, a *payment.Autopay) error {
	return p.store.DeleteSource(ctx, by.Portfolio, a.ID)
}
