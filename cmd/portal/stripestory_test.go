package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stripe/stripe-go/v84/webhook"

	"portal/api/access"
	"portal/api/payment/stripe"
	"portal/api/payment/stripe/stripetest"
	"portal/db/dbtest"
)

// TestLivePortfolioIsPaidThroughStripe is the story of a live portfolio that is paid through Stripe: an owner connects
// an account, a tenant pays by card and from a bank account, and events of Stripe come often, in any order and from
// others too. Part of a payment is refunded, one is returned and one disputed, and the rest is paid out. Receivers are
// told of each payment of rent once.
func TestLivePortfolioIsPaidThroughStripe(t *testing.T) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		newStripeStory(t).run()
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		newStripeStory(t, onPostgres(t)...).run()
	})
}

// stripeStory is a lease of the live portfolio of the demo, of which rents are paid through Stripe.
type stripeStory struct {
	*stripeWorld
	*httpServer
	api   *lawOffice
	hooks *verified
	lease string
	rents []string // rows, the oldest first
	paid  []string // transactions by which rent has cleared
}

func newStripeStory(t *testing.T, env ...string) *stripeStory {
	t.Helper()
	w := newStripeWorld(t)
	server := startHTTP(t, append(w.env(), env...)...)
	w.at, w.email = "http://"+server.address, "jonah@example.com"
	return &stripeStory{
		stripeWorld: w, httpServer: server, hooks: newVerified(t),
		api: &lawOffice{T: t, httpServer: server},
	}
}

func (s *stripeStory) run() {
	s.Helper()
	s.signsIn(s.demo.Password)
	s.hooks.secret = s.api.rest(http.MethodPost, "/webhooks/endpoints", map[string]any{
		"url": s.hooks.URL, "events": []string{"payment.succeeded"},
	}, false)["secret"].(string)
	s.leases()
	s.connectsAccount()
	s.paysByCard()
	s.refusesEvents()
	s.paysFromBank()
	s.isRefunded()
	s.isReturned()
	s.isDisputed()
	s.isPaidOut()
	s.outlivesOutages()
	s.receives()
	s.limitsQuestions()
	s.limitsEvents()
	s.noErrors(s.T)
	s.keepsNoSecret()
}

// leases has a lease signed that has a fee for returned payments, and its rents charged.
func (s *stripeStory) leases() {
	s.Helper()
	s.api.rest(http.MethodPatch, "/lease_details", map[string]any{
		"address": "9 Pine Street, Austin, TX 78701", "signer": "Dana Whitfield",
	}, false)
	home := s.api.rest(http.MethodPost, "/properties", map[string]any{
		"street_address": "7 Quay Street", "city": "Austin", "state": "TX", "year_built": 1990,
	}, false)
	unit := home["units"].([]any)[0].(map[string]any)["id"]
	var tenants []string
	for i, each := range s.api.rest(http.MethodGet, "/tenants?limit=2", nil, false)["data"].([]any) {
		id := each.(map[string]any)["id"].(string)
		email := []string{s.email, "mira@example.com"}[i]
		s.api.rest(http.MethodPatch, "/tenants/"+id, map[string]any{"email": email}, false)
		tenants = append(tenants, id)
	}
	today := time.Now().UTC()
	made := s.api.rest(http.MethodPost, "/leases/generate", map[string]any{
		"property_id": home["id"], "unit_id": unit, "tenant_id": tenants[0], "additional_tenant_ids": tenants[1:],
		"start_date":   date(today.Year(), today.Month(), today.Day()).Format(time.DateOnly),
		"end_date":     date(today.Year()+1, today.Month(), today.Day()).Format(time.DateOnly),
		"monthly_rent": 1450, "security_deposit": 0, "rent_due_day": 1, "returned_payment_fee": 25,
	}, false)
	s.lease, _ = made["id"].(string)
	if s.lease == "" {
		s.Fatalf("no lease: %v", made)
	}
	text, err := json.Marshal(made)
	orFail(s.T, err)
	ceremony := &ceremonyOfLease{
		service: &service{process: &process{}, home: s.home, vars: map[string]string{"PORTAL_URL": s.at}},
		product: s.product,
	}
	ceremony.read(s.T, string(text))
	ceremony.finish(s.T, reviews-1, 0)
	s.leads(s.submits(s.landlord, "/live/settings/rent", "/live/settings/rent/on", nil), "/live/settings/rent")
	by := access.Actor{
		Zone:      time.UTC,
		Portfolio: access.Portfolio{Mode: access.Live},
		Scopes:    access.Scopes{access.Read, access.Write},
	}
	dbtest.Row(s.T, s.product.DB, "SELECT portfolio_id FROM leases WHERE id = $1", []any{s.lease}, &by.Portfolio.ID)
	for range 6 {
		_, err := s.product.Portfolio.Ledger.ChargeRent(s.Context(), by, s.lease)
		orFail(s.T, err)
	}
	rows := s.api.rest(http.MethodGet, "/payments?type=rent&limit=100&lease_id="+s.lease, nil, false)["data"].([]any)
	slices.SortFunc(rows, func(a, b any) int {
		return strings.Compare(a.(map[string]any)["due_date"].(string), b.(map[string]any)["due_date"].(string))
	})
	for _, each := range rows {
		if row := each.(map[string]any); int(cents(row["amount"])) == 1450_00 {
			s.rents = append(s.rents, row["id"].(string))
		}
	}
	s.unlocks(tenants[0])
}

// connectsAccount has the owner connect an account at Stripe.
func (s *stripeStory) connectsAccount() {
	s.Helper()
	const at = "/live/settings/payments"
	page := s.get(s.landlord, at)
	s.says(page, http.StatusOK, "Off", "Tenants can’t pay online.", "Set up with Stripe")
	s.says(s.get(s.landlord, "/live/leases/"+s.lease), http.StatusOK, "online payments aren’t set up")
	s.says(s.get(s.tenant, s.path+"/pay?lang=en"), http.StatusOK, "nothing to pay online")
	old(s.T, s.product)
	asks := s.ask(s.landlord, http.MethodPost, at+"/connect", s.hidden(page, nil))
	s.says(asks, http.StatusForbidden, "Enter your password")
	if len(s.stripe.Requests()) != 0 {
		s.Error("Stripe is asked before the owner has confirmed who they are")
	}
	left := s.ask(s.landlord, http.MethodPost, at+"/connect", s.hidden(asks, url.Values{"password": {s.demo.Password}}))
	s.says(left, http.StatusOK, "Continue to Stripe")
	s.account = s.stripe.Latest("account")
	to := left.Header.Get("Refresh")
	address, is := strings.CutPrefix(to, "0; url=")
	if !is || !strings.HasPrefix(address, "https://connect.stripe.com/setup/"+s.account+"/") ||
		left.Header.Get("Location") != "" || !strings.Contains(left.body, `href="`+address+`"`) {
		s.Errorf("the form refreshes %s: %s", to, between(left.body, "<main", "</main>"))
	}
	s.leads(s.get(s.landlord, at+"/returned"), at)
	s.says(
		s.get(s.landlord, at),
		http.StatusOK,
		"Not finished",
		"A bank account for payouts",
		s.account,
		"Continue with Stripe",
	)
	s.says(s.get(s.tenant, s.path+"/pay?lang=en"), http.StatusOK, "nothing to pay online")
	s.stripe.FinishOnboarding(s.account)
	s.leads(s.get(s.landlord, at+"/returned"), at)
	page = s.get(s.landlord, at)
	s.says(page, http.StatusOK, "On", "Tenants can pay online. Stripe pays out to your bank.", s.account)
	if strings.Contains(page.body, "/connect") || len(s.asked(http.MethodPost, "/v1/accounts")) != 1 {
		s.Error("the account can be connected again, or was made twice")
	}
	s.says(s.get(s.landlord, "/live/leases/"+s.lease), http.StatusOK, "Tenants can pay", "Whole charges only")
}

// paysByCard has the tenant pay a rent by card. The page to which Stripe leads back books it, and events change
// nothing more.
func (s *stripeStory) paysByCard() {
	p := s.starts(s.rents[0])
	s.says(s.get(s.tenant, p.back), http.StatusOK, "Not finished", "Nothing was paid yet.")
	intent := s.stripe.PayByCard(p.session)
	s.rowIs(s.rents[0], "due", 0)
	s.says(s.get(s.tenant, p.back), http.StatusOK, "It has cleared.", "Card")
	s.rowIs(s.rents[0], "succeeded", 1450_00)
	s.tells(
		"checkout.session.completed",
		p.session,
		"payment_intent.succeeded",
		intent,
		"payment_intent.created",
		intent,
	)
	s.cleared(s.rents[0], 0, "card", intent)
}

// paysFromBank has the tenant pay a rent from a bank account. Events come before the tenant does.
func (s *stripeStory) paysFromBank() {
	p := s.starts(s.rents[1])
	intent := s.stripe.PayByACH(p.session)
	s.tells("checkout.session.completed", p.session, "payment_intent.processing", intent)
	s.rowIs(s.rents[1], "processing", 0)
	s.says(s.get(s.tenant, p.back), http.StatusOK, "Processing", "about three business days")
	s.stripe.Clear(intent)
	s.tells("payment_intent.succeeded", intent, "checkout.session.async_payment_succeeded", p.session)
	s.rowIs(s.rents[1], "succeeded", 1450_00)
	s.says(s.get(s.tenant, p.back), http.StatusOK, "It has cleared.", "Bank account")
	s.cleared(s.rents[1], 0, "ach", intent)
}

// isRefunded has the owner refund a part of what was paid by card.
func (s *stripeStory) isRefunded() {
	s.Helper()
	at := "/live/ledger/" + s.rents[0]
	page := s.get(s.landlord, at+"/refund?transaction="+s.paid[0])
	s.says(page, http.StatusOK, "Refund a payment")
	old(s.T, s.product)
	form := s.hidden(
		page,
		url.Values{"transaction_id": {s.paid[0]}, "amount": {"100.00"}, "reason": {"Broken heating"}},
	)
	asks := s.ask(s.landlord, http.MethodPost, at+"/refund", form)
	s.says(asks, http.StatusForbidden, "Enter your password")
	if n := len(s.asked(http.MethodPost, "/v1/refunds")); n != 0 {
		s.Errorf("%d refunds before the owner has confirmed who they are", n)
	}
	confirmed := s.hidden(asks, url.Values{"password": {s.demo.Password}})
	s.leads(s.ask(s.landlord, http.MethodPost, at+"/refund", confirmed), at)
	if again := s.ask(s.landlord, http.MethodPost, at+"/refund", form); again.StatusCode < http.StatusBadRequest {
		s.Errorf("the same form again: %s", again.Status)
	}
	refunds := s.asked(http.MethodPost, "/v1/refunds")
	if len(refunds) != 1 || refunds[0].Parameters.Get("amount") != "10000" || refunds[0].Account != s.account {
		s.Errorf("Stripe is asked for %v", refunds)
	}
	s.tells("charge.refunded", s.stripe.Latest("refund"), "refund.created", s.stripe.Latest("refund"))
	s.says(s.get(s.landlord, at), http.StatusOK, "$100.00: Broken heating", "$1,350.00")
	s.rowIs(s.rents[0], "partially_paid", 1350_00)
	if n := len(s.asked(http.MethodPost, "/v1/refunds")); n != 1 {
		s.Errorf("%d refunds after the events", n)
	}
}

// isReturned has the bank take the payment from the bank account back, which the lease has a fee for.
func (s *stripeStory) isReturned() {
	s.Helper()
	intent := s.reference(s.rents[1])
	dispute := s.stripe.Return(intent, "insufficient_funds")
	s.tells("charge.dispute.created", dispute, "charge.dispute.closed", dispute)
	s.rowIs(s.rents[1], "failed", 0)
	s.says(s.get(s.landlord, "/live/ledger/"+s.rents[1]), http.StatusOK, "Returned by the bank", "not enough money")
	fees := s.api.rest(http.MethodGet, "/payments?type=fee&limit=100&lease_id="+s.lease, nil, false)["data"].([]any)
	if len(fees) != 1 || int(cents(fees[0].(map[string]any)["amount"])) != 25_00 {
		s.Errorf("the fees are %v", fees)
	}
}

// isDisputed has a cardholder dispute a payment, which the owner answers, and the bank decide for the owner.
func (s *stripeStory) isDisputed() {
	s.Helper()
	p := s.starts(s.rents[2])
	intent := s.stripe.PayByCard(p.session)
	s.tells("payment_intent.succeeded", intent)
	s.cleared(s.rents[2], 0, "card", intent)
	dispute := s.stripe.Dispute(intent, "fraudulent")
	s.tells("charge.dispute.created", dispute, "charge.dispute.funds_withdrawn", dispute)
	s.rowIs(s.rents[2], "failed", 0)
	at := "/live/ledger/" + s.rents[2]
	due := time.Now().In(s.zone()).AddDate(0, 0, 14).Format("Jan 2, 2006")
	s.says(s.get(s.landlord, at), http.StatusOK, "Disputed", "Answer the dispute by", due)
	s.says(s.get(s.landlord, at+"/dispute"), http.StatusOK, "Answer by "+due)
	answer := url.Values{"evidence": {"Jonah signed the lease and lives there."}}
	s.leads(s.submits(s.landlord, at+"/dispute", at+"/dispute", answer), at)
	s.says(s.get(s.landlord, at), http.StatusOK, "The bank is reviewing your answer")
	if n := len(s.asked(http.MethodPost, "/v1/disputes/"+dispute)); n != 1 {
		s.Errorf("the dispute is answered %d times", n)
	}
	s.stripe.CloseDispute(dispute, true)
	s.tells("charge.dispute.closed", dispute, "charge.dispute.funds_reinstated", dispute)
	s.says(s.get(s.landlord, at), http.StatusOK, "Dispute won")
	s.rowIs(s.rents[2], "succeeded", 1450_00)
}

var ledgerRow = regexp.MustCompile(`/live/ledger/(pay_\w+)`)

// isPaidOut has Stripe pay the balance out, and a rent paid after that.
func (s *stripeStory) isPaidOut() {
	s.Helper()
	payout := s.stripe.Payout(s.account)
	s.tells("payout.created", payout)
	p := s.starts(s.rents[3])
	intent := s.stripe.PayByCard(p.session)
	s.tells("payment_intent.succeeded", intent)
	s.cleared(s.rents[3], 0, "card", intent)
	s.says(s.get(s.landlord, "/live/payouts"), http.StatusOK, "On its way", "/live/payouts/"+payout)
	// The movements are what the story has: three payments, a refund of 100, a return, a dispute that was won.
	const came, fees = 1450_00 + 1450_00 - 100_00 - 1450_00 + 1450_00 - 1450_00 + 1450_00, 2*(42_05+30) + 5_00 + 2*15_00
	s.says(s.get(s.landlord, "/live/payouts/"+payout), http.StatusOK,
		"Payout of "+dollars(came-fees), dollars(came), dollars(fees), "Refund", "Returned by the bank", "Dispute")
	s.stripe.FinishPayout(payout, "")
	s.tells("payout.paid", payout)
	s.says(s.get(s.landlord, "/live/payouts"), http.StatusOK, "Paid")
	page := between(s.get(s.landlord, "/live/ledger?payout="+payout).body, "<main", "</main>")
	var rows []string
	for _, found := range ledgerRow.FindAllStringSubmatch(page, -1) {
		rows = append(rows, found[1])
	}
	slices.Sort(rows)
	want := slices.Sorted(slices.Values(s.rents[:3]))
	if rows = slices.Compact(rows); !slices.Equal(rows, want) {
		s.Errorf("the ledger of the payout has %v, want %v", rows, want)
	}
	if other := s.get(s.landlord, "/test/payouts/"+payout); other.StatusCode != http.StatusNotFound {
		s.Errorf("the payout of the live portfolio in the demo one: %s", other.Status)
	}
}

// outlivesOutages has Stripe not answer, answer late and not work while the tenant pays: nothing is booked, and it is
// paid once afterwards.
func (s *stripeStory) outlivesOutages() {
	s.Helper()
	at, form := s.path+"/pay?lang=en", url.Values{"charges": {s.rents[4]}}
	for _, prepare := range []func(){
		func() { s.stripe.Broken(1, http.StatusInternalServerError) },
		func() { s.stripe.Silent(2) },
	} {
		prepare()
		s.says(s.submits(s.tenant, at, at, form), http.StatusServiceUnavailable,
			"The payment service didn’t answer. Nothing was paid. Try again in a few minutes.")
		s.rowIs(s.rents[4], "scheduled", 0)
	}
	s.stripe.Slow(1, 2*time.Second)
	before := len(s.asked(http.MethodPost, "/v1/checkout/sessions"))
	p := s.starts(s.rents[4])
	s.leads(s.ask(s.tenant, http.MethodPost, s.path+"/pay/"+p.attempt+"/cancel", nil), s.path+"/pay/"+p.attempt)
	s.says(s.get(s.tenant, p.back), http.StatusOK, "Canceled", "Nothing was paid.")
	s.stripe.Lost(1) // the page is open, and nobody is told
	p = s.starts(s.rents[4])
	if n := len(s.asked(http.MethodPost, "/v1/checkout/sessions")) - before; n != 3 {
		s.Errorf("%d pages were asked for, want 1, and 1 that was asked for twice with the same key", n)
	}
	intent := s.stripe.PayByCard(p.session)
	s.stripe.Broken(1, http.StatusInternalServerError)
	s.says(s.get(s.tenant, p.back), http.StatusOK, "Not finished")
	s.rowIs(s.rents[4], "scheduled", 0)
	s.says(s.get(s.tenant, p.back), http.StatusOK, "It has cleared.")
	s.tells("checkout.session.completed", p.session, "payment_intent.succeeded", intent)
	s.cleared(s.rents[4], 0, "card", intent)
}

// refusesEvents sends what Stripe does not send, which changes nothing.
func (s *stripeStory) refusesEvents() {
	s.Helper()
	event := s.stripe.Event("payment_intent.succeeded", s.reference(s.rents[0]))
	before := s.kept()
	signed := func(body []byte, late time.Duration) string {
		return stripetest.Signed(body, stripeNewWebhook, time.Now().Add(-late))
	}
	large := make([]byte, 300_000)
	for name, c := range map[string]struct {
		method, signature string
		body              []byte
		status            int
	}{
		"another secret": {http.MethodPost, stripetest.Signed(event, "whsec_another", time.Now()), event, 400},
		"no signature":   {http.MethodPost, "", event, 400},
		"another body":   {http.MethodPost, signed(event, 0), append(slices.Clone(event), ' '), 400},
		"an old time":    {http.MethodPost, signed(event, 6*time.Minute), event, 400},
		"a future time":  {http.MethodPost, signed(event, -6*time.Minute), event, 400},
		"no event":       {http.MethodPost, signed([]byte("{}"), 0), []byte("{}"), 400},
		"300 KB":         {http.MethodPost, signed(large, 0), large, 413},
		"a GET":          {http.MethodGet, signed(event, 0), nil, 405},
	} {
		a := s.hook(c.method, c.body, c.signature, "198.51.100.7")
		if a.StatusCode != c.status {
			s.Errorf("%s: %s, want %d: %s", name, a.Status, c.status, a.body)
		}
		if c.status == http.StatusMethodNotAllowed && a.Header.Get("Allow") != http.MethodPost {
			s.Errorf("%s: Allow is %q", name, a.Header.Get("Allow"))
		}
	}
	if now := s.kept(); !slices.Equal(now, before) {
		s.Errorf("what was refused has changed\n%v\nto\n%v", before, now)
	}
}

// kept is what events can change.
func (s *stripeStory) kept() []string {
	s.Helper()
	return slices.Concat(
		dbtest.Texts(s.T, s.product.DB, "SELECT id || status || updated_at FROM payment_attempts ORDER BY id"),
		dbtest.Texts(s.T, s.product.DB, "SELECT id || status || version FROM payments ORDER BY id"),
		dbtest.Texts(s.T, s.product.DB, "SELECT 'jobs ' || count(*) FROM river_job WHERE kind = 'payment_news'"),
	)
}

// limitsQuestions has the tenant look at an unfinished payment again and again: Stripe is not asked each time.
func (s *stripeStory) limitsQuestions() {
	s.Helper()
	p := s.starts(s.rents[5])
	at := "/v1/checkout/sessions/" + p.session
	before := len(s.asked(http.MethodGet, at))
	for range 60 {
		s.says(s.get(s.tenant, p.back), http.StatusOK, "Not finished")
	}
	// As many as in a minute, and what a minute that has passed meanwhile adds.
	if n := len(s.asked(http.MethodGet, at)) - before; n == 0 || n > 45 {
		s.Errorf("60 views of a page have asked Stripe %d times", n)
	}
}

// limitsEvents sends more than Stripe does from an address that nobody knows.
func (s *stripeStory) limitsEvents() {
	s.Helper()
	var waiting sync.WaitGroup
	var mu sync.Mutex
	statuses, retry := map[int]int{}, ""
	for range 8 {
		waiting.Go(func() {
			for range 500 {
				a := s.hook(http.MethodPost, []byte("{}"), "", "203.0.113.9")
				mu.Lock()
				if statuses[a.StatusCode]++; a.StatusCode == http.StatusTooManyRequests {
					retry = a.Header.Get("Retry-After")
				}
				mu.Unlock()
			}
		})
	}
	waiting.Wait()
	if statuses[http.StatusBadRequest] < 3000 || statuses[http.StatusTooManyRequests] == 0 || retry == "" ||
		retry == "0" {
		s.Errorf("4000 events from one address: %v, Retry-After %q", statuses, retry)
	}
	if a := s.hook(http.MethodPost, []byte("{}"), "", "198.51.100.7"); a.StatusCode != http.StatusBadRequest {
		s.Errorf("an event from another address: %s", a.Status)
	}
}

// tells has Stripe send events: each ten times, in any order, signed with one of both secrets. It waits until they were
// looked at.
func (s *stripeStory) tells(about ...string) {
	s.Helper()
	var events [][]byte
	for i := 0; i < len(about); i += 2 {
		events = append(events, slices.Repeat([][]byte{s.stripe.Event(about[i], about[i+1])}, 10)...)
	}
	rand.Shuffle(len(events), func(i, j int) { events[i], events[j] = events[j], events[i] })
	for i, event := range events {
		secret := []string{stripeOldWebhook, stripeNewWebhook}[i%2]
		a := s.hook(http.MethodPost, event, stripetest.Signed(event, secret, time.Now()), "198.51.100.7")
		if a.StatusCode != http.StatusOK {
			s.Fatalf("an event of Stripe: %s: %s", a.Status, a.body)
		}
	}
	eventually(s.T, "the events were looked at", func() bool {
		return dbtest.Texts(s.T, s.product.DB,
			"SELECT count(*) || '' FROM river_job WHERE kind = 'payment_news' AND state <> 'completed'")[0] == "0"
	})
}

// row is a row of the ledger with its transactions.
func (s *stripeStory) row(id string) map[string]any {
	return s.api.rest(http.MethodGet, "/payments/"+id, nil, false)
}

// rowIs checks a rent.
func (s *stripeStory) rowIs(id, status string, paid int) {
	s.Helper()
	row := s.row(id)
	if due := row["status"] == "due" && status == "scheduled" || row["status"] == "scheduled" && status == "due"; due {
		status = row["status"].(string) // as the day is
	}
	if row["status"] != status || int(cents(row["amount_paid"])) != paid {
		s.Errorf(
			"the rent is %v with %v paid, want %s with %d cents: %v",
			row["status"],
			row["amount_paid"],
			status,
			paid,
			row["transactions"],
		)
	}
}

// cleared checks that a payment paid a rent in one transaction, and notes it.
func (s *stripeStory) cleared(row string, at int, method, intent string) {
	s.Helper()
	var found []map[string]any
	for _, each := range s.row(row)["transactions"].([]any) {
		if x := each.(map[string]any); x["kind"] == "payment" && x["status"] == "succeeded" {
			found = append(found, x)
		}
	}
	if len(found) != at+1 {
		s.Fatalf("%d payments have cleared: %v", len(found), found)
	}
	x := found[at]
	if int(cents(x["amount"])) != 1450_00 || x["method"] != method || x["reference"] != intent {
		s.Errorf("what has cleared is %v, want %s %s", x, method, intent)
	}
	s.paid = append(s.paid, x["id"].(string))
}

// reference is what Stripe calls the payment that has paid a row.
func (s *stripeStory) reference(row string) string {
	s.Helper()
	for _, each := range s.row(row)["transactions"].([]any) {
		if x := each.(map[string]any); x["kind"] == "payment" {
			return x["reference"].(string)
		}
	}
	s.Fatalf("nothing has paid %s", row)
	return ""
}

// receives checks that the receiver was told of each payment once, with a signature that the library of Stripe takes.
func (s *stripeStory) receives() {
	s.Helper()
	eventually(s.T, "all deliveries have come", func() bool { return len(s.hooks.all()) >= len(s.paid) })
	var told []string
	for _, x := range s.hooks.all() {
		told = append(told, x.ID)
		at := slices.Index(s.paid, x.ID)
		if at < 0 {
			s.Errorf("told of %+v, which has not cleared", x)
			continue
		}
		method := "card"
		if at == 1 {
			method = "ach"
		}
		if x.Amount != "1450.00" || x.Method != method || !strings.HasPrefix(x.Reference, "pi_") {
			s.Errorf("told of %+v, want %s", x, method)
		}
	}
	slices.Sort(told)
	if want := slices.Sorted(slices.Values(s.paid)); !slices.Equal(told, want) {
		s.Errorf("told of %v, want %v", told, want)
	}
	for _, wrong := range s.hooks.refused() {
		s.Error(wrong)
	}
}

// keepsNoSecret looks for the keys of Stripe in all that is kept and said.
func (s *stripeStory) keepsNoSecret() {
	s.Helper()
	var emails []string
	for _, id := range dbtest.Texts(s.T, s.product.DB, "SELECT id FROM mails ORDER BY id") {
		m, err := s.product.Mail.Mail(s.Context(), id)
		orFail(s.T, err)
		emails = append(emails, m.Content.Text, m.Content.HTML)
	}
	for where, text := range map[string]string{
		"the log":      s.log.String(),
		"the emails":   strings.Join(emails, "\n"),
		"the database": fmt.Sprint(dbtest.Dump(s.T, s.product.DB, nil)),
	} {
		for _, secret := range []string{stripeSecret, stripeOldWebhook, stripeNewWebhook} {
			if strings.Contains(text, secret) {
				s.Errorf("%s has %s…", where, secret[:12])
			}
		}
	}
}

// zone is the time zone of the portfolio.
func (s *stripeStory) zone() *time.Location {
	s.Helper()
	name := dbtest.Texts(s.T, s.product.DB, `SELECT a.time_zone
		FROM accounts a
		JOIN portfolios p ON p.account_id = a.id
		JOIN leases l ON l.portfolio_id = p.id
		WHERE l.id = $1`, s.lease)[0]
	zone, err := time.LoadLocation(name)
	orFail(s.T, err)
	return zone
}

// verified is a receiver that verifies deliveries with the library of Stripe.
type verified struct {
	*httptest.Server
	secret string
	mu     sync.Mutex
	told   []toldTransaction
	wrong  []string
}

// toldTransaction is what an event says of the payment that has cleared.
type toldTransaction struct {
	ID, Method, Reference string
	Amount                json.Number
}

func newVerified(t *testing.T) *verified {
	t.Helper()
	v := &verified{}
	v.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = webhook.ValidatePayload(body, r.Header.Get("X-Service-Signature"), v.secret)
		}
		var event struct {
			Data struct{ Transaction toldTransaction }
		}
		if err == nil {
			err = json.Unmarshal(body, &event)
		}
		v.mu.Lock()
		defer v.mu.Unlock()
		if err != nil {
			v.wrong = append(v.wrong, err.Error())
			http.Error(w, "no", http.StatusBadRequest)
			return
		}
		v.told = append(v.told, event.Data.Transaction)
	}))
	t.Cleanup(v.Close)
	return v
}

func (v *verified) all() []toldTransaction {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Clone(v.told)
}

func (v *verified) refused() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Clone(v.wrong)
}

// TestLivePortfolioWithoutStripeTakesNoPayment looks at a service without the keys of Stripe.
func TestLivePortfolioWithoutStripeTakesNoPayment(t *testing.T) {
	eachDatabase(t, func(t *testing.T, server *httpServer) {
		w := newStripeWorld(t)
		w.at = "http://" + server.address
		w.signsIn(server.demo.Password)
		const at = "/live/settings/payments"
		page := w.get(w.landlord, at)
		w.says(page, http.StatusOK, "Not available", "Online payments aren’t set up on this server.")
		if strings.Contains(page.body, at+"/connect") {
			t.Error("an account can be connected")
		}
		token := formToken.FindStringSubmatch(page.body) // of the form that signs out
		w.leads(w.ask(w.landlord, http.MethodPost, at+"/connect", url.Values{"token": {token[1]}}), at)
		lease := dbtest.Texts(t, server.product.DB, `SELECT l.id
			FROM leases l
			JOIN portfolios p ON p.id = l.portfolio_id
			WHERE p.mode = 'live' AND l.status = 'active'
			LIMIT 1`)[0]
		w.says(w.get(w.landlord, "/live/leases/"+lease), http.StatusOK, "online payments aren’t set up")
		event := []byte(`{"id":"evt_1","object":"event"}`)
		for _, method := range []string{http.MethodPost, http.MethodGet} {
			a := server.send(t, method, stripe.WebhookPath, string(event), http.Header{
				"Stripe-Signature": {stripetest.Signed(event, stripeNewWebhook, time.Now())},
			})
			if a.StatusCode != http.StatusNotFound {
				t.Errorf("%s without the keys: %s", method, a.Status)
			}
		}
		server.noErrors(t)
	})
}

// TestPaymentIsBookedOnceWhereTheServiceIsKilled kills the service after Stripe has done what it was asked for, and
// before the service has read the answer: of a payment that has cleared, and of a refund.
func TestPaymentIsBookedOnceWhereTheServiceIsKilled(t *testing.T) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		killedWhilePaid(t)
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		killedWhilePaid(t, onPostgres(t)...)
	})
}

func killedWhilePaid(t *testing.T, env ...string) {
	t.Helper()
	w := newStripeWorld(t)
	h := newHome(t, append(w.env(), env...)...)
	s := &story{T: t, service: h.serve(t)}
	w.at, w.email = s.vars["PORTAL_URL"], "imani.okafor@example.com"
	w.signsIn(s.vars["PORTAL_DEMO_PASSWORD"])
	w.connects()
	_, row := w.owes(s)
	killed := func(method, path string, do func()) {
		t.Helper()
		kill := func(r *http.Request) {
			if r.Method == method && r.URL.Path == path {
				w.before.Store(nil)
				s.kill()
			}
		}
		w.before.Store(&kill)
		do()
		eventually(t, "the service is killed", func() bool { return w.before.Load() == nil })
		<-s.over
		s.service = h.serve(t)
	}
	p := w.starts(row)
	w.stripe.PayByCard(p.session)
	killed(http.MethodGet, "/v1/checkout/sessions/"+p.session, func() { w.lost(w.tenant, http.MethodGet, p.back, nil) })
	paid := func(kind string) (all []map[string]any) {
		for _, each := range s.live(http.MethodGet, "/payments/"+row, "")["transactions"].([]any) {
			if x := each.(map[string]any); x["kind"] == kind && x["recorded_by"] == "processor" {
				all = append(all, x)
			}
		}
		return all
	}
	if n := len(paid("payment")); n != 0 {
		t.Errorf("%d payments were booked before the service was killed", n)
	}
	for range 3 {
		w.says(w.get(w.tenant, p.back), http.StatusOK, "It has cleared.")
	}
	all := paid("payment")
	if len(all) != 1 {
		t.Fatalf("paid %d times: %v", len(all), all)
	}
	at := "/live/ledger/" + row
	form := w.hidden(w.get(w.landlord, at+"/refund?transaction="+all[0]["id"].(string)), url.Values{
		"transaction_id": {all[0]["id"].(string)}, "amount": {"1.00"}, "reason": {"A test"},
	})
	killed(http.MethodPost, "/v1/refunds", func() { w.lost(w.landlord, http.MethodPost, at+"/refund", form) })
	if n := len(paid("refund")); n != 0 {
		t.Errorf("%d refunds were booked before the service was killed", n)
	}
	event := w.stripe.Event("refund.created", w.stripe.Latest("refund"))
	signed := stripetest.Signed(event, stripeNewWebhook, time.Now())
	if a := w.hook(http.MethodPost, event, signed, "198.51.100.7"); a.StatusCode != http.StatusOK {
		t.Fatalf("an event of Stripe: %s: %s", a.Status, a.body)
	}
	eventually(t, "the refund is booked", func() bool {
		page := between(w.get(w.landlord, at).body, "<main", "</main>")
		return strings.Contains(page, "$1.00: A test") && !strings.Contains(page, "not confirmed yet")
	})
	if n, made := len(paid("refund")), len(w.asked(http.MethodPost, "/v1/refunds")); n != 1 || made != 1 {
		t.Errorf("refunded %d times, and asked for %d times", n, made)
	}
}

// lost sends a request that gets no answer.
func (w *stripeWorld) lost(c *http.Client, method, path string, values url.Values) {
	w.Helper()
	r, err := http.NewRequestWithContext(w.Context(), method, w.at+path, strings.NewReader(values.Encode()))
	orFail(w.T, err)
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if a, err := c.Do(r); err == nil {
		a.Body.Close()
		w.Errorf("%s %s of a service that is killed: %s", method, path, a.Status)
	}
}
