package rest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"portal/api/access"
	"portal/db/dbtest"
)

// bodyField is a field of a body, by the names that lead to it.
type bodyField struct {
	path   []string
	schema map[string]any
}

func (p bodyField) String() string { return strings.Join(p.path, ".") }

// bodyFields are the fields that an object's schema names, those within other objects too.
func (d document) bodyFields(schema map[string]any, within ...string) (all []bodyField) {
	properties, _ := d.follow(schema)["properties"].(map[string]any)
	for name, s := range properties {
		p := bodyField{append(slices.Clone(within), name), d.follow(s.(map[string]any))}
		all = append(all, p)
		for _, part := range append(parts(p.schema), p.schema) {
			all = append(all, d.bodyFields(part, p.path...)...)
		}
	}
	return all
}

// parts are the schemas of which a value fits one.
func parts(s map[string]any) (all []map[string]any) {
	some, _ := s["oneOf"].([]any)
	for _, part := range some {
		all = append(all, part.(map[string]any))
	}
	return all
}

// takes are the types of JSON that a schema takes.
func (d document) takes(s map[string]any) (all []string) {
	if s = d.follow(s); s["type"] != nil {
		all = types(s["type"])
	}
	for _, part := range parts(s) {
		all = append(all, d.takes(part)...)
	}
	return all
}

// with is a body with a value in a field.
func with(body string, p bodyField, value string) string {
	whole := map[string]any{}
	if err := json.Unmarshal([]byte(body), &whole); err != nil {
		panic(err)
	}
	at := whole
	for _, name := range p.path[:len(p.path)-1] {
		inner, is := at[name].(map[string]any)
		if !is {
			inner = map[string]any{}
		}
		at[name], at = inner, inner
	}
	at[p.path[len(p.path)-1]] = json.RawMessage(value)
	return jsonOf(whole)
}

// kindsOfJSON is a value of each type of JSON.
var kindsOfJSON = map[string]string{
	"null":    "null",
	"boolean": "true",
	"number":  "7.5",
	"string":  `"7"`,
	"array":   "[]",
	"object":  "{}",
}

// misfits are values that a field does not take although they have its type.
func (d document) misfits(p bodyField) (all []string) {
	s, name := p.schema, p.path[len(p.path)-1]
	for _, part := range parts(s) {
		all = append(all, d.misfits(bodyField{p.path, d.follow(part)})...)
	}
	if slices.Contains(types0(s), "string") {
		all = append(all, `"a\u0000b"`, `"\u0007"`, `"a\u0085"`, `"\u007f"`, `"\u001b[2J"`)
		if !strings.HasSuffix(name, "_id") {
			all = append(all, `""`, `" "`, `"\u00a0\u2003\n"`, `"`+strings.Repeat("x", 10_001)+`"`)
		}
	}
	switch {
	case s["enum"] != nil:
		all = append(all, `"neither"`, fmt.Sprintf(`"%vx"`,
			s["enum"].([]any)[0]), fmt.Sprintf(`" %v"`,
			s["enum"].([]any)[0]))
	case s["maxLength"] != nil:
		n, _ := s["maxLength"].(json.Number).Int64()
		all = append(all, `"`+strings.Repeat("ä", int(n)+1)+`"`)
	}
	switch {
	case s["format"] == "date":
		all = append(
			all,
			`"2026-02-30"`,
			`"2026-2-3"`,
			`"2026-11-02T00:00:00Z"`,
			`"1599-12-31"`,
			`"tomorrow"`,
			`"02.11.2026"`,
		)
	case s["format"] == "date-time":
		all = append(
			all,
			`"2026-11-02"`,
			`"2026-11-02T16:20:11"`,
			`"2026-11-02T24:00:00Z"`,
			`"1969-12-31T23:59:59Z"`,
			`"2026-11-02 16:20:11Z"`,
		)
	case strings.HasSuffix(name, "email"):
		all = append(
			all,
			`"dana"`,
			`"dana@"`,
			`"dana@example"`,
			`"Dana <dana@example.com>"`,
			`"dana@example.com,b@example.com"`,
			`"dana@example.com\r\nBcc: b@example.com"`,
			`"dänä@exämple.com"`,
		)
	case strings.HasSuffix(name, "phone"):
		all = append(
			all,
			`"911"`,
			`"555-0142"`,
			`"(512) 555-0142 x"`,
			`"+1512555014"`,
			`"112-555-0142"`,
			`"+12345678901234567"`,
			`"five"`,
		)
	case name == "postal_code":
		all = append(all, `"7870"`, `"787011"`, `"78701-123"`, `"7870-11234"`, `"K1A 0B1"`, `"78701 1234"`)
	}
	if takes := types0(s); slices.Contains(takes, "integer") {
		all = append(all, "1.5", "-1", "1e400", "1e31", "99999999999999999999", "0.1e-30")
	} else if slices.Contains(takes, "number") {
		all = append(all, "1450.005", "-1", "-0.01", "1e400", "1e12", "1e-3", "1000000000", "1450.0000000001")
		if s["multipleOf"] != nil {
			all = append(all, "1.25", "100.5", "0.1")
		}
	}
	return all
}

func types0(s map[string]any) []string {
	if s["type"] == nil {
		return nil
	}
	return types(s["type"])
}

func TestEveryFieldRefusesInvalidValues(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		s, d := seeded{1, access.Test}, read(t, r.api.Document())
		key := *r.key("ada@example.com", access.Test, "payments").Plaintext
		before := r.dump()
		tried := 0
		for _, m := range r.mutations(s) {
			schema := d.bodyOf(m.Operation)
			if schema == nil {
				continue
			}
			for _, p := range d.bodyFields(schema) {
				misfits := d.misfits(p)
				takes := d.takes(p.schema)
				for kind, value := range kindsOfJSON {
					if !slices.Contains(takes, kind) && (kind != "number" || !slices.Contains(takes, "integer")) {
						misfits = append(misfits, value)
					}
				}
				for _, value := range misfits {
					tried++
					a := r.send(m.Method, m.path, key, with(m.body, p, value), "Dry-Run", "true")
					if a.status != http.StatusBadRequest {
						t.Errorf("%s takes %s for %s: status %d: %.200s", m.Name, value, p, a.status, a.body)
						continue
					}
					f := a.failed(t)
					if !slices.ContainsFunc(f.Error.Errors, func(said detail) bool {
						return strings.HasPrefix(said.Param+".", p.String()+".") &&
							strings.HasPrefix(said.Message, said.Param+" ")
					}) {
						t.Errorf("%s with %.80s for %s speaks of %+v", m.Name, value, p, f.Error.Errors)
					}
				}
				a := r.send(m.Method, m.path, key, with(m.body, p, `"\ud800"`))
				a.expect(t, http.StatusBadRequest, "invalid_json")
			}
		}
		if tried < 1000 {
			t.Errorf("only %d values were tried", tried)
		}
		dbtest.Unchanged(t, "a value that is not taken", before, r.dump())
	})
}

func TestMisspelledBodyValueSuggestsNearest(t *testing.T) {
	t.Parallel()
	r, _ := common(t)
	key, s := *r.key("ada@example.com", access.Test, "write").Plaintext, seeded{1, access.Test}
	for _, c := range []struct{ request, body, want string }{
		{
			"POST /maintenance/tickets",
			`{"description":"x","unit_id":"x","priority":"emergancy"}`,
			`priority must be one of low, normal, high, emergency; not "emergancy". Did you mean emergency?`,
		},
		{
			"PATCH /maintenance/tickets/" + s.id("tkt", 1), `{"status":"canceled"}`,
			`status must be one of open, in_progress, scheduled, on_hold, completed, cancelled; not "canceled". Did ` +
				`you mean cancelled?`,
		},
		{
			"PATCH /maintenance/tickets/" + s.id("tkt", 1), `{"status":"OPEN"}`,
			`status must be one of open, in_progress, scheduled, on_hold, completed, cancelled; not "OPEN".`,
		},
		{
			"PATCH /leases/" + s.id("lea", 1), `{"lease_type":"month-to-month"}`,
			`lease_type must be one of fixed, month_to_month, fixed_with_rollover; not "month-to-month". Did you ` +
				`mean month_to_month?`,
		},
		{
			"PATCH /tenants/" + s.id("ten", 1), `{"preferred_contact_method":"e-mail"}`,
			`preferred_contact_method must be one of email, sms, phone; not "e-mail". Did you mean email?`,
		},
		{
			"POST /webhooks/endpoints",
			`{"url":"https://hooks.example.com","events":["lease_signed"]}`,
			`events.0 must be one of lease.signed, payment.succeeded, maintenance.created, *; not "lease_signed". ` +
				`Did you mean lease.signed?`,
		},
		{
			"POST /properties",
			`{"street_address":"1 A","city":"B","state":"TX","unit":{"bathrooms":1.25}}`,
			`unit.bathrooms must be a number in steps of 0.5 between 0 and 100; not "1.25".`,
		},
		{
			"POST /properties", `{"street_address":7,"city":"B","state":null}`,
			"street_address must be a string, not a number.",
		},
		{
			"PATCH /properties/" + s.id("prop", 1), `{"city":null}`,
			"city must not be null; leave it out or give it a value.",
		},
	} {
		method, path, _ := strings.Cut(c.request, " ")
		f := r.send(method, path, key, c.body, "Dry-Run", "true").expect(t, http.StatusBadRequest, "invalid_field")
		if f.Error.Message != c.want {
			t.Errorf("%s %s\nwant %s\n got %s", c.request, c.body, c.want, f.Error.Message)
		}
	}
}
