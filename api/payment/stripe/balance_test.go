package stripe_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/payment"
	"portal/api/portfolio"
)

func TestMovementsAreWhatChangedTheBalanceInOrder(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	from := clock.At(s.now)
	a := s.paid(10000)
	b := s.attempt(20000, 0)
	s.start(b)
	b.Reference = new(s.PayByACH(*b.Session))
	s.Clear(*b.Reference)
	s.RefundInDashboard(*a.Reference, 1000)
	s.Return(*b.Reference, "insufficient_funds")
	c := s.paid(5000)
	s.CloseDispute(s.Dispute(*c.Reference, "fraudulent"), true)
	s.Charged(s.account, 200, "Radar")
	s.Payout(s.account)
	s.now = s.now.Add(time.Second)
	to := clock.At(s.now)
	s.paid(7000) // later

	got, err := s.Movements(t.Context(), s.by, &s.account, from, to)
	ok(t, err)
	want := []payment.Movement{
		{Kind: payment.MovedPayment, Payment: a.Reference, Amount: 10000, Fee: 320},
		{Kind: payment.MovedPayment, Payment: b.Reference, Amount: 20000, Fee: 160},
		{Kind: payment.MovedRefund, Payment: a.Reference, Amount: -1000},
		{Kind: payment.MovedReturn, Payment: b.Reference, Amount: -20000, Fee: 1500},
		{Kind: payment.MovedPayment, Payment: c.Reference, Amount: 5000, Fee: 175},
		{Kind: payment.MovedDispute, Payment: c.Reference, Amount: -5000, Fee: 1500},
		{Kind: payment.MovedDispute, Payment: c.Reference, Amount: 5000},
		{Kind: payment.MovedFee, Amount: -200, Words: "Radar"},
	}
	if len(got) != len(want) {
		t.Fatalf("there are %d movements, not %d: %+v", len(got), len(want), got)
	}
	for i, w := range want {
		g := got[i]
		if g.Kind != w.Kind || said(g.Payment) != said(w.Payment) || g.Amount != w.Amount || g.Fee != w.Fee ||
			g.Words != w.Words || g.At != from || !strings.HasPrefix(g.Reference, "txn_") {
			t.Errorf("the movement %d is %+v, not %+v", i, g, w)
		}
	}
}

func TestAMovementIsWhatItsTypeAndCategorySay(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for _, c := range []struct {
		kind, category string
		want           payment.MovementKind // "" for none
	}{
		{"charge", "charge", payment.MovedPayment},
		{"payment", "charge", payment.MovedPayment},
		{"payment_refund", "refund", payment.MovedRefund},
		{"refund_failure", "refund_failure", payment.MovedRefund},
		{"payment_failure_refund", "charge_failure", payment.MovedReturn},
		{"payment_reversal", "other_adjustment", payment.MovedReturn},
		{"adjustment", "dispute", payment.MovedDispute},
		{"stripe_fee", "fee", payment.MovedFee},
		{"tax_fee", "tax", payment.MovedFee},
		{"adjustment", "other_adjustment", payment.MovedOther},
		{"reserved_funds", "risk_reserved_funds", payment.MovedOther},
		{"payout_failure", "payout_reversal", ""},
	} {
		from := clock.At(s.now)
		s.now = s.now.Add(time.Second)
		s.Charged(s.account, 1, "")
		latest := s.Latest("balance_transaction")
		s.Change(latest, "type", c.kind)
		s.Change(latest, "reporting_category", c.category)
		got, err := s.Movements(t.Context(), s.by, &s.account, from+1, clock.At(s.now)+1)
		ok(t, err)
		var is payment.MovementKind
		if len(got) > 0 {
			is = got[0].Kind
		}
		equal(t, c.kind+" "+c.category, is, c.want)
	}
}

func TestPayoutsComeWithWhatTheyContain(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	since := clock.DateOf(s.now, time.UTC)
	a := s.paid(10000)
	first := s.Payout(s.account)
	s.FinishPayout(first, "")
	s.now = s.now.AddDate(0, 0, 1)
	b := s.paid(20000)
	second := s.Payout(s.account)
	got, err := s.Payouts(t.Context(), s.by, &s.account, since)
	ok(t, err)
	if len(got) != 2 || got[0].Reference != second || got[1].Reference != first {
		t.Fatalf("the payouts are %+v", got)
	}
	equal(t, "the status", got[0].Status, payment.PayoutPending)
	equal(t, "the status", got[1].Status, payment.PayoutPaid)
	equal(t, "the amount", got[1].Amount, 10000-320)
	equal(t, "the day", got[1].ArrivesOn, since.AddDays(2))
	for i, want := range []*payment.Attempt{b, a} {
		if m := got[i].Movements; len(m) != 1 || said(m[0].Payment) != said(want.Reference) {
			t.Errorf("the payout %d contains %+v", i, m)
		}
	}
	s.FinishPayout(second, "account_closed")
	got, err = s.Payouts(t.Context(), s.by, &s.account, since.AddDays(1))
	ok(t, err)
	if len(got) != 1 || got[0].Status != payment.PayoutFailed || got[0].Failure != "account_closed" {
		t.Errorf("the payouts are %+v", got)
	}
	other := s.AddAccount()
	if got, err = s.Payouts(t.Context(), s.by, &other, since); err != nil || len(got) != 0 {
		t.Errorf("another account has %+v: %v", got, err)
	}
}

func TestListsAreReadToTheirEnd(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for range 250 {
		s.Charged(s.account, 1, "")
	}
	got, err := s.Movements(t.Context(), s.by, &s.account, clock.At(s.now), clock.At(s.now.Add(time.Second)))
	ok(t, err)
	equal(t, "movements", len(got), 250)
	pages := 0
	for _, r := range s.Requests() {
		if r.Path == "/v1/balance_transactions" {
			pages++
		}
	}
	equal(t, "pages", pages, 3)
}

func TestALandlordSaysAtStripeWhatItAsksFor(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	l := &portfolio.Landlord{Name: "Elm Street Homes", Readers: []portfolio.Reader{
		{Email: "manager@example.com", Role: access.Manager},
		{Email: "owner@example.com", Role: access.Owner},
	}}
	account, err := s.Create(t.Context(), s.by, l)
	ok(t, err)
	again, err := s.Create(t.Context(), s.by, l)
	ok(t, err)
	equal(t, "the second account", again, account)
	r := s.asked("POST", "/v1/accounts")
	for name, want := range map[string]string{
		"country":                                               "US",
		"email":                                                 "owner@example.com",
		"business_profile[name]":                                "Elm Street Homes",
		"metadata[portfolio]":                                   "7-live",
		"controller[fees][payer]":                               "account",
		"controller[losses][payments]":                          "stripe",
		"controller[requirement_collection]":                    "stripe",
		"controller[stripe_dashboard][type]":                    "full",
		"capabilities[transfers][requested]":                    "true",
		"capabilities[card_payments][requested]":                "true",
		"capabilities[us_bank_account_ach_payments][requested]": "true",
	} {
		equal(t, name, r.Parameters.Get(name), want)
	}
	equal(t, "the key", r.Key, "portfolio-7-live-account")
	address, err := s.Onboard(t.Context(), s.by, account, back, back+"/again")
	ok(t, err)
	if !strings.HasPrefix(address, "https://connect.stripe.com/") {
		t.Errorf("the page is %s", address)
	}
	equal(t, "the way back", s.asked("POST", "/v1/account_links").Parameters.Get("refresh_url"), back+"/again")
	standing, err := s.Account(t.Context(), s.by, account)
	ok(t, err)
	if standing.Submitted || standing.Charges || standing.Payouts ||
		!slices.Equal(standing.Due, []string{"business_type", "external_account", "tos_acceptance.date"}) {
		t.Errorf("it stands at %+v", standing)
	}
	s.FinishOnboarding(account)
	standing, err = s.Account(t.Context(), s.by, account)
	ok(t, err)
	if !standing.Submitted || !standing.Charges || !standing.Payouts || len(standing.Due) != 0 {
		t.Errorf("it stands at %+v", standing)
	}
}
