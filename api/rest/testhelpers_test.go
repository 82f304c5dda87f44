package rest_test

import (
	"net/http"
	"reflect"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/event"
	"portal/db/dbtest"
)

func TestTestUnitBelongsToItsProperty(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		plan := unlimited()
		plan.Units = new(1) // of the live portfolio alone
		r.landlord("ada@example.com", plan)
		key := *r.key("ada@example.com", access.Test, "write").Plaintext
		home := r.newProperty(key)
		property := home["id"].(string)
		body := `{"property_id":"` + property + `","unit_number":"2b"}`
		const path = "/test_helpers/units"
		seen := r.send(http.MethodPost, path, key, body, "Dry-Run", "true")
		if seen.status != http.StatusOK || r.get("/properties/"+property, key).done(t)["version"] != home["version"] {
			t.Errorf("a preview answers %d: %s", seen.status, seen.body)
		}
		made := r.send(http.MethodPost, path, key, body, "Idempotency-Key", "unit")
		r.send(http.MethodPost, path, key, body, "Idempotency-Key", "unit").alike(t, made)
		after := r.get("/properties/"+property, key).done(t)
		units := after["units"].([]any)
		if jsonOf(units[1]) != jsonOf(made.done(t)) || len(units) != 2 ||
			after["unit_count"] != number("2") || after["version"] != number("2") || made.header.Get("ETag") != `"1"` {
			t.Errorf("made %s\nof %s", made.body, jsonOf(after))
		}
		taken := r.send(http.MethodPost, path, key, `{"property_id":"`+property+`","unit_number":"2B"}`)
		if f := taken.expect(t, http.StatusBadRequest, "invalid_field"); *f.Error.Param != "unit_number" {
			t.Errorf("a number that is taken: %s", taken.body)
		}
		archived := `{"property_id":"` + seeded{1, access.Test}.id("prop", 2) + `","unit_number":"2B"}`
		r.send(http.MethodPost, path, key, archived).expect(t, http.StatusConflict, "invalid_transition")
	})
}

// newProperty is a property that was just made, with one unit.
func (r *fixture) newProperty(key string) record {
	r.t.Helper()
	return r.send(http.MethodPost, "/properties", key,
		`{"street_address":"12 Harbor Lane","city":"Austin","state":"TX","year_built":1998}`).done(r.t)
}

// A tenant who has signed a lease lives in the home, and reports what is to be repaired.
func TestTestTenantWithLeaseReportsTickets(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		key := *r.key("ada@example.com", access.Test, "write").Plaintext
		unit := r.newProperty(key)["units"].([]any)[0].(record)["id"].(string)
		tenant := func(more string) string {
			return `{"unit_id":"` + unit + `","first_name":"Noor","last_name":"Haddad"` + more + `}`
		}
		const path, tickets = "/test_helpers/tenants", "/test_helpers/events"
		const email, lease = `,"email":"noor@example.com"`, `,"lease":{"start_date":"2026-11-01","monthly_rent":1450`
		for more, param := range map[string]string{
			lease + `}`: "email",
			email + `,"lease":{"start_date":"2026-11-01"}`: "lease.monthly_rent",
			email + lease + `,"end_date":"2026-10-01"}`:    "lease.end_date",
			email + lease + `,"security_deposit":-1}`:      "lease.security_deposit",
			email + lease + `,"rent_due_day":29}`:          "lease.rent_due_day",
		} {
			got := r.send(http.MethodPost, path, key, tenant(more))
			if f := got.failed(
				t,
			); got.status != http.StatusBadRequest || f.Error.Param == nil ||
				*f.Error.Param != param {
				t.Errorf("%s: %d %s", more, got.status, got.body)
			}
		}
		signedEvents := func() int {
			return len(r.get("/events?type=lease.signed&limit=100", key).done(t)["data"].([]any))
		}
		before, raised := r.get("/tenants", key).done(t), signedEvents()
		seen := r.send(http.MethodPost, path, key, tenant(email+lease+`}`), "Dry-Run", "true")
		if seen.done(t)["status"] != "current" || jsonOf(r.get("/tenants", key).done(t)) != jsonOf(before) {
			t.Errorf("a preview is %s", seen.body)
		}
		made := r.send(http.MethodPost, path, key, tenant(email+lease+`}`), "Idempotency-Key", "tenant")
		r.send(http.MethodPost, path, key, tenant(email+lease+`}`), "Idempotency-Key", "tenant").alike(t, made)
		if moved := made.done(t); moved["created_at"].(string) > moved["updated_at"].(string) {
			t.Errorf("changed before it was made: %s", made.body)
		}
		id := made.done(t)["id"].(string)
		signed := r.get("/leases?tenant_id="+id, key).done(t)["data"].([]any)
		if made.done(t)["status"] != "current" || len(signed) != 1 || signed[0].(record)["status"] != "active" {
			t.Errorf("made %s with the leases %s", made.body, jsonOf(signed))
		}
		if n := signedEvents() - raised; n != 1 {
			t.Errorf("%d events", n)
		}
		ticket := r.send(http.MethodPost, tickets, key, `{"type":"maintenance.created","tenant_id":"`+id+`"}`)
		if ticket.status != http.StatusCreated {
			t.Errorf("the ticket is %d %s", ticket.status, ticket.body)
		}
		prospect := r.send(http.MethodPost, path, key, tenant(``)).done(t)["id"].(string)
		refused := r.send(http.MethodPost, tickets, key, `{"type":"maintenance.created","tenant_id":"`+prospect+`"}`)
		refused.expect(t, http.StatusConflict, "invalid_transition")
		if !strings.Contains(string(refused.body), "POST /test_helpers/tenants with lease") {
			t.Errorf("a prospect's ticket: %s", refused.body)
		}
	})
}

func TestEachTestEventHasPreview(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		key := *r.key("ada@example.com", access.Test, "write").Plaintext
		r.send(http.MethodPost, "/test_helpers/reset", key, `{}`).done(t)
		before := r.dump()
		for _, kind := range event.Types() {
			seen := r.send(http.MethodPost, "/test_helpers/events", key, `{"type":"`+kind+`"}`, "Dry-Run", "true")
			if seen.status != http.StatusOK || seen.done(t)["type"] != kind {
				t.Errorf("a preview of %s is %d %s", kind, seen.status, seen.body)
			}
		}
		if !reflect.DeepEqual(r.dump(), before) {
			t.Error("a preview has changed something")
		}
	})
}

func TestTestTenantCanGetLeaseForTheirUnit(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		key := *r.key("ada@example.com", access.Test, "write").Plaintext
		property := r.newProperty(key)["id"].(string)
		unit := r.send(http.MethodPost, "/test_helpers/units", key,
			`{"property_id":"`+property+`","unit_number":"2B"}`).done(t)["id"].(string)
		body := `{"unit_id":"` + unit + `","first_name":"Noor","last_name":"Haddad","email":"noor@example.com"}`
		const path = "/test_helpers/tenants"
		mails := len(dbtest.Texts(t, r.db, "SELECT id FROM mails"))
		made := r.send(http.MethodPost, path, key, body, "Idempotency-Key", "tenant")
		r.send(http.MethodPost, path, key, body, "Idempotency-Key", "tenant").alike(t, made)
		tenant := made.done(t)
		if tenant["status"] != "prospect" || tenant["unit_id"] != unit || tenant["property_id"] != property ||
			len(dbtest.Texts(t, r.db, "SELECT id FROM mails")) != mails {
			t.Errorf("made %s", made.body)
		}
		at := "/tenants/" + tenant["id"].(string)
		if got := r.get(at, key).done(t); jsonOf(got) != jsonOf(tenant) {
			t.Errorf("shown %s\nmade %s", jsonOf(got), made.body)
		}
		if found := r.get("/tenants?unit_id="+unit, key).ids(t); len(found) != 1 || found[0] != tenant["id"] {
			t.Errorf("the unit has the tenants %q", found)
		}
		lease := r.send(http.MethodPost, "/leases/generate", key, `{"property_id":"`+property+`","tenant_id":"`+
			tenant["id"].(string)+`","start_date":"2026-11-01","monthly_rent":1450}`).done(t)
		if lease["unit_id"] != unit {
			t.Errorf("the lease is of %v, want %s", lease["unit_id"], unit)
		}
		for _, body := range []string{
			`{"unit_id":"` + unit + `","first_name":"Noor"}`,
			`{"unit_id":"` + unit + `","first_name":"","last_name":"Haddad"}`,
			`{"unit_id":"` + unit + `","first_name":"Noor","last_name":"Haddad","email":"noor"}`,
		} {
			r.send(http.MethodPost, path, key, body).failed(t)
		}
	})
}

func TestTestHelperRequiresWritableTestKeyAndOwnRecords(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		all := r.tenancies()
		me, live, other := all[0], all[1], all[2]
		reader := *r.key("ada@example.com", access.Test).Plaintext
		before := r.dump()
		for path, c := range map[string]struct{ field, prefix, rest string }{
			"/test_helpers/units":   {"property_id", "prop", `,"unit_number":"7"`},
			"/test_helpers/tenants": {"unit_id", "unit", `,"first_name":"Noor","last_name":"Haddad"`},
		} {
			naming := func(id string) string { return `{"` + c.field + `":"` + id + `"` + c.rest + `}` }
			r.send(http.MethodPost, path, reader, `{}`).expect(t, http.StatusForbidden, "scope_required")
			r.send(http.MethodPost, path, live.key, naming(live.id(c.prefix, 1))).expect(
				t,
				http.StatusForbidden,
				"test_key_required",
			)
			for _, id := range []string{other.id(c.prefix, 1), live.id(c.prefix, 1), absent(c.prefix), "x", ""} {
				a := r.send(http.MethodPost, path, me.key, naming(id), "Idempotency-Key", "k")
				if f := a.expect(t, http.StatusNotFound, "not_found"); *f.Error.Param != c.field {
					t.Errorf("%s %q: %s", c.field, id, a.body)
				}
			}
		}
		dbtest.Unchanged(t, "what was refused", before, r.dump())
	})
}

func TestResetRunsOnceAndReplaysItsResponse(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		key := *r.key("ada@example.com", access.Test, "write").Plaintext
		property := "/properties/" + r.newProperty(key)["id"].(string)
		const path = "/test_helpers/reset"
		before := r.dump()
		seen := r.send(http.MethodPost, path, key, "", "Dry-Run", "true")
		if seen.status != http.StatusOK {
			t.Errorf("a preview answers %d: %s", seen.status, seen.body)
		}
		dbtest.Unchanged(t, "a preview", before, r.dump())
		dbtest.Exec(t, r.db, "UPDATE demo_usage SET records = records + 20001") // a full portfolio is reset too
		done := r.send(http.MethodPost, path, key, "", "Idempotency-Key", "reset")
		if string(done.body) != `{"object":"test_reset","status":"completed"}` || done.status != http.StatusAccepted {
			t.Fatalf("answered %d %s", done.status, done.body)
		}
		r.get(property, key).expect(t, http.StatusNotFound, "not_found")
		after := r.newProperty(key)["id"].(string)
		r.send(http.MethodPost, path, key, "", "Idempotency-Key", "reset").alike(t, done)
		r.get("/properties/"+after, key).done(t)
		entries := dbtest.Texts(t, r.db, "SELECT id FROM audit WHERE action = 'demo.reset'")
		if len(entries) != 1 {
			t.Errorf("%d entries of the trail", len(entries))
		}
	})
}

func TestResetRequiresKeyCreatedByOwner(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		key := *r.key("ada@example.com", access.Test, "write").Plaintext
		live := *r.key("ada@example.com", access.Live, "write").Plaintext
		dbtest.Exec(t, r.db, "UPDATE members SET role = 'manager'")
		before := r.dump()
		const path = "/test_helpers/reset"
		r.send(http.MethodPost, path, key, "", "Idempotency-Key", "k").expect(t, http.StatusForbidden, "owner_required")
		r.send(http.MethodPost, path, live, "").expect(t, http.StatusForbidden, "test_key_required")
		dbtest.Unchanged(t, "a reset that was refused", before, r.dump())
	})
}

func TestTestEventAppliesToNamedRecord(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		all := r.tenancies()
		me, live, other := all[0], all[1], all[2]
		const path = "/test_helpers/events"
		const words = "The bell at the gate is silent."
		submit := `{"type":"maintenance.created","tenant_id":"` + me.id("ten", 1) + `","description":"` + words + `"}`
		made := r.send(http.MethodPost, path, me.key, submit, "Idempotency-Key", "k")
		r.send(http.MethodPost, path, me.key, submit, "Idempotency-Key", "k").alike(t, made)
		ticket := made.done(t)["data"].(record)["object"].(record)
		if ticket["tenant_id"] != me.id("ten", 1) || ticket["description"] != words {
			t.Errorf("submitted %s", made.body)
		}
		before := r.dump()
		for _, c := range []struct{ kind, field, prefix string }{
			{"lease.signed", "lease_id", "lea"},
			{"payment.succeeded", "payment_id", "pay"},
			{"payment.succeeded", "lease_id", "lea"},
			{"payment.succeeded", "tenant_id", "ten"},
			{"maintenance.created", "tenant_id", "ten"},
		} {
			for _, id := range []string{other.id(c.prefix, 1), live.id(c.prefix, 1), absent(c.prefix), "x", ""} {
				body := `{"type":"` + c.kind + `","` + c.field + `":"` + id + `"}`
				a := r.send(http.MethodPost, path, me.key, body)
				if f := a.expect(t, http.StatusNotFound, "not_found"); *f.Error.Param != c.field {
					t.Errorf("%s: %s", body, a.body)
				}
			}
		}
		for body, param := range map[string]string{
			`{"type":"lease.signed","tenant_id":"x"}`:                       "tenant_id",
			`{"type":"lease.signed","description":"x"}`:                     "description",
			`{"type":"payment.succeeded","description":"x"}`:                "description",
			`{"type":"payment.succeeded","lease_id":"x","tenant_id":"x"}`:   "tenant_id",
			`{"type":"maintenance.created","lease_id":"x"}`:                 "lease_id",
			`{"type":"maintenance.created","payment_id":"x"}`:               "payment_id",
			`{"type":"maintenance.created","tenant_id":7}`:                  "tenant_id",
			`{"type":"maintenance.created","description":""}`:               "description",
			`{"type":"payment.succeeded","payment_id":"x","lease_id":null}`: "",
		} {
			a := r.send(http.MethodPost, path, me.key, body)
			if param == "" { // null is no choice
				a.expect(t, http.StatusNotFound, "not_found")
			} else if f := a.expect(t, http.StatusBadRequest, "invalid_field"); *f.Error.Param != param {
				t.Errorf("%s: %s", body, a.body)
			}
		}
		signed := `{"type":"lease.signed","lease_id":"` + me.id("lea", 1) + `"}`
		r.send(http.MethodPost, path, me.key, signed).expect(t, http.StatusConflict, "invalid_transition")
		dbtest.Unchanged(t, "what was refused", before, r.dump())
	})
}

// A new type of event is described where a test chooses its record, and where events show theirs.
func TestEventFieldDescriptionsCoverEveryType(t *testing.T) {
	t.Parallel()
	r, _ := common(t)
	d := read(t, r.api.Document())
	describes := func(schema, field string) string {
		text, _ := d.at("components", "schemas", schema, "properties", field)["description"].(string)
		return text
	}
	for _, k := range event.All() {
		for _, part := range k.Trigger.Takes {
			if !strings.Contains(describes("TestEventCreate", part), k.Type+": ") {
				t.Errorf("%s does not say what it is for %s", part, k.Type)
			}
		}
		object := sampleRecord(t, &k)["object"].(string)
		if !strings.Contains(describes("EventOutData", "object"), strings.ReplaceAll(object, "_", " ")) {
			t.Errorf("data.object of an event does not say that it may be a %s", object)
		}
	}
}

func TestAdvanceMovesClockThatMeShows(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		key := *r.key("ada@example.com", access.Test, "write").Plaintext
		const path = "/test_helpers/clock"
		shown := func() record {
			return decoded(t, r.get("/me", key).body).(record)["test_clock"].(record)
		}
		stands := shown()
		seen := r.send(http.MethodPost, path, key, `{"advance_to":"2027-03-01"}`, "Dry-Run", "true")
		if !strings.Contains(string(seen.body), `"advance_to":"2027-03-01"`) || jsonOf(shown()) != jsonOf(stands) {
			t.Errorf("a preview: %s", seen.body)
		}
		first := r.send(http.MethodPost, path, key, `{"advance_to":"2027-03-01"}`, "Idempotency-Key", "a")
		again := r.send(http.MethodPost, path, key, `{"advance_to":"2027-03-01"}`, "Idempotency-Key", "a")
		if first.status != http.StatusAccepted || string(first.body) != string(again.body) ||
			again.header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("%d %s, then %s", first.status, first.body, again.body)
		}
		const advancing = `{"advance_to":"2027-03-01","object":"test_clock","status":"advancing","today":"2026-11-02"}`
		if got := jsonOf(shown()); got != advancing || jsonOf(first.done(t)) != advancing {
			t.Errorf("the key shows %s after %s", got, first.body)
		}
		if err := r.demo.ContinueAll(t.Context()); err != nil {
			t.Fatal(err)
		}
		const ready = `{"advance_to":null,"object":"test_clock","status":"ready","today":"2027-03-01"}`
		if got := jsonOf(shown()); got != ready {
			t.Errorf("the key shows %s", got)
		}
		r.send(http.MethodPost, path, key, `{"advance_to":"2027-02-28"}`).expect(t, 400, "invalid_field")
		r.send(http.MethodPost, path, key, `{"advance_to":"2028-11-03"}`).expect(t, 400, "invalid_field")
		r.send(http.MethodPost, "/test_helpers/reset", key, "").done(t)
		if got := jsonOf(shown()); got != jsonOf(stands) {
			t.Errorf("after a reset, the key shows %s", got)
		}
	})
}
