package developer_test

import (
	"context"
	"net/url"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/event"
	"portal/api/id"
	"portal/api/webhook"
	"portal/db/webhookstore"
	"portal/web/pagetest"
)

func TestEndpointIsEdited(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, e := y.Member(access.Manager), y.Endpoint("https://hooks.example.com/", new("Books"))
	at := "/test/webhooks/" + e.ID
	r.Says(r.Get(at), 200, "Edit")
	shown := y.Edit(r, e)
	if shown.Get("url") != e.URL || shown.Get("events") != "*" || shown.Get("description") != "Books" ||
		shown.Get("status") != "enabled" || shown.Get("version") != "1" {
		t.Errorf("the form has %v", shown)
	}
	r.Leads(r.Post(at+"/edit", at+"/edit", shown), at)
	r.Says(r.Get(at), 200, "Nothing was changed")
	r.Leads(
		r.Post(
			at+"/edit",
			at+"/edit",
			y.Edit(r, e, "url", "https://new.example.com/in", "events", "lease.signed", "description", ""),
		),
		at,
	)
	r.Says(r.Get(at), 200, "Your changes are saved.")
	got, err := y.Hooks.Endpoint(t.Context(), y.Actor(), e.ID)
	y.OK(err)
	if got.URL != "https://new.example.com/in" || len(got.Events) != 1 ||
		got.Events[0] != event.LeaseSigned || got.Description != nil || got.Version != 2 ||
		got.SecretPrefix != e.SecretPrefix {
		t.Errorf("%+v", got)
	}
	r.Leads(r.Post(at+"/edit", at+"/edit", y.Edit(r, e, "status", "disabled")), at)
	r.Says(r.Get(at), 200, "The endpoint is disabled, and no more events are sent to it.")
	y.Now = y.Now.Add(1e9)
	event := webhook.Event{
		ID:        id.New(id.Event, y.Now),
		CreatedAt: clock.At(y.Now),
		Type:      event.LeaseSigned,
		Body:      []byte("{}"),
	}
	y.OK(webhookstore.New(y.DB).AddEvent(t.Context(), y.Home.Test, &event))
	r.Leads(r.Post(at+"/edit", at+"/edit", y.Edit(r, e, "status", "enabled")), at)
	r.Says(
		r.Get(at),
		200,
		"The endpoint is enabled. It has missed events since it was disabled. Choose “Send missed events”",
	)
	if got := y.Trail(); got != "endpoint.disabled endpoint.enabled endpoint.updated " {
		t.Errorf("the trail says %s", got)
	}
}

func TestStaleEndpointFormKeepsInput(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, e := y.Member(access.Owner), y.Endpoint("https://hooks.example.com/", new("Books"))
	at := "/test/webhooks/" + e.ID
	typed := y.Edit(r, e, "url", "https://mine.example.com/", "events", "lease.signed")
	typed["events"] = append(typed["events"], "payment.succeeded")
	_, err := y.Hooks.UpdateEndpoint(
		t.Context(),
		y.Actor(),
		change.Target{ID: e.ID},
		webhook.EndpointUpdate{
			URL:         change.To("https://theirs.example.com/"),
			Description: change.To(new("Ledger")),
		},
	)
	y.OK(err)
	rec := r.Post(at+"/edit", at+"/edit", typed)
	r.Says(rec, 409, "Someone changed this after you opened the form, so nothing was saved.")
	for _, words := range []string{
		"URL: It says “https://theirs.example.com/” now.", "Description: It says “Ledger” now.",
		"Events: It says “All events” now.",
	} {
		r.Says(rec, 409, words)
	}
	again := pagetest.FieldsOf(pagetest.Parse(t, rec.Body.String()))
	if again.Get("url") != "https://mine.example.com/" ||
		strings.Join(again["events"], " ") != "lease.signed payment.succeeded" ||
		again.Get("description") != "Books" || again.Get("version") != "2" {
		t.Errorf("the form has %v", again)
	}
	if got, _ := y.Hooks.Endpoint(t.Context(), y.Actor(), e.ID); got.URL != "https://theirs.example.com/" {
		t.Errorf("%s was saved", got.URL)
	}
	r.Leads(r.Post(at+"/edit", at+"/edit", again), at)
	if got, _ := y.Hooks.Endpoint(t.Context(), y.Actor(), e.ID); got.URL != "https://mine.example.com/" ||
		*got.Description != "Books" || len(got.Events) != 2 {
		t.Errorf("%+v", got)
	}
}

func TestEndpointEditErrorsAppearBesideFields(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, e := y.Member(access.Owner), y.Endpoint("https://hooks.example.com/", nil)
	at := "/test/webhooks/" + e.ID
	for _, c := range []struct{ field, value, words string }{
		{"url", "", "URL: Enter the address"},
		{"url", "http://hooks.example.com", "URL: "},
		{"url", "https://10.0.0.1/", "URL: "},
		{"events", "lease.lost", "Events: Must be one of"},
		{"description", strings.Repeat("x", 256), "Description: Must have at most 255"},
		{"description", "a\x00b", "Description: Must not contain invisible characters"},
		{"status", "asleep", "Status: Must be one of"},
	} {
		rec := r.Post(at+"/edit", at+"/edit", y.Edit(r, e, c.field, c.value))
		r.Says(rec, 400, c.words)
		if c.field == "url" && pagetest.FieldsOf(pagetest.Parse(t, rec.Body.String())).Get("url") != c.value {
			t.Errorf("%q is gone from the form", c.value)
		}
	}
	none := y.Edit(r, e)
	none.Del("events")
	r.Says(r.Post(at+"/edit", at+"/edit", none), 400, "Events: Choose at least one type")
	y.Disable(e)
	for range 20 {
		y.Endpoint("https://hooks.example.com/", nil)
	}
	r.Says(r.Post(at+"/edit", at+"/edit", y.Edit(r, e, "status", "enabled")), 403, "20 is the most")
	if got, _ := y.Hooks.Endpoint(t.Context(), y.Actor(), e.ID); got.Version != 2 {
		t.Errorf("%+v", got)
	}
}

// A delivery that has failed and will be tried again is shown as retrying, with its last
// status or error, everywhere (docs/webhooks.md).
func TestFailingEndpointShowsLastResponse(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, e := y.Member(access.Owner), y.Endpoint("https://hooks.acme-homes.com/", nil)
	next := new(clock.At(y.Now.Add(3600e9)))
	d := y.Sent(e, event.LeaseSigned, bad("busy"), next)
	y.Sent(e, event.PaymentSucceeded, bad("busy"), next)
	pages := []string{
		"/test/webhooks", "/test/webhooks/" + e.ID, "/test/webhooks/deliveries",
		"/test/webhooks/deliveries/" + d,
	}
	for i, path := range pages {
		rec := r.Get(path)
		r.Says(rec, 200, "Retrying")
		if r.Says(rec, 200, "500"); i%2 == 1 {
			r.Says(rec, 200, "500 Internal Server Error")
		}
	}
	r.Says(
		r.Get("/test/webhooks"),
		200,
		"Last response: 500 The receiver answered 500 Internal Server Error. After 5 days",
	)
	r.Says(r.Get("/test/webhooks/"+e.ID), 200, "Every delivery has failed since Nov 12, 2026")
	silent := bad("")
	silent.StatusCode, silent.Error, silent.ResponseBody = nil, new("timeout: No answer came within 10 seconds."), nil
	y.Now = y.Now.Add(60e9)
	y.Sent(e, event.LeaseSigned, silent, next)
	r.Says(r.Get("/test/webhooks"), 200, "Last response: No answer came within 10 seconds. After 5 days")
	r.Says(r.Get("/test/webhooks"), 200, "Retrying 3 deliveries")
	y.Now = y.Now.Add(60e9)
	y.Sent(e, event.LeaseSigned, good(), nil)
	if list := r.Get("/test/webhooks"); strings.Contains(list.Body.String(), "has failed since") {
		t.Error("an endpoint is said to fail whose last delivery was acknowledged")
	}
	r.Says(r.Get("/test/webhooks"), 200, "Retrying 3 deliveries")
	y.OK(webhookstore.New(y.DB).CancelDeliveries(t.Context(), y.Home.Test, e.ID, clock.At(y.Now)))
	r.Says(r.Get("/test/webhooks"), 200, "Enabled All events")
	y.Now = y.Now.Add(60e9)
	y.Sent(e, event.LeaseSigned, bad(""), nil)
	r.Says(r.Get("/test/webhooks"), 200, "Failing All events")
}

// backlog keeps what is to be queued later.
type backlog []webhook.MissedRest

func (b *backlog) QueueMissed(_ context.Context, rest webhook.MissedRest) error {
	*b = append(*b, rest)
	return nil
}

// The page queues what was missed as the API does: a page of it at once, the others by jobs.
func TestLargeMissedEventBacklogIsLeftToJobs(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, e, later := y.Member(access.Owner), y.Endpoint("https://hooks.example.com/", nil), &backlog{}
	y.Hooks.Backlog = later
	at := "/test/webhooks/" + e.ID
	y.Disable(e)
	y.Now = y.Now.Add(1e9)
	y.OK(y.DB.Atomically(t.Context(), func(ctx context.Context) error {
		for range 150 {
			event := webhook.Event{
				ID:        id.New(id.Event, y.Now),
				CreatedAt: clock.At(y.Now),
				Type:      event.LeaseSigned,
				Body:      []byte("{}"),
			}
			if err := webhookstore.New(y.DB).AddEvent(ctx, y.Home.Test, &event); err != nil {
				return err
			}
		}
		return nil
	}))
	queued := func() int {
		t.Helper()
		all, err := y.Hooks.Deliveries(t.Context(), y.Actor(), webhook.DeliveryFilter{EndpointID: e.ID, Limit: 200})
		y.OK(err)
		return len(all)
	}
	y.Now = y.Now.Add(1e9)
	r.Says(r.Get(at+"/enable"), 200, "It has missed 150 events since it was disabled.")
	r.Leads(r.Post(at+"/enable", at+"/enable", url.Values{"missed": {"on"}}), at)
	r.Says(r.Get(at), 200, "The endpoint is enabled. Sending more than 100 missed events.")
	if n := queued(); n != 100 || len(*later) != 1 {
		t.Fatalf("%d are queued at once, and %d jobs", n, len(*later))
	}
	r.Says(r.Get(at+"/missed"), 200, "The last day: 50 events")
	r.Leads(r.Post(at+"/missed", at+"/missed", url.Values{"days": {"7"}}), at)
	r.Says(r.Get(at), 200, "Sending 50 missed events.")
	y.OK(y.Hooks.MissedEvents.QueueMissed(t.Context(), (*later)[0])) // what the page has queued is not queued twice
	if n := queued(); n != 150 || len(*later) != 1 {
		t.Errorf("%d are queued, and %d jobs", n, len(*later))
	}
}

// Counting looks at the newest 1,000 events, so that the page does not take longer the more there are.
func TestLargeMissedEventCountIsLowerBound(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, e := y.Member(access.Owner), y.Endpoint("https://hooks.example.com/", nil)
	at := "/test/webhooks/" + e.ID
	y.Disable(e)
	happen := func(n int, kind webhook.Kind) {
		t.Helper()
		y.Now = y.Now.Add(time.Minute)
		y.OK(y.DB.Atomically(t.Context(), func(ctx context.Context) error {
			for range n {
				event := webhook.Event{
					ID:        id.New(id.Event, y.Now),
					CreatedAt: clock.At(y.Now),
					Type:      kind,
					Body:      []byte("{}"),
				}
				if err := webhookstore.New(y.DB).AddEvent(ctx, y.Home.Test, &event); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	happen(1001, event.LeaseSigned)
	r.Says(r.Get(at+"/enable"), 200, "It has missed 1,000+ events since it was disabled.")
	r.Says(r.Get(at+"/enable"), 200, "Send missed events (1,000+)")
	happen(995, event.EndpointTest) // which nobody misses
	r.Says(r.Get(at+"/missed"), 200, "The last day: 6+ events")
	r.Says(r.Get(at+"/missed"), 200, "Only the newest 1,000 events were counted.")
	happen(10, event.EndpointTest)
	r.Says(r.Get(at+"/enable"), 200, "It may have missed events since it was disabled. Only the newest 1,000 events")
	if page := r.Get(at + "/missed").Body.String(); strings.Contains(page, "0+") {
		t.Error("a page counts no events and more")
	}
}
