package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/developer"
	"portal/db/dbtest"
)

// Each request below is wrong in two ways that stand beside each other in the order of
// the checks (docs/site/records.md); what is said is the earlier one.
func TestFirstFailingWriteCheckWins(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		s := seeded{1, access.Test}
		reader := *r.key("ada@example.com", access.Test).Plaintext
		writer := *r.key("ada@example.com", access.Test, "write").Plaintext
		property := "/properties/" + s.id("prop", 1)
		lease := "/leases/" + s.id("lea", 1)
		draft := "/leases/" + s.id("lea", 2)
		ticket := "/maintenance/tickets/" + s.id("tkt", 1)
		r.send("PATCH", property, writer, `{"city":"Dallas"}`, "Idempotency-Key", "used").done(t)
		huge := `{"city":"` + strings.Repeat("x", 256<<10) + `"}`
		before := r.dump()
		for _, c := range []struct {
			what, request, key, body string
			headers                  []string
			status                   int
			code                     string
		}{
			{"key before scope and body", "PATCH " + property, "", huge, nil, 401, "missing_api_key"},
			{"scope before size", "PATCH " + property, reader, huge, nil, 403, "scope_required"},
			{
				"scope before the kind of body",
				"PATCH " + property,
				reader,
				"x",
				[]string{"Content-Type", "text/plain"},
				403,
				"scope_required",
			},
			{"scope before fields", "PATCH " + property, reader, `{"x":1}`, nil, 403, "scope_required"},
			{
				"scope before the reuse of a key",
				"PATCH " + property,
				reader,
				`{"city":"Waco"}`,
				[]string{"Idempotency-Key", "used"},
				403,
				"scope_required",
			},
			{"scope before the record", "PATCH /properties/x", reader, `{"city":"Waco"}`, nil, 403, "scope_required"},
			{
				"size before the kind of body",
				"PATCH " + property,
				writer,
				huge,
				[]string{"Content-Type", "text/plain"},
				413,
				"body_too_large",
			},
			{
				"the kind of body before its form",
				"PATCH " + property,
				writer,
				`{`,
				[]string{"Content-Type", "text/plain"},
				415,
				"unsupported_media_type",
			},
			{"its form before its fields", "PATCH " + property, writer, `{"x":1,"x":1}`, nil, 400, "invalid_json"},
			{
				"a parameter before the body's form", "PATCH " + property + "?a=b", writer, `{`,
				nil, 400, "unknown_parameter",
			},
			{
				"a header before the body",
				"PATCH " + property,
				writer,
				`{"x":1}`,
				[]string{"If-Match", "3"},
				400,
				"invalid_field",
			},
			{
				"fields before the Idempotency-Key",
				"PATCH " + property,
				writer,
				`{"x":1}`,
				[]string{"Idempotency-Key", "ä"},
				400,
				"unknown_field",
			},
			{
				"fields before the reuse of a key",
				"PATCH " + property,
				writer,
				`{"year_built":2028}`,
				[]string{"Idempotency-Key", "used"},
				400,
				"invalid_field",
			},
			{
				"an address before the reuse of a key",
				"POST /webhooks/endpoints",
				writer,
				`{"url":"https://10.0.0.1/"}`,
				[]string{"Idempotency-Key", "used"},
				400,
				"url_not_allowed",
			},
			{
				"a day before the reuse of a key",
				"POST /tenants/invite",
				writer,
				`{"unit_id":"x","email":"a@example.com","desired_move_in_date":"2020-01-01"}`,
				[]string{"Idempotency-Key", "used"},
				400,
				"invalid_field",
			},
			{
				"fields before the record", "PATCH /properties/x", writer, `{"year_built":2028}`,
				nil, 400, "invalid_field",
			},
			{
				"dates before the record", "PATCH /leases/x", writer,
				`{"move_in_date":"2026-05-02","move_out_date":"2026-05-01"}`, nil, 400,
				"date_order",
			},
			{
				"a schedule before the record", "PATCH /maintenance/tickets/x", writer,
				`{"scheduled_start":"2026-05-02T00:00:00Z","scheduled_end":"2026-05-01T00:00:00Z"}`,
				nil, 400, "date_order",
			},
			{"an empty update before the record", "PATCH /properties/x", writer, `{}`, nil, 400, "empty_update"},
			{
				"Dry-Run before the record",
				"PATCH /properties/x",
				writer,
				`{"city":"Waco"}`,
				[]string{"Dry-Run", "1"},
				400,
				"invalid_field",
			},
			{
				"the form of the Idempotency-Key before the record",
				"PATCH /properties/x",
				writer,
				`{"city":"Waco"}`,
				[]string{"Idempotency-Key", "ä"},
				400,
				"invalid_idempotency_key",
			},
			{
				"the reuse of a key before the record",
				"PATCH /properties/x",
				writer,
				`{"city":"Waco"}`,
				[]string{"Idempotency-Key", "used"},
				409,
				"idempotency_key_reused",
			},
			{
				"the reuse of a key before an id of the body",
				"POST /maintenance/tickets",
				writer,
				`{"unit_id":"x","description":"It drips."}`,
				[]string{"Idempotency-Key", "used"},
				409,
				"idempotency_key_reused",
			},
			{
				"the record before the scope of a field", "PATCH /leases/x", writer,
				`{"monthly_rent":1}`, nil, 404, "not_found",
			},
			{
				"the record before its version",
				"PATCH /properties/x",
				writer,
				`{"city":"Waco"}`,
				[]string{"If-Match", `"77"`},
				404,
				"not_found",
			},
			{
				"the scope of a field before the version",
				"PATCH " + lease,
				writer,
				`{"monthly_rent":1}`,
				[]string{"If-Match", `"77"`},
				403,
				"scope_required",
			},
			{
				"the scope of a field before a step", "PATCH " + lease, writer,
				`{"monthly_rent":1,"status":"signed"}`, nil, 403, "scope_required",
			},
			{
				"the scope of a field before a conflict", "PATCH " + draft, writer,
				`{"monthly_rent":2,"status":"active"}`, nil, 403, "scope_required",
			},
			{
				"the version before a step",
				"PATCH " + ticket,
				writer,
				`{"status":"cancelled"}`,
				[]string{"If-Match", `"77"`},
				409,
				"stale_write",
			},
			{
				"a step last",
				"PATCH " + ticket,
				writer,
				`{"status":"cancelled"}`,
				[]string{"If-Match", `"3"`},
				409,
				"invalid_transition",
			},
		} {
			method, path, _ := strings.Cut(c.request, " ")
			a := r.send(method, path, c.key, c.body, c.headers...)
			if a.status != c.status || a.failed(t).Error.Code != c.code {
				t.Errorf("%s: status %d, want %d %s: %.300s", c.what, a.status, c.status, c.code, a.body)
			}
		}
		dbtest.Unchanged(t, "a write that was refused", before, r.dump())
	})
}

func TestThrottledWriteIsRefusedBeforeParsing(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", developer.Plan{Tier: developer.Starter, Sustained: new(1), Burst: new(20)})
		reader := r.key("ada@example.com", access.Test)
		key := *reader.Plaintext
		for range 20 {
			r.get("/me", key).ok(t, &struct{}{})
		}
		for _, m := range r.mutations(seeded{1, access.Test}) {
			a := m.by(r, key, "Idempotency-Key", "ä", "Content-Type", "text/plain")
			a.expect(t, http.StatusTooManyRequests, "rate_limited")
			if a.number(t, "Retry-After") != 60 {
				t.Errorf("%s: Retry-After is %q", m.Name, a.header.Get("Retry-After"))
			}
		}
		must(t, r.developer.RevokeKey(t.Context(), reader.ID))
		for _, m := range r.mutations(seeded{1, access.Test}) {
			m.by(r, key).expect(t, http.StatusUnauthorized, "revoked_api_key")
		}
	})
}

// Every fault is told at once: the first in the order of the schema leads, what is not
// known comes last.
func TestMultipleErrorsAreReportedInSchemaOrder(t *testing.T) {
	t.Parallel()
	r, _ := common(t)
	key := *r.key("ada@example.com", access.Test, "write").Plaintext
	s := seeded{1, access.Test}
	for _, c := range []struct{ request, body, want string }{
		{
			"POST /properties",
			`{"zzz":1,"unit":{"rooms":1,"bathrooms":1.25,"unit_number":""},"postal_code":"1","state":"Texas","city":7}`,
			"street_address missing_field, city invalid_field, state invalid_field, postal_code invalid_field, " +
				"unit.unit_number invalid_field, unit.bathrooms invalid_field, unit.rooms unknown_field, zzz " +
				"unknown_field",
		},
		{"POST /properties", `{}`, "street_address missing_field, city missing_field, state missing_field"},
		{"PATCH /properties/" + s.id("prop", 1) + "?b=1&a=1", `{"year_built":"1974","name":"","id":"x"}`,
			"b unknown_parameter, a unknown_parameter, name invalid_field, year_built invalid_field, id unknown_field"},
		{
			"PATCH /tenants/" + s.id("ten", 1),
			`{"mailing_address":{"zip":"1","state":"ZZ","country":"CA"},"email":"dana","first_name":null}`,
			"first_name invalid_field, email invalid_field, mailing_address.state invalid_field, " +
				"mailing_address.country invalid_field, mailing_address.zip unknown_field",
		},
		{"PATCH /leases/" +
			s.id("lea", 1), `{"security_deposit":"1","monthly_rent":-1,"rent_due_day":29,"end_date":"2026-02-30"}`,
			"end_date invalid_field, rent_due_day invalid_field, monthly_rent invalid_field, security_deposit " +
				"invalid_field"},
		{"POST /maintenance/tickets", `{"vendor":{"name":"x","phone":"1"},"priority":"urgent"}`,
			"unit_id missing_field, description missing_field, priority invalid_field, vendor.phone invalid_field"},
		{
			"POST /maintenance/tickets",
			`{"scheduled_end":"2026-03-01T12:00:00Z","scheduled_start":"2026-03-01T12:00:01Z","property_id":7}`,
			"property_id invalid_field, description missing_field, scheduled_end date_order",
		},
		{
			"POST /properties", `{"year_built":2028}`,
			"street_address missing_field, city missing_field, state missing_field, year_built invalid_field",
		},
		{
			"POST /tenants/invite",
			`{"unit_id":"` + s.id("unit", 1) + `","desired_move_in_date":"2020-01-01","email":"x"}`,
			"email invalid_field, desired_move_in_date invalid_field",
		},
		{
			"PATCH /leases/" + s.id("lea", 1),
			`{"rent_due_day":40,"end_date":"2026-01-01","start_date":"2026-01-02"}`,
			"end_date date_order, rent_due_day invalid_field",
		},
		{
			"POST /webhooks/endpoints", `{"events":["lease_signed"],"url":"http://10.0.0.1/"}`,
			"url url_not_allowed, events.0 invalid_field",
		},
		{"POST /webhooks/endpoints", `{"events":["lease.signed","lease_signed","",1],"description":"` +
			strings.Repeat("x", 256) + `"}`,
			"url missing_field, events.1 invalid_field, events.2 invalid_field, events.3 invalid_field, " +
				"description invalid_field"},
	} {
		method, path, _ := strings.Cut(c.request, " ")
		f := r.send(method, path, key, c.body).failed(t)
		var said []string
		for _, d := range f.Error.Errors {
			said = append(said, d.Param+" "+d.Code)
			if d.Param != "url" && !strings.Contains(d.Message, d.Param) {
				t.Errorf("%s: the message %q does not name %s", c.request, d.Message, d.Param)
			}
		}
		if got := strings.Join(said, ", "); got != c.want {
			t.Errorf("%s %s\nwant %s\n got %s", c.request, c.body, c.want, got)
			continue
		}
		if *f.Error.Param != f.Error.Errors[0].Param || f.Error.Message != f.Error.Errors[0].Message ||
			f.Error.Code != f.Error.Errors[0].Code {
			t.Errorf("%s speaks of %s, but lists %s first", c.request, *f.Error.Param, f.Error.Errors[0].Param)
		}
	}
}

func TestInvalidTextIsExplainedInASentence(t *testing.T) {
	t.Parallel()
	r, _ := common(t)
	key := *r.key("ada@example.com", access.Test, "write").Plaintext
	for body, want := range map[string]string{
		`{"url":"https://e.example.com","description":"` + strings.Repeat("x", 256) +
			`"}`: "description must have at most 255 characters, not 256.",
		`{"url":"https://e.example.com","description":"a\u2028b"}`: `description must not contain invisible ` +
			`characters; not "a\u2028b".`,
		`{"url":"https://e.example.com","description":"a\nb"}`: `description must not contain invisible ` +
			`characters; not "a\nb".`,
		`{"url":"https://e.example.com","description":" "}`: "description is blank; give it a value or " +
			"leave it out.",
	} {
		if f := r.send(
			"POST",
			"/webhooks/endpoints",
			key,
			body,
		).expect(t, 400, "invalid_field"); f.Error.Message != want {
			t.Errorf("%.80s: %q, want %q", body, f.Error.Message, want)
		}
	}
	for _, tags := range []string{`"1","2"`, "", "1", "*, *"} {
		f := r.send("PATCH", "/properties/"+seeded{
			1, access.Test,
		}.id("prop", 1), key, `{"name":"x"}`, "If-Match", tags).expect(t, 400, "invalid_field")
		if want := `If-Match must be one ETag of the record with its double quotes, as in If-Match: ` +
			`"3".`; f.Error.Message !=
			want {
			t.Errorf("%q: %q", tags, f.Error.Message)
		}
	}
}
