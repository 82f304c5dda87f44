package stripe_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/money"
	"portal/api/payment"
	"portal/api/payment/stripe"
	"portal/api/payment/stripe/stripetest"
	"portal/api/portfolio"
)

const (
	secretKey = "sk_live_of_the_test"
	back      = "https://portal.example/r/x/payments/1"
)

// stripeServer is a server with an account of a landlord, and a processor that asks it.
type stripeServer struct {
	*stripetest.Server
	*stripe.Processor
	t       *testing.T
	base    string
	now     time.Time
	account string
	by      access.Actor
}

func newServer(t *testing.T) *stripeServer {
	t.Helper()
	s := &stripeServer{t: t, now: time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)}
	s.Server = stripetest.New(secretKey, func() time.Time { return s.now })
	web := httptest.NewServer(s.Server)
	t.Cleanup(web.Close)
	s.base = web.URL
	s.Processor = stripe.New(stripe.Config{SecretKey: secretKey, APIBase: web.URL})
	s.account = s.AddAccount()
	s.by = access.Actor{Portfolio: access.Portfolio{ID: 7, Mode: access.Live}, Zone: time.UTC}
	return s
}

func (s *stripeServer) attempt(amount, fee money.Cents) *payment.Attempt {
	return &payment.Attempt{
		Record:    portfolio.Record{ID: id.New(id.Attempt, s.now), CreatedAt: clock.At(s.now)},
		Processor: stripe.Name,
		Account:   &s.account,
		Amount:    amount,
		Fee:       fee,
		Status:    payment.Open,
	}
}

func (s *stripeServer) start(a *payment.Attempt) payment.Started {
	s.t.Helper()
	started, err := s.Start(s.t.Context(), s.by, a, back)
	ok(s.t, err)
	a.Session = started.Session
	return started
}

func (s *stripeServer) state(a *payment.Attempt, refunds ...payment.Refund) payment.State {
	s.t.Helper()
	state, err := s.State(s.t.Context(), s.by, a, refunds)
	ok(s.t, err)
	if a.Reference == nil {
		a.Reference = state.Reference
	}
	return state
}

// paid is an attempt that was paid by card.
func (s *stripeServer) paid(amount money.Cents) *payment.Attempt {
	s.t.Helper()
	a := s.attempt(amount, 0)
	s.start(a)
	a.Reference = new(s.PayByCard(*a.Session))
	return a
}

// made is how many requests of a kind have made something.
func (s *stripeServer) made(method, path string) (n int) {
	seen := map[string]bool{}
	for _, r := range s.Requests() {
		if r.Method == method && r.Path == path && r.Status == http.StatusOK && !seen[r.Key] {
			seen[r.Key] = true
			n++
		}
	}
	return n
}

// asked are the latest parameters of a request.
func (s *stripeServer) asked(method, path string) stripetest.Request {
	s.t.Helper()
	for _, r := range slices.Backward(s.Requests()) {
		if r.Method == method && r.Path == path {
			return r
		}
	}
	s.t.Fatalf("nobody asked %s %s", method, path)
	return stripetest.Request{}
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s is %v, not %v", what, got, want)
	}
}

func said(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func TestAPageIsOpenedWithWhatTheAttemptSaysAlone(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	a := s.attempt(120000, 3510)
	started := s.start(a)
	if !strings.HasPrefix(started.URL, "https://checkout.stripe.com/") || started.Session == nil {
		t.Errorf("the page is %+v", started)
	}
	r := s.asked("POST", "/v1/checkout/sessions")
	equal(t, "the account of the request", r.Account, s.account)
	equal(t, "the key", r.Key, a.ID+"-start")
	for name, want := range map[string]string{
		"mode":                      "payment",
		"payment_method_types[0]":   "card",
		"payment_method_types[1]":   "us_bank_account",
		"adaptive_pricing[enabled]": "false",
		"line_items[0][price_data][product_data][name]": "Rent and charges",
		"line_items[0][price_data][unit_amount]":        "120000",
		"line_items[1][price_data][product_data][name]": "Processing fee",
		"line_items[1][price_data][unit_amount]":        "3510",
		"success_url":                                   back,
		"cancel_url":                                    back,
		"client_reference_id":                           a.ID,
		"metadata[attempt]":                             a.ID,
		"payment_intent_data[metadata][attempt]":        a.ID,
	} {
		equal(t, name, r.Parameters.Get(name), want)
	}
	for _, name := range []string{"X-Stripe-Client-User-Agent", "X-Stripe-Client-Telemetry"} {
		equal(t, name, r.Header.Get(name), "")
	}
}

func TestStartingAgainOpensTheSamePage(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	a := s.attempt(5000, 0)
	first := s.start(a)
	s.now = s.now.Add(10 * time.Minute)
	second := s.start(a)
	equal(t, "the second page", said(second.Session), said(first.Session))
	equal(t, "pages", s.made("POST", "/v1/checkout/sessions"), 1)
}

func TestAPageWhoseAnswerIsLostIsOpenedOnce(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.Lost(1)
	a := s.attempt(5000, 0)
	s.start(a)
	equal(t, "pages", s.made("POST", "/v1/checkout/sessions"), 1)
	equal(t, "the status", s.state(a).Status, payment.Open)
}

func TestAnAttemptWithoutAnAccountIsNotStarted(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	a := s.attempt(5000, 0)
	a.Account = nil
	if _, err := s.Start(t.Context(), s.by, a, back); err == nil {
		t.Error("it was started")
	}
	equal(t, "requests", len(s.Requests()), 0)
}

func TestAPaymentByCardClearsAtOnce(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	a := s.attempt(120000, 3510)
	s.start(a)
	open := s.state(a)
	equal(t, "the status", open.Status, payment.Open)
	equal(t, "the amount", open.Amount, 123510)
	equal(t, "the reference", said(open.Reference), "")
	s.now = s.now.Add(time.Minute)
	intent := s.PayByCard(*a.Session)
	state := s.state(a)
	equal(t, "the status", state.Status, payment.Succeeded)
	equal(t, "the amount", state.Amount, 123510)
	equal(t, "the currency", state.Currency, "USD")
	equal(t, "the account", said(state.Account), s.account)
	equal(t, "the reference", said(state.Reference), intent)
	equal(t, "the method", state.Method, portfolio.PayByCard)
	equal(t, "the moment", state.At, clock.At(s.now))
	equal(t, "refunds", len(state.Refunds), 0)
	if state.Back != nil {
		t.Errorf("it went back: %+v", state.Back)
	}
}

func TestAPaymentFromABankAccountClearsLater(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	a := s.attempt(120000, 0)
	s.start(a)
	intent := s.PayByACH(*a.Session)
	state := s.state(a)
	equal(t, "the status", state.Status, payment.Processing)
	equal(t, "the method", state.Method, portfolio.PayByACH)
	s.now = s.now.AddDate(0, 0, 4)
	s.Clear(intent)
	state = s.state(a)
	equal(t, "the status", state.Status, payment.Succeeded)
	equal(t, "the moment", state.At, clock.At(s.now))
}

func TestABankAccountThatIsYetToBeConfirmedIsUnderWay(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	a := s.attempt(120000, 0)
	s.start(a)
	s.Confirm(s.PayByACH(*a.Session))
	equal(t, "the status", s.state(a).Status, payment.Processing)
}

func TestAFailureHasTheCodeAndTheSentenceOfTheSimulatedProcessor(t *testing.T) {
	t.Parallel()
	for reason, want := range map[string][2]string{
		"insufficient_funds":      {"insufficient_funds", "There was not enough money in the account."},
		"account_closed":          {"account_closed", "The bank account is closed."},
		"no_account":              {"no_account", "There is no bank account with this number."},
		"invalid_account_number":  {"no_account", "There is no bank account with this number."},
		"debit_not_authorized":    {"debit_not_authorized", "The bank account does not allow debits."},
		"bank_account_restricted": {"debit_not_authorized", "The bank account does not allow debits."},
		"something_new":           {"something_new", "The payment did not go through."},
	} {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			a := s.attempt(5000, 0)
			s.start(a)
			s.Fail(s.PayByACH(*a.Session), reason)
			state := s.state(a)
			equal(t, "the status", state.Status, payment.Failed)
			equal(t, "the code", said(state.FailureCode), want[0])
			equal(t, "the sentence", said(state.FailureMessage), want[1])
		})
	}
}

func TestACardThatIsDeclinedOnThePageCanBeFollowedByAnother(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	a := s.attempt(5000, 0)
	s.start(a)
	intent := s.DeclineOnPage(*a.Session, "card_declined", "insufficient_funds")
	state := s.state(a)
	equal(t, "the status", state.Status, payment.Open)
	equal(t, "the reference", said(state.Reference), intent)
	equal(t, "the payment", s.PayByCard(*a.Session), intent)
	equal(t, "the status", s.state(a).Status, payment.Succeeded)
}

func TestAPaymentThatTheLandlordCancelsAtStripeFails(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	a := s.attempt(5000, 0)
	s.start(a)
	s.CancelInDashboard(s.PayByACH(*a.Session))
	state := s.state(a)
	equal(t, "the status", state.Status, payment.Failed)
	equal(t, "the code", said(state.FailureCode), "canceled")
}

func TestStripesAmountAndCurrencyAreReported(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	a := s.paid(5000)
	s.Change(*a.Reference, "amount", int64(4999))
	s.Change(*a.Reference, "currency", "cad")
	state := s.state(a)
	equal(t, "the amount", state.Amount, 4999)
	equal(t, "the currency", state.Currency, "CAD")
}

func TestCancelingClosesThePageAndNoPayment(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	a := s.attempt(5000, 0)
	s.start(a)
	for range 2 {
		ok(t, s.Cancel(t.Context(), s.by, a))
		equal(t, "the status", s.state(a).Status, payment.Canceled)
	}
	b := s.paid(5000)
	ok(t, s.Cancel(t.Context(), s.by, b))
	equal(t, "the status", s.state(b).Status, payment.Succeeded)
	c := s.attempt(5000, 0)
	ok(t, s.Cancel(t.Context(), s.by, c))
	equal(t, "the status of what was never started", s.state(c).Status, payment.Canceled)
}

func TestAPageExpiresAfterHalfAnHour(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	a := s.attempt(5000, 0)
	s.start(a)
	s.now = s.now.Add(30 * time.Minute)
	equal(t, "the status", s.state(a).Status, payment.Open)
	s.now = s.now.Add(time.Minute)
	equal(t, "the status", s.state(a).Status, payment.Canceled)
	ok(t, s.Cancel(t.Context(), s.by, a))
}

func TestAnotherAccountHasNoSuchPayment(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	a := s.paid(5000)
	a.Account = new(s.AddAccount())
	if state, err := s.State(t.Context(), s.by, a, nil); err == nil {
		t.Errorf("it has it: %+v", state)
	}
	a.Account = new("acct_of_nobody")
	if state, err := s.State(t.Context(), s.by, a, nil); err == nil {
		t.Errorf("nobody has it: %+v", state)
	}
}

func refund(a *payment.Attempt, amount money.Cents, at time.Time) payment.Refund {
	return payment.Refund{
		ID:        id.New(id.Refund, at),
		AttemptID: a.ID,
		PaymentID: "pay_1",
		Amount:    amount,
		Status:    payment.RefundPending,
		Reason:    "Paid twice",
	}
}

func TestARefundIsMadeOnceHoweverOftenItIsAskedFor(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	a := s.paid(5000)
	r := refund(a, 2000, s.now)
	for range 2 {
		ok(t, s.Refund(t.Context(), s.by, a, &r))
	}
	s.now = s.now.AddDate(0, 0, 30) // Stripe does not know the key any more, and lists the refund
	ok(t, s.Refund(t.Context(), s.by, a, &r))
	equal(t, "refunds", s.made("POST", "/v1/refunds"), 1)
	equal(t, "the key", s.asked("POST", "/v1/refunds").Key, r.ID)
	state := s.state(a, r)
	if len(state.Refunds) != 1 {
		t.Fatalf("the refunds are %+v", state.Refunds)
	}
	got := state.Refunds[0]
	equal(t, "the id", got.ID, r.ID)
	equal(t, "the row", got.PaymentID, "pay_1")
	equal(t, "the amount", got.Amount, 2000)
	equal(t, "the status", got.Status, payment.RefundSucceeded)
	equal(t, "the moment", got.At, clock.At(s.now.AddDate(0, 0, -30)))
	if !strings.HasPrefix(said(got.Reference), "re_") {
		t.Errorf("the reference is %s", said(got.Reference))
	}
}

func TestARefundToABankAccountIsPendingUntilItIsMade(t *testing.T) {
	t.Parallel()
	for made, want := range map[bool]payment.RefundStatus{true: payment.RefundSucceeded, false: payment.RefundFailed} {
		s := newServer(t)
		a := s.attempt(5000, 0)
		s.start(a)
		a.Reference = new(s.PayByACH(*a.Session))
		s.Clear(*a.Reference)
		r := refund(a, 2000, s.now)
		ok(t, s.Refund(t.Context(), s.by, a, &r))
		state := s.state(a, r)
		equal(t, "the status", state.Refunds[0].Status, payment.RefundPending)
		s.FinishRefund(*state.Refunds[0].Reference, made)
		equal(t, "the status", s.state(a, r).Refunds[0].Status, want)
	}
}

func TestARefundThatStripeRefusesForGoodHasFailed(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]func(*stripeServer, *payment.Attempt){
		"refunded already":   func(s *stripeServer, a *payment.Attempt) { s.RefundInDashboard(*a.Reference, 5000) },
		"more than is left":  func(s *stripeServer, a *payment.Attempt) { s.RefundInDashboard(*a.Reference, 4000) },
		"disputed meanwhile": func(s *stripeServer, a *payment.Attempt) { s.Dispute(*a.Reference, "fraudulent") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			a := s.paid(5000)
			before(s, a)
			r := refund(a, 2000, s.now)
			ok(t, s.Refund(t.Context(), s.by, a, &r))
			state := s.state(a, r)
			last := state.Refunds[len(state.Refunds)-1]
			equal(t, "the id", last.ID, r.ID)
			equal(t, "the status", last.Status, payment.RefundFailed)
			ok(t, s.Refund(t.Context(), s.by, a, &r))
		})
	}
}

func TestARefundThatFailsOnItsWayIsAskedForAgain(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	a := s.paid(5000)
	r := refund(a, 2000, s.now)
	s.Broken(1, http.StatusInternalServerError)
	if err := s.Refund(t.Context(), s.by, a, &r); err == nil {
		t.Fatal("it did not fail")
	}
	ok(t, s.Refund(t.Context(), s.by, a, &r))
	equal(t, "refunds", s.made("POST", "/v1/refunds"), 1)
}

func TestARefundWhoseAnswerIsLostIsMadeOnce(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	a := s.paid(5000)
	r := refund(a, 2000, s.now)
	s.Crash(1)
	if err := s.Refund(t.Context(), s.by, a, &r); err == nil {
		t.Fatal("it did not fail")
	}
	ok(t, s.Refund(t.Context(), s.by, a, &r))
	state := s.state(a, r)
	equal(t, "refunds", len(state.Refunds), 1)
	equal(t, "the status", state.Refunds[0].Status, payment.RefundSucceeded)
}

func TestARefundWaitsForABalanceThatSuffices(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	a := s.paid(5000)
	r := refund(a, 2000, s.now)
	s.Empty(s.account, true)
	err := s.Refund(t.Context(), s.by, a, &r)
	if err == nil || !strings.Contains(err.Error(), "balance_insufficient") {
		t.Fatalf("the error is %v", err)
	}
	s.Empty(s.account, false)
	s.now = s.now.AddDate(0, 0, 1) // Stripe answers the same until then
	ok(t, s.Refund(t.Context(), s.by, a, &r))
	equal(t, "the status", s.state(a, r).Refunds[0].Status, payment.RefundSucceeded)
}

func TestARefundOfTheDashboardHasNoIDHere(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	a := s.paid(5000)
	s.RefundInDashboard(*a.Reference, 1500)
	state := s.state(a)
	if len(state.Refunds) != 1 {
		t.Fatalf("the refunds are %+v", state.Refunds)
	}
	equal(t, "the id", state.Refunds[0].ID, "")
	equal(t, "the amount", state.Refunds[0].Amount, 1500)
	equal(t, "the status", state.Refunds[0].Status, payment.RefundSucceeded)
	equal(t, "the moment", state.Refunds[0].At, clock.At(s.now))
}

func TestADisputeTakesAPaymentBackUntilItIsWon(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	a := s.paid(5000)
	s.now = s.now.AddDate(0, 0, 3)
	d := s.Dispute(*a.Reference, "fraudulent")
	disputedAt := s.now
	b := s.state(a).Back
	equal(t, "how", b.How, payment.Disputed)
	equal(t, "the status", b.Status, "needs_response")
	equal(t, "the code", b.Code, "dispute")
	equal(t, "the moment", b.At, clock.At(disputedAt))
	equal(t, "the day", *b.DueOn, clock.DateOf(disputedAt.AddDate(0, 0, 14), time.UTC))

	ok(t, s.Contest(t.Context(), s.by, a, "They lived there."))
	r := s.asked("POST", "/v1/disputes/"+d)
	equal(t, "the evidence", r.Parameters.Get("evidence[uncategorized_text]"), "They lived there.")
	equal(t, "what is done", r.Parameters.Get("submit"), "true")
	equal(t, "the status", s.state(a).Back.Status, "under_review")
	var f *fault.Error
	if err := s.Contest(t.Context(), s.by, a, "Again."); !errors.As(err, &f) {
		t.Errorf("a second answer: %v", err)
	}

	s.now = s.now.AddDate(0, 1, 0)
	s.CloseDispute(d, true)
	b = s.state(a).Back
	equal(t, "how", b.How, payment.Won)
	equal(t, "the status", b.Status, "won")
	equal(t, "the moment", b.At, clock.At(s.now))
}

func TestADisputeThatIsLostStaysADispute(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	a := s.paid(5000)
	s.CloseDispute(s.Dispute(*a.Reference, "duplicate"), false)
	b := s.state(a).Back
	equal(t, "how", b.How, payment.Disputed)
	equal(t, "the status", b.Status, "lost")
}

func TestAnInquiryTakesNothingBack(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	a := s.paid(5000)
	s.Inquire(*a.Reference)
	if b := s.state(a).Back; b != nil {
		t.Errorf("it went back: %+v", b)
	}
}

func TestAReturnByTheBankIsNoDispute(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	a := s.attempt(5000, 0)
	s.start(a)
	a.Reference = new(s.PayByACH(*a.Session))
	s.Clear(*a.Reference)
	s.now = s.now.AddDate(0, 0, 9)
	s.Return(*a.Reference, "insufficient_funds")
	b := s.state(a).Back
	equal(t, "how", b.How, payment.Returned)
	equal(t, "the code", b.Code, "insufficient_funds")
	equal(t, "the status", b.Status, "")
	equal(t, "the moment", b.At, clock.At(s.now))
	var f *fault.Error
	if err := s.Contest(t.Context(), s.by, a, "No."); !errors.As(err, &f) {
		t.Errorf("an answer to a return: %v", err)
	}
}

// everyCall asks for each thing once.
var everyCall = map[string]func(context.Context, *stripeServer, *stripe.Processor, *payment.Attempt) error{
	"Start": func(ctx context.Context, s *stripeServer, p *stripe.Processor, a *payment.Attempt) error {
		_, err := p.Start(ctx, s.by, a, back)
		return err
	},
	"State": func(ctx context.Context, s *stripeServer, p *stripe.Processor, a *payment.Attempt) error {
		_, err := p.State(ctx, s.by, a, nil)
		return err
	},
	"Cancel": func(ctx context.Context, s *stripeServer, p *stripe.Processor, a *payment.Attempt) error {
		return p.Cancel(ctx, s.by, a)
	},
	"Refund": func(ctx context.Context, s *stripeServer, p *stripe.Processor, a *payment.Attempt) error {
		return p.Refund(ctx, s.by, a, new(refund(a, 100, s.now)))
	},
	"Enroll": func(ctx context.Context, s *stripeServer, p *stripe.Processor, _ *payment.Attempt) error {
		_, err := p.Enroll(ctx, s.by, s.autopay(), back)
		return err
	},
	"Enrolled": func(ctx context.Context, s *stripeServer, p *stripe.Processor, a *payment.Attempt) error {
		x := s.autopay()
		x.Session = a.Session
		_, err := p.Enrolled(ctx, s.by, x)
		return err
	},
	"Charge": func(ctx context.Context, s *stripeServer, p *stripe.Processor, _ *payment.Attempt) error {
		x := s.autopay()
		x.Customer, x.Reference, x.Method = new("cus_1"), new("pm_1"), new(portfolio.PayByCard)
		_, err := p.Charge(ctx, s.by, s.attempt(100, 0), x)
		return err
	},
	"Release": func(ctx context.Context, s *stripeServer, p *stripe.Processor, _ *payment.Attempt) error {
		x := s.autopay()
		x.Reference = new("pm_1")
		return p.Release(ctx, s.by, x)
	},
	"Contest": func(ctx context.Context, s *stripeServer, p *stripe.Processor, a *payment.Attempt) error {
		return p.Contest(ctx, s.by, a, "x")
	},
	"Payouts": func(ctx context.Context, s *stripeServer, p *stripe.Processor, _ *payment.Attempt) error {
		_, err := p.Payouts(ctx, s.by, &s.account, 0)
		return err
	},
	"Movements": func(ctx context.Context, s *stripeServer, p *stripe.Processor, _ *payment.Attempt) error {
		_, err := p.Movements(ctx, s.by, &s.account, 0, 1)
		return err
	},
	"Create": func(ctx context.Context, s *stripeServer, p *stripe.Processor, _ *payment.Attempt) error {
		_, err := p.Create(ctx, s.by, &portfolio.Landlord{Name: "x"})
		return err
	},
	"Onboard": func(ctx context.Context, s *stripeServer, p *stripe.Processor, _ *payment.Attempt) error {
		_, err := p.Onboard(ctx, s.by, s.account, back, back)
		return err
	},
	"Account": func(ctx context.Context, s *stripeServer, p *stripe.Processor, _ *payment.Attempt) error {
		_, err := p.Account(ctx, s.by, s.account)
		return err
	},
}

func TestStripeThatDoesNotWorkIsAnErrorThatNamesNoSecret(t *testing.T) {
	t.Parallel()
	var waiting sync.WaitGroup
	for name, call := range everyCall {
		for outage, prepare := range map[string]func(*stripeServer){
			"silent": func(s *stripeServer) { s.Silent(2) },
			"500":    func(s *stripeServer) { s.Broken(1, http.StatusInternalServerError) },
			"429":    func(s *stripeServer) { s.Broken(1, http.StatusTooManyRequests) },
		} {
			s := newServer(t)
			a := s.paid(5000)
			prepare(s)
			p := s.Processor
			if outage == "silent" {
				p = stripe.New(stripe.Config{
					SecretKey: secretKey, APIBase: s.base, HTTP: &http.Client{Timeout: 100 * time.Millisecond},
				})
			}
			waiting.Go(func() { // at the same time, as nothing but time passes
				err := call(t.Context(), s, p, a)
				if err == nil || strings.Contains(err.Error(), secretKey) ||
					!strings.Contains(err.Error(), "at Stripe: ") {
					t.Errorf("%s, %s: the error is %v", name, outage, err)
				}
			})
		}
	}
	waiting.Wait()
}

func TestStripeThatIsSlowIsWaitedFor(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	a := s.paid(5000)
	s.Slow(1, 100*time.Millisecond)
	equal(t, "the status", s.state(a).Status, payment.Succeeded)
	s.Slow(2, time.Minute)
	p := stripe.New(stripe.Config{SecretKey: secretKey, APIBase: s.base, HTTP: &http.Client{Timeout: time.Millisecond}})
	if _, err := p.State(t.Context(), s.by, a, nil); err == nil {
		t.Error("it was waited for without an end")
	}
}

func TestARequestThatIsCanceledEnds(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	a := s.paid(5000)
	s.Silent(1)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := s.State(ctx, s.by, a, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error is %v", err)
	}
}

func TestAnAnswerThatIsNoneOfStripesIsAnErrorWithoutItsText(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]http.HandlerFunc{
		"a page of a proxy": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(http.StatusBadGateway)
			_, _ = w.Write([]byte("<p>PRIVATE"))
		},
		"no JSON": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"url": "PRIVATE`))
		},
		"an error that is none": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(`{"url": "PRIVATE"}`))
		},
		"without an end": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"url": "PRIVATE`))
			for range 9 << 10 {
				if _, err := w.Write([]byte(strings.Repeat("x", 1<<10))); err != nil {
					return
				}
			}
		},
		"somewhere else": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://portal.example/PRIVATE", http.StatusFound)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			web := httptest.NewServer(answer)
			defer web.Close()
			p := stripe.New(stripe.Config{SecretKey: secretKey, APIBase: web.URL})
			_, err := p.Account(t.Context(), access.Actor{}, "acct_1")
			if err == nil || strings.Contains(err.Error(), "PRIVATE") {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

func TestAWrongKeyIsAnErrorThatDoesNotNameIt(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	p := stripe.New(stripe.Config{SecretKey: "sk_live_wrong", APIBase: s.base})
	_, err := p.Account(t.Context(), s.by, s.account)
	if err == nil || strings.Contains(err.Error(), "wrong") || !strings.Contains(err.Error(), "401") {
		t.Errorf("the error is %v", err)
	}
}
