package ledger

import (
	"strings"
	"testing"

	"portal/api/clock"
	"portal/api/fault"
	"portal/api/money"
	"portal/api/portfolio"
)

// The steps of a payment from each status (docs/site/records.md).
func TestPaymentAllowsOnlyValidTransitions(t *testing.T) {
	t.Parallel()
	const now = clock.Time(1_728_000_000_000)
	steps := map[portfolio.PaymentStatus]func(*row) error{
		portfolio.PaymentProcessing: func(p *row) error {
			return startPayment(p, portfolio.PayByCard, now)
		},
		portfolio.PaymentSucceeded: func(p *row) error {
			return clearPayment(p, Clearing{Amount: 700, Method: portfolio.PayByCard}, now)
		},
		portfolio.PaymentPartiallyPaid: func(p *row) error {
			return clearPayment(p, Clearing{Amount: 699, Method: portfolio.PayByCard}, now)
		},
	}
	byHand := func(amount money.Cents) func(*row) error {
		return func(p *row) error {
			return recordPayment(p, Clearing{Amount: 699 + amount, Method: "check"}, now)
		}
	}
	allowed := map[string]bool{
		"scheduled processing":      true,
		"due processing":            true,
		"partially_paid processing": true,
		"failed processing":         true,
		"processing succeeded":      true,
		"processing partially_paid": true,
	}
	for _, from := range portfolio.PaymentDue.Values() {
		for _, to := range portfolio.PaymentDue.Values() {
			step, known := steps[portfolio.PaymentStatus(to)]
			may := allowed[from+" "+to]
			if !known {
				if may {
					t.Errorf("nobody takes %s to %s", from, to)
				}
				continue
			}
			judge(t, from, to, may, step)
		}
		hand := portfolio.PaymentStatus(from).Payable()
		judge(t, from, "succeeded", hand, byHand(1))
		judge(t, from, "partially_paid", hand, byHand(0))
	}
}

// judge takes a step with a row of 1,000 cents of which 300 are paid.
func judge(t *testing.T, from, to string, may bool, step func(*row) error) {
	t.Helper()
	before := portfolio.Payment{Status: portfolio.PaymentStatus(from), Amount: 1000, AmountPaid: 300}
	p := before
	r := row{Payment: &p, all: p.Told(nil), newID: func() string { return "txn_1" }}
	err := step(&r)
	if r.added {
		p.Derive(r.all, p.DueDate)
	}
	switch {
	case !may &&
		(!fault.Is(err, fault.InvalidTransition) || !strings.Contains(err.Error(), " is "+from+" ") || p != before):
		t.Errorf("%s to %s: %v, %+v", from, to, err, p)
	case may && (err != nil || p.Status != portfolio.PaymentStatus(to)):
		t.Errorf("%s to %s: %v, is %s", from, to, err, p.Status)
	}
}
