package stripe

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/stripe/stripe-go/v84"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/payment"
)

// Contest is payment.Bookkeeper's.
//
// Errors: fault.InvalidTransition where no dispute waits for an answer.
func (p *Processor) Contest(ctx context.Context, _ access.Actor, a *payment.Attempt, evidence string) error {
	doing := "contest the dispute of the payment " + a.ID
	if a.Account == nil || a.Reference == nil {
		return p.failed(doing, errNoPayment)
	}
	disputes, err := p.disputes(ctx, a.Account, *a.Reference)
	if err != nil {
		return p.failed(doing, err)
	}
	at := slices.IndexFunc(disputes, func(d *stripe.Dispute) bool {
		return d.Status == stripe.DisputeStatusNeedsResponse &&
			(d.EvidenceDetails == nil || d.EvidenceDetails.SubmissionCount == 0)
	})
	if at < 0 {
		return fault.New(fault.InvalidTransition, "No dispute of this payment waits for an answer.")
	}
	said := sha256.Sum256([]byte(evidence))
	key := fmt.Sprintf("%s-contest-%s", disputes[at].ID, hex.EncodeToString(said[:8]))
	_, err = p.api().V1Disputes.Update(ctx, disputes[at].ID, &stripe.DisputeUpdateParams{
		Params:   on(a.Account, key),
		Evidence: &stripe.DisputeUpdateEvidenceParams{UncategorizedText: &evidence},
		Submit:   new(true),
	})
	return p.failed(doing, err)
}

// Payouts is payment.Bookkeeper's. Stripe tells what is in a payout only of those that it makes by itself, and only
// some time after it has made them.
func (p *Processor) Payouts(
	ctx context.Context, by access.Actor, account *string, since clock.Date,
) ([]payment.Payout, error) {
	const doing = "read the payouts"
	if account == nil {
		return nil, p.failed(doing, errNoAccount)
	}
	y, m, d := since.Std().Date()
	made, err := all(p.api().V1Payouts.List(ctx, &stripe.PayoutListParams{
		ListParams:   pages(account),
		CreatedRange: &stripe.RangeQueryParams{GreaterThanOrEqual: time.Date(y, m, d, 0, 0, 0, 0, zone(by)).Unix()},
	}))
	if err != nil {
		return nil, p.failed(doing, err)
	}
	var payouts []payment.Payout
	for _, x := range made {
		if x.Currency != currency {
			continue
		}
		payout := payment.Payout{
			Reference: x.ID,
			Amount:    cents(x.Amount),
			Status:    payoutStatus(x.Status),
			CreatedAt: moment(x.Created),
			ArrivesOn: clock.DateOf(time.Unix(x.ArrivalDate, 0), time.UTC),
			Failure:   payoutFailure(x),
		}
		if x.Automatic && x.ReconciliationStatus != stripe.PayoutReconciliationStatusInProgress {
			payout.Movements, err = p.movements(ctx, &stripe.BalanceTransactionListParams{
				ListParams: pages(account), Payout: &x.ID,
			})
			if err != nil {
				return nil, p.failed(doing, err)
			}
		}
		payouts = append(payouts, payout)
	}
	return payouts, nil
}

func payoutStatus(s stripe.PayoutStatus) payment.PayoutStatus {
	switch s {
	case stripe.PayoutStatusPaid:
		return payment.PayoutPaid
	case stripe.PayoutStatusFailed:
		return payment.PayoutFailed
	case stripe.PayoutStatusCanceled:
		return payment.PayoutCanceled
	default: // also in_transit
		return payment.PayoutPending
	}
}

func payoutFailure(x *stripe.Payout) string {
	if x.Status != stripe.PayoutStatusFailed {
		return ""
	}
	if x.FailureMessage != "" {
		return x.FailureMessage
	}
	return string(x.FailureCode)
}

// Movements is payment.Bookkeeper's. Stripe counts in seconds.
func (p *Processor) Movements(
	ctx context.Context, _ access.Actor, account *string, from, to clock.Time,
) ([]payment.Movement, error) {
	const doing = "read the movements"
	if account == nil {
		return nil, p.failed(doing, errNoAccount)
	}
	found, err := p.movements(ctx, &stripe.BalanceTransactionListParams{
		ListParams:   pages(account),
		Currency:     new(currency),
		CreatedRange: &stripe.RangeQueryParams{GreaterThanOrEqual: seconds(from), LesserThan: seconds(to)},
	})
	return found, p.failed(doing, err)
}

// seconds is the first second that is not before a moment.
func seconds(t clock.Time) int64 { return t.Std().Add(time.Second - time.Nanosecond).Unix() }

// movements are those of a list without payouts, the oldest first.
func (p *Processor) movements(
	ctx context.Context, which *stripe.BalanceTransactionListParams,
) ([]payment.Movement, error) {
	which.Expand = expand("data.source")
	list, err := all(p.api().V1BalanceTransactions.List(ctx, which))
	if err != nil {
		return nil, err
	}
	var found []payment.Movement
	for _, t := range slices.Backward(list) {
		switch t.ReportingCategory {
		case stripe.BalanceTransactionReportingCategoryPayout, stripe.BalanceTransactionReportingCategoryPayoutReversal:
			continue
		}
		found = append(found, payment.Movement{
			Reference: t.ID,
			Kind:      kind(t),
			Payment:   paymentOf(t.Source),
			Amount:    cents(t.Amount),
			Fee:       cents(t.Fee),
			At:        moment(t.Created),
			Words:     t.Description,
		})
	}
	return found, nil
}

// kind is what a movement is. Its type tells of a payment from a bank account that failed after it was counted.
// Otherwise its category decides, in which a dispute and a return by a bank are the same.
func kind(t *stripe.BalanceTransaction) payment.MovementKind {
	switch t.Type {
	case stripe.BalanceTransactionTypePaymentFailureRefund, stripe.BalanceTransactionTypePaymentReversal:
		return payment.MovedReturn
	}
	switch t.ReportingCategory {
	case stripe.BalanceTransactionReportingCategoryCharge:
		return payment.MovedPayment
	case stripe.BalanceTransactionReportingCategoryRefund, stripe.BalanceTransactionReportingCategoryRefundFailure:
		return payment.MovedRefund
	case stripe.BalanceTransactionReportingCategoryChargeFailure:
		return payment.MovedReturn
	case stripe.BalanceTransactionReportingCategoryDispute, stripe.BalanceTransactionReportingCategoryDisputeReversal:
		if t.Source != nil && t.Source.Dispute != nil && ofBank(t.Source.Dispute) {
			return payment.MovedReturn
		}
		return payment.MovedDispute
	case stripe.BalanceTransactionReportingCategoryFee, stripe.BalanceTransactionReportingCategoryTax:
		return payment.MovedFee
	default:
		return payment.MovedOther
	}
}

// ofBank reports whether a dispute is of a payment from a bank account. Stripe names charges of cards ch_…, and all
// others py_….
func ofBank(d *stripe.Dispute) bool {
	return d.Charge != nil && strings.HasPrefix(d.Charge.ID, "py_")
}

// paymentOf is what Stripe calls the payment that a movement is of, nil for none.
func paymentOf(source *stripe.BalanceTransactionSource) *string {
	if source == nil {
		return nil
	}
	var intent *stripe.PaymentIntent
	switch {
	case source.Charge != nil:
		intent = source.Charge.PaymentIntent
	case source.Refund != nil:
		intent = source.Refund.PaymentIntent
	case source.Dispute != nil:
		intent = source.Dispute.PaymentIntent
	}
	if intent == nil {
		return nil
	}
	return &intent.ID
}
