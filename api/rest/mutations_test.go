package rest_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"portal/api/operation"
	"portal/db/dbtest"
)

// mutation is a request that changes something.
type mutation struct {
	*operation.Operation
	path, body string
}

func (m mutation) by(r *fixture, key string, headers ...string) answer {
	r.t.Helper()
	return r.send(m.Method, m.path, key, m.body, headers...)
}

// mutations are one request for each operation that changes something, which succeeds
// on the fixture's records of a portfolio. A unit has another number in each call.
func (r *fixture) mutations(s seeded) (all []mutation) {
	r.t.Helper()
	bodies := map[string]string{
		"create_property": `{"street_address":"9 Pine Street","city":"Austin","state":"tx",` +
			`"unit":{"bathrooms":1.5,"market_rent":1450}}`,
		"update_lease_details": `{"address":"9 Pine Street, Austin, TX 78701","phone":null}`,
		"update_property":      `{"property_type":"condo","year_built":null}`,
		"invite_tenant":        `{"unit_id":"` + s.id("unit", 2) + `","email":"sam.rivera@example.com"}`,
		"update_tenant":        `{"phone":"(512) 555-0199","mailing_address":{"city":"Round Rock"}}`,
		"generate_lease": `{"property_id":"` + s.id("prop", 1) + `","tenant_id":"` +
			s.id("ten", 1) + `","unit_id":"` + s.id("unit", 2) + `","start_date":"2027-01-01","monthly_rent":1450}`,
		"update_lease": `{"move_out_date":"2026-12-19"}`,
		"create_maintenance_ticket": `{"unit_id":"` + s.id("unit", 1) +
			`","description":"The kitchen tap drips all night."}`,
		"update_maintenance_ticket": `{"status":"open","vendor":"Lamar Plumbing"}`,
		"create_webhook_endpoint":   `{"url":"https://hooks.example.com/new","events":["lease.signed"]}`,
		"update_webhook_endpoint": `{"url":"https://hooks.example.com/changed","description":null,` +
			`"events":["payment.succeeded"]}`,
		"delete_webhook_endpoint":    "",
		"rotate_webhook_secret":      `{"previous_secret_expires_in":3600}`,
		"test_webhook_endpoint":      "",
		"redeliver_missed_events":    `{"since":"2026-10-01T00:00:00Z"}`,
		"redeliver_webhook_delivery": "",
		"create_test_unit": fmt.Sprintf(
			`{"property_id":"%s","unit_number":"9F-%d"}`,
			s.id("prop", 1),
			r.units.Add(1),
		),
		"create_test_tenant": `{"unit_id":"` + s.id("unit", 2) + `","first_name":"Noor","last_name":"Haddad"}`,
		"create_test_payment": `{"payment_ids":["` + s.id("pay", 2) +
			`"],"method":"card","outcome":"declined"}`, // so that it can be made again
		"advance_test_clock":   `{"advance_to":"2026-11-02"}`, // today: who goes further cannot again at once
		"create_import":        oneBody(),
		"update_import":        `{"answers":{"` + placeless + `":"` + place + `"}}`,
		"confirm_import":       "",
		"discard_import":       "",
		"reset_demo_portfolio": "",
		"create_test_event":    `{"type":"maintenance.created"}`,
	}
	for _, op := range r.api.Operations() {
		if !op.Changes || ofGeneratedLease[op.Name] != nil { // signinglink_test.go
			continue
		}
		body, has := bodies[op.Name]
		if !has {
			r.t.Fatalf("no request is known for %s", op.Name)
		}
		n := 1
		if prefixOf(op) == "we" && op.Method != http.MethodPatch {
			n = 2 // the one that is enabled
		}
		switch op.Name {
		case "confirm_import": // one without problems
			n = 2
		case "discard_import":
			n = 3
		}
		all = append(all, mutation{op, s.on(op, n), body})
	}
	slices.SortStableFunc(all, func(a, b mutation) int { return cmp.Compare(order(a), order(b)) })
	return all
}

// undiscarded has the file again that is discarded.
func (r *fixture) undiscarded(s seeded) {
	r.t.Helper()
	dbtest.Exec(
		r.t,
		r.db,
		`INSERT INTO imports (portfolio_id, id, created_at, user_id, name, size, status, content, preview,
			records, written)
		SELECT portfolio_id, $1, created_at, user_id, name, size, 'ready', content, preview, records, 0
		FROM imports WHERE id = $2
		ON CONFLICT DO NOTHING`,
		s.id("imp", 3),
		s.id("imp", 1),
	)
}

// order puts the deletion of an endpoint behind others, which are about what is sent to it, and
// the reset last, as it leaves none of the fixture's records.
func order(m mutation) int {
	switch m.Name {
	case "reset_demo_portfolio":
		return 2
	case "delete_webhook_endpoint", "discard_import":
		return 1
	}
	return 0
}

// mutation is the request for one operation.
func (r *fixture) mutation(s seeded, name string) mutation {
	r.t.Helper()
	for _, m := range r.mutations(s) {
		if m.Name == name {
			return m
		}
	}
	r.t.Fatalf("there is no operation %s", name)
	return mutation{}
}

// on is the path of an operation for one of the fixture's records.
func (s seeded) on(op *operation.Operation, n int) string {
	if prefix := prefixOf(op); prefix != "" {
		return within(op, s.id(prefix, n))
	}
	return op.Path
}

// within is the path of an operation for an id.
func within(op *operation.Operation, id string) string {
	begin, end := strings.IndexByte(op.Path, '{'), strings.IndexByte(op.Path, '}')
	if begin < 0 {
		return op.Path
	}
	return op.Path[:begin] + id + op.Path[end+1:]
}

// prefixOf is the prefix of the id in the path of an operation, "" where it has none.
func prefixOf(op *operation.Operation) string {
	for _, p := range op.Parameters() {
		if p.In == "path" && p.Schema.Enum == nil { // a state is of no portfolio
			prefix, _, _ := strings.Cut(p.Example().(string), "_")
			return prefix
		}
	}
	return ""
}

// done checks that a write succeeded, and reads the record that it answers.
func (a answer) done(t testing.TB) record {
	t.Helper()
	if a.status != http.StatusOK && a.status != http.StatusCreated && a.status != http.StatusAccepted {
		t.Fatalf("%.200s: status %d: %.500s", a.to, a.status, a.body)
	}
	return decoded(t, a.body).(record)
}

// number is a number as it stands in an answer.
func number(s string) json.Number { return json.Number(s) }

// jsonOf is JSON to compare with.
func jsonOf(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// fields are the members of a body that a write takes, by its documented schema.
func (d document) fields(m mutation) map[string]any {
	schema := d.bodyOf(m.Operation)
	if schema == nil {
		return nil
	}
	return d.follow(schema)["properties"].(map[string]any)
}

// bodyOf is the schema of an operation's body, nil where it takes none.
func (d document) bodyOf(op *operation.Operation) map[string]any {
	body, has := d.operation(op)["requestBody"].(map[string]any)
	if !has {
		return nil
	}
	if op.File != nil { // imports_test.go
		return nil
	}
	return body["content"].(map[string]any)["application/json"].(map[string]any)["schema"].(map[string]any)
}
