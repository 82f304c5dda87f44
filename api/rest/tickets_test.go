package rest_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"portal/api/portfolio"
	"portal/api/triage"
)

// ear is a triage that a test foresees: it hears gas, fire and taps.
type ear struct{}

func (ear) Triage(text string) triage.Verdict {
	v := triage.Verdict{
		Category:     "general",
		Priority:     "normal",
		Confidence:   0.9,
		SafetyFlags:  []string{},
		Reasons:      []triage.Reason{},
		Source:       "built_in",
		ModelVersion: "ear",
	}
	switch words := strings.ToLower(text); {
	case strings.Contains(words, "gas"):
		v.Category, v.Priority, v.SafetyFlags, v.Reasons = "life_safety", "emergency", []string{
			"gas",
		}, []triage.Reason{{
			Rule:    "gas",
			Matched: "gas",
		}}
	case strings.Contains(words, "pours"):
		v.Category, v.Priority = "plumbing", "high"
	case strings.Contains(words, "hums"):
		v.Confidence, v.NeedsReview = 0.31, true
	case strings.Contains(words, "drips"):
		v.Category, v.Priority = "plumbing", "low"
	}
	return v
}

// listening runs a promise on both databases, with a triage that a test foresees.
func listening(t *testing.T, promise func(t *testing.T, r *fixture, key string)) {
	t.Parallel()
	for name, make := range map[string]func(testing.TB, setting) *fixture{
		"sqlite":   newFixture,
		"postgres": postgresFixture,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := make(t, setting{triage: ear{}})
			r.landlord("ada@example.com", unlimited())
			promise(t, r, *r.key("ada@example.com", "test", "write").Plaintext)
		})
	}
}

func TestTicketStatusMovesFreelyUntilFinal(t *testing.T) {
	listening(t, func(t *testing.T, r *fixture, key string) {
		unit := seeded{1, "test"}.id("unit", 1)
		for _, from := range portfolio.TicketStatus("").Values() {
			for _, to := range portfolio.TicketStatus("").Values() {
				made := r.send(
					"POST",
					"/maintenance/tickets",
					key,
					`{"unit_id":"`+unit+`","description":"It drips."}`,
				).done(t)
				path := "/maintenance/tickets/" + made["id"].(string)
				r.send("PATCH", path, key, `{"status":"`+from+`"}`).done(t)
				began := r.clock.now()
				r.clock.add(time.Hour)
				a := r.send("PATCH", path, key, `{"status":"`+to+`"}`)
				final := from == "completed" || from == "cancelled"
				if final && to != "open" && to != from {
					f := a.expect(t, http.StatusConflict, "invalid_transition")
					if *f.Error.Param != "status" ||
						f.Error.Message !=
							"A "+from+" ticket cannot become "+to+"; it can only be opened again, with status open." {
						t.Errorf("%s to %s: %s", from, to, f.Error.Message)
					}
					continue
				}
				got := a.done(t)
				want := map[string]any{
					"status":         to,
					"completed_at":   nil,
					"cancelled_at":   nil,
					"reopened_count": number("0"),
				}
				at := r.clock.now()
				if from == to {
					at = began
				}
				switch to {
				case "completed", "cancelled":
					want[to+"_at"] = at.Format("2006-01-02T15:04:05.000Z")
				case "open":
					if final {
						want["reopened_count"] = number("1")
					}
				}
				for field, value := range want {
					if got[field] != value {
						t.Errorf("%s to %s: %s is %v, want %v", from, to, field, got[field], value)
					}
				}
			}
		}
	})
}

func TestReopenedCountIncrementsOnEachReopen(t *testing.T) {
	listening(t, func(t *testing.T, r *fixture, key string) {
		path := "/maintenance/tickets/" + seeded{1, "test"}.id("tkt", 2)
		for n, end := range []string{"completed", "cancelled", "completed"} {
			got := r.send("PATCH", path, key, `{"status":"`+end+`"}`).done(t)
			if got["reopened_count"] != number(fmt.Sprint(n)) || got[end+"_at"] == nil {
				t.Errorf("%s: %v", end, got)
			}
			r.clock.add(24 * time.Hour)
			got = r.send("PATCH", path, key, `{"status":"open"}`).done(t)
			if got["reopened_count"] != number(fmt.Sprint(n+1)) || got["completed_at"] != nil ||
				got["cancelled_at"] != nil {
				t.Errorf("open again: %v", got)
			}
		}
	})
}

func TestTicketsAreNumberedSequentiallyWithoutGaps(t *testing.T) {
	listening(t, func(t *testing.T, r *fixture, key string) {
		unit := seeded{1, "test"}.id("unit", 1)
		other := *r.key("ada@example.com", "live", "write").Plaintext
		in, _, err := r.developer.Portfolio(t.Context(), "ada@example.com", "live")
		must(t, err)
		must(t, r.fixture(t.Context(), in))
		theirs := seeded{byte(r.fills.Load()), "live"}.id("unit", 1)
		var all sync.WaitGroup
		for i := range 40 {
			all.Go(func() {
				headers := []string{"Idempotency-Key", fmt.Sprint(i / 2)} // every second one is a twin
				place := unit
				switch i % 8 {
				case 2: // takes no number
					headers = append(headers, "Dry-Run", "true")
				case 4: // neither does a refusal
					place = "unit_1"
				case 6: // nor a ticket of another portfolio
					key, place := other, theirs
					_, _ = r.try(
						http.MethodPost,
						"/maintenance/tickets",
						key,
						`{"description":"It drips.","unit_id":"`+place+`"}`,
						headers...,
					)
					return
				}
				_, err := r.try(
					http.MethodPost,
					"/maintenance/tickets",
					key,
					`{"description":"It drips.","unit_id":"`+place+`"}`,
					headers...,
				)
				if err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		var list struct{ Data []struct{ ID, Number string } }
		r.get("/maintenance/tickets?limit=100", key).ok(t, &list)
		var numbers []int
		for _, ticket := range list.Data {
			var n int
			if _, err := fmt.Sscanf(ticket.Number, "T-%d", &n); err != nil {
				t.Errorf("%q: %v", ticket.Number, err)
			}
			numbers = append(numbers, n)
		}
		slices.Sort(numbers)
		for i, n := range numbers {
			if n != 1001+i {
				t.Fatalf("the numbers are %v", numbers)
			}
		}
		next := r.send("POST", "/maintenance/tickets", key, `{"description":"It drips.","unit_id":"`+unit+`"}`).done(t)
		if next["number"] != fmt.Sprintf("T-%d", 1001+len(numbers)) {
			t.Errorf("after %d tickets comes %v", len(numbers), next["number"])
		}
	})
}

func TestTicketHasLocationIDs(t *testing.T) {
	listening(t, func(t *testing.T, r *fixture, key string) {
		s := seeded{1, "test"}
		create := func(body string) answer {
			return r.send("POST", "/maintenance/tickets", key, `{"description":"It drips.",`+body+`}`)
		}
		for body, want := range map[string]string{
			`"unit_id":"` + s.id("unit", 1) + `"`:                                         "prop1 unit1 none lea1",
			`"unit_id":"` + s.id("unit", 2) + `"`:                                         "prop1 unit2 none none",
			`"property_id":"` + s.id("prop", 1) + `"`:                                     "prop1 none none none",
			`"property_id":"` + s.id("prop", 1) + `","unit_id":"` + s.id("unit", 1) + `"`: "prop1 unit1 none lea1",
			`"unit_id":"` + s.id("unit", 1) + `","tenant_id":"` + s.id("ten", 1) + `"`:    "prop1 unit1 ten1 lea1",
			// The guarantor is a party too.
			`"unit_id":"` + s.id("unit", 1) + `","tenant_id":"` + s.id("ten", 2) + `"`:     "prop1 unit1 ten2 lea1",
			`"property_id":"` + s.id("prop", 1) + `","tenant_id":"` + s.id("ten", 1) + `"`: "prop1 none ten1 lea1",
			`"unit_id":null,"property_id":"` + s.id("prop", 2) + `","tenant_id":null`:      "prop2 none none none",
		} {
			got := create(body).done(t)
			var have []string
			for _, field := range []string{"property_id", "unit_id", "tenant_id", "lease_id"} {
				name := "none"
				for _, prefix := range []string{"prop", "unit", "ten", "lea"} {
					for n := 1; n <= 3; n++ {
						if got[field] == s.id(prefix, n) {
							name = fmt.Sprint(prefix, n)
						}
					}
				}
				have = append(have, name)
			}
			if strings.Join(have, " ") != want || got["source"] != "api" || got["status"] != "open" ||
				got["entry_permission"] != "unknown" {
				t.Errorf("%s: %q, want %s", body, have, want)
			}
		}
		for body, want := range map[string]string{
			`"title":"x"`:    "missing_field unit_id",
			`"unit_id":null`: "missing_field unit_id",
			`"unit_id":"` + s.id("unit", 1) + `","property_id":"` + s.id("prop", 2) + `"`: "invalid_field property_id",
			`"unit_id":"` + s.id("unit", 2) + `","tenant_id":"` + s.id("ten", 1) + `"`:    "invalid_field tenant_id",
			// A tenant of a draft does not live there yet.
			`"unit_id":"` + s.id("unit", 2) + `","tenant_id":"` + s.id("ten", 2) + `"`:     "invalid_field tenant_id",
			`"property_id":"` + s.id("prop", 2) + `","tenant_id":"` + s.id("ten", 1) + `"`: "invalid_field tenant_id",
		} {
			code, param, _ := strings.Cut(want, " ")
			if f := create(body).expect(t, http.StatusBadRequest, code); *f.Error.Param != param {
				t.Errorf("%s: %+v", body, f)
			}
		}
	})
}
