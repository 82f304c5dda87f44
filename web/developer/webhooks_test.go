package developer_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/event"
	"portal/api/id"
	"portal/api/webhook"
	"portal/db/webhookstore"
	"portal/web/pagetest"
)

// good and bad are attempts that were acknowledged and not.
func good() webhook.Attempt {
	return webhook.Attempt{
		DurationMS:      96,
		StatusCode:      new(200),
		RequestHeaders:  http.Header{"Webhook-Id": {"evt_1"}},
		ResponseHeaders: http.Header{"Server": {"caddy"}},
		ResponseBody:    new("ok"),
	}
}

func bad(body string) webhook.Attempt {
	a := good()
	a.StatusCode = new(500)
	a.Error = new("status: The receiver answered 500 Internal Server Error.")
	a.ResponseBody = &body
	a.DurationMS = 212
	return a
}

func TestNewEndpointShowsItsSecretOnce(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r := y.Member(access.Manager)
	r.Says(r.Get("/test/webhooks"), 200, "No endpoints yet")
	r.Says(r.Get("/test/webhooks/new"), 200, "portal listen --key sk_test_pm_YOUR_KEY")
	if live := r.Get("/live/webhooks/new"); strings.Contains(live.Body.String(), "portal listen") {
		t.Error("live events are said to be streamed")
	}
	rec := r.Post("/test/webhooks/new", "/test/webhooks/new", url.Values{
		"url":         {"https://hooks.example.com/portal"},
		"events":      {"lease.signed"},
		"description": {"Books"},
	})
	r.Says(rec, 200, "The endpoint is added")
	secret := regexp.MustCompile(`whsec_[A-Za-z0-9+/=]{40,}`).FindString(
		pagetest.Text(pagetest.Parse(t, rec.Body.String())),
	)
	if secret == "" || rec.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("secret %q, %v", secret, rec.Header())
	}
	list := r.Get("/test/webhooks")
	r.Says(list, 200, "Sample hooks.example.com /portal · Books Enabled lease.signed nothing sent Never")
	page := r.Get(pagetest.Link(t, list, "hooks.example.com"))
	r.Says(page, 200, "No deliveries yet")
	if strings.Contains(page.Body.String(), secret) {
		t.Error("the secret is shown again")
	}
	r.Says(r.Get("/live/webhooks"), 200, "No endpoints yet")
	if got := y.Trail(); got != "endpoint.created " {
		t.Errorf("the trail says %s", got)
	}
}

func TestNewEndpointErrorsAppearBesideFields(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r := y.Member(access.Owner)
	for _, c := range []struct {
		form  url.Values
		words string
	}{
		{url.Values{}, "URL: Enter the address"},
		{url.Values{"url": {"https://hooks.example.com"}}, "Events: Choose at least one type"},
		{url.Values{"url": {"http://hooks.example.com"}, "events": {"*"}}, "URL: "},
		{url.Values{"url": {"https://10.0.0.1"}, "events": {"*"}}, "URL: "},
		{url.Values{"url": {"https://hooks.example.com"}, "events": {"lease.lost"}}, "Events: Must be one of"},
		{
			url.Values{
				"url":         {"https://hooks.example.com"},
				"events":      {"*"},
				"description": {strings.Repeat("x", 256)},
			},
			"Description: Must have at most 255",
		},
	} {
		r.Says(r.Post("/test/webhooks/new", "/test/webhooks/new", c.form), 400, c.words)
	}
	for range 20 {
		y.Endpoint("https://hooks.example.com/", nil)
	}
	r.Says(r.Post("/test/webhooks/new", "/test/webhooks/new", url.Values{
		"url":    {"https://hooks.example.com"},
		"events": {"*"},
	}), 403, "20 is the most")
}

func TestReenabledEndpointGetsMissedEvents(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, e := y.Member(access.Owner), y.Endpoint("https://hooks.example.com/", nil)
	at := "/test/webhooks/" + e.ID
	r.Says(r.Get(at+"/disable"), 200, "Disable the endpoint at hooks.example.com?")
	r.Leads(r.Post(at+"/disable", at+"/disable", nil), at)
	r.Says(r.Get(at), 200, "The endpoint is disabled.")
	if got, _ := y.Hooks.Endpoint(t.Context(), y.Actor(), e.ID); *got.DisabledReason != webhook.ByDashboard {
		t.Errorf("disabled by %s", *got.DisabledReason)
	}
	r.Leads(r.Post(at+"/test", at+"/enable", nil), at)
	r.Says(r.Get(at), 200, "The endpoint is disabled. Enable it first.")
	for range 3 {
		y.Now = y.Now.Add(time.Second)
		event := webhook.Event{
			ID:        id.New(id.Event, y.Now),
			CreatedAt: clock.At(y.Now),
			Type:      event.LeaseSigned,
			Body:      []byte("{}"),
		}
		y.OK(webhookstore.New(y.DB).AddEvent(t.Context(), y.Home.Test, &event))
	}
	y.Now = y.Now.Add(time.Second)
	r.Says(r.Get(at+"/enable"), 200, "It has missed 3 events since it was disabled.")
	r.Leads(r.Post(at+"/enable", at+"/enable", url.Values{"missed": {"on"}}), at)
	r.Says(r.Get(at), 200, "The endpoint is enabled. Sending 3 missed events.")
	r.Says(r.Get("/test/webhooks/deliveries"), 200, "lease.signed")
	if got := y.Trail(); got != "endpoint.disabled endpoint.enabled endpoint.missed_sent " {
		t.Errorf("the trail says %s", got)
	}
}

func TestSecretRotatesWithOverlap(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, e := y.Member(access.Owner), y.Endpoint("https://hooks.example.com/", nil)
	at := "/test/webhooks/" + e.ID
	r.Says(r.Post(at+"/rotate", at+"/rotate", url.Values{"overlap": {"soon"}}), 400, "Choose how long")
	rec := r.Post(at+"/rotate", at+"/rotate", url.Values{"overlap": {"3600"}})
	r.Says(rec, 200, "Secret rotated")
	if strings.Contains(rec.Body.String(), *e.Secret) {
		t.Error("the secret is the same")
	}
	r.Says(r.Get(at), 200, "Signs until Nov 12, 2026, 1:00:00 PM UTC")
	r.Says(r.Get(at+"/rotate"), 200, "It ends right away.")
}

func TestTestEventRedirectsToItsDelivery(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, e := y.Member(access.Owner), y.Endpoint("https://hooks.example.com/", nil)
	at := "/test/webhooks/" + e.ID
	rec := r.Post(at+"/test", at, nil)
	if !strings.HasPrefix(rec.Header().Get("Location"), "/test/webhooks/deliveries/del_") {
		t.Fatalf("%d to %s", rec.Code, rec.Header().Get("Location"))
	}
	page := r.Get(rec.Header().Get("Location"))
	r.Says(page, 200, "A test event is on its way.")
	r.Says(page, 200, "Attempt 1 Scheduled")
	if !strings.Contains(page.Body.String(), `http-equiv="refresh"`) {
		t.Error("the page does not follow the delivery")
	}
}

func TestDeliveryShowsRequestAndResponse(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, e := y.Member(access.Owner), y.Endpoint("https://hooks.example.com/", new("Books"))
	d := y.Sent(e, event.LeaseSigned, bad("busy\x00\x1b[31m\u202e"), nil)
	page := r.Get("/test/webhooks/deliveries/" + d)
	for _, want := range []string{
		"Failed", "500 212 ms", "status: The receiver answered 500", "Webhook-Id: evt_1",
		"Server: caddy", "busy␀␛[31m�", "bytes that aren’t text", "Books (hooks.example.com)",
		`"type": "lease.signed"`,
	} {
		r.Says(page, 200, want)
	}
	r.Leads(
		r.Post("/test/webhooks/deliveries/"+d+"/redeliver", "/test/webhooks/deliveries/"+d, nil),
		"/test/webhooks/deliveries/"+d,
	)
	r.Says(r.Get("/test/webhooks/deliveries/"+d), 200, "The event is being sent again.")
	at := "/test/webhooks/" + e.ID
	r.Says(r.Get(at), 200, "0 of 1 attempt in 7 days")
	r.Leads(r.Post(at+"/disable", at+"/disable", nil), at)
	r.Says(r.Get("/test/webhooks/deliveries/"+d), 200, "not possible while the endpoint is disabled")
	r.Leads(r.Post("/test/webhooks/deliveries/"+d+"/redeliver", at+"/enable", nil), "/test/webhooks/deliveries/"+d)
	r.Says(r.Get("/test/webhooks/deliveries/"+d), 200, "Enable it first.")
}

func TestDeliveriesAreFilteredAndPaged(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r := y.Member(access.Owner)
	one := y.Endpoint("https://one.example.com/", nil)
	other := y.Endpoint("https://other.example.com/", nil)
	y.Sent(other, event.PaymentSucceeded, bad("no"), nil)
	for range 30 {
		y.Now = y.Now.Add(time.Second)
		y.Sent(one, event.LeaseSigned, good(), nil)
	}
	count := func(path string) int {
		t.Helper()
		rec := r.Get("/test/webhooks/deliveries" + path)
		if rec.Code != 200 {
			t.Errorf("%s: %d", path, rec.Code)
		}
		return strings.Count(rec.Body.String(), `href="/test/webhooks/deliveries/del_`)
	}
	for path, want := range map[string]int{
		"":                             25,
		"?type=payment.succeeded":      1,
		"?status=failed":               1,
		"?status=cancelled":            0,
		"?endpoint=" + other.ID:        1,
		"?endpoint=x%00":               0,
		"?from=2026-11-13":             0,
		"?to=2026-11-12&status=failed": 1,
		"?to=2026-11-11":               0,
		"?after=x%00":                  25,
		"?status=lost":                 25,
		"?from=lost":                   25,
	} {
		if got := count(path); got != want {
			t.Errorf("%q lists %d, want %d", path, got, want)
		}
	}
	next := pagetest.Link(t, r.Get("/test/webhooks/deliveries?from=2026-11-12"), "Next")
	if got := count(strings.TrimPrefix(next, "/test/webhooks/deliveries")); got != 6 ||
		!strings.Contains(next, "from=2026-11-12") {
		t.Errorf("%s lists %d", next, got)
	}
	r.Says(r.Get("/test/webhooks/deliveries?status=cancelled"), 200, "No deliveries match these filters")
	for path, words := range map[string]string{
		"":                                 "All 31Retrying 0Failed 1Delivered 30Pending 0",
		"?status=succeeded":                "25 of 30",
		"?endpoint=" + other.ID:            "All 1Retrying 0Failed 1Delivered 0Pending 0",
		"?type=payment.succeeded":          "other.example.com",
		"?status=failed&sort=oldest":       "1 of 1",
		"?from=2026-11-12&to=2026-11-12":   "from 2026-11-12, to 2026-11-12",
		"?sort=oldest&status=succeeded":    "96 ms",
		"?sort=oldest&from=2026-11-12":     "payment.succeeded",
		"?status=failed&type=lease.signed": "No deliveries match these filters",
	} {
		r.Says(r.Get("/test/webhooks/deliveries"+path), 200, words)
	}
	older := pagetest.Link(t, r.Get("/test/webhooks/deliveries?sort=oldest"), "Next")
	if got := count(strings.TrimPrefix(older, "/test/webhooks/deliveries")); got != 6 {
		t.Errorf("behind the oldest 25 are %d", got)
	}
	r.Says(r.Get("/test/webhooks/"+one.ID), 200, "100.0% of 30 attempts in 7 days")
}

func TestWebhooksOfOtherPortfoliosAreNotFound(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	e := y.Endpoint("https://hooks.example.com/", nil)
	d := y.Sent(e, event.LeaseSigned, good(), nil)
	r, own := y.Stranger(), y.Member(access.Owner)
	own.Says(own.Get("/live/webhooks/"+e.ID), 404, "")
	for _, path := range []string{"", "/edit", "/disable", "/enable", "/rotate", "/missed"} {
		r.Says(r.Get("/test/webhooks/"+e.ID+path), 404, "")
	}
	for _, path := range []string{
		"/test/webhooks/" + e.ID + "/disable", "/test/webhooks/" + e.ID + "/enable",
		"/test/webhooks/" + e.ID + "/test", "/test/webhooks/deliveries/" + d + "/redeliver",
	} {
		r.Says(r.Post(path, "/test/webhooks/new", nil), 404, "")
	}
	r.Says(r.Post("/test/webhooks/"+e.ID+"/rotate", "/test/webhooks/new", url.Values{"overlap": {"0"}}), 404, "")
	r.Says(r.Post("/test/webhooks/"+e.ID+"/missed", "/test/webhooks/new", url.Values{"days": {"1"}}), 404, "")
	r.Says(r.Post("/test/webhooks/"+e.ID+"/edit", "/test/webhooks/new", url.Values{
		"url":    {"https://evil.test"},
		"events": {"*"},
		"status": {"enabled"},
	}), 404, "")
	r.Says(r.Get("/test/webhooks/deliveries/"+d), 404, "")
	for _, path := range []string{"/test/webhooks/x", "/test/webhooks/we_%00", "/test/webhooks/deliveries/x%00"} {
		own.Says(own.Get(path), 404, "")
	}
	if got := y.Trail(); got != "" {
		t.Errorf("the trail says %s", got)
	}
}

func TestReceiverResponseNeverRunsAsScript(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r := y.Member(access.Owner)
	for i, evil := range pagetest.Hostile {
		if i < 18 {
			y.Endpoint("https://hooks.example.com/"+url.PathEscape(evil), &evil)
		}
		rec := r.Post("/test/webhooks/new", "/test/webhooks/new", url.Values{
			"url":         {evil},
			"description": {evil},
			"events":      {evil},
		})
		pagetest.Inert(t, rec)
		pagetest.Inert(
			t,
			r.Get(
				"/test/webhooks/deliveries?endpoint="+url.QueryEscape(evil)+"&from="+url.QueryEscape(evil)+
					"&type="+url.QueryEscape(evil),
			),
		)
	}
	e := y.Endpoint("https://hooks.example.com/last", new(pagetest.Hostile[0]))
	for _, evil := range pagetest.Hostile {
		a := bad(evil)
		a.ResponseHeaders, a.Error = http.Header{evil: {evil}}, &evil
		pagetest.Inert(t, r.Get("/test/webhooks/deliveries/"+y.Sent(e, event.LeaseSigned, a, nil)))
	}
	for _, path := range []string{
		"/test/webhooks", "/test/webhooks/" + e.ID, "/test/webhooks/" + e.ID + "/disable",
		"/test/webhooks/deliveries",
	} {
		pagetest.Inert(t, r.Get(path))
	}
}

func TestWebhookPagesAreAccessible(t *testing.T) {
	t.Parallel()
	b, y := pagetest.Browser(t), pagetest.NewWebhookPagesAt(t, pagetest.BaseURL)
	e := y.Endpoint(
		"https://hooks.example.com/portal/production/accounting/and/a/very/long/path/that/does/not/end",
		new("Accounting"),
	)
	y.Endpoint("https://other.example.com/", nil)
	now := y.Now
	for i := range 40 {
		y.Now = now.Add(-time.Duration(40-i) * 7 * time.Hour)
		a := good()
		if a.DurationMS += int64(i*37) % 200; i%9 == 4 {
			a = bad("{\"error\":\"busy\"}")
		}
		y.Sent(e, event.LeaseSigned, a, nil)
	}
	y.Now = now
	d := y.Sent(e, event.PaymentSucceeded, bad("upstream is away\x00"), new(clock.At(y.Now.Add(10*time.Minute))))
	y.Member(access.Owner).Looks(
		b,
		"/test/webhooks",
		"/live/webhooks",
		"/test/webhooks/new",
		"/test/webhooks/"+
			e.ID,
		"/test/webhooks/"+
			e.ID+"/edit",
		"/test/webhooks/"+
			e.ID+"/rotate",
		"/test/webhooks/"+
			e.ID+"/missed",
		"/test/webhooks/deliveries",
		"/test/webhooks/deliveries?status=cancelled",
		"/test/events",
		"/test/activity",
		"/test/logs",
		"/test/webhooks/deliveries/"+
			d,
	)
}

func TestFailingEndpointsComeFirstAndSamplesAreMarked(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r := y.Member(access.Owner)
	other := y.Endpoint("https://crm.example.org/in", new("Office"))
	lost := y.Endpoint("https://lost.example.org/in", nil)
	y.Now = y.Now.Add(time.Second)
	works := y.Endpoint("https://books.acme-homes.com/", nil)
	y.Now = y.Now.Add(time.Second)
	fails := y.Endpoint("https://hooks.acme-homes.com/", nil)
	y.Sent(other, event.LeaseSigned, good(), nil)
	y.Sent(lost, event.LeaseSigned, bad("gone"), nil)
	if a, b := orderIn(t, r, works.ID, fails.ID); a > b {
		t.Error("the oldest is not first while none fails")
	}
	if a, b := orderIn(t, r, fails.ID, lost.ID); a > b {
		t.Error("a sample is before an address that leads somewhere")
	}
	if said := r.Get("/test/webhooks").Body.String(); strings.Contains(said, "has failed since") {
		t.Error("a sample, which cannot but fail, raises an alarm")
	}
	y.Sent(fails, event.LeaseSigned, bad("busy"), nil)
	if a, b := orderIn(t, r, works.ID, fails.ID); a < b {
		t.Error("what fails is not on top")
	}
	list := r.Get("/test/webhooks")
	r.Says(list, 200, "Every delivery to hooks.acme-homes.com has failed since Nov 12, 2026")
	r.Says(list, 200, "Sample crm.example.org /in · Office Enabled All events 1 of 1")
	r.Says(list, 200, "Endpoints marked Sample have an address")
	r.Says(r.Get("/test/webhooks/"+other.ID), 200, "Sample endpoint")
	if page := r.Get("/test/webhooks/" + fails.ID); strings.Contains(page.Body.String(), "Sample endpoint") {
		t.Error("an address that leads somewhere is called a sample")
	}
}

// orderIn are the places of two endpoints in the list.
func orderIn(t *testing.T, r *pagetest.Reader, a, b string) (int, int) {
	t.Helper()
	body := r.Get("/test/webhooks").Body.String()
	first, second := strings.Index(body, "/"+a+`"`), strings.Index(body, "/"+b+`"`)
	if first < 0 || second < 0 {
		t.Fatal("an endpoint is not listed")
	}
	return first, second
}
