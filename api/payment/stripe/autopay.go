package stripe

import (
	"context"
	"net/http"
	"time"

	"github.com/stripe/stripe-go/v84"

	"portal/api/access"
	"portal/api/payment"
)

const errNotEnrolled problem = "the tenant has given no card or account"

// Enroll is payment.Charger's.
func (p *Processor) Enroll(
	ctx context.Context, _ access.Actor, x *payment.Autopay, returnTo string,
) (payment.Started, error) {
	doing := "enroll the autopay " + x.ID
	if x.Account == nil {
		return payment.Started{}, p.failed(doing, errNoAccount)
	}
	named := map[string]string{autopayKey: x.ID}
	tenant, err := p.api().V1Customers.Create(ctx, &stripe.CustomerCreateParams{
		Params: on(x.Account, x.ID+"-customer"), Metadata: named,
	})
	if err != nil {
		return payment.Started{}, p.failed(doing, err)
	}
	s, err := p.api().V1CheckoutSessions.Create(ctx, &stripe.CheckoutSessionCreateParams{
		Params:             on(x.Account, x.ID+"-enroll"),
		Mode:               new(string(stripe.CheckoutSessionModeSetup)),
		Customer:           &tenant.ID,
		PaymentMethodTypes: types(nil),
		SuccessURL:         &returnTo,
		CancelURL:          &returnTo,
		ClientReferenceID:  &x.ID,
		Metadata:           named,
		SetupIntentData:    &stripe.CheckoutSessionCreateSetupIntentDataParams{Metadata: named},
	})
	if err != nil {
		return payment.Started{}, p.failed(doing, err)
	}
	return payment.Started{URL: s.URL, Session: &s.ID}, nil
}

// Enrolled is payment.Charger's. A bank account that is yet to be confirmed with small deposits is pending.
func (p *Processor) Enrolled(
	ctx context.Context, _ access.Actor, x *payment.Autopay,
) (payment.Enrollment, error) {
	e := payment.Enrollment{Status: payment.AutopayEnded, Account: x.Account}
	if x.Account == nil || x.Session == nil {
		return e, nil // nobody has the address of its page
	}
	s, err := p.api().V1CheckoutSessions.Retrieve(ctx, *x.Session, &stripe.CheckoutSessionRetrieveParams{
		Params: on(x.Account, ""), Expand: expand("setup_intent.payment_method"),
	})
	if err != nil {
		return e, p.failed("read the autopay "+x.ID, err)
	}
	if s.Customer != nil {
		e.Customer = &s.Customer.ID
	}
	switch s.Status {
	case stripe.CheckoutSessionStatusExpired:
		return e, nil
	case stripe.CheckoutSessionStatusOpen:
		e.Status = payment.AutopayPending
		return e, nil
	}
	intent := s.SetupIntent
	if intent == nil {
		return e, nil
	}
	switch intent.Status {
	case stripe.SetupIntentStatusSucceeded:
		if intent.PaymentMethod == nil {
			return e, nil
		}
		e.Status, e.Reference = payment.AutopayActive, &intent.PaymentMethod.ID
		e.Method = method(string(intent.PaymentMethod.Type))
	case stripe.SetupIntentStatusProcessing, stripe.SetupIntentStatusRequiresAction,
		stripe.SetupIntentStatusRequiresConfirmation:
		e.Status = payment.AutopayPending
	}
	return e, nil
}

// Charge is payment.Charger's. Stripe forgets idempotency keys after a day, so what the tenant was charged since the
// attempt began is looked at first. A payment that is declined has a name too, and State tells that it failed.
func (p *Processor) Charge(
	ctx context.Context, _ access.Actor, a *payment.Attempt, x *payment.Autopay,
) (reference *string, err error) {
	doing := "charge the payment " + a.ID
	switch {
	case a.Reference != nil:
		return a.Reference, nil
	case a.Account == nil:
		return nil, p.failed(doing, errNoAccount)
	case x.Customer == nil || x.Reference == nil || x.Method == nil:
		return nil, p.failed(doing, errNotEnrolled)
	}
	reference, err = p.charged(ctx, a, *x.Customer)
	if err != nil || reference != nil {
		return reference, p.failed(doing, err)
	}
	intent, err := p.api().V1PaymentIntents.Create(ctx, &stripe.PaymentIntentCreateParams{
		Params:             on(a.Account, a.ID+"-charge"),
		Amount:             new(int64(a.Total())),
		Currency:           new(currency),
		Customer:           x.Customer,
		PaymentMethod:      x.Reference,
		PaymentMethodTypes: types(x.Method),
		Confirm:            new(true),
		OffSession:         new(true),
		Metadata:           map[string]string{attemptKey: a.ID, autopayKey: x.ID},
	})
	if e := answer(err); e != nil && e.HTTPStatusCode == http.StatusPaymentRequired && e.PaymentIntent != nil {
		return &e.PaymentIntent.ID, nil
	}
	if err != nil {
		return nil, p.failed(doing, err)
	}
	return &intent.ID, nil
}

// clockSkew is how much the clocks here and at Stripe may differ.
const clockSkew = time.Hour

// charged is the payment of an attempt that was made already, nil for none.
func (p *Processor) charged(ctx context.Context, a *payment.Attempt, customer string) (*string, error) {
	since := a.CreatedAt.Std().Add(-clockSkew).Unix()
	made, err := all(p.api().V1PaymentIntents.List(ctx, &stripe.PaymentIntentListParams{
		ListParams:   pages(a.Account),
		Customer:     &customer,
		CreatedRange: &stripe.RangeQueryParams{GreaterThanOrEqual: since},
	}))
	for _, intent := range made {
		if intent.Metadata[attemptKey] == a.ID {
			return &intent.ID, nil
		}
	}
	return nil, err
}

// Release is payment.Charger's. A page on which nothing was given yet is closed.
func (p *Processor) Release(ctx context.Context, _ access.Actor, x *payment.Autopay) error {
	doing := "release the autopay " + x.ID
	switch {
	case x.Account == nil, x.Reference == nil && x.Session == nil:
		return nil
	case x.Reference == nil:
		return p.failed(doing, p.expire(ctx, x.Account, *x.Session))
	}
	_, err := p.api().V1PaymentMethods.Detach(ctx, *x.Reference,
		&stripe.PaymentMethodDetachParams{Params: on(x.Account, "")})
	switch {
	case missing(err):
		return nil
	case refused(err): // as one that is detached already is
		kept, failed := p.api().V1PaymentMethods.Retrieve(ctx, *x.Reference,
			&stripe.PaymentMethodRetrieveParams{Params: on(x.Account, "")})
		if missing(failed) || failed == nil && kept.Customer == nil {
			return nil
		}
	}
	return p.failed(doing, err)
}
