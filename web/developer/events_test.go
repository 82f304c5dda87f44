package developer_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/event"
	"portal/web/pagetest"
)

func TestEventsAreListedWithTheirDestinations(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r := y.Member(access.Manager)
	r.Says(r.Get("/test/events"), 200, "No events yet")
	e := y.Endpoint("https://hooks.example.com/", new("Books"))
	for range 27 {
		y.Now = y.Now.Add(time.Second)
		y.Sent(e, event.LeaseSigned, good(), nil)
	}
	y.Sent(e, event.PaymentSucceeded, bad("no"), nil)
	count := func(path string) int { return strings.Count(r.Get(path).Body.String(), `href="/test/events/evt_`) }
	for path, want := range map[string]int{
		"":                        25,
		"?type=payment.succeeded": 1,
		"?from=2026-11-13":        0,
		"?to=2026-11-12":          25,
		"?type=lost&after=%00":    25,
	} {
		if got := count("/test/events" + path); got != want {
			t.Errorf("%q lists %d, want %d", path, got, want)
		}
	}
	r.Says(r.Get("/test/events?from=2026-11-13"), 200, "No events match these filters")
	if got := count(pagetest.Link(t, r.Get("/test/events"), "Next")); got != 3 {
		t.Errorf("the second page lists %d", got)
	}
	at := pagetest.Link(t, r.Get("/test/events?type=payment.succeeded"), "payment.succeeded")
	oldest := r.Get("/test/events?sort=oldest")
	if strings.Contains(oldest.Body.String(), at) {
		t.Error("the oldest events begin with the newest")
	}
	if next := r.Get(pagetest.Link(t, oldest, "Next")).Body.String(); !strings.Contains(next, at) {
		t.Error("the oldest events do not end with the newest")
	}
	page := r.Get(at)
	r.Says(page, 200, `"type": "payment.succeeded"`)
	r.Says(page, 200, "hooks.example.com Books")
	pagetest.Inert(t, page)
	for _, evil := range pagetest.Hostile {
		pagetest.Inert(t, r.Get("/test/events?from="+url.QueryEscape(evil)+"&type="+url.QueryEscape(evil)))
	}
	s := y.Stranger()
	s.Says(s.Get(at), 404, "")
	r.Says(r.Get(strings.Replace(at, "test", "live", 1)), 404, "")
}
