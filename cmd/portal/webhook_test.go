package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"portal/api/event"
	"portal/api/webhook"
	"portal/cmd/portal/cli"
)

// TestOperatorManagesDeliveries sends, reads, sends again, and has sent what a
// disabled endpoint missed, beside a running service.
func TestOperatorManagesDeliveries(t *testing.T) {
	t.Parallel()
	var came atomic.Int64
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		came.Add(1)
	}))
	t.Cleanup(receiver.Close)
	s := newHome(t, "PORTAL_ALLOW_INSECURE_WEBHOOKS=true").serve(t)
	p := s.product(t)
	in, paths := endpointsAt(t, s, p, receiver.URL, []string{"/"})
	endpoint := ""
	for id := range paths {
		endpoint = id
	}
	read := func(into any, args ...string) {
		t.Helper()
		if err := json.Unmarshal([]byte(s.do(t, args...)), into); err != nil {
			t.Fatal(err)
		}
	}
	settled := func(n int64) {
		t.Helper()
		eventually(t, strconv.FormatInt(n, 10)+" have come and are noted", func() bool {
			return came.Load() == n &&
				p.due(t) == 0
		})
	}
	var tested struct {
		ID string `json:"delivery_id"`
	}
	read(&tested, "webhook", "test", endpoint, "--json")
	settled(1)
	s.do(t, "webhook", "redeliver", tested.ID)
	settled(2)
	var d webhook.Delivery
	read(&d, "webhook", "delivery", tested.ID)
	if d.Status != webhook.Succeeded || d.EventType != event.Type(event.EndpointTest) ||
		len(d.Attempts) != 2 || d.Attempts[1].Trigger != webhook.ByHand {
		t.Errorf("%+v", d)
	}
	before := d.CreatedAt.String()

	s.ask(t, http.MethodDelete, "/webhooks/endpoints/"+endpoint, s.vars["PORTAL_LIVE_KEY"])
	raise(t, p, in, 10)
	if code, _, said := s.run(t, "webhook", "test", endpoint); code != cli.ExitFailed ||
		!strings.Contains(said, "disabled") {
		t.Errorf("at a disabled endpoint: exit code %d: %s", code, said)
	}
	if said := s.do(t, "webhook", "enable", endpoint); !strings.Contains(said, "missed 10 events") ||
		!strings.Contains(said, "--since") {
		t.Error(said)
	}
	for _, c := range []struct {
		more string
		want string
	}{
		{"--count", "The endpoint missed 10 events."},
		{"--json=false", "Queued 10 events."},
		{"--json=false", "Queued 0 events."},
	} {
		if said := s.do(t, "webhook", "resend", endpoint, "--since", before, c.more); said != c.want {
			t.Errorf("%s: %s", c.more, said)
		}
	}
	settled(12)
	var all []webhook.Delivery
	read(&all, "webhook", "deliveries", endpoint, "--status", "succeeded", "--json")
	if len(all) != 11 || all[10].ID != tested.ID {
		t.Errorf("%d deliveries", len(all))
	}
	read(
		&all,
		"webhook",
		"deliveries",
		endpoint,
		"--type",
		"endpoint.test",
		"--event",
		d.EventID,
		"--since",
		before,
		"--json",
	)
	if len(all) != 1 || all[0].ID != tested.ID || *all[0].LastStatusCode != http.StatusOK || all[0].Version != 3+1 {
		t.Errorf("by type, event and time: %+v", all)
	}
	if said := s.do(t, "webhook", "deliveries", endpoint, "--status", "retrying"); strings.Contains(said, "del_") {
		t.Error(said)
	}
	if sent := s.do(t, "webhook", "event", d.EventID); !strings.Contains(sent, `"type": "endpoint.test"`) {
		t.Error(sent)
	}
	if said := s.do(
		t,
		"webhook",
		"events",
		s.vars["PORTAL_DEMO_LANDLORD"],
		"--type",
		"endpoint.test",
	); strings.Count(said, "evt_") != 1 {
		t.Error(said)
	}
	var e webhook.Endpoint
	read(
		&e,
		"webhook",
		"update",
		endpoint,
		"--events",
		"lease.signed, payment.succeeded",
		"--description",
		"Books",
		"--json",
	)
	if len(e.Events) != 2 || *e.Description != "Books" || e.URL == "" || e.Secret != nil {
		t.Errorf("%+v", e)
	}
	if said := s.do(t, "webhook", "update", endpoint, "--status", "disabled"); !strings.Contains(said, "is disabled") {
		t.Error(said)
	}
	for _, args := range [][]string{
		{"update", endpoint},
		{"update", endpoint, "--status", "off"},
		{"update", endpoint, "--events", "lease"},
		{"deliveries", endpoint, "--status", "x"},
		{"resend", endpoint},
		{"resend", endpoint, "--since", "soon"},
		{"test"},
	} {
		if code, _, said := s.run(t, append([]string{"webhook"}, args...)...); code != cli.ExitMisuse {
			t.Errorf("%v: exit code %d: %s", args, code, said)
		}
	}
	for _, args := range [][]string{{"test", "we_none"}, {"delivery", "del_none"}, {"redeliver", "del_none"}} {
		if code, _, said := s.run(t, append([]string{"webhook"}, args...)...); code != cli.ExitFailed || said == "" {
			t.Errorf("%v: exit code %d: %s", args, code, said)
		}
	}
	s.signalAndEnd(t)
}
