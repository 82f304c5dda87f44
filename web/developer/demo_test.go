package developer_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
	"portal/web/page"
	"portal/web/pagetest"
)

func TestTriggeredTestEventIsShown(t *testing.T) {
	t.Parallel()
	m := pagetest.NewDemoPages(t)
	r := m.Member(access.Manager)
	r.Says(r.Get("/test/demo"), http.StatusOK, "Trigger test event")
	for kind, about := range map[string]string{
		"maintenance.created": "tkt_",
		"payment.succeeded":   "pay_",
		"lease.signed":        "lea_",
	} {
		rec := r.Post("/test/demo", "/test/demo", url.Values{"kind": {kind}})
		at := rec.Header().Get("Location")
		if !strings.HasPrefix(at, "/test/demo?event=evt_") {
			t.Fatalf("%s: %d to %q", kind, rec.Code, at)
		}
		page := r.Get(at)
		r.Says(page, http.StatusOK, kind+" was triggered and is sent to no endpoint.")
		r.Says(page, http.StatusOK, "No endpoint gets this event yet")
		if pagetest.Link(t, page, "Add endpoint") != "/test/webhooks/new" {
			t.Error("the way to an endpoint is not shown")
		}
		r.Says(r.Get(pagetest.Link(t, page, "View event")), http.StatusOK, about)
	}
	m.Endpoint()
	rec := r.Post("/test/demo", "/test/demo", url.Values{"kind": {"payment.succeeded"}})
	r.Says(
		r.Get(rec.Header().Get("Location")),
		http.StatusOK,
		"payment.succeeded was triggered and is sent to 1 endpoint.",
	)
	r.Says(r.Get(rec.Header().Get("Location")), http.StatusOK, "hooks.example.com")
	s := m.Stranger()
	if page := s.Get(rec.Header().Get("Location")).Body.String(); strings.Contains(page, "was triggered") {
		t.Error("another account's event is shown")
	}
}

func TestImpossibleDemoEventIsExplained(t *testing.T) {
	t.Parallel()
	m := pagetest.NewDemoPages(t)
	r := m.Member(access.Owner)
	pagetest.Must(
		t,
		m.DB.Atomically(
			t.Context(),
			func(ctx context.Context) error { return portfoliostore.New(m.DB).ClearDemo(ctx, m.Home.Test) },
		),
	)
	for _, kind := range []string{"maintenance.created", "payment.succeeded", "lease.signed", "", "tenant.born"} {
		r.Leads(r.Post("/test/demo", "/test/demo", url.Values{"kind": {kind}}), "/test/demo")
		r.Says(r.Get("/test/demo"), http.StatusOK, "Reset the demo portfolio to start over.")
	}
}

func TestOnlyOwnerResetsDemoPortfolio(t *testing.T) {
	t.Parallel()
	m := pagetest.NewDemoPages(t)
	r, manager := m.Member(access.Owner), m.Member(access.Manager)
	m.Endpoint()
	rec := r.Post("/test/demo", "/test/demo", url.Values{"kind": {"maintenance.created"}})
	manager.Says(manager.Get("/test/demo/reset"), http.StatusForbidden, "Only owners")
	manager.Says(manager.Get("/test/demo"), http.StatusOK, "An owner of the account can reset it.")
	r.Says(r.Get("/test/demo/reset"), http.StatusOK, "Reset the demo portfolio?")
	r.Leads(r.Post("/test/demo/reset", "/test/demo/reset", nil), "/test/demo")
	r.Says(r.Get("/test/demo"), http.StatusOK, "The demo portfolio is reset")
	page := r.Get(rec.Header().Get("Location"))
	if page.Code != http.StatusOK || strings.Contains(page.Body.String(), "was triggered") {
		t.Errorf("%d: an event that is gone is shown", page.Code)
	}
	r.Says(r.Get("/test/webhooks"), http.StatusOK, "hooks.example.com")
	r.Says(r.Get("/live/demo"), http.StatusNotFound, "")
}

func TestDemoPagesAreAccessible(t *testing.T) {
	t.Parallel()
	b, m := pagetest.Browser(t), pagetest.NewDemoPages(t)
	r := m.Member(access.Owner)
	none := r.Post("/test/demo", "/test/demo", url.Values{"kind": {"lease.signed"}}).Header().Get("Location")
	m.Endpoint()
	one := r.Post("/test/demo", "/test/demo", url.Values{"kind": {"maintenance.created"}}).Header().Get("Location")
	r.Looks(b, none, one, "/test/demo/reset")
	to := clock.DateOf(time.Now(), m.Actor(access.Test).Zone).AddMonths(1).String()
	r.Leads(r.Post("/test/demo/clock", "/test/demo", url.Values{"advance_to": {to}}), "/test/demo")
	m.Home.Test.Ahead = 10
	m.Member(access.Owner).Looks(b, "/test/demo") // while the clock is being turned
}

func TestClockIsTurnedOnDemoPage(t *testing.T) {
	t.Parallel()
	m := pagetest.NewDemoPages(t)
	dbtest.Exec(t, m.DB, "UPDATE accounts SET time_zone = 'UTC'") // that of who looks, where another day may have begun
	r := m.Member(access.Manager)
	today := clock.DateOf(time.Now(), m.Actor(access.Test).Zone)
	for _, words := range []string{"Turn the clock", "Today is " + page.Date(today), "1 month"} {
		r.Says(r.Get("/test/demo"), http.StatusOK, words)
	}
	if strip := r.Get("/test/leases").Body.String(); strings.Contains(strip, "Today is") {
		t.Error("the real day is shown as one of a test clock")
	}
	for typed, want := range map[string]string{
		"":                                      "Enter the new day.",
		"soon":                                  "Enter the date as 2026-12-31",
		today.AddDays(-1).String():              "New day: Must be a day from " + today.String(),
		today.AddMonths(24).AddDays(1).String(): "New day: Must be a day from " + today.String(),
	} {
		rec := r.Post("/test/demo/clock", "/test/demo", url.Values{"advance_to": {typed}})
		r.Says(rec, http.StatusBadRequest, want)
		if body := rec.Body.String(); !strings.Contains(body, `aria-invalid="true"`) {
			t.Errorf("%q: the error is not beside the field", typed)
		}
	}
	to := today.AddMonths(12)
	turn := url.Values{"shortcut": {to.String()}}
	r.Leads(r.Post("/test/demo/clock", "/test/demo", turn), "/test/demo")
	r.Says(r.Get("/test/demo"), http.StatusOK, "Turning the clock to "+page.Date(to))
	body := r.Get("/test/demo").Body.String()
	for _, part := range []string{"<progress", `<meta http-equiv="refresh"`, "<title>Turning the clock: 0 of 36"} {
		if !strings.Contains(body, part) {
			t.Errorf("the page of an advance has no %s", part)
		}
	}
	pagetest.Must(t, m.Simulator.ContinueAll(t.Context()))
	m.Home.Test.Ahead = int(to - today) // as the next request finds it
	r = m.Member(access.Manager)
	r.Says(r.Get("/test/demo"), http.StatusOK, "Today is "+page.Date(to)+" in the demo portfolio.")
	r.Says(r.Get("/test/leases"), http.StatusOK, "Today is "+page.Date(to))
}
