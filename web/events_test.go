package web_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/webhook"
)

func TestEventsAreListedAndEachTellsWhereItWent(t *testing.T) {
	y := newWebhookPages(t)
	r := y.member(access.Manager)
	r.says(r.get("/test/events"), 200, "Nothing has happened yet")
	e := y.endpoint("https://hooks.example.com/", new("Books"))
	for range 27 {
		y.now = y.now.Add(time.Second)
		y.sent(e, webhook.LeaseSigned, good(), nil)
	}
	y.sent(e, webhook.PaymentSucceeded, bad("no"), nil)
	count := func(path string) int { return strings.Count(r.get(path).Body.String(), `href="/test/events/evt_`) }
	for path, want := range map[string]int{"": 25, "?type=payment.succeeded": 1, "?from=2026-11-13": 0, "?to=2026-11-12": 25, "?type=lost&after=%00": 25} {
		if got := count("/test/events" + path); got != want {
			t.Errorf("%q lists %d, want %d", path, got, want)
		}
	}
	r.says(r.get("/test/events?from=2026-11-13"), 200, "No events match these filters")
	if got := count(link(t, r.get("/test/events"), "Next")); got != 3 {
		t.Errorf("the second page lists %d", got)
	}
	at := link(t, r.get("/test/events?type=payment.succeeded"), "payment.succeeded")
	page := r.get(at)
	r.says(page, 200, `"type": "payment.succeeded"`)
	r.says(page, 200, "Books (hooks.example.com)")
	inert(t, page)
	for _, evil := range hostile {
		inert(t, r.get("/test/events?from="+url.QueryEscape(evil)+"&type="+url.QueryEscape(evil)))
	}
	s := y.stranger()
	s.says(s.get(at), 404, "")
	r.says(r.get(strings.Replace(at, "test", "live", 1)), 404, "")
}
