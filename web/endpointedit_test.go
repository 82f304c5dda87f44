package web_test

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/webhook"
	"portal/db/webhookstore"
)

// edit is the form of an endpoint as it is shown, with other values in some fields.
func (y *webhookPages) edit(r *reader, e *webhook.Endpoint, fields ...string) url.Values {
	y.Helper()
	return with(r.shown("/test/webhooks/"+e.ID+"/edit"), fields...)
}

func TestAnEndpointIsEdited(t *testing.T) {
	y := newWebhookPages(t)
	r, e := y.member(access.Manager), y.endpoint("https://hooks.example.com/", new("Books"))
	at := "/test/webhooks/" + e.ID
	r.says(r.get(at), 200, "Edit")
	shown := y.edit(r, e)
	if shown.Get("url") != e.URL || shown.Get("events") != "*" || shown.Get("description") != "Books" || shown.Get("status") != "enabled" || shown.Get("version") != "1" {
		t.Errorf("the form has %v", shown)
	}
	r.leads(r.post(at+"/edit", at+"/edit", shown), at)
	r.says(r.get(at), 200, "Nothing was changed")
	r.leads(r.post(at+"/edit", at+"/edit", y.edit(r, e, "url", "https://new.example.com/in", "events", "lease.signed", "description", "")), at)
	r.says(r.get(at), 200, "Your changes are saved.")
	got, err := y.hooks.Endpoint(t.Context(), y.actor(), e.ID)
	y.ok(err)
	if got.URL != "https://new.example.com/in" || len(got.Events) != 1 || got.Events[0] != webhook.LeaseSigned || got.Description != nil || got.Version != 2 || got.SecretPrefix != e.SecretPrefix {
		t.Errorf("%+v", got)
	}
	r.leads(r.post(at+"/edit", at+"/edit", y.edit(r, e, "status", "disabled")), at)
	r.says(r.get(at), 200, "The endpoint is disabled, and nothing is sent to it any more.")
	y.now = y.now.Add(1e9)
	event := webhook.Event{ID: id.New(id.Event, y.now), CreatedAt: clock.At(y.now), Type: webhook.LeaseSigned, Body: []byte("{}")}
	y.ok(webhookstore.NewDeliveries(y.db).AddEvent(t.Context(), y.home.Test, &event))
	r.leads(r.post(at+"/edit", at+"/edit", y.edit(r, e, "status", "enabled")), at)
	r.says(r.get(at), 200, "The endpoint is enabled. It has missed events since it was disabled. Choose “Send what was missed”")
	if got := y.trail(); got != "endpoint.disabled endpoint.enabled endpoint.updated " {
		t.Errorf("the trail says %s", got)
	}
}

func TestAnEndpointThatSomebodyElseHasChangedKeepsWhatWasTyped(t *testing.T) {
	y := newWebhookPages(t)
	r, e := y.member(access.Owner), y.endpoint("https://hooks.example.com/", new("Books"))
	at := "/test/webhooks/" + e.ID
	typed := y.edit(r, e, "url", "https://mine.example.com/", "events", "lease.signed")
	typed["events"] = append(typed["events"], "payment.succeeded")
	_, err := y.hooks.UpdateEndpoint(t.Context(), y.actor(), change.Target{ID: e.ID}, webhook.EndpointUpdate{URL: change.To("https://theirs.example.com/"), Description: change.To(new("Ledger"))})
	y.ok(err)
	rec := r.post(at+"/edit", at+"/edit", typed)
	r.says(rec, 409, "Somebody has changed this since you opened the form, so nothing was saved.")
	for _, words := range []string{"URL: It says “https://theirs.example.com/” now.", "Description: It says “Ledger” now.", "Events: It says “All events” now."} {
		r.says(rec, 409, words)
	}
	again := fieldsOf(parse(t, rec.Body.String()))
	if again.Get("url") != "https://mine.example.com/" || strings.Join(again["events"], " ") != "lease.signed payment.succeeded" || again.Get("description") != "Books" || again.Get("version") != "2" {
		t.Errorf("the form has %v", again)
	}
	if got, _ := y.hooks.Endpoint(t.Context(), y.actor(), e.ID); got.URL != "https://theirs.example.com/" {
		t.Errorf("%s was saved", got.URL)
	}
	r.leads(r.post(at+"/edit", at+"/edit", again), at)
	if got, _ := y.hooks.Endpoint(t.Context(), y.actor(), e.ID); got.URL != "https://mine.example.com/" || *got.Description != "Books" || len(got.Events) != 2 {
		t.Errorf("%+v", got)
	}
}

func TestWhatIsWrongInTheEditFormOfAnEndpointStandsBesideItsField(t *testing.T) {
	y := newWebhookPages(t)
	r, e := y.member(access.Owner), y.endpoint("https://hooks.example.com/", nil)
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
		rec := r.post(at+"/edit", at+"/edit", y.edit(r, e, c.field, c.value))
		r.says(rec, 400, c.words)
		if c.field == "url" && fieldsOf(parse(t, rec.Body.String())).Get("url") != c.value {
			t.Errorf("%q is gone from the form", c.value)
		}
	}
	none := y.edit(r, e)
	none.Del("events")
	r.says(r.post(at+"/edit", at+"/edit", none), 400, "Events: Choose at least one type")
	y.disable(e)
	for range 20 {
		y.endpoint("https://hooks.example.com/", nil)
	}
	r.says(r.post(at+"/edit", at+"/edit", y.edit(r, e, "status", "enabled")), 403, "20 is the most")
	if got, _ := y.hooks.Endpoint(t.Context(), y.actor(), e.ID); got.Version != 2 {
		t.Errorf("%+v", got)
	}
}

func (y *webhookPages) disable(e *webhook.Endpoint) {
	y.Helper()
	_, err := y.hooks.DisableEndpoint(y.Context(), y.actor(), e.ID)
	y.ok(err)
}

// A delivery that has failed and will be tried again is shown as retrying, with its last
// status or error, everywhere (decisions.md §5).
func TestAnEndpointThatFailsSaysSoWithItsLastResponse(t *testing.T) {
	y := newWebhookPages(t)
	r, e := y.member(access.Owner), y.endpoint("https://hooks.example.com/", nil)
	next := new(clock.At(y.now.Add(3600e9)))
	d := y.sent(e, webhook.LeaseSigned, bad("busy"), next)
	y.sent(e, webhook.PaymentSucceeded, bad("busy"), next)
	pages := []string{"/test/webhooks", "/test/webhooks/" + e.ID, "/test/webhooks/deliveries", "/test/webhooks/deliveries/" + d}
	for i, path := range pages {
		rec := r.get(path)
		r.says(rec, 200, "Retrying")
		if r.says(rec, 200, "500"); i%2 == 1 {
			r.says(rec, 200, "500 The receiver answered 500 Internal Server Error.")
		}
	}
	r.says(r.get("/test/webhooks"), 200, "Retrying 2 deliveries 500")
	r.says(r.get("/test/webhooks/"+e.ID), 200, "Failing sinceNov 12, 2026")
	silent := bad("")
	silent.StatusCode, silent.Error, silent.ResponseBody = nil, new("timeout: No answer came within 10 seconds."), nil
	y.now = y.now.Add(60e9)
	y.sent(e, webhook.LeaseSigned, silent, next)
	r.says(r.get("/test/webhooks"), 200, "Retrying 3 deliveries No answer came within 10 seconds.")
	y.now = y.now.Add(60e9)
	y.sent(e, webhook.LeaseSigned, good(), nil)
	r.says(r.get("/test/webhooks"), 200, "Retrying 3 deliveries 200")
	y.ok(webhookstore.NewDeliveries(y.db).CancelDeliveries(t.Context(), y.home.Test, e.ID, clock.At(y.now)))
	r.says(r.get("/test/webhooks"), 200, "Enabled 200")
	y.now = y.now.Add(60e9)
	y.sent(e, webhook.LeaseSigned, bad(""), nil)
	r.says(r.get("/test/webhooks"), 200, "Failing 500")
}

// backlog keeps what is to be queued later.
type backlog []webhook.MissedRest

func (b *backlog) QueueMissed(_ context.Context, rest webhook.MissedRest) error {
	*b = append(*b, rest)
	return nil
}

// The page queues what was missed as the API does: a page of it at once, the others by jobs.
func TestThePageLeavesALongOutageToJobs(t *testing.T) {
	y := newWebhookPages(t)
	r, e, later := y.member(access.Owner), y.endpoint("https://hooks.example.com/", nil), &backlog{}
	y.hooks.Backlog = later
	at := "/test/webhooks/" + e.ID
	y.disable(e)
	y.now = y.now.Add(1e9)
	y.ok(y.db.Atomically(t.Context(), func(ctx context.Context) error {
		for range 150 {
			event := webhook.Event{ID: id.New(id.Event, y.now), CreatedAt: clock.At(y.now), Type: webhook.LeaseSigned, Body: []byte("{}")}
			if err := webhookstore.NewDeliveries(y.db).AddEvent(ctx, y.home.Test, &event); err != nil {
				return err
			}
		}
		return nil
	}))
	queued := func() int {
		t.Helper()
		all, err := y.hooks.Deliveries(t.Context(), y.actor(), webhook.DeliveryFilter{EndpointID: e.ID, Limit: 200})
		y.ok(err)
		return len(all)
	}
	y.now = y.now.Add(1e9)
	r.says(r.get(at+"/enable"), 200, "It has missed 150 events since it was disabled.")
	r.leads(r.post(at+"/enable", at+"/enable", url.Values{"missed": {"on"}}), at)
	r.says(r.get(at), 200, "The endpoint is enabled. More than 100 events that it missed are being sent.")
	if n := queued(); n != 100 || len(*later) != 1 {
		t.Fatalf("%d are queued at once, and %d jobs", n, len(*later))
	}
	r.says(r.get(at+"/missed"), 200, "The last day: 50 events")
	r.leads(r.post(at+"/missed", at+"/missed", url.Values{"days": {"7"}}), at)
	r.says(r.get(at), 200, "50 events that it missed are being sent.")
	y.ok(y.hooks.MissedEvents.QueueMissed(t.Context(), (*later)[0])) // what the page has queued is not queued twice
	if n := queued(); n != 150 || len(*later) != 1 {
		t.Errorf("%d are queued, and %d jobs", n, len(*later))
	}
}
