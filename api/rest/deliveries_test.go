package rest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/event"
	"portal/api/rest"
	"portal/api/webhook"
	"portal/db/webhookstore"
)

// ids are the ids of a page, in its order.
func (a answer) ids(t testing.TB) (all []string) {
	t.Helper()
	for _, one := range a.done(t)["data"].([]any) {
		all = append(all, one.(record)["id"].(string))
	}
	return all
}

func TestDeliveriesAndEventsAreFilterable(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		s, key := seeded{1, access.Test}, *r.key("ada@example.com", access.Test).Plaintext
		one, two := s.id("del", 1), s.id("del", 2)
		moment := func(n int) string { return clock.At(noon.Add(time.Duration(n-3) * 24 * time.Hour)).String() }
		for query, want := range map[string][]string{
			"":                              {one, two},
			"?limit=1":                      {one},
			"?starting_after=" + one:        {two},
			"?starting_after=" + two:        nil,
			"?created_after=" + moment(1):   {two},
			"?created_after=" + moment(2):   nil,
			"?status=failed":                {one},
			"?status=pending":               {two},
			"?status=retrying":              nil,
			"?status=succeeded":             nil,
			"?status=cancelled":             nil,
			"?endpoint_id=" + s.id("we", 2): {one, two},
			"?endpoint_id=" + s.id("we", 1): nil,
			"?event_id=" + s.id("evt", 2):   {two},
			"?type=lease.signed":            {one, two},
			"?type=endpoint.test":           nil,
			"?type=lease.signed&status=failed&endpoint_id=" + s.id("we", 2) + "&event_id=" + s.id("evt", 1): {one},
		} {
			if got := r.get("/webhooks/deliveries"+query, key).ids(t); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s: %q, want %q", query, got, want)
			}
		}
		for query, want := range map[string][]string{
			"":                            {s.id("evt", 1), s.id("evt", 2)},
			"?created_after=" + moment(1): {s.id("evt", 2)},
			"?type=lease.signed&limit=1":  {s.id("evt", 1)},
			"?type=payment.succeeded":     nil,
		} {
			if got := r.get("/events"+query, key).ids(t); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s: %q, want %q", query, got, want)
			}
		}
	})
}

// An event is shown byte for byte as it is sent, for 90 days.
func TestEventIsShownExactlyAsSentFor90Days(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		writer := *r.key("ada@example.com", access.Test, "write").Plaintext
		// Whom a document can name, and a code can be sent to.
		r.exec("UPDATE tenants SET first_name = 'Sam', last_name = 'Rivera', email = 'sam@example.com'")
		s := seeded{byte(r.fills.Load()), access.Test}
		r.send(http.MethodPost, "/leases/generate", writer, `{"property_id":"`+s.id("prop", 1)+`","tenant_id":"`+
			s.id("ten", 1)+`","unit_id":"`+s.id("unit", 2)+`","start_date":"2026-11-01","monthly_rent":1450,
			"lead_paint":{"hazards":"none","records":"none"}}`).done(t)
		for _, k := range event.All() {
			kind := k.Type
			a := r.send(http.MethodPost, "/test_helpers/events", writer, `{"type":"`+kind+`"}`)
			made := a.done(t)
			stored, err := webhookstore.New(r.db).Event(t.Context(), r.in(writer), made["id"].(string))
			must(t, err)
			shown := r.get("/events/"+stored.ID, writer)
			if made["type"] != kind || string(a.body) != string(stored.Body) ||
				string(shown.body) != string(stored.Body) {
				t.Errorf("%s was answered\n%s\nshown\n%s\nsent\n%s", kind, a.body, shown.body, stored.Body)
			}
			about := made["data"].(record)["object"].(record)
			compareSample(t, &k, about)
			path := map[string]string{
				"lease":              "/leases/",
				"payment":            "/payments/",
				"maintenance_ticket": "/maintenance/tickets/",
			}[about["object"].(string)]
			now := r.get(path+about["id"].(string), writer).done(t)
			if jsonOf(now["status"]) != jsonOf(about["status"]) {
				t.Errorf("%s tells of %s, which is %s", kind, jsonOf(about), jsonOf(now))
			} else if kind == "lease.signed" &&
				(now["document_url"] == nil || about["document_url"] != nil || about["esign_url"] != nil) {
				t.Errorf("%s tells of a lease %s, which shows %s", kind, jsonOf(about), jsonOf(now))
			}
		}
		last := r.events(r.in(writer))[2].ID
		r.clock.add(90 * 24 * time.Hour)
		r.get("/events/"+last, writer).done(t)
		r.clock.add(time.Millisecond)
		r.get("/events/"+last, writer).expect(t, http.StatusNotFound, "not_found")
		if got := r.get("/events", writer).ids(t); len(got) != 0 {
			t.Errorf("after 90 days there are %q", got)
		}
	})
}

// compareSample holds that the sample of an event has the status of the record of a real one, and the same moments.
func compareSample(t *testing.T, k *event.Kind, about record) {
	t.Helper()
	for name, got := range sampleRecord(t, k) {
		moment := strings.HasSuffix(name, "_at") || strings.HasSuffix(name, "_on")
		if name == "status" && got != about[name] || moment && (got == nil) != (about[name] == nil) {
			t.Errorf("the sample of %s has %s %v, a real one %v", k.Type, name, got, about[name])
		}
	}
}

// sampleRecord is the record in the sample of an event.
func sampleRecord(t *testing.T, k *event.Kind) record {
	t.Helper()
	body, err := k.Sample()
	must(t, err)
	var sample struct{ Data struct{ Object record } }
	must(t, json.Unmarshal(body, &sample))
	return sample.Data.Object
}

func TestTestEventRequiresTestKeyWithWriteScope(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		all := r.tenancies()
		const path, right = "/test_helpers/events", `{"type":"lease.signed"}`
		key := func(mode access.Mode, scope string) string { return *r.key("ada@example.com", mode, scope).Plaintext }
		before := r.events(r.in(all[1].key))
		r.send(http.MethodPost, path, key(access.Test, "read"), `{}`).expect(t, http.StatusForbidden, "scope_required")
		r.send(http.MethodPost, path, key(access.Live, "read"), `{}`).expect(t, http.StatusForbidden, "scope_required")
		// The key is refused before the body is checked.
		r.send(http.MethodPost, path, key(access.Live, "payments"), `{}`).expect(
			t,
			http.StatusForbidden,
			"test_key_required",
		)
		r.send(http.MethodPost, path, key(access.Live, "write"), right).expect(
			t,
			http.StatusForbidden,
			"test_key_required",
		)
		for body, code := range map[string]string{
			`{}`:                       "missing_field",
			`{"type":"endpoint.test"}`: "invalid_field",
			`{"type":"*"}`:             "invalid_field",
			`{"type":null}`:            "invalid_field",
			`{"kind":1}`:               "unknown_field",
		} {
			f := r.send(http.MethodPost, path, key(access.Test, "write"), body).failed(t)
			if f.Error.Errors[len(f.Error.Errors)-1].Code != code {
				t.Errorf("%s: %+v", body, f.Error)
			}
		}
		if after := r.events(r.in(all[1].key)); len(after) != len(before) {
			t.Error("something happened in a live portfolio")
		}
	})
}

func TestDisabledEndpointRefusesDeliveries(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		s, key := seeded{1, access.Test}, *r.key("ada@example.com", access.Test, "write").Plaintext
		endpoint := "/webhooks/endpoints/" + s.id("we", 2)
		off := r.send(http.MethodPatch, endpoint, key, `{"status":"disabled"}`).done(t)
		if off["status"] != "disabled" || off["disabled_reason"] != "api" ||
			r.get("/webhooks/deliveries/"+s.id("del", 2), key).done(t)["status"] != "cancelled" {
			t.Errorf("disabled: %s", jsonOf(off))
		}
		for path, body := range map[string]string{
			endpoint + "/test":                                      "",
			endpoint + "/redeliver_missed":                          `{"since":"2026-10-01T00:00:00Z"}`,
			"/webhooks/deliveries/" + s.id("del", 1) + "/redeliver": "",
		} {
			f := r.send(http.MethodPost, path, key, body).expect(t, http.StatusConflict, "invalid_transition")
			if f.Error.Message != "The endpoint is disabled. Enable it first." {
				t.Errorf("%s: %s", path, f.Error.Message)
			}
		}
		r.clock.add(time.Minute)
		r.send(http.MethodPost, "/test_helpers/events", key, `{"type":"maintenance.created"}`).done(t)
		on := r.send(http.MethodPatch, endpoint, key, `{"status":"enabled"}`).done(t)
		warning := on["warnings"].([]any)[0].(record)
		if on["status"] != "enabled" || on["disabled_at"] != nil || warning["code"] != "events_missed" ||
			!strings.Contains(warning["message"].(string), "missed 1 of its events") {
			t.Errorf("enabled: %s", jsonOf(on))
		}
		since := off["disabled_at"].(string)
		queued := r.send(http.MethodPost, endpoint+"/redeliver_missed", key, `{"since":"`+since+`"}`)
		if queued.status != http.StatusAccepted || len(queued.ids(t)) != 1 {
			t.Errorf("%d: %s", queued.status, queued.body)
		}
		again := r.send(http.MethodPost, endpoint+"/redeliver_missed", key, `{"since":"`+since+`"}`)
		if len(again.ids(t)) != 0 {
			t.Errorf("again: %s", again.body)
		}
	})
}

func TestReenablingEndpointRespectsLimit(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		s, key := seeded{1, access.Test}, *r.key("ada@example.com", access.Test, "write").Plaintext
		for i := range 19 {
			r.send(http.MethodPost, "/webhooks/endpoints", key, fmt.Sprintf(
				`{"url":"https://hooks.example.com/%d"}`, i+10)).done(t)
		}
		path := "/webhooks/endpoints/" + s.id("we", 1)
		for _, dry := range []string{"true", "false"} {
			r.send(http.MethodPatch, path, key, `{"status":"enabled"}`, "Dry-Run", dry).expect(
				t,
				http.StatusForbidden,
				"endpoint_limit_reached",
			)
		}
		f := r.send(
			http.MethodPatch,
			path,
			key,
			`{"url":"http://hooks.example.com","events":["lease.signed","lease.signed"]}`,
		).failed(t)
		if f.Error.Code != "url_not_allowed" || len(f.Error.Errors) != 2 {
			t.Errorf("%+v", f.Error)
		}
		r.send(http.MethodDelete, "/webhooks/endpoints/"+s.id("we", 2), key, "")
		r.send(http.MethodPatch, path, key, `{"status":"enabled"}`).done(t)
	})
}

// A page of deliveries stays where it is while others are queued.
func TestDeliveryPagesAreStableWhileMoreAreQueued(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		s, key := seeded{1, access.Test}, *r.key("ada@example.com", access.Test, "write").Plaintext
		var seen []string
		path := "/webhooks/deliveries?limit=2"
		for path != "" {
			a := r.get(path, key)
			seen = append(seen, a.ids(t)...)
			link, _, more := strings.Cut(strings.TrimPrefix(a.header.Get("Link"), "<"+base+rest.Base), ">")
			if path = ""; more {
				path = link
			}
			if len(seen) < 8 {
				r.clock.add(time.Second)
				r.send(http.MethodPost, "/webhooks/endpoints/"+s.id("we", 2)+"/test", key, "").done(t)
				r.send(http.MethodPost, "/webhooks/endpoints/"+s.id("we", 2)+"/test", key, "").done(t)
				if path == "" {
					path = "/webhooks/deliveries?limit=2&starting_after=" + seen[len(seen)-1]
				}
			}
		}
		all, err := webhookstore.New(r.db).Deliveries(t.Context(), r.in(key), webhook.DeliveryFilter{
			Ascending: true,
			Limit:     100,
		})
		must(t, err)
		var want []string
		for _, d := range all {
			want = append(want, d.ID)
		}
		if fmt.Sprint(seen) != fmt.Sprint(want) {
			t.Errorf("seen %q\nwant %q", seen, want)
		}
	})
}
