package main

import (
	"bytes"
	"html"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"portal/api/payment/stripe"
	"portal/api/payment/stripe/stripetest"
	"portal/db/dbtest"
)

// The keys of a service in tests of Stripe. No log, row or email may have one.
const (
	stripeSecret     = "sk_live_story_5f2a9c71d0"
	stripeOldWebhook = "whsec_story_old_83b1e6"
	stripeNewWebhook = "whsec_story_new_47c0da"
)

// stripeWorld is a service whose live portfolio is paid through Stripe, with people who use its pages over HTTP.
type stripeWorld struct {
	*testing.T
	at       string // address of the service
	office   *mailServer
	stripe   *stripetest.Server
	listener *httptest.Server // of Stripe
	// before is called with each request that Stripe has carried out and not answered yet.
	before   atomic.Pointer[func(r *http.Request)]
	landlord *http.Client
	tenant   *http.Client
	email    string // of the tenant
	path     string // of the tenant's page
	account  string // of the landlord at Stripe
}

func newStripeWorld(t *testing.T) *stripeWorld {
	t.Helper()
	w := &stripeWorld{T: t, office: newMailServer(t), stripe: stripetest.New(stripeSecret, time.Now)}
	w.listener = httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		w.stripe.ServeHTTP(answer, r)
		if before := w.before.Load(); before != nil {
			(*before)(r)
		}
		maps.Copy(out.Header(), answer.Header())
		out.WriteHeader(answer.Code)
		_, _ = out.Write(answer.Body.Bytes())
	}))
	t.Cleanup(w.listener.Close)
	w.landlord, w.tenant = w.newBrowser(), w.newBrowser()
	return w
}

// env is the environment of the service.
func (w *stripeWorld) env() []string {
	return []string{
		"STRIPE_SECRET_KEY=" + stripeSecret,
		"STRIPE_WEBHOOK_SECRET=" + stripeNewWebhook + "," + stripeOldWebhook,
		"STRIPE_API_BASE=" + w.listener.URL,
		"SMTP_URL=smtp://" + w.office.address,
		"PORTAL_MAIL_FROM=portal@example.com",
		"PORTAL_TRUSTED_PROXIES=127.0.0.1/32",
		"PORTAL_ALLOW_INSECURE_WEBHOOKS=true",
	}
}

// newBrowser keeps cookies, and goes nowhere by itself.
func (w *stripeWorld) newBrowser() *http.Client {
	w.Helper()
	jar, err := cookiejar.New(nil)
	orFail(w.T, err)
	return &http.Client{Jar: jar, Timeout: patience, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
}

// ask sends a request, a form where there are values.
func (w *stripeWorld) ask(c *http.Client, method, path string, values url.Values) rawAnswer {
	w.Helper()
	r, err := http.NewRequestWithContext(w.Context(), method, w.at+path, strings.NewReader(values.Encode()))
	orFail(w.T, err)
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	a, err := c.Do(r)
	orFail(w.T, err)
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	orFail(w.T, err)
	return rawAnswer{a, html.UnescapeString(string(text))}
}

func (w *stripeWorld) get(c *http.Client, path string) rawAnswer {
	w.Helper()
	return w.ask(c, http.MethodGet, path, nil)
}

// says checks an answer.
func (w *stripeWorld) says(a rawAnswer, status int, words ...string) {
	w.Helper()
	if a.StatusCode != status {
		w.Fatalf("%s: %s, want %d: %s", a.Request.URL.Path, a.Status, status, between(a.body, "<main", "</main>"))
	}
	for _, each := range words {
		if !strings.Contains(a.body, each) {
			w.Errorf("%s does not say %q: %s", a.Request.URL.Path, each, between(a.body, "<main", "</main>"))
		}
	}
}

// leads checks that an answer leads to a path.
func (w *stripeWorld) leads(a rawAnswer, to string) {
	w.Helper()
	if at, _, _ := strings.Cut(a.Header.Get("Location"), "?"); a.StatusCode != http.StatusSeeOther || at != to {
		w.Fatalf("%s leads to %q, want %s: %s, %s", a.Request.URL.Path, at, to, a.Status,
			between(a.body, "<main", "</main>"))
	}
}

// hidden are the fields of a page that nobody fills in, with others.
func (w *stripeWorld) hidden(a rawAnswer, fill url.Values) url.Values {
	w.Helper()
	values := url.Values{}
	for _, field := range hiddenFields.FindAllStringSubmatch(between(a.body, "<main", "</main>"), -1) {
		values.Set(field[1], field[2])
	}
	maps.Copy(values, fill)
	return values
}

// submits sends the form of a page.
func (w *stripeWorld) submits(c *http.Client, from, to string, fill url.Values) rawAnswer {
	w.Helper()
	page := w.get(c, from)
	w.says(page, http.StatusOK)
	return w.ask(c, http.MethodPost, to, w.hidden(page, fill))
}

// signsIn signs the landlord in.
func (w *stripeWorld) signsIn(password string) {
	w.Helper()
	a := w.submits(w.landlord, "/sign-in", "/sign-in", url.Values{"email": {demoLandlord}, "password": {password}})
	if to := a.Header.Get("Location"); a.StatusCode != http.StatusSeeOther || to == "/sign-in" {
		w.Fatalf("the landlord cannot sign in: %s, %s", a.Status, to)
	}
}

// connects has the landlord connect an account that takes payments.
func (w *stripeWorld) connects() {
	w.Helper()
	const at = "/live/settings/payments"
	w.says(w.submits(w.landlord, at, at+"/connect", nil), http.StatusOK, "Continue to Stripe")
	w.account = w.stripe.Latest("account")
	w.stripe.FinishOnboarding(w.account)
	w.leads(w.get(w.landlord, at+"/returned"), at)
}

// unlocks has the landlord send a tenant the link of their page, and the tenant see amounts there with a code.
func (w *stripeWorld) unlocks(tenantID string) {
	w.Helper()
	at := "/live/tenants/" + tenantID
	w.leads(w.submits(w.landlord, at, at+"/link/send", nil), at)
	link := w.office.link(w.T, w.email, regexp.QuoteMeta(w.at)+`/tenant/[\w-]+\s`)
	w.path = strings.TrimSpace(strings.TrimPrefix(link, w.at))
	w.ask(w.tenant, http.MethodPost, w.path+"/code?lang=en", url.Values{})
	words := strings.Fields(w.office.link(w.T, w.email, `(?s)your page.*?(?:is|es) \d{6}\s`))
	code := words[len(words)-1]
	a := w.ask(w.tenant, http.MethodPost, w.path+"/unlock?lang=en", url.Values{"code": {code}})
	w.leads(a, w.path)
}

// owes has the tenant of the demo whose email address it is unlock their page, and is their ID and a charge that they
// can pay.
func (w *stripeWorld) owes(s *story) (tenant, row string) {
	w.Helper()
	for _, each := range s.live(http.MethodGet, "/tenants?limit=100", "")["data"].([]any) {
		if x := each.(map[string]any); x["email"] == w.email {
			tenant = x["id"].(string)
		}
	}
	w.unlocks(tenant)
	choice := regexp.MustCompile(`name="charges"[^>]* value="(pay_\w+)"`).
		FindStringSubmatch(w.get(w.tenant, w.path+"/pay?lang=en").body)
	if choice == nil {
		w.Fatal("there is nothing to pay")
	}
	return tenant, choice[1]
}

// stripePage is a page of Stripe on which a payment is made.
type stripePage struct {
	session string
	back    string // path of the page of the service to which it leads back
	attempt string
}

// starts has the tenant choose a charge, and go on to the page of Stripe.
func (w *stripeWorld) starts(row string) stripePage {
	w.Helper()
	at := w.path + "/pay?lang=en"
	a := w.submits(w.tenant, at, at, url.Values{"charges": {row}})
	w.says(a, http.StatusOK, "Continue to Stripe")
	return w.opened(a)
}

// opened is the page of Stripe to which an answer goes on, without a redirect.
func (w *stripeWorld) opened(a rawAnswer) (p stripePage) {
	w.Helper()
	p.session = w.stripe.Latest("checkout.session")
	to := "https://checkout.stripe.com/c/pay/" + p.session
	if a.Header.Get("Location") != "" || a.Header.Get("Refresh") != "0; url="+to ||
		!strings.Contains(a.body, `href="`+to+`"`) {
		w.Errorf("a form leads on to %s, refreshes %s", a.Header.Get("Location"), a.Header.Get("Refresh"))
	}
	asked := w.asked(http.MethodPost, "/v1/checkout/sessions")
	p.back = strings.TrimPrefix(asked[len(asked)-1].Parameters.Get("success_url"), w.at)
	p.attempt = asked[len(asked)-1].Parameters.Get("client_reference_id")
	return p
}

// asked are the requests to Stripe of a kind that it has answered.
func (w *stripeWorld) asked(method, path string) (all []stripetest.Request) {
	for _, r := range w.stripe.Requests() {
		if r.Method == method && r.Path == path && r.Status == http.StatusOK {
			all = append(all, r)
		}
	}
	return all
}

// hook sends what may be an event, by a proxy for an address.
func (w *stripeWorld) hook(method string, body []byte, signature, from string) rawAnswer {
	w.Helper()
	r, err := http.NewRequestWithContext(w.Context(), method, w.at+stripe.WebhookPath, bytes.NewReader(body))
	orFail(w.T, err)
	r.Header = http.Header{
		"Stripe-Signature": {signature},
		"Content-Type":     {"application/json; charset=utf-8"},
		"X-Forwarded-For":  {from},
	}
	a, err := http.DefaultClient.Do(r)
	orFail(w.T, err)
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	orFail(w.T, err)
	return rawAnswer{a, string(text)}
}

// old lets the time pass within which who has signed in is not asked again who they are.
func old(t *testing.T, p *product) {
	t.Helper()
	dbtest.Exec(t, p.DB, "UPDATE sessions SET authenticated_at = authenticated_at - $1", (2 * time.Hour).Milliseconds())
}
