package main

import (
	"encoding/json"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"strings"
	"testing"

	"portal/api/event"
	"portal/api/portfolio"
)

// leaseEnded is the type of a second event about a lease.
type leaseEnded struct{}

func (leaseEnded) Type() string { return "lease.ended" }

// TestEventCatalogRowAppearsEverywhere adds a row to the catalogue and looks for it wherever
// somebody meets the types of events. Nothing runs beside it: others read the catalogue too.
func TestEventCatalogRowAppearsEverywhere(t *testing.T) { //nolint:paralleltest // see above
	t.Cleanup(event.Add(event.About[portfolio.Lease, leaseEnded](event.Kind{
		Summary:     "A lease ends",
		Description: "The last day of a lease has passed.",
		Object:      "the lease that has ended",
		Cause:       "ended leases",
		Icon:        "circle-x",
		Trigger: event.Trigger{
			Title:  "A lease comes to its end",
			Words:  "The oldest lease ends today.",
			Clause: "a lease ends",
			Happen: event.Scene.SignLease, // it must do something
		},
	}, func(l *portfolio.Lease) {
		l.Status = portfolio.LeaseExpired
	}, func(l *portfolio.Lease) (id, words string) { return l.ID, "Ended: " + l.RentalAddress })))
	s := newHome(t).serveInside(t)

	t.Run("the OpenAPI document", func(t *testing.T) { //nolint:paralleltest // see above
		var document struct {
			Webhooks   map[string]any
			Components struct {
				Schemas map[string]struct {
					Enum          []string
					Discriminator struct{ Mapping map[string]string }
				}
			}
		}
		s.getJSON(t, "/openapi.json", &document)
		schemas := document.Components.Schemas
		if _, has := document.Webhooks["lease.ended"]; !has {
			t.Error("no webhook is described")
		}
		if schemas["EventOut"].Discriminator.Mapping["lease.ended"] != "#/components/schemas/LeaseEndedEvent" {
			t.Errorf("an event is one of %v", schemas["EventOut"].Discriminator.Mapping)
		}
		for _, name := range []string{"EventType", "EventSubscription", "TestEventType"} {
			if !slices.Contains(schemas[name].Enum, "lease.ended") {
				t.Errorf("%s has the values %q", name, schemas[name].Enum)
			}
		}
	})

	t.Run("the commands", func(t *testing.T) { //nolint:paralleltest // see above
		code, out, err := s.inside(t, "", "trigger", s.vars["PORTAL_DEMO_LANDLORD"], "lease.ended")
		if code != 0 || !strings.HasPrefix(out, "lea_") {
			t.Errorf("trigger: %d, %q, %q", code, out, err)
		}
		if _, _, err := s.inside(
			t,
			"",
			"trigger",
			s.vars["PORTAL_DEMO_LANDLORD"],
			"none",
		); !strings.Contains(
			err,
			"lease.ended",
		) {
			t.Errorf("trigger says %q of what there is", err)
		}
	})

	t.Run("an endpoint", func(t *testing.T) { //nolint:paralleltest // see above
		body := `{"url":"https://hooks.example.com/","events":["lease.signed","payment.succeeded",` +
			`"maintenance.created","lease.ended"]}`
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
			s.vars["PORTAL_URL"]+"/api/v1/external/webhooks/endpoints", strings.NewReader(body))
		orFail(t, err)
		r.Header.Set("Authorization", "Bearer "+s.vars["PORTAL_TEST_KEY"])
		r.Header.Set("Content-Type", "application/json")
		answer, err := http.DefaultClient.Do(r)
		orFail(t, err)
		defer answer.Body.Close()
		var made struct{ Events []string }
		if err := json.NewDecoder(answer.Body).Decode(&made); err != nil || answer.StatusCode != http.StatusCreated ||
			!slices.Contains(made.Events, "lease.ended") {
			t.Errorf("%s: %q, %v", answer.Status, made.Events, err)
		}
	})

	t.Run("the pages", func(t *testing.T) { //nolint:paralleltest // see above
		jar, err := cookiejar.New(nil)
		orFail(t, err)
		v := &visitor{&http.Client{Jar: jar}, s.vars["PORTAL_URL"]}
		v.send(t, "/sign-in", "/sign-in", url.Values{
			"email":    {s.vars["PORTAL_DEMO_LANDLORD"]},
			"password": {s.vars["PORTAL_DEMO_PASSWORD"]},
		})
		for path, words := range map[string]string{
			"/test/demo":                "A lease comes to its end",
			"/test/webhooks/new":        "The last day of a lease has passed.",
			"/test/webhooks/deliveries": `type=lease.ended"`,
			"/test/events":              `type=lease.ended"`,
			"/docs/webhooks":            "the lease that has ended",
			"/docs/events.md":           `"status": "expired"`,
			"/docs/api/events":          "lease.ended",
			"/llms-full.txt":            "the lease that has ended",
		} {
			if _, body := v.open(t, path); !strings.Contains(body, words) {
				t.Errorf("%s does not say %q", path, words)
			}
		}
	})
}

// getJSON reads what is open to everybody.
func (s *servedInside) getJSON(t *testing.T, path string, into any) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.vars["PORTAL_URL"]+path, nil)
	orFail(t, err)
	answer, err := http.DefaultClient.Do(r)
	orFail(t, err)
	defer answer.Body.Close()
	orFail(t, json.NewDecoder(answer.Body).Decode(into))
}
