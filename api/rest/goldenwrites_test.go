package rest_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/developer"
)

var (
	// in a summary, ids are quoted once more
	madeAtNoon = regexp.MustCompile(`"(prop|unit|ten|tkt|we|lead|lea|sig|evt|del|pmt)_01M6EK8732[0-9A-Z]{16}(\\?)"`)
	newSecret  = regexp.MustCompile(`"whsec_[0-9A-Za-z+/=]+"`)
	madeLink   = regexp.MustCompile(`/(apply|documents|sign)/[\w.-]+"`)
)

// written is an answer to a write for a golden file: ids and secrets that are made anew
// each time are replaced.
func written(t *testing.T, raw string) []byte {
	t.Helper()
	text := madeAtNoon.ReplaceAll(shown(t, raw), []byte(`"${1}_(new)${2}"`))
	return madeLink.ReplaceAll(newSecret.ReplaceAll(text, []byte(`"whsec_(new)"`)), []byte(`/${1}/(new)"`))
}

// sentAs is a write as it goes over the wire.
func sentAs(method, path, key, body string, headers ...string) string {
	head := strings.TrimSuffix(wire(method, path, "Bearer "+key), "\r\n")
	if body != "" {
		head += fmt.Sprintf("Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	return head + strings.Join(append(headers, ""), "\r\n") + "\r\n" + body
}

func TestWriteResponsesMatchGolden(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(testing.TB, setting) *fixture{
		"sqlite":   newFixture,
		"postgres": postgresFixture,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := make(t, setting{triage: ear{}})
			r.landlord("ada@example.com", developer.Plan{Tier: developer.Pro})
			s := seeded{1, access.Test}
			writes := func(m mutation) {
				key := *r.key("ada@example.com", access.Test, "payments").Plaintext
				golden(
					t,
					"writes/"+m.Name+"_preview",
					written(t, r.raw(sentAs(m.Method, m.path, key, m.body, "Dry-Run: true"))),
				)
				golden(
					t,
					"writes/"+m.Name,
					written(t, r.raw(sentAs(m.Method, m.path, key, m.body, "Idempotency-Key: k"))),
				)
				if m.Name == "create_maintenance_ticket" || m.Status == 204 {
					golden(
						t,
						"writes/"+m.Name+"_again",
						written(t, r.raw(sentAs(m.Method, m.path, key, m.body, "Idempotency-Key: k"))),
					)
				}
			}
			all := r.mutations(s)
			reset := len(all) - 1 // the last one leaves no record that others are about
			for _, m := range all[:reset] {
				writes(m)
			}
			key := *r.key("ada@example.com", access.Test, "write").Plaintext
			golden(
				t,
				"writes/change_of_nothing_preview",
				written(
					t,
					r.raw(sentAs("PATCH", "/properties/"+s.id("prop", 2), key, `{"name":null}`, "Dry-Run: true")),
				),
			)
			golden(
				t,
				"writes/with_a_warning",
				written(
					t,
					r.raw(sentAs(
						"PATCH",
						"/maintenance/tickets/"+s.id("tkt", 2),
						key,
						`{"title":"Gas","priority":"low"}`,
					)),
				),
			)
			writes(all[reset])
		})
	}
}

func TestWriteErrorResponsesMatchGolden(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", developer.Plan{Tier: developer.Pro, Units: new(0)})
		s := seeded{1, access.Test}
		reader := *r.key("ada@example.com", access.Test).Plaintext
		writer := *r.key("ada@example.com", access.Test, "write").Plaintext
		live := *r.key("ada@example.com", access.Live, "write").Plaintext
		r.exec("UPDATE leases SET status = 'pending_signature' WHERE id = '" + s.id("lea", 2) + "'")
		property := "PATCH /properties/" + s.id("prop", 1)
		lease := "PATCH /leases/" + s.id("lea", 1)
		ticket := "PATCH /maintenance/tickets/" + s.id("tkt", 1)
		for _, c := range []struct{ name, request, key, body, header string }{
			{"scope_required", property, reader, `{"name":"A"}`, ""},
			{"scope_required_for_a_field", lease, writer, `{"monthly_rent":1500}`, ""},
			{"missing_field", "POST /properties", writer, `{"city":"Austin"}`, ""},
			{"unknown_field", property, writer, `{"postalcode":"78701","version":4}`, ""},
			{"empty_update", property, writer, `{}`, ""},
			{"invalid_json", property, writer, `{"name":"A",}`, ""},
			{"body_too_large", property, writer, `{"name":"` + strings.Repeat("A", 256<<10) + `"}`, ""},
			{"unsupported_media_type", property, writer, `name=A`, "Content-Encoding: gzip"},
			{"date_order", lease, writer, `{"end_date":"2026-01-01"}`, ""},
			{"invalid_idempotency_key", property, writer, `{"name":"A"}`, "Idempotency-Key: \u00e4"},
			{"invalid_dry_run", property, writer, `{"name":"A"}`, "Dry-Run: yes"},
			{"invalid_if_match", property, writer, `{"name":"A"}`, "If-Match: 3"},
			{
				"not_found_unit_of_a_body", "POST /maintenance/tickets", writer,
				`{"unit_id":"unit_1","description":"It drips."}`, "",
			},
			{"stale_write", property, writer, `{"name":"A"}`, `If-Match: "2"`},
			{"invalid_transition", ticket, writer, `{"status":"on_hold"}`, ""},
			{"signature_in_progress", "PATCH /tenants/" + s.id("ten", 2), writer, `{"email":"z@example.com"}`, ""},
			{"unit_limit_reached", "POST /properties", live, someHouse, ""},
			{"url_not_allowed", "POST /webhooks/endpoints", writer, `{"url":"https://127.0.0.1/hook"}`, ""},
		} {
			method, path, _ := strings.Cut(c.request, " ")
			headers := []string{}
			if c.header != "" {
				headers = []string{c.header}
			}
			raw := r.raw(sentAs(method, path, c.key, c.body, headers...))
			raw = remaining.ReplaceAllString(raw, "X-RateLimit-Remaining: (left)")
			golden(t, "refusals/"+c.name, shown(t, raw))
		}
		r.raw(sentAs("PATCH", strings.TrimPrefix(property, "PATCH "), writer, `{"name":"A"}`, "Idempotency-Key: k"))
		raw := r.raw(sentAs(
			"PATCH",
			strings.TrimPrefix(property, "PATCH "),
			writer,
			`{"name":"B"}`,
			"Idempotency-Key: k",
		))
		golden(
			t,
			"refusals/idempotency_key_reused",
			shown(t, remaining.ReplaceAllString(raw, "X-RateLimit-Remaining: (left)")),
		)
	})
}

var remaining = regexp.MustCompile(`X-RateLimit-Remaining: \d+`)
