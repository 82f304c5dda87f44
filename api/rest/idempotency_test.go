package rest_test

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/db/dbtest"
)

// alike checks that an answer is another one, told again.
func (a answer) alike(t testing.TB, first answer) {
	t.Helper()
	if a.status != first.status || !bytes.Equal(a.body, first.body) ||
		a.header.Get("ETag") != first.header.Get("ETag") ||
		a.header.Get("Content-Type") != first.header.Get("Content-Type") {
		t.Errorf("%s: status %d, ETag %s, %.300s\nfirst was %d, %s, %.300s", a.to, a.status, a.header.Get("ETag"),
			a.body, first.status, first.header.Get("ETag"), first.body)
	}
	if a.header.Get("Idempotent-Replayed") != "true" || first.header.Values("Idempotent-Replayed") != nil {
		t.Errorf("%s: Idempotent-Replayed is %q, first %q", a.to, a.header.Values("Idempotent-Replayed"),
			first.header.Values("Idempotent-Replayed"))
	}
	if a.header.Get("X-Request-Id") == first.header.Get("X-Request-Id") {
		t.Errorf("%s: both requests have one id", a.to)
	}
}

// contentType is another one of a request that means the same.
func contentType(m mutation) string {
	if m.File != nil {
		return `multipart/form-data; charset=UTF-8; boundary="` + boundary[2:] + `"`
	}
	return "application/json; charset=UTF-8"
}

func TestSameIdempotencyKeyRunsOnceAndReplaysResponse(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		s := seeded{1, access.Test}
		key := *r.key("ada@example.com", access.Test, "payments").Plaintext
		other := *r.key("ada@example.com", access.Test, "payments").Plaintext
		for _, m := range r.mutations(s) {
			first := m.by(r, key, "Idempotency-Key", m.Name)
			if first.status != m.Status {
				t.Fatalf("%s: status %d: %s", m.Name, first.status, first.body)
			}
			after := r.dump()
			r.clock.add(time.Minute)
			for _, body := range []string{
				m.body,
				" \n" + m.body + "\t",
				strings.ReplaceAll(m.body, `":`, `" : `),
				strings.NewReplacer(
					"1450",
					"1.45e3",
					"3600",
					"3600.0",
					"1.5",
					"15e-1",
					"Round",
					`\u0052ound`,
				).Replace(m.body),
			} {
				if m.File != nil { // see TestRepeatedFileIsTheSameRequestWhateverItsBoundary
					body = m.body
				}
				if m.body == "" {
					body = ""
				}
				r.send(m.Method, m.path, key, body, "Idempotency-Key", m.Name).alike(t, first)
			}
			m.by(
				r,
				key,
				"Idempotency-Key",
				m.Name,
				"Content-Type",
				contentType(m),
				"User-Agent",
				"another",
				"Accept",
				"text/html",
			).alike(t, first)
			dbtest.Unchanged(t, m.Name+" told again", after, r.dump())
			// Another key of the same account does it anew.
			if m.Name == "discard_import" {
				r.undiscarded(s)
			}
			a := r.mutation(s, m.Name).by(r, other, "Idempotency-Key", m.Name)
			if a.status != m.Status || a.header.Get("Idempotent-Replayed") != "" {
				t.Errorf("%s with another key: status %d, replayed %q", m.Name, a.status,
					a.header.Get("Idempotent-Replayed"))
			}
		}
	})
}

func TestDifferentRequestWithSameIdempotencyKeyIsRefused(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		s, key := seeded{1, access.Test}, *r.key("ada@example.com", access.Test, "write").Plaintext
		property := "/properties/" + s.id("prop", 1)
		r.send("PATCH", property, key, `{"name":"A","city":"B"}`, "Idempotency-Key", "k", "If-Match", `"3"`).done(t)
		for _, c := range []struct{ method, path, body, ifMatch string }{
			{"PATCH", property, `{"name":"A","city":"C"}`, `"3"`},
			{"PATCH", property, `{"name":"A"}`, `"3"`},
			{"PATCH", property, `{"name":"A","city":"B","year_built":null}`, `"3"`},
			{"PATCH", property, `{"name":"a","city":"B"}`, `"3"`},
			{"PATCH", property, `{"name":"A","city":"B"}`, `"4"`},
			{"PATCH", property, `{"name":"A","city":"B"}`, "*"},
			{"PATCH", property, `{"name":"A","city":"B"}`, ""},
			{"PATCH", "/properties/" + s.id("prop", 2), `{"name":"A","city":"B"}`, `"3"`},
			{"PATCH", "/properties/x", `{"name":"A","city":"B"}`, `"3"`},
			{"POST", "/properties", `{"street_address":"1 A","city":"B","state":"TX"}`, ""},
			{"DELETE", "/webhooks/endpoints/" + s.id("we", 2), "", ""},
		} {
			headers := []string{"Idempotency-Key", "k"}
			if c.ifMatch != "" {
				headers = append(headers, "If-Match", c.ifMatch)
			}
			before := r.dump()
			f := r.send(c.method, c.path, key, c.body, headers...).expect(
				t,
				http.StatusConflict,
				"idempotency_key_reused",
			)
			if *f.Error.Param != "Idempotency-Key" || !strings.Contains(f.Error.Message, "2026-11-02T17:00:00.482Z") {
				t.Errorf("%+v", f)
			}
			dbtest.Unchanged(t, c.body, before, r.dump())
		}
		again := r.send("PATCH", property, key, `{"city":"B","name":"A"}`, "Idempotency-Key", "k", "If-Match", `"3"`)
		if again.header.Get("Idempotent-Replayed") != "true" || again.header.Get("ETag") != `"4"` {
			t.Errorf("the request itself: status %d: %s", again.status, again.body)
		}
	})
}

func TestFailedWriteFreesIdempotencyKey(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		s, key := seeded{1, access.Test}, *r.key("ada@example.com", access.Test, "write").Plaintext
		property := "/properties/" + s.id("prop", 1)
		lease := "/leases/" + s.id("lea", 1)
		ticket := "/maintenance/tickets/" + s.id("tkt", 1)
		before := r.dump()
		for _, c := range []struct {
			path, body, ifMatch string
			status              int
		}{
			{property, `{"x":1}`, "*", 400},
			{"/properties/" + absent("prop"), `{"name":"A"}`, "*", 404},
			{lease, `{"monthly_rent":1}`, "*", 403},
			{property, `{"name":"A"}`, `"1"`, 409},
			{ticket, `{"status":"cancelled"}`, "*", 409},
			{ticket, `{"vendor":null,"scheduled_end":"2020-01-01T00:00:00Z"}`, "*", 400},
			{property, `{`, "*", 400},
		} {
			a := r.send("PATCH", c.path, key, c.body, "Idempotency-Key", "k", "If-Match", c.ifMatch)
			if a.status != c.status {
				t.Errorf("%s: status %d: %s", c.body, a.status, a.body)
			}
		}
		dbtest.Unchanged(t, "what was refused", before, r.dump())
		r.exec("ALTER TABLE units RENAME TO lost_units")
		create := r.mutation(s, "create_property")
		create.by(r, key, "Idempotency-Key", "k").expect(t, http.StatusInternalServerError, "internal")
		r.exec("ALTER TABLE lost_units RENAME TO units")
		dbtest.Unchanged(t, "what failed", before, r.dump())
		create.by(r, key, "Idempotency-Key", "k").done(t)
		got := dbtest.Grown(before, r.dump())
		if got != "idempotency_keys +1, properties +1, property_words +5, units +1" {
			t.Errorf("grown by %s", got)
		}
	})
}

func TestIdempotencyKeyIsReusableAfter24Hours(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		s, key := seeded{1, access.Test}, *r.key("ada@example.com", access.Test, "write").Plaintext
		create, update := r.mutation(s, "create_property"), r.mutation(s, "update_property")
		first := create.by(r, key, "Idempotency-Key", "k")
		r.clock.add(24*time.Hour - time.Millisecond)
		create.by(r, key, "Idempotency-Key", "k").alike(t, first)
		update.by(r, key, "Idempotency-Key", "k").expect(t, http.StatusConflict, "idempotency_key_reused")
		r.clock.add(time.Millisecond)
		second := update.by(r, key, "Idempotency-Key", "k")
		second.done(t)
		create.by(r, key, "Idempotency-Key", "k").expect(t, http.StatusConflict, "idempotency_key_reused")
		r.clock.add(23 * time.Hour)
		update.by(r, key, "Idempotency-Key", "k").alike(t, second)
	})
}

func TestIdempotencyKeyIs1To255PrintableCharacters(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		s, key := seeded{1, access.Test}, *r.key("ada@example.com", access.Test, "payments").Plaintext
		before := r.dump()
		for _, m := range r.mutations(s) {
			for _, malformed := range []string{
				"",
				strings.Repeat("k", 256),
				"ä",
				"a\tb",
				"a\u00a0b",
				"\xff",
				strings.Repeat("k", 5000),
			} {
				f := m.by(r, key, "Idempotency-Key", malformed).expect(
					t,
					http.StatusBadRequest,
					"invalid_idempotency_key",
				)
				if *f.Error.Param != "Idempotency-Key" {
					t.Errorf("%s with %q: %+v", m.Name, malformed, f)
				}
			}
			for _, other := range []string{"k", "K"} {
				m.by(r, key, "Idempotency-Key", "k", "Idempotency-Key", other).expect(
					t,
					http.StatusBadRequest,
					"invalid_idempotency_key",
				)
			}
			// A preview does not look at the Idempotency-Key.
			if a := m.by(r, key, "Dry-Run", "true", "Idempotency-Key", "ä"); a.status != http.StatusOK {
				t.Errorf("a preview of %s: status %d: %s", m.Name, a.status, a.body)
			}
		}
		dbtest.Unchanged(t, "a malformed key", before, r.dump())
		for _, fine := range []string{"k", "K", strings.Repeat("k", 255), `!"#$%&'()*+,-./:;<=>?@[\]^_{|}~ x`, "0"} {
			a := r.mutations(s)[1].by(r, key, "Idempotency-Key", fine)
			if a.done(t); a.header.Get("Idempotent-Replayed") != "" {
				t.Errorf("%q is taken for another key", fine)
			}
		}
	})
}

func TestReplayedSecretIsNeverStoredInPlaintext(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		s, key := seeded{1, access.Test}, *r.key("ada@example.com", access.Test, "write").Plaintext
		var secrets []string
		for name, member := range map[string]string{
			"create_webhook_endpoint": "secret",
			"rotate_webhook_secret":   "secret",
			"invite_tenant":           "apply_url",
			"generate_lease":          "document_url",
		} {
			m := r.mutation(s, name)
			first := m.by(r, key, "Idempotency-Key", name)
			m.by(r, key, "Idempotency-Key", name).alike(t, first)
			value := first.done(t)[member].(string)
			if strings.HasSuffix(member, "_url") {
				value = value[strings.LastIndexAny(value, "/.")+1:]
			} else {
				value = value[len("whsec_MfKQ"):] // the first characters are shown everywhere
			}
			secrets = append(secrets, value)
		}
		everything := map[string]string{}
		for table, rows := range r.dump() {
			everything[table] = strings.Join(rows, "\n")
		}
		if r.folder != "" {
			files, err := filepath.Glob(filepath.Join(r.folder, "*"))
			must(t, err)
			for _, f := range files {
				content, err := os.ReadFile(f)
				must(t, err)
				everything[f] = string(content)
			}
		} else {
			dbtest.Query(
				t,
				r.db,
				"SELECT encode(body, 'escape'), body::text FROM idempotency_keys",
				func(_ []string, v []any) { everything["bodies"] += v[0].(string) + v[1].(string) },
			)
		}
		if !strings.Contains(everything["webhook_endpoints"], "whsec_") || len(everything["idempotency_keys"]) == 0 {
			t.Fatal("the search looks in the wrong place")
		}
		for where, text := range everything {
			for _, secret := range secrets {
				if strings.Contains(text, secret) || strings.Contains(text, secret[:12]) {
					t.Errorf("%s shows a secret", where)
				}
			}
		}
		if strings.Contains(r.log.String(), secrets[0][:12]) {
			t.Error("the log shows a secret")
		}
	})
}
