package stripe

import (
	"context"
	"strings"
	"time"

	"github.com/stripe/stripe-go/v84"

	"portal/api/access"
	"portal/api/payment"
	"portal/api/portfolio"
)

// payableFor is for how long a page can be used. Stripe wants 30 minutes at least, from when it gets the request.
const payableFor = 31 * time.Minute

// The lines of Stripe's page.
const (
	rentLine = "Rent and charges"
	feeLine  = "Processing fee"
)

// Start is payment.Processor's. All that is sent follows from the attempt, as Stripe answers the same request only once
// with the same idempotency key.
func (p *Processor) Start(
	ctx context.Context, _ access.Actor, a *payment.Attempt, returnTo string,
) (payment.Started, error) {
	if a.Account == nil {
		return payment.Started{}, p.failed("start the payment "+a.ID, errNoAccount)
	}
	named := map[string]string{attemptKey: a.ID}
	params := &stripe.CheckoutSessionCreateParams{
		Params:             on(a.Account, a.ID+"-start"),
		Mode:               new(string(stripe.CheckoutSessionModePayment)),
		PaymentMethodTypes: types(nil),
		LineItems:          []*stripe.CheckoutSessionCreateLineItemParams{line(rentLine, int64(a.Amount))},
		SuccessURL:         &returnTo,
		CancelURL:          &returnTo,
		ClientReferenceID:  &a.ID,
		Metadata:           named,
		PaymentIntentData:  &stripe.CheckoutSessionCreatePaymentIntentDataParams{Metadata: named},
		ExpiresAt:          new(a.CreatedAt.Std().Add(payableFor).Unix()),
		// A tenant abroad pays in dollars too.
		AdaptivePricing: &stripe.CheckoutSessionCreateAdaptivePricingParams{Enabled: new(false)},
	}
	if a.Fee > 0 {
		params.LineItems = append(params.LineItems, line(feeLine, int64(a.Fee)))
	}
	s, err := p.api().V1CheckoutSessions.Create(ctx, params)
	if err != nil {
		return payment.Started{}, p.failed("start the payment "+a.ID, err)
	}
	return payment.Started{URL: s.URL, Session: &s.ID}, nil
}

func line(name string, amount int64) *stripe.CheckoutSessionCreateLineItemParams {
	return &stripe.CheckoutSessionCreateLineItemParams{
		Quantity: new(int64(1)),
		PriceData: &stripe.CheckoutSessionCreateLineItemPriceDataParams{
			Currency:    new(currency),
			UnitAmount:  &amount,
			ProductData: &stripe.CheckoutSessionCreateLineItemPriceDataProductDataParams{Name: &name},
		},
	}
}

// Cancel is payment.Processor's.
func (p *Processor) Cancel(ctx context.Context, _ access.Actor, a *payment.Attempt) error {
	switch {
	case a.Account == nil:
		return nil // it was never started
	case a.AutopayID != nil:
		return p.cancelCharge(ctx, a)
	case a.Session == nil:
		return nil // nobody has the address of its page
	}
	return p.failed("cancel the payment "+a.ID, p.expire(ctx, a.Account, *a.Session))
}

// expire closes a page. One that is closed already stays as it is.
func (p *Processor) expire(ctx context.Context, account *string, session string) error {
	_, err := p.api().V1CheckoutSessions.Expire(ctx, session,
		&stripe.CheckoutSessionExpireParams{Params: on(account, "")})
	if !refused(err) {
		return err
	}
	s, failed := p.api().V1CheckoutSessions.Retrieve(ctx, session,
		&stripe.CheckoutSessionRetrieveParams{Params: on(account, "")})
	switch {
	case failed != nil:
		return failed
	case s.Status == stripe.CheckoutSessionStatusOpen:
		return err
	}
	return nil
}

// cancelCharge cancels a charge of autopay that is not under way.
func (p *Processor) cancelCharge(ctx context.Context, a *payment.Attempt) error {
	if a.Reference == nil {
		return nil
	}
	_, err := p.api().V1PaymentIntents.Cancel(ctx, *a.Reference,
		&stripe.PaymentIntentCancelParams{Params: on(a.Account, "")})
	if refused(err) { // it was sent, or canceled already: State tells
		return nil
	}
	return p.failed("cancel the payment "+a.ID, err)
}

// State is payment.Processor's. The amount and the currency are those that Stripe has.
//
// A pending refund that Stripe does not list is failed: Refund has asked for each of them before, and been refused.
func (p *Processor) State(
	ctx context.Context, by access.Actor, a *payment.Attempt, refunds []payment.Refund,
) (payment.State, error) {
	state := payment.State{
		Status:   payment.Open,
		Amount:   a.Total(),
		Currency: portfolio.Currency,
		Account:  a.Account,
		At:       a.CreatedAt,
	}
	doing := "read the payment " + a.ID
	intent, err := p.intent(ctx, a, &state)
	if err != nil || intent == nil {
		return state, p.failed(doing, err)
	}
	fill(&state, intent, a.AutopayID != nil)
	if intent.Status != stripe.PaymentIntentStatusSucceeded {
		return state, nil
	}
	if state.Refunds, err = p.refunds(ctx, a, intent.ID, refunds); err != nil {
		return state, p.failed(doing, err)
	}
	disputes, err := p.disputes(ctx, a.Account, intent.ID)
	if err != nil {
		return state, p.failed(doing, err)
	}
	state.Back = wentBack(disputes, state.Method, zone(by))
	return state, nil
}

// intent is what Stripe keeps of the payment of an attempt, nil where the tenant has not sent it. It fills in what the
// page tells then.
func (p *Processor) intent(
	ctx context.Context, a *payment.Attempt, state *payment.State,
) (*stripe.PaymentIntent, error) {
	switch {
	case a.Account == nil, a.AutopayID == nil && a.Session == nil:
		state.Status = payment.Canceled // nobody has the address of its page
		return nil, nil                 //nolint:nilnil // there is no payment, and the state tells
	case a.AutopayID != nil && a.Reference == nil:
		return nil, nil //nolint:nilnil // it is yet to be charged
	case a.AutopayID != nil:
		return p.api().V1PaymentIntents.Retrieve(ctx, *a.Reference, &stripe.PaymentIntentRetrieveParams{
			Params: on(a.Account, ""), Expand: expand("latest_charge.balance_transaction"),
		})
	}
	s, err := p.api().V1CheckoutSessions.Retrieve(ctx, *a.Session, &stripe.CheckoutSessionRetrieveParams{
		Params: on(a.Account, ""), Expand: expand("payment_intent.latest_charge.balance_transaction"),
	})
	if err != nil {
		return nil, err
	}
	state.Amount, state.Currency = cents(s.AmountTotal), strings.ToUpper(string(s.Currency))
	state.At = moment(s.Created)
	switch {
	case s.Status == stripe.CheckoutSessionStatusComplete && s.PaymentIntent == nil:
		return nil, errNoPayment
	case s.Status == stripe.CheckoutSessionStatusComplete:
		return s.PaymentIntent, nil
	case s.Status == stripe.CheckoutSessionStatusExpired:
		state.Status = payment.Canceled
	}
	// A card that was declined on an open page can be followed by another one, of the same payment.
	if s.PaymentIntent != nil {
		state.Reference = &s.PaymentIntent.ID
	}
	return nil, nil //nolint:nilnil // nothing was sent, and the state tells
}

// fill says what has become of a payment that was sent.
func fill(state *payment.State, intent *stripe.PaymentIntent, alone bool) {
	state.Amount, state.Currency = cents(intent.Amount), strings.ToUpper(string(intent.Currency))
	state.Reference = &intent.ID
	state.At = moment(intent.Created)
	if charge := intent.LatestCharge; charge != nil {
		state.At = moment(charge.Created)
		if charge.BalanceTransaction != nil && charge.BalanceTransaction.Created > 0 {
			state.At = moment(charge.BalanceTransaction.Created)
		}
		if charge.PaymentMethodDetails != nil {
			state.Method = method(string(charge.PaymentMethodDetails.Type))
		}
	}
	switch intent.Status {
	case stripe.PaymentIntentStatusSucceeded:
		state.Status = payment.Succeeded
	case stripe.PaymentIntentStatusProcessing:
		state.Status = payment.Processing
	case stripe.PaymentIntentStatusRequiresPaymentMethod:
		fail(state, intent)
	case stripe.PaymentIntentStatusCanceled:
		if alone && intent.LastPaymentError == nil {
			state.Status = payment.Canceled
			return
		}
		fail(state, intent)
	default: // the tenant has to do something, such as to confirm small deposits to the bank account
		if state.Status = payment.Processing; alone { // and is not there
			state.Status = payment.Failed
			state.FailureCode, state.FailureMessage = because(string(stripe.ErrorCodeAuthenticationRequired))
		}
	}
}

// fail says why a payment has failed. One without a reason was canceled.
func fail(state *payment.State, intent *stripe.PaymentIntent) {
	codes := []string{canceledCode}
	if e := intent.LastPaymentError; e != nil {
		codes = []string{string(e.DeclineCode), string(e.Code)}
		if intent.LatestCharge != nil {
			codes = append(codes, intent.LatestCharge.FailureCode)
		}
	}
	state.Status = payment.Failed
	state.FailureCode, state.FailureMessage = because(codes...)
}
