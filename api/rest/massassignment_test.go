package rest_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"portal/api/access"
	"portal/db/dbtest"
)

// computed are fields that answers show and that no caller sets, with a value that
// each could have.
var computed = map[string]any{
	"id":                         "prop_01KA5R2M7Q8D4E6F9G1H3J5K7M",
	"portfolio_id":               2,
	"account_id":                 "acct_1",
	"object":                     "property",
	"mode":                       "live",
	"version":                    99,
	"created_at":                 "2020-01-01T00:00:00.000Z",
	"updated_at":                 "2020-01-01T00:00:00.000Z",
	"unit_count":                 500,
	"occupied_unit_count":        500,
	"number":                     "T-1",
	"triage":                     map[string]any{"priority": "low"},
	"source":                     "tenant_portal",
	"status":                     "active",
	"verification_status":        "verified",
	"currency":                   "EUR",
	"name":                       "Dana",
	"current_lease_id":           nil,
	"lease_ids":                  []string{},
	"tenant_ids":                 []string{},
	"tenants":                    []string{},
	"rental_address":             "x",
	"signed_at":                  nil,
	"document_sha256":            nil,
	"document_url":               nil,
	"esign_url":                  nil,
	"expires_at":                 nil,
	"renewed_to_lease_id":        nil,
	"days_until_end":             1,
	"auto_charge":                true,
	"balance_due":                1,
	"deposit_held":               1,
	"completed_at":               nil,
	"cancelled_at":               nil,
	"reopened_count":             0,
	"age_days":                   0,
	"actual_cost":                1,
	"secret":                     "whsec_x",
	"secret_prefix":              "whsec_",
	"previous_secret_expires_at": nil,
	"disabled_at":                nil,
	"disabled_reason":            nil,
	"apply_url":                  "https://example.com",
	"email_status":               "sent",
	"units":                      []string{},
	"is_default":                 true,
	"country":                    "US",
	"warnings":                   []string{},
	"preview":                    nil,
	"dry_run":                    true,
	"__proto__":                  map[string]any{},
	"constructor":                nil,
	"ID":                         "x",
	"Version":                    1,
	"portfolioId":                2,
}

func TestComputedFieldsCannotBeSet(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		s, d := seeded{1, access.Test}, read(t, r.api.Document())
		key := *r.key("ada@example.com", access.Test, "payments").Plaintext
		before := r.dump()
		refused := 0
		for _, m := range r.mutations(s) {
			fields := d.fields(m)
			if fields == nil {
				continue
			}
			for field, value := range computed {
				if _, settable := fields[field]; settable {
					continue
				}
				refused++
				var body map[string]any
				must(t, json.Unmarshal([]byte(m.body), &body))
				body[field] = value
				text, err := json.Marshal(body)
				must(t, err)
				a := r.send(m.Method, m.path, key, string(text), "Idempotency-Key", "k")
				f := a.expect(t, http.StatusBadRequest, "unknown_field")
				if f.Error.Param == nil || *f.Error.Param != field || len(f.Error.Errors) != 1 {
					t.Errorf("%s with %s: %s", m.Name, field, a.body)
				}
				if own := shows(d, m, field); own != strings.Contains(f.Error.Message, "cannot be set here") {
					t.Errorf("%s with %s: %s", m.Name, field, f.Error.Message)
				}
			}
		}
		if refused < 400 {
			t.Errorf("only %d fields were tried", refused)
		}
		dbtest.Unchanged(t, "a field that cannot be set", before, r.dump())
	})
}

// shows reports whether the record that a write answers has a field, apart from what stands
// beside it in the answer of a write.
func shows(d document, m mutation, field string) bool {
	answer := d.operation(m.Operation)["responses"].(map[string]any)["200"].(map[string]any)
	_, has := d.follow(jsonContent(answer)["schema"].(map[string]any))["properties"].(map[string]any)[field]
	return has && field != "warnings" && field != "preview"
}

func TestNestedComputedFieldsCannotBeSet(t *testing.T) {
	t.Parallel()
	r, _ := common(t)
	key, s := *r.key("ada@example.com", access.Test, "write").Plaintext, seeded{1, access.Test}
	for _, c := range []struct{ request, body, param string }{
		{"POST /properties", `{"street_address":"1 A","city":"B","state":"TX","unit":{"id":"x"}}`, "unit.id"},
		{
			"POST /properties",
			`{"street_address":"1 A","city":"B","state":"TX","unit":{"status":"off_market"}}`,
			"unit.status",
		},
		{
			"POST /properties",
			`{"street_address":"1 A","city":"B","state":"TX","unit":{"is_default":false}}`,
			"unit.is_default",
		},
		{"POST /maintenance/tickets", `{"unit_id":"x","description":"x","vendor":{"name":"x","id":1}}`, "vendor.id"},
		{"PATCH /maintenance/tickets/" + s.id("tkt", 1), `{"vendor":{"rating":5}}`, "vendor.rating"},
		{"PATCH /tenants/" + s.id("ten", 1), `{"emergency_contact":{"id":1}}`, "emergency_contact.id"},
	} {
		method, path, _ := strings.Cut(c.request, " ")
		a := r.send(method, path, key, c.body, "Dry-Run", "true")
		if f := a.expect(t, http.StatusBadRequest, "unknown_field"); *f.Error.Param != c.param {
			t.Errorf("%s: %s", c.body, a.body)
		}
	}
}

func TestUnknownFieldSuggestsNearest(t *testing.T) {
	t.Parallel()
	r, _ := common(t)
	key, s := *r.key("ada@example.com", access.Test, "write").Plaintext, seeded{1, access.Test}
	for _, c := range []struct{ request, body, want string }{
		{"POST /properties", `{"adress":1}`, `"adress" is not a field here; the fields are street_address, `},
		{
			"POST /properties", `{"street_adress":1}`,
			`"street_adress" is not a field here; did you mean street_address?`,
		},
		{"POST /properties", `{"unit":{"bedroom":1}}`, `"unit.bedroom" is not a field here; did you mean bedrooms?`},
		{
			"PATCH /leases/" + s.id("lea", 1), `{"montly_rent":1}`,
			`"montly_rent" is not a field here; did you mean monthly_rent?`,
		},
		{
			"PATCH /leases/" + s.id("lea", 1), `{"` + strings.Repeat("x", 5000) + `":1}`,
			`"` + strings.Repeat("x", 60) + `…" is not a field here; the fields are start_date, `,
		},
		{
			"PATCH /tenants/" + s.id("ten", 1), `{"e\u0000mail":1}`,
			`"e\x00mail" is not a field here; did you mean email?`,
		},
	} {
		method, path, _ := strings.Cut(c.request, " ")
		f := r.send(method, path, key, c.body).failed(t)
		if !slices.ContainsFunc(f.Error.Errors, func(d detail) bool {
			return d.Code == "unknown_field" &&
				strings.HasPrefix(d.Message, c.want)
		}) {
			t.Errorf("%s %.60s: %+v", c.request, c.body, f.Error.Errors)
		}
	}
}
