package web_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"portal/api/access"
	"portal/api/account"
	"portal/api/audit"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/api/portfolio/application"
	"portal/api/portfolio/report"
	"portal/api/portfolio/verification"
	"portal/api/secret"
	"portal/api/webhook"
	"portal/db"
	"portal/db/auditstore"
	"portal/db/dbtest"
	"portal/db/developerstore"
	"portal/db/oncestore"
	"portal/db/portfoliostore"
	"portal/db/webhookstore"
	"portal/web"
	developerpages "portal/web/developer"
	"portal/web/records"
)

// webhookPages are the pages over a real database, where things happened.
type webhookPages struct {
	*testPages
	db    *db.DB
	home  dbtest.Home
	hooks *webhook.Service
	books *portfolio.Service
	now   time.Time
}

func newWebhookPages(t *testing.T) *webhookPages {
	t.Helper()
	t.Parallel()
	return webhookPagesAt(t, base)
}

func webhookPagesAt(t *testing.T, address string) *webhookPages {
	t.Helper()
	box, err := secret.NewBox(make([]byte, secret.KeySize))
	if err != nil {
		t.Fatal(err)
	}
	d := dbtest.SQLite(t)
	y := &webhookPages{db: d, home: dbtest.NewHome(t, d, "dana"), now: dbtest.Noon().Std()}
	now := func() time.Time { return y.now }
	y.hooks = webhook.New(webhookstore.New(d), box, now, false)
	y.hooks.Trail = audit.Log{Store: auditstore.New(d), Now: now}
	y.books = portfolio.New(portfoliostore.New(d), now)
	records := records.Rules(y.books, report.New(y.books, portfoliostore.ForReports(d)), application.New(y.books, portfoliostore.ForApplications(d)), verification.New(y.books, portfoliostore.ForVerifications(d)))
	h := &testPages{T: t, sessions: &memorySessions{data: map[string][]byte{}}, people: visitors{}}
	h.pages = web.New(web.Config{BaseURL: address, Forms: oncestore.NewForms(d), Sessions: h.sessions, People: h.people, Endpoints: y.hooks, Deliveries: developerpages.DeliveryRules(y.hooks), Activity: developer.New(developerstore.New(d), now, nil), RequestLog: developer.New(developerstore.New(d), now, nil), Exchanges: developer.Exchanges{Store: developerstore.NewRequests(d), Box: box, Now: now}, Leases: records.Leases, Tickets: records.Tickets, Ledger: records.Ledger, Now: now, Log: slog.New(slog.NewTextHandler(t.Output(), nil)), Design: true})
	h.Echo = wired(h.pages)
	y.testPages = h
	return y
}

// member is a browser of who works for the landlord.
func (y *webhookPages) member(role access.Role) *reader {
	var user string
	dbtest.Query(y.T, y.db, "SELECT id FROM users", func(_ []string, values []any) { user = fmt.Sprint(values[0]) })
	return y.reader(visitor(user, y.home, role))
}

// stranger is a browser of an owner of another account.
func (y *webhookPages) stranger() *reader {
	return y.reader(visitor("user_9", dbtest.NewHome(y.T, y.db, "robin"), access.Owner))
}

func visitor(user string, h dbtest.Home, role access.Role) account.Visitor {
	return account.Visitor{UserID: user, Email: h.Email, Role: developer.Landlord,
		Account: &account.Membership{AccountID: h.AccountID, Name: "Maple & Oak", Role: role, TimeZone: "UTC", Plan: developer.Plan{Tier: developer.Pro}, Live: h.Live, Test: h.Test}}
}

func (y *webhookPages) actor() access.Actor {
	return access.Actor{Portfolio: y.home.Test, AccountID: y.home.AccountID, Scopes: access.Scopes{access.Read, access.Write}, Zone: time.UTC}
}

func (y *webhookPages) ok(err error) {
	y.Helper()
	if err != nil {
		y.Fatal(err)
	}
}

// endpoint adds one.
func (y *webhookPages) endpoint(address string, about *string) *webhook.Endpoint {
	y.Helper()
	made, err := y.hooks.CreateEndpoint(y.Context(), y.actor(), webhook.EndpointCreate{URL: address, Description: about})
	y.ok(err)
	return made.After
}

// sent is a delivery to an endpoint after one attempt.
func (y *webhookPages) sent(e *webhook.Endpoint, kind webhook.Kind, a webhook.Attempt, next *clock.Time) string {
	y.Helper()
	at := webhook.Place{Portfolio: y.home.Test, Endpoint: e.ID}
	event := webhook.Event{ID: id.New(id.Event, y.now), CreatedAt: clock.At(y.now), Type: kind, Body: []byte(`{"id":"evt_1","type":"` + string(kind) + `","data":{"object":{"title":"<script>alert(1)</script>"}}}`)}
	y.ok(webhookstore.NewDeliveries(y.db).AddEvent(y.Context(), at.Portfolio, &event))
	d := webhook.Delivery{ID: id.New(id.Delivery, y.now), CreatedAt: clock.At(y.now), EventID: event.ID, EventType: webhook.EventType(kind), EndpointID: e.ID}
	y.ok(webhookstore.NewDeliveries(y.db).AddDeliveries(y.Context(), at.Portfolio, []webhook.Delivery{d}))
	c, err := webhookstore.NewDispatch(y.db).Claim(y.Context(), at, webhook.Claim{By: "test", At: clock.At(y.now), Until: clock.At(y.now.Add(time.Minute)), Most: 1, InFlight: 10})
	y.ok(err)
	a.Number, a.At, a.Trigger = 1, clock.At(y.now), webhook.BySchedule
	end := webhook.Conclusion{Work: &c.Work[0], Status: webhook.Succeeded, Attempt: a, Next: next}
	if a.Error != nil {
		end.Status = webhook.Failed
	}
	if next != nil {
		end.Status = webhook.Pending
	}
	_, err = webhookstore.NewDispatch(y.db).Conclude(y.Context(), at, "test", []webhook.Conclusion{end})
	y.ok(err)
	return d.ID
}

// good and bad are attempts that were acknowledged and not.
func good() webhook.Attempt {
	return webhook.Attempt{DurationMS: 96, StatusCode: new(200), RequestHeaders: http.Header{"Webhook-Id": {"evt_1"}}, ResponseHeaders: http.Header{"Server": {"caddy"}}, ResponseBody: new("ok")}
}

func bad(body string) webhook.Attempt {
	a := good()
	a.StatusCode, a.Error, a.ResponseBody, a.DurationMS = new(500), new("status: The receiver answered 500 Internal Server Error."), &body, 212
	return a
}

// trail is what the trail says was done, by name.
func (y *webhookPages) trail() string {
	y.Helper()
	entries, err := auditstore.New(y.db).Audit(y.Context(), audit.Query{AccountID: y.home.AccountID, Limit: 100})
	y.ok(err)
	var b strings.Builder
	slices.SortFunc(entries, func(a, b audit.Entry) int { return strings.Compare(a.Action, b.Action) })
	for _, e := range entries {
		b.WriteString(e.Action + " ")
	}
	return b.String()
}

func TestAnEndpointIsAddedAndShowsItsSecretOnce(t *testing.T) {
	y := newWebhookPages(t)
	r := y.member(access.Manager)
	r.says(r.get("/test/webhooks"), 200, "No endpoints yet")
	rec := r.post("/test/webhooks/new", "/test/webhooks/new", url.Values{"url": {"https://hooks.example.com/portal"}, "events": {"lease.signed"}, "description": {"Books"}})
	r.says(rec, 200, "The endpoint is added")
	secret := regexp.MustCompile(`whsec_[A-Za-z0-9+/=]{40,}`).FindString(text(parse(t, rec.Body.String())))
	if secret == "" || rec.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("secret %q, %v", secret, rec.Header())
	}
	list := r.get("/test/webhooks")
	r.says(list, 200, "Books lease.signed Enabled none yet nothing sent never")
	page := r.get(link(t, list, "https://hooks.example.com/portal"))
	r.says(page, 200, "Nothing was sent yet")
	if strings.Contains(page.Body.String(), secret) {
		t.Error("the secret is shown again")
	}
	r.says(r.get("/live/webhooks"), 200, "No endpoints yet")
	if got := y.trail(); got != "endpoint.created " {
		t.Errorf("the trail says %s", got)
	}
}

// link is where the anchor with a text leads to.
func link(t *testing.T, rec *httptest.ResponseRecorder, words string) string {
	t.Helper()
	for n := range parse(t, rec.Body.String()).Descendants() {
		if n.Type == html.ElementNode && n.Data == "a" && text(n) == words {
			return attr(n, "href")
		}
	}
	t.Fatalf("no link says %q", words)
	return ""
}

func TestWhatIsWrongWithAnEndpointStandsBesideItsField(t *testing.T) {
	y := newWebhookPages(t)
	r := y.member(access.Owner)
	for _, c := range []struct {
		form  url.Values
		words string
	}{
		{url.Values{}, "URL: Enter the address"},
		{url.Values{"url": {"https://hooks.example.com"}}, "Events: Choose at least one type"},
		{url.Values{"url": {"http://hooks.example.com"}, "events": {"*"}}, "URL: "},
		{url.Values{"url": {"https://10.0.0.1"}, "events": {"*"}}, "URL: "},
		{url.Values{"url": {"https://hooks.example.com"}, "events": {"lease.lost"}}, "Events: Must be one of"},
		{url.Values{"url": {"https://hooks.example.com"}, "events": {"*"}, "description": {strings.Repeat("x", 256)}}, "Description: Must have at most 255"},
	} {
		r.says(r.post("/test/webhooks/new", "/test/webhooks/new", c.form), 400, c.words)
	}
	for range 20 {
		y.endpoint("https://hooks.example.com/", nil)
	}
	r.says(r.post("/test/webhooks/new", "/test/webhooks/new", url.Values{"url": {"https://hooks.example.com"}, "events": {"*"}}), 403, "20 is the most")
}

func TestAnEndpointIsDisabledAndEnabledWithWhatItMissed(t *testing.T) {
	y := newWebhookPages(t)
	r, e := y.member(access.Owner), y.endpoint("https://hooks.example.com/", nil)
	at := "/test/webhooks/" + e.ID
	r.says(r.get(at+"/disable"), 200, "Disable the endpoint at hooks.example.com?")
	r.leads(r.post(at+"/disable", at+"/disable", nil), at)
	r.says(r.get(at), 200, "The endpoint is disabled.")
	if got, _ := y.hooks.Endpoint(t.Context(), y.actor(), e.ID); *got.DisabledReason != webhook.ByDashboard {
		t.Errorf("disabled by %s", *got.DisabledReason)
	}
	r.leads(r.post(at+"/test", at+"/enable", nil), at)
	r.says(r.get(at), 200, "The endpoint is disabled, so nothing is sent to it.")
	for range 3 {
		y.now = y.now.Add(time.Second)
		event := webhook.Event{ID: id.New(id.Event, y.now), CreatedAt: clock.At(y.now), Type: webhook.LeaseSigned, Body: []byte("{}")}
		y.ok(webhookstore.NewDeliveries(y.db).AddEvent(t.Context(), y.home.Test, &event))
	}
	y.now = y.now.Add(time.Second)
	r.says(r.get(at+"/enable"), 200, "It has missed 3 events since it was disabled.")
	r.leads(r.post(at+"/enable", at+"/enable", url.Values{"missed": {"on"}}), at)
	r.says(r.get(at), 200, "The endpoint is enabled. 3 events that it missed are being sent.")
	r.says(r.get("/test/webhooks/deliveries"), 200, "lease.signed")
	if got := y.trail(); got != "endpoint.disabled endpoint.enabled endpoint.missed_sent " {
		t.Errorf("the trail says %s", got)
	}
}

func TestASecretIsRotatedWithAnOverlap(t *testing.T) {
	y := newWebhookPages(t)
	r, e := y.member(access.Owner), y.endpoint("https://hooks.example.com/", nil)
	at := "/test/webhooks/" + e.ID
	r.says(r.post(at+"/rotate", at+"/rotate", url.Values{"overlap": {"soon"}}), 400, "Choose how long")
	rec := r.post(at+"/rotate", at+"/rotate", url.Values{"overlap": {"3600"}})
	r.says(rec, 200, "The secret is rotated")
	if strings.Contains(rec.Body.String(), *e.Secret) {
		t.Error("the secret is the same")
	}
	r.says(r.get(at), 200, "signs too until Nov 12, 2026, 1:00:00 PM UTC")
	r.says(r.get(at+"/rotate"), 200, "It ends at once.")
}

func TestATestEventLeadsToItsDelivery(t *testing.T) {
	y := newWebhookPages(t)
	r, e := y.member(access.Owner), y.endpoint("https://hooks.example.com/", nil)
	at := "/test/webhooks/" + e.ID
	rec := r.post(at+"/test", at, nil)
	if !strings.HasPrefix(rec.Header().Get("Location"), "/test/webhooks/deliveries/del_") {
		t.Fatalf("%d to %s", rec.Code, rec.Header().Get("Location"))
	}
	page := r.get(rec.Header().Get("Location"))
	r.says(page, 200, "A test event is on its way.")
	r.says(page, 200, "Attempt 1Planned")
	if !strings.Contains(page.Body.String(), `http-equiv="refresh"`) {
		t.Error("the page does not follow the delivery")
	}
}

func TestADeliveryShowsWhatWasSentAndAnswered(t *testing.T) {
	y := newWebhookPages(t)
	r, e := y.member(access.Owner), y.endpoint("https://hooks.example.com/", new("Books"))
	d := y.sent(e, webhook.LeaseSigned, bad("busy\x00\x1b[31m\u202e"), nil)
	page := r.get("/test/webhooks/deliveries/" + d)
	for _, want := range []string{"Failed", "500 in 212 ms", "status: The receiver answered 500", "Webhook-Id: evt_1", "Server: caddy", "busy␀␛[31m�", "bytes that are no text", "Books (hooks.example.com)", `"type": "lease.signed"`} {
		r.says(page, 200, want)
	}
	r.leads(r.post("/test/webhooks/deliveries/"+d+"/redeliver", "/test/webhooks/deliveries/"+d, nil), "/test/webhooks/deliveries/"+d)
	r.says(r.get("/test/webhooks/deliveries/"+d), 200, "It is sent again now.")
	at := "/test/webhooks/" + e.ID
	r.says(r.get(at), 200, "0.0 % of 1")
	r.leads(r.post(at+"/disable", at+"/disable", nil), at)
	r.says(r.get("/test/webhooks/deliveries/"+d), 200, "not possible while the endpoint is disabled")
	r.leads(r.post("/test/webhooks/deliveries/"+d+"/redeliver", at+"/enable", nil), "/test/webhooks/deliveries/"+d)
	r.says(r.get("/test/webhooks/deliveries/"+d), 200, "Enable it first.")
}

func TestTheLogOfDeliveriesIsFilteredAndTurned(t *testing.T) {
	y := newWebhookPages(t)
	r, one, other := y.member(access.Owner), y.endpoint("https://one.example.com/", nil), y.endpoint("https://other.example.com/", nil)
	y.sent(other, webhook.PaymentSucceeded, bad("no"), nil)
	for range 30 {
		y.now = y.now.Add(time.Second)
		y.sent(one, webhook.LeaseSigned, good(), nil)
	}
	count := func(path string) int {
		t.Helper()
		rec := r.get("/test/webhooks/deliveries" + path)
		if rec.Code != 200 {
			t.Errorf("%s: %d", path, rec.Code)
		}
		return strings.Count(rec.Body.String(), `href="/test/webhooks/deliveries/del_`)
	}
	for path, want := range map[string]int{
		"": 25, "?type=payment.succeeded": 1, "?status=failed": 1, "?status=cancelled": 0, "?endpoint=" + other.ID: 1, "?endpoint=x%00": 0, "?from=2026-11-13": 0, "?to=2026-11-12&status=failed": 1,
		"?to=2026-11-11": 0, "?after=x%00": 25, "?status=lost": 25, "?from=lost": 25,
	} {
		if got := count(path); got != want {
			t.Errorf("%q lists %d, want %d", path, got, want)
		}
	}
	next := link(t, r.get("/test/webhooks/deliveries?from=2026-11-12"), "Next")
	if got := count(strings.TrimPrefix(next, "/test/webhooks/deliveries")); got != 6 || !strings.Contains(next, "from=2026-11-12") {
		t.Errorf("%s lists %d", next, got)
	}
	r.says(r.get("/test/webhooks/deliveries?status=cancelled"), 200, "No deliveries match these filters")
	r.says(r.get("/test/webhooks/"+one.ID), 200, "100.0 % of 30")
}

func TestWebhooksOfOthersAreNotThere(t *testing.T) {
	y := newWebhookPages(t)
	e := y.endpoint("https://hooks.example.com/", nil)
	d := y.sent(e, webhook.LeaseSigned, good(), nil)
	r, own := y.stranger(), y.member(access.Owner)
	own.says(own.get("/live/webhooks/"+e.ID), 404, "")
	for _, path := range []string{"", "/edit", "/disable", "/enable", "/rotate", "/missed"} {
		r.says(r.get("/test/webhooks/"+e.ID+path), 404, "")
	}
	for _, path := range []string{"/test/webhooks/" + e.ID + "/disable", "/test/webhooks/" + e.ID + "/enable", "/test/webhooks/" + e.ID + "/test", "/test/webhooks/deliveries/" + d + "/redeliver"} {
		r.says(r.post(path, "/test/webhooks/new", nil), 404, "")
	}
	r.says(r.post("/test/webhooks/"+e.ID+"/rotate", "/test/webhooks/new", url.Values{"overlap": {"0"}}), 404, "")
	r.says(r.post("/test/webhooks/"+e.ID+"/missed", "/test/webhooks/new", url.Values{"days": {"1"}}), 404, "")
	r.says(r.post("/test/webhooks/"+e.ID+"/edit", "/test/webhooks/new", url.Values{"url": {"https://evil.test"}, "events": {"*"}, "status": {"enabled"}}), 404, "")
	r.says(r.get("/test/webhooks/deliveries/"+d), 404, "")
	for _, path := range []string{"/test/webhooks/x", "/test/webhooks/we_%00", "/test/webhooks/deliveries/x%00"} {
		own.says(own.get(path), 404, "")
	}
	if got := y.trail(); got != "" {
		t.Errorf("the trail says %s", got)
	}
}

// hostile are what must never run.
var hostile = []string{
	`<script>alert(1)</script>`, `"><script>alert(1)</script>`, `'><img src=x onerror=alert(1)>`, `</code></pre><script>alert(1)</script>`, `</textarea><svg onload=alert(1)>`,
	`<iframe src=javascript:alert(1)>`, `javascript:alert(1)`, `" onmouseover="alert(1)`, `' autofocus onfocus='alert(1)`, `<a href="javascript:alert(1)">x</a>`, `{{constructor.constructor('alert(1)')()}}`,
	`<!--<img src="--><img src=x onerror=alert(1)//">`, `</title><script>alert(1)</script>`, `<style>@import 'http://evil.test'</style>`, `<base href=//evil.test>`, `<meta http-equiv=refresh content=0;url=//evil.test>`,
	`<form action=//evil.test><button>`, `<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>`, "\u003cscript\u003ealert(1)\u003c/script\u003e", `<object data=data:text/html,x>`, `<link rel=stylesheet href=//evil.test>`,
	`<details open ontoggle=alert(1)>`, `&lt;script&gt;alert(1)&lt;/script&gt;`, `<x contenteditable onblur=alert(1)>`,
}

// inert checks that nothing of a page came to be an element or an attribute that was
// not meant.
func inert(t *testing.T, rec *httptest.ResponseRecorder) {
	t.Helper()
	for n := range parse(t, rec.Body.String()).Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch n.Data {
		case "iframe", "object", "base", "style", "math", "x":
			t.Errorf("a %s was drawn", n.Data)
		case "script", "img":
			if n.FirstChild != nil || !strings.HasPrefix(attr(n, "src"), "/static/") {
				t.Errorf("a %s was drawn", n.Data)
			}
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || strings.Contains(strings.ToLower(a.Val), "javascript:") && (a.Key == "href" || a.Key == "src") || strings.Contains(a.Val, "//evil.test") && a.Key != "value" && a.Key != "aria-label" {
				t.Errorf("%s has %s=%q", n.Data, a.Key, a.Val)
			}
		}
	}
}

func TestNothingThatAReceiverAnswersRuns(t *testing.T) {
	y := newWebhookPages(t)
	r := y.member(access.Owner)
	for i, evil := range hostile {
		if i < 18 {
			y.endpoint("https://hooks.example.com/"+url.PathEscape(evil), &evil)
		}
		rec := r.post("/test/webhooks/new", "/test/webhooks/new", url.Values{"url": {evil}, "description": {evil}, "events": {evil}})
		inert(t, rec)
		inert(t, r.get("/test/webhooks/deliveries?endpoint="+url.QueryEscape(evil)+"&from="+url.QueryEscape(evil)+"&type="+url.QueryEscape(evil)))
	}
	e := y.endpoint("https://hooks.example.com/last", new(hostile[0]))
	for _, evil := range hostile {
		a := bad(evil)
		a.ResponseHeaders, a.Error = http.Header{evil: {evil}}, &evil
		inert(t, r.get("/test/webhooks/deliveries/"+y.sent(e, webhook.LeaseSigned, a, nil)))
	}
	for _, path := range []string{"/test/webhooks", "/test/webhooks/" + e.ID, "/test/webhooks/" + e.ID + "/disable", "/test/webhooks/deliveries"} {
		inert(t, r.get(path))
	}
}

func TestEverybodyCanUseThePagesOfWebhooks(t *testing.T) {
	t.Parallel()
	b, y := browser(t), webhookPagesAt(t, base)
	e := y.endpoint("https://hooks.example.com/portal/production/accounting/and/a/very/long/path/that/does/not/end", new("Accounting"))
	y.endpoint("https://other.example.com/", nil)
	now := y.now
	for i := range 40 {
		y.now = now.Add(-time.Duration(40-i) * 7 * time.Hour)
		a := good()
		if a.DurationMS += int64(i*37) % 200; i%9 == 4 {
			a = bad("{\"error\":\"busy\"}")
		}
		y.sent(e, webhook.LeaseSigned, a, nil)
	}
	y.now = now
	d := y.sent(e, webhook.PaymentSucceeded, bad("upstream is away\x00"), new(clock.At(y.now.Add(10*time.Minute))))
	y.member(access.Owner).looks(b, "/test/webhooks", "/live/webhooks", "/test/webhooks/new", "/test/webhooks/"+e.ID, "/test/webhooks/"+e.ID+"/edit", "/test/webhooks/"+e.ID+"/rotate", "/test/webhooks/"+e.ID+"/missed",
		"/test/webhooks/deliveries", "/test/webhooks/deliveries?status=cancelled", "/test/events", "/test/activity", "/test/logs", "/test/webhooks/deliveries/"+d)
}
