package stripe_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"portal/api/clock"
	"portal/api/money"
	"portal/api/payment"
	"portal/api/portfolio"
)

func (s *stripeServer) autopay() *payment.Autopay {
	return &payment.Autopay{
		Record:   portfolio.Record{ID: "auto_1", CreatedAt: clock.At(s.now)},
		TenantID: "ten_1",
		Account:  &s.account,
	}
}

// enrolled is autopay from a card or an account that a tenant has given.
func (s *stripeServer) enrolled(by portfolio.PaymentMethod) *payment.Autopay {
	s.t.Helper()
	x := s.autopay()
	started, err := s.Enroll(s.t.Context(), s.by, x, back)
	ok(s.t, err)
	x.Session = started.Session
	give := s.GiveCard
	if by == portfolio.PayByACH {
		give = s.GiveACH
	}
	give(*x.Session)
	e, err := s.Enrolled(s.t.Context(), s.by, x)
	ok(s.t, err)
	equal(s.t, "the status", e.Status, payment.AutopayActive)
	x.Customer, x.Reference, x.Method = e.Customer, e.Reference, &e.Method
	return x
}

// charge charges an attempt.
func (s *stripeServer) charge(x *payment.Autopay, amount money.Cents) *payment.Attempt {
	s.t.Helper()
	a := s.attempt(amount, 0)
	a.AutopayID = &x.ID
	reference, err := s.Charge(s.t.Context(), s.by, a, x)
	ok(s.t, err)
	a.Reference = reference
	return a
}

func TestATenantGivesACardOnAPage(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	x := s.autopay()
	for range 2 {
		started, err := s.Enroll(t.Context(), s.by, x, back)
		ok(t, err)
		x.Session = started.Session
	}
	equal(t, "customers", s.made("POST", "/v1/customers"), 1)
	equal(t, "pages", s.made("POST", "/v1/checkout/sessions"), 1)
	equal(t, "the key of the customer", s.asked("POST", "/v1/customers").Key, "auto_1-customer")
	r := s.asked("POST", "/v1/checkout/sessions")
	equal(t, "the mode", r.Parameters.Get("mode"), "setup")
	equal(t, "the second way", r.Parameters.Get("payment_method_types[1]"), "us_bank_account")
	equal(t, "the name", r.Parameters.Get("metadata[autopay]"), "auto_1")
	e, err := s.Enrolled(t.Context(), s.by, x)
	ok(t, err)
	equal(t, "the status", e.Status, payment.AutopayPending)
	given := s.GiveCard(*x.Session)
	e, err = s.Enrolled(t.Context(), s.by, x)
	ok(t, err)
	equal(t, "the status", e.Status, payment.AutopayActive)
	equal(t, "the card", said(e.Reference), given)
	equal(t, "the method", e.Method, portfolio.PayByCard)
	equal(t, "the account", said(e.Account), s.account)
	if said(e.Customer) == "" {
		t.Error("there is no customer")
	}
}

func TestAPageOnWhichNothingWasGivenEnds(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	x := s.autopay()
	started, err := s.Enroll(t.Context(), s.by, x, back)
	ok(t, err)
	x.Session = started.Session
	ok(t, s.Release(t.Context(), s.by, x))
	e, err := s.Enrolled(t.Context(), s.by, x)
	ok(t, err)
	equal(t, "the status", e.Status, payment.AutopayEnded)
	ok(t, s.Release(t.Context(), s.by, x))
}

func TestAutopayChargesOnceHoweverOftenItIsAsked(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	x := s.enrolled(portfolio.PayByCard)
	a := s.charge(x, 120000)
	for range 2 {
		again := *a
		again.Reference = nil
		reference, err := s.Charge(t.Context(), s.by, &again, x)
		ok(t, err)
		equal(t, "the payment", said(reference), said(a.Reference))
	}
	s.Broken(1, http.StatusInternalServerError) // when asked whether it was charged before
	b := s.attempt(120000, 0)
	if _, err := s.Charge(t.Context(), s.by, b, x); err == nil {
		t.Error("a question without an answer was no error")
	}
	equal(t, "charges", s.made("POST", "/v1/payment_intents"), 1)
	r := s.asked("POST", "/v1/payment_intents")
	equal(t, "the key", r.Key, a.ID+"-charge")
	equal(t, "the account", r.Account, s.account)
	equal(t, "the attempt", r.Parameters.Get("metadata[attempt]"), a.ID)
	equal(t, "the tenant is there", r.Parameters.Get("off_session"), "true")
	state := s.state(a)
	equal(t, "the status", state.Status, payment.Succeeded)
	equal(t, "the amount", state.Amount, 120000)
	equal(t, "the reference", said(state.Reference), said(a.Reference))
}

func TestAChargeWhoseAnswerIsLostIsMadeOnce(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	x := s.enrolled(portfolio.PayByCard)
	a := s.attempt(5000, 0)
	a.AutopayID = &x.ID
	s.Crash(1)
	if _, err := s.Charge(t.Context(), s.by, a, x); err == nil {
		t.Fatal("it did not fail")
	}
	for _, later := range []time.Duration{0, 25 * time.Hour} { // Stripe knows the key for a day
		s.now = s.now.Add(later)
		reference, err := s.Charge(t.Context(), s.by, a, x)
		ok(t, err)
		charged := *a
		charged.Reference = reference
		equal(t, "the status", s.state(&charged).Status, payment.Succeeded)
	}
	got, err := s.Movements(t.Context(), s.by, &s.account, 0, clock.At(s.now.Add(time.Second)))
	ok(t, err)
	equal(t, "charges", len(got), 1)
}

func TestAutopayFromABankAccountIsUnderWay(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	a := s.charge(s.enrolled(portfolio.PayByACH), 120000)
	state := s.state(a)
	equal(t, "the status", state.Status, payment.Processing)
	equal(t, "the method", state.Method, portfolio.PayByACH)
	ok(t, s.Cancel(t.Context(), s.by, a))
	s.Clear(*a.Reference)
	equal(t, "the status", s.state(a).Status, payment.Succeeded)
}

func TestADeclineOfAutopayHasAPaymentThatFailed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ code, decline, want string }{
		{"card_declined", "insufficient_funds", "insufficient_funds"},
		{"card_declined", "stolen_card", "card_declined"},
		{"expired_card", "expired_card", "expired_card"},
		{"incorrect_cvc", "", "incorrect_cvc"},
		{"authentication_required", "authentication_required", "authentication_required"},
	} {
		s := newServer(t)
		x := s.enrolled(portfolio.PayByCard)
		s.Decline(c.code, c.decline)
		a := s.charge(x, 120000)
		state := s.state(a)
		equal(t, "the status", state.Status, payment.Failed)
		equal(t, "the code", said(state.FailureCode), c.want)
		again := *a
		again.Reference = nil
		reference, err := s.Charge(t.Context(), s.by, &again, x)
		ok(t, err)
		equal(t, "the payment", said(reference), said(a.Reference))
		ok(t, s.Cancel(t.Context(), s.by, a))
		equal(t, "the status", s.state(a).Status, payment.Failed)
	}
}

func TestAnAttemptOfAutopayIsOpenUntilItIsCharged(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	a := s.attempt(5000, 0)
	a.AutopayID = new("auto_1")
	equal(t, "the status", s.state(a).Status, payment.Open)
	ok(t, s.Cancel(t.Context(), s.by, a))
	_, err := s.Charge(t.Context(), s.by, a, s.autopay())
	if err == nil || !strings.Contains(err.Error(), "given no card") {
		t.Errorf("the error is %v", err)
	}
}

func TestStripeForgetsTheCardOfAutopay(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	x := s.enrolled(portfolio.PayByCard)
	for range 2 {
		ok(t, s.Release(t.Context(), s.by, x))
	}
	s.now = s.now.Add(time.Minute)
	a := s.attempt(5000, 0)
	if _, err := s.Charge(t.Context(), s.by, a, x); err == nil {
		t.Error("the card was charged")
	}
	x.Reference = new("pm_unknown")
	ok(t, s.Release(t.Context(), s.by, x))
}
