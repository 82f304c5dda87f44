package stripe

import (
	"context"
	"slices"
	"time"

	"github.com/stripe/stripe-go/v84"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/payment"
	"portal/api/portfolio"
)

// Refund is payment.Processor's. Stripe forgets idempotency keys after a day, so its list of refunds is looked at
// first. A refund that it refuses for good is no error: State does not find it in the list, and reports it as failed.
func (p *Processor) Refund(ctx context.Context, _ access.Actor, a *payment.Attempt, r *payment.Refund) error {
	doing := "refund " + r.ID
	if a.Account == nil || a.Reference == nil {
		return p.failed(doing, errNoPayment)
	}
	made, err := p.refundsOf(ctx, a.Account, *a.Reference)
	if err != nil {
		return p.failed(doing, err)
	}
	if slices.ContainsFunc(made, func(x *stripe.Refund) bool { return x.Metadata[refundKey] == r.ID }) {
		return nil
	}
	_, err = p.api().V1Refunds.Create(ctx, &stripe.RefundCreateParams{
		Params:        on(a.Account, r.ID),
		PaymentIntent: a.Reference,
		Amount:        new(int64(r.Amount)),
		Metadata:      map[string]string{refundKey: r.ID, attemptKey: a.ID},
	})
	if refusedForGood(err) {
		return nil
	}
	return p.failed(doing, err)
}

// refusedForGood reports whether a refund can never be made: the charge is refunded or disputed already, or less than
// that is left of it. A balance that does not suffice is no such reason.
func refusedForGood(err error) bool {
	if !refused(err) {
		return false
	}
	e := answer(err)
	switch e.Code {
	case stripe.ErrorCodeChargeAlreadyRefunded, stripe.ErrorCodeChargeDisputed, stripe.ErrorCodeRefundDisputedPayment,
		stripe.ErrorCodeChargeNotRefundable:
		return true
	}
	return e.Param == "amount"
}

func (p *Processor) refundsOf(ctx context.Context, account *string, intent string) ([]*stripe.Refund, error) {
	return all(
		p.api().V1Refunds.List(ctx, &stripe.RefundListParams{ListParams: pages(account), PaymentIntent: &intent}),
	)
}

// refunds are those that Stripe has of a payment, the oldest first, and those that it refused.
func (p *Processor) refunds(
	ctx context.Context, a *payment.Attempt, intent string, asked []payment.Refund,
) ([]payment.Refund, error) {
	made, err := p.refundsOf(ctx, a.Account, intent)
	if err != nil {
		return nil, err
	}
	var found []payment.Refund
	for _, x := range slices.Backward(made) {
		r := payment.Refund{CreatedAt: moment(x.Created)}
		if at := slices.IndexFunc(
			asked,
			func(r payment.Refund) bool { return r.ID == x.Metadata[refundKey] },
		); at >= 0 {
			r = asked[at]
		}
		r.AttemptID, r.Amount, r.Reference, r.At = a.ID, cents(x.Amount), &x.ID, moment(x.Created)
		switch x.Status {
		case stripe.RefundStatusSucceeded:
			r.Status = payment.RefundSucceeded
		case stripe.RefundStatusFailed, stripe.RefundStatusCanceled:
			r.Status = payment.RefundFailed
		default:
			r.Status = payment.RefundPending
		}
		found = append(found, r)
	}
	for _, r := range asked {
		if r.Status == payment.RefundPending &&
			!slices.ContainsFunc(found, func(x payment.Refund) bool { return x.ID == r.ID }) {
			r.Status, r.At = payment.RefundFailed, r.CreatedAt
			found = append(found, r)
		}
	}
	return found, nil
}

// disputes are those of a payment, the latest first.
func (p *Processor) disputes(ctx context.Context, account *string, intent string) ([]*stripe.Dispute, error) {
	return all(p.api().V1Disputes.List(ctx, &stripe.DisputeListParams{
		ListParams: pages(account), PaymentIntent: &intent,
	}))
}

// wentBack is the latest dispute that has moved money, nil where there is none. An inquiry has not. A dispute of a
// payment from a bank account is a return by the bank, which is final.
func wentBack(disputes []*stripe.Dispute, by portfolio.PaymentMethod, zone *time.Location) *payment.WentBack {
	at := slices.IndexFunc(disputes, moved)
	if at < 0 {
		return nil
	}
	d := disputes[at]
	b := &payment.WentBack{How: payment.Returned, At: moment(d.Created)}
	if by == portfolio.PayByACH {
		b.Code, b.Message = returned(string(d.Reason))
		return b
	}
	b.How, b.Status = payment.Disputed, string(d.Status)
	b.Code, b.Message = disputed(string(d.Reason))
	if d.EvidenceDetails != nil && d.EvidenceDetails.DueBy > 0 {
		b.DueOn = new(clock.DateOf(time.Unix(d.EvidenceDetails.DueBy, 0), zone))
	}
	if d.Status == stripe.DisputeStatusWon {
		b.How = payment.Won
		for _, t := range d.BalanceTransactions {
			if t.Amount > 0 {
				b.At = moment(t.Created) // when the money came again
			}
		}
	}
	return b
}

// moved reports whether a dispute has moved money.
func moved(d *stripe.Dispute) bool {
	switch d.Status {
	case stripe.DisputeStatusNeedsResponse, stripe.DisputeStatusUnderReview, stripe.DisputeStatusWon,
		stripe.DisputeStatusLost:
		return true
	default:
		return false
	}
}
