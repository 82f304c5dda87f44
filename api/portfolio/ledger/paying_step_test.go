package ledger

import (
	"strings"
	"testing"

	"portal/api/clock"
	"portal/api/fault"
	"portal/api/money"
	"portal/api/portfolio"
)

// paid is a row of 1,000 cents of which 300 are paid, in a status.
func paid(status portfolio.PaymentStatus) *row {
	p := portfolio.Payment{Status: status, Amount: 1000, AmountPaid: 300, DueDate: 20_000}
	if status == portfolio.PaymentProcessing {
		p.UnderWay = 700
	}
	n := 0
	return &row{Payment: &p, all: p.Told(nil), newID: func() string {
		n++
		return "txn_" + strings.Repeat("1", n)
	}}
}

// The steps of a payment from each status (docs/site/records.md).
func TestPaymentAllowsOnlyValidTransitions(t *testing.T) {
	t.Parallel()
	const now = clock.Time(1_728_000_000_000)
	byHand := func(amount money.Cents) func(*row) error {
		return func(p *row) error { return recordPayment(p, Clearing{Amount: amount, Method: "check"}, now) }
	}
	for _, from := range portfolio.PaymentDue.Values() {
		hand := portfolio.PaymentStatus(from).Payable()
		judge(t, from, "succeeded", hand, byHand(700))
		judge(t, from, "partially_paid", hand, byHand(699))
	}
}

// judge takes a step with a row of which a part is paid.
func judge(t *testing.T, from, to string, may bool, step func(*row) error) {
	t.Helper()
	r := paid(portfolio.PaymentStatus(from))
	before := *r.Payment
	err := step(r)
	if r.added {
		r.Derive(r.all, r.DueDate)
	}
	refused := fault.Is(err, fault.InvalidTransition) && strings.Contains(err.Error(), " is "+from+" ")
	switch {
	case !may && (!refused || *r.Payment != before):
		t.Errorf("%s to %s: %v, %+v", from, to, err, r.Payment)
	case may && (err != nil || r.Status != portfolio.PaymentStatus(to)):
		t.Errorf("%s to %s: %v, is %s", from, to, err, r.Status)
	}
}

// A processor reports what has happened: whatever the row has become, what it owes is paid and the rest is a surplus.
func TestMoneyOfAProcessorPaysAtMostWhatTheRowOwes(t *testing.T) {
	t.Parallel()
	a := &Attempt{ID: "pmt_1", Method: portfolio.PayByACH}
	for _, from := range portfolio.PaymentDue.Values() {
		payable := portfolio.PaymentStatus(from).Payable()
		for _, share := range []money.Cents{1, 699, 700, 701, 5000} {
			r := paid(portfolio.PaymentStatus(from))
			was := *r.Payment
			rest := a.clear(r, share, Moved{At: 1})
			if r.added {
				r.Derive(r.all, r.DueDate)
			}
			wants := money.Cents(0)
			if payable {
				wants = min(share, 700)
			}
			if r.AmountPaid-was.AmountPaid != wants || rest != share-wants || r.UnderWay != was.UnderWay {
				t.Errorf("%s by %d more: paid %d, rest %d, under way %d", from, share, r.AmountPaid, rest, r.UnderWay)
			}
		}
	}
}

// Of a row, several payments can be under way at once. It is processing only where nothing is left to pay.
func TestRowIsProcessingOnlyWhereAllThatIsLeftIsUnderWay(t *testing.T) {
	t.Parallel()
	first, second := &Attempt{ID: "pmt_1", Method: "ach"}, &Attempt{ID: "pmt_2", Method: "card"}
	r := paid(portfolio.PaymentPartiallyPaid)
	is := func(status portfolio.PaymentStatus, paid, underWay money.Cents) {
		t.Helper()
		r.Derive(r.all, r.DueDate)
		if r.Status != status || r.AmountPaid != paid || r.UnderWay != underWay {
			t.Errorf("it is %s with %d paid and %d under way, want %s, %d and %d", r.Status, r.AmountPaid, r.UnderWay,
				status, paid, underWay)
		}
	}
	first.begin(r, 400, Moved{At: 1})
	is(portfolio.PaymentPartiallyPaid, 300, 400)
	first.begin(r, 400, Moved{At: 1}) // reported again
	is(portfolio.PaymentPartiallyPaid, 300, 400)
	second.begin(r, 900, Moved{At: 2}) // more than is left
	is(portfolio.PaymentProcessing, 300, 700)
	first.fail(r, 400, Moved{At: 3, FailureCode: new("account_closed")})
	is(portfolio.PaymentPartiallyPaid, 300, 300)
	if *r.FailureCode != "account_closed" {
		t.Errorf("it failed by %v", r.FailureCode)
	}
	if rest := second.clear(r, 900, Moved{At: 4}); rest != 200 { // by now 700 are owed
		t.Errorf("the rest is %d, want 200", rest)
	}
	is(portfolio.PaymentSucceeded, 1000, 0)
}
