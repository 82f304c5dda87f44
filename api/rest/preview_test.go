package rest_test

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"portal/api/access"
	"portal/db/dbtest"
)

// kept are the members that every write touches and no preview lists.
var kept = []string{"id", "object", "mode", "version", "created_at", "updated_at", "warnings", "preview"}

// invented are the members that a write makes up anew each time, which a preview
// therefore shows otherwise or not at all.
var invented = []string{"secret", "secret_prefix", "apply_url", "document_url", "esign_url"}

// changes are the members in which two records differ, in the form of a preview.
func changes(before, after record) map[string][2]string {
	all := map[string][2]string{}
	for field, to := range after {
		from := before[field]
		if !slices.Contains(kept, field) && !slices.Contains(invented, field) && jsonOf(from) != jsonOf(to) {
			all[field] = [2]string{jsonOf(from), jsonOf(to)}
		}
	}
	return all
}

func TestDryRunPredictsTheWrite(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		s, d := seeded{1, access.Test}, read(t, r.api.Document())
		key := *r.key("ada@example.com", access.Test, "payments").Plaintext
		more := []mutation{
			r.mutation(s, "update_lease"),
			r.mutation(s, "update_lease"),
			r.mutation(s, "update_maintenance_ticket"),
			r.mutation(s, "update_tenant"),
			r.mutation(s, "delete_webhook_endpoint"),
		}
		more[0].body = `{"monthly_rent":1500,"notice_given_date":null}`
		more[1].body = `{"status":"terminated","terminated_on":"2026-10-31","termination_reason":"Sold"}`
		more[2].body = `{"status":"completed","vendor":null,"description":"Now it pours."}`
		more[3].body = `{"mailing_address":null,"emergency_contact":{"relationship":null},"first_name":"D"}`
		all := append(r.mutations(s), more...)
		for i := range all {
			if all[i].Name == "advance_test_clock" {
				all[i].body = `{"advance_to":"2026-12-02"}`
			}
		}
		slices.SortStableFunc(all, func(a, b mutation) int { return cmp.Compare(order(a)/2, order(b)/2) })
		for _, m := range all { // the reset comes last
			before := record{}
			changesOne := (m.path != m.Operation.Path || m.Name == "update_lease_details") &&
				m.Name != "test_webhook_endpoint" && m.Name != "redeliver_missed_events"
			if changesOne {
				got := r.get(
					strings.TrimSuffix(
						strings.TrimSuffix(strings.TrimSuffix(m.path, "/rotate_secret"), "/redeliver"),
						"/confirm",
					),
					key,
				)
				got.ok(t, &before)
				before = decoded(t, got.body).(record)
			}
			if m.Name == "advance_test_clock" { // GET /me shows it
				before = decoded(t, r.get("/me", key).body).(record)["test_clock"].(record)
			}
			stored := r.dump()
			a := m.by(r, key, "Dry-Run", "true", "Idempotency-Key", "unused")
			if a.status != http.StatusOK || a.header.Get("Idempotent-Replayed") != "" {
				t.Fatalf("%s: status %d: %s", m.Name, a.status, a.body)
			}
			dbtest.Unchanged(t, "a preview of "+m.Name, stored, r.dump())
			shown := a.done(t)
			schema := d.operation(m.Operation)
			for _, step := range []string{"responses", "200", "content", "application/json", "schema"} {
				schema = schema[step].(map[string]any)
			}
			if m.Status != http.StatusNoContent {
				for _, fault := range d.check(m.Name, schema, shown) {
					t.Error(fault)
				}
			}
			for _, secret := range []string{"secret", "apply_url", "document_url", "esign_url"} {
				if shown[secret] != nil && m.Name != "update_lease" { // whose lease has its links already
					t.Errorf("a preview of %s shows %s", m.Name, secret)
				}
			}
			preview := shown["preview"].(record)
			told := map[string][2]string{}
			for _, c := range preview["changes"].([]any) {
				c := c.(record)
				if field := c["field"].(string); !slices.Contains(invented, field) {
					told[field] = [2]string{jsonOf(c["from"]), jsonOf(c["to"])}
				}
			}
			if w := shown["warnings"]; w != nil && jsonOf(w) != jsonOf(preview["warnings"]) {
				t.Errorf("%s warns of %s, its preview of %s", m.Name, jsonOf(w), jsonOf(preview["warnings"]))
			}

			a = m.by(r, key, "Idempotency-Key", keyFor(m))
			var after record
			switch {
			case m.Name == "discard_import": // there is nothing to read any more
				r.get(m.path, key).expect(t, http.StatusNotFound, "not_found")
				after = shown
			case a.status == http.StatusNoContent:
				after = decoded(t, r.get(m.path, key).body).(record)
			default:
				after = a.done(t)
			}
			if jsonOf(after["warnings"]) != jsonOf(shown["warnings"]) {
				t.Errorf("%s warns of %s, its preview of %s", m.Name, jsonOf(after["warnings"]),
					jsonOf(shown["warnings"]))
			}
			want := changes(before, after)
			if anonymous(jsonOf(told)) != anonymous(jsonOf(want)) {
				t.Errorf("%s %s\ntold %s\ndone %s", m.Name, m.body, jsonOf(told), jsonOf(want))
			}
			would := preview["would_change"] == true
			if would != (len(want) > 0 || !changesOne || m.Name == "rotate_webhook_secret") ||
				preview["dry_run"] != true {
				t.Errorf("%s: would_change is %v with %d changes", m.Name, would, len(want))
			}
			summary := preview["summary"].(string)
			for field := range told {
				if changesOne && !strings.Contains(summary, field) ||
					!strings.HasPrefix(summary, "Would ") || !strings.HasSuffix(summary, ".") {
					t.Errorf("%s: the summary is %q", m.Name, summary)
				}
			}
		}
	})
}

var (
	newID   = regexp.MustCompile(`[a-z]+_01M6EK[0-9A-Z]{20}`)
	newLink = regexp.MustCompile(`\\"esign_url\\":(null|\\"[^"\\]+\\")`)
)

// anonymous is text without the ids of records that are made at noon, and without
// the links to sign, which a preview does not make.
func anonymous(text string) string {
	return newLink.ReplaceAllString(newID.ReplaceAllString(text, "(new)"), "(link)")
}

// keyFor is an Idempotency-Key for a request.
func keyFor(m mutation) string {
	sum := sha256.Sum256([]byte(m.body))
	return m.Name + hex.EncodeToString(sum[:])
}

func TestDryRunRefusesWhateverWriteRefuses(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		s := seeded{1, access.Test}
		reader := *r.key("ada@example.com", access.Test).Plaintext
		writer := *r.key("ada@example.com", access.Test, "write").Plaintext
		r.exec("UPDATE leases SET status = 'pending_signature' WHERE id = '" + s.id("lea", 2) + "'")
		before := r.dump()
		property := "PATCH /properties/" + s.id("prop", 1)
		lease := "PATCH /leases/" + s.id("lea", 1)
		ticket := "PATCH /maintenance/tickets/" + s.id("tkt", 1)
		for _, c := range []struct{ request, key, body, ifMatch string }{
			{property, "", `{"name":"A"}`, "*"},
			{property, reader, `{"name":"A"}`, "*"},
			{property, writer, `{"x":1}`, "*"},
			{property, writer, `{`, "*"},
			{property, writer, `{}`, "*"},
			{property, writer, `{"year_built":2028}`, "*"},
			{property, writer, `{"name":"A"}`, `"2"`},
			{"PATCH /properties/x", writer, `{"name":"A"}`, "*"},
			{lease, writer, `{"monthly_rent":1}`, "*"},
			{lease, writer, `{"status":"signed"}`, "*"},
			{lease, writer, `{"end_date":"2026-01-31"}`, "*"},
			{ticket, writer, `{"status":"cancelled"}`, "*"},
			{ticket, writer, `{"scheduled_end":"2026-01-01T00:00:00Z"}`, "*"},
			{"PATCH /tenants/" + s.id("ten", 2), writer, `{"mailing_address":{"city":"Austin"}}`, "*"},
			{"PATCH /tenants/" + s.id("ten", 2), writer, `{"email":"a@example.com"}`, "*"},
			{"POST /maintenance/tickets", writer, `{"description":"x"}`, ""},
			{"POST /maintenance/tickets", writer, `{"description":"x","unit_id":"x"}`, ""},
			{"POST /webhooks/endpoints", writer, `{"url":"http://hooks.example.com"}`, ""},
			{"POST /webhooks/endpoints", writer, `{"url":"https://10.0.0.1/"}`, ""},
			{
				"POST /tenants/invite", writer,
				`{"unit_id":"` + s.id("unit", 1) + `","email":"a@example.com","desired_move_in_date":"2026-11-01"}`,
				"",
			},
			{"DELETE /webhooks/endpoints/x", writer, "", ""},
			{"POST /webhooks/endpoints/x/rotate_secret", writer, "", ""},
		} {
			method, path, _ := strings.Cut(c.request, " ")
			var headers []string
			if c.ifMatch != "" {
				headers = []string{"If-Match", c.ifMatch}
			}
			a := r.send(method, path, c.key, c.body, headers...)
			dry := r.send(method, path, c.key, c.body, append(headers, "Dry-Run", "true")...)
			if a.status < 400 || stripped(a) != stripped(dry) {
				t.Errorf("%s %s answers %s\nits preview %s", c.request, c.body, stripped(a), stripped(dry))
			}
		}
		dbtest.Unchanged(t, "what was refused", before, r.dump())
	})
}

func TestDryRunMustBeTrueOrFalse(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		key := *r.key("ada@example.com", access.Test, "payments").Plaintext
		before := r.dump()
		mutations := r.mutations(seeded{1, access.Test})
		for _, m := range mutations {
			for _, wrong := range []string{"", "1", "0", "yes", "True", "TRUE", "true, true", "false;", "null"} {
				f := m.by(r, key, "Dry-Run", wrong).expect(t, http.StatusBadRequest, "invalid_field")
				if *f.Error.Param != "Dry-Run" {
					t.Errorf("%q: %+v", wrong, f)
				}
			}
			m.by(r, key, "Dry-Run", "true", "Dry-Run", "false").expect(t, http.StatusBadRequest, "invalid_field")
			m.by(r, key, "Dry-Run", "false", "Dry-Run", "false").expect(t, http.StatusBadRequest, "invalid_field")
		}
		dbtest.Unchanged(t, "a Dry-Run that cannot be read", before, r.dump())
		a := mutations[0].by(r, key, "Dry-Run", "false")
		if a.status != http.StatusCreated || strings.Contains(string(a.body), "preview") {
			t.Errorf("false: status %d: %s", a.status, a.body)
		}
	})
}
