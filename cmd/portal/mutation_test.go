package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/clock"
)

// mutation is a request that changes something, and what it must leave.
type mutation struct {
	operation string
	name      string // besides the operation's, where there are several
	live      bool   // with the live key; else with the test key
	method    string
	path      string
	body      string
	status    int
	table     string // where its record lies; "" for none
	leaves    string // tables that change: + a row more, ++ two, * some versions, ? by the day; "" is not looked at
}

func (m *mutation) String() string { return m.operation + m.name }

func (m *mutation) key() string { return "the one key of " + m.String() }

// mutations are those of the API, on records of the demo.
func mutations(t *testing.T, h home) []*mutation {
	t.Helper()
	found := func(table, where string) string {
		return h.value(t, "SELECT min(r.id) FROM "+table+" r JOIN portfolios p ON p.id = r.portfolio_id WHERE "+where)
	}
	const inTest, inLive = "p.mode = 'test'", "p.mode = 'live'"
	unit := found("units", inTest)
	property := found("properties", inTest)
	tenant := found("tenants", inTest)
	ticket := found("tickets", inTest+" AND r.status NOT IN ('completed', 'cancelled')")
	rented := inTest +
		" AND r.status = 'active' AND r.id IN (SELECT lease_id FROM payments WHERE type = 'rent' AND status = " +
		"'scheduled')"
	lease := found("leases", rented)
	other := found("leases", rented+" AND r.id <> '"+lease+"'")
	at := func(url string) string {
		return found("webhook_endpoints", inTest+" AND r.url LIKE 'https://"+url+"%'")
	}
	file := func(name string) string { return found("imports", inTest+" AND r.name = '"+name+"'") }
	owed := found("payments", inTest+" AND r.type = 'rent' AND r.status = 'scheduled'")
	endpoint, gone, missed := at("crm."), at("gone."), at("missed.")
	const unsigned = "SELECT max(l.id) FROM leases l JOIN documents d ON d.lease_id = l.id WHERE l.status = 'draft'"
	zone, err := clock.Zone(h.value(t, "SELECT min(time_zone) FROM accounts"))
	if err != nil {
		t.Fatal(err)
	}
	today := clock.DateOf(time.Now(), zone).String()
	toSign := h.value(t, unsigned+" AND d.sent_at IS NOT NULL")
	unsent := h.value(t, unsigned+" AND d.send_requested_at IS NULL")
	return []*mutation{
		// Those that queue deliveries come before what changes which endpoints there are.
		{
			operation: "test_webhook_endpoint",
			method:    "POST",
			path:      "/webhooks/endpoints/" + missed + "/test",
			status:    202,
			table:     "deliveries",
			leaves:    "events+ deliveries+",
		},
		{
			operation: "redeliver_webhook_delivery",
			method:    "POST",
			path: "/webhooks/deliveries/" + found(
				"deliveries",
				"r.status = 'cancelled' AND r.event_type = 'endpoint.test'",
			) + "/redeliver",
			status: 202,
			table:  "deliveries",
			leaves: "deliveries*",
		},
		{
			operation: "redeliver_missed_events",
			method:    "POST",
			path:      "/webhooks/endpoints/" + missed + "/redeliver_missed",
			status:    202,
			table:     "deliveries",
			leaves:    "deliveries*",
			body:      `{"since":"2026-01-01T00:00:00Z"}`,
		},
		{
			operation: "create_test_event",
			method:    "POST",
			path:      "/test_helpers/events",
			status:    201,
			table:     "events",
			leaves:    "tickets+ portfolios* events+ deliveries++ mails+ ticket_notices+",
			body:      `{"type":"maintenance.created"}`,
		},
		{
			operation: "create_test_payment",
			method:    "POST",
			path:      "/test_helpers/payments",
			status:    201,
			table:     "payment_attempts",
			leaves:    "payments* payment_attempts+ payment_shares+ simulated_payments+ events+ deliveries++",
			body:      `{"payment_ids":["` + owed + `"],"method":"card"}`,
		},
		{
			operation: "create_import",
			method:    "POST",
			path:      "/imports",
			status:    202,
			table:     "imports",
			leaves:    "imports+",
			body:      sampleImport,
		},
		{
			operation: "update_import",
			method:    "PATCH",
			path:      "/imports/" + file("answered.csv"),
			status:    200,
			body:      `{"mapping":{"Notes":null}}`,
		},
		{
			operation: "confirm_import",
			method:    "POST",
			path:      "/imports/" + file("confirmed.csv") + "/confirm",
			status:    202,
		},
		{
			operation: "discard_import",
			method:    "DELETE",
			path:      "/imports/" + file("gone.csv"),
			status:    204,
		},
		{
			operation: "create_property",
			method:    "POST",
			path:      "/properties",
			status:    201,
			table:     "properties",
			leaves:    "properties+ units+",
			body: `{"street_address":"7 Quay Street","city":"Austin","state":"TX","unit":{"unit_number":"A",` +
				`"market_rent":1500}}`,
		},
		{
			operation: "create_test_unit",
			method:    "POST",
			path:      "/test_helpers/units",
			status:    201,
			table:     "units",
			leaves:    "units+ properties*",
			body:      `{"property_id":"` + property + `","unit_number":"9F"}`,
		},
		{
			operation: "advance_test_clock",
			method:    "POST",
			path:      "/test_helpers/clock",
			status:    202,
			body:      `{"advance_to":"` + today + `"}`, // further, other records change at any moment
		},
		{
			operation: "create_test_tenant",
			method:    "POST",
			path:      "/test_helpers/tenants",
			status:    201,
			table:     "tenants",
			leaves:    "tenants+",
			body:      `{"unit_id":"` + unit + `","first_name":"Noor","last_name":"Haddad"}`,
		},
		{
			operation: "update_property",
			method:    "PATCH",
			path:      "/properties/" + property,
			status:    200,
			table:     "properties",
			leaves:    "properties*",
			body:      `{"name":"After the crash","year_built":1974}`,
		},
		{
			operation: "update_lease_details",
			method:    "PATCH",
			path:      "/lease_details",
			status:    200,
			table:     "lease_details",
			leaves:    "lease_details+",
			body:      `{"address":"9 Pine Street, Austin, TX 78701"}`,
		},
		{
			operation: "update_tenant",
			method:    "PATCH",
			path:      "/tenants/" + tenant,
			status:    200,
			table:     "tenants",
			leaves:    "tenants*",
			body:      `{"phone":"(512) 555-0142","preferred_contact_method":"phone"}`,
		},
		{
			operation: "generate_lease",
			method:    "POST",
			path:      "/leases/generate",
			status:    201,
			table:     "leases",
			leaves:    "leases+ lease_signers++ documents+ document_versions+ document_evidence++ mails+",
			body: `{"property_id":"` + h.value(
				t,
				"SELECT property_id FROM units WHERE id = '"+unit+"'",
			) + `","unit_id":"` + unit + `","tenant_id":"` + tenant + `","start_date":"2032-02-01",` +
				`"monthly_rent":1200,` + leadStated + `}`,
		},
		{
			operation: "send_lease",
			method:    "POST",
			path:      "/leases/" + unsent + "/send",
			status:    200,
			leaves:    "document_evidence+ mails+",
		},
		{
			operation: "create_lease_attachment",
			method:    "POST",
			path:      "/leases/" + unsent + "/attachments",
			status:    201,
			table:     "lease_attachments",
			leaves:    "lease_attachments+ leases* documents* document_versions+ document_evidence+",
			body:      sampleAttachment(),
		},
		{
			operation: "delete_lease_attachment",
			method:    "DELETE",
			path: "/leases/" + unsent + "/attachments/" +
				h.value(t, "SELECT min(id) FROM lease_attachments WHERE lease_id = '"+unsent+"'"),
			status: 204,
		},
		{
			operation: "create_signing_link",
			method:    "POST",
			path: "/leases/" + toSign + "/signers/" +
				h.value(t, "SELECT min(id) FROM lease_signers WHERE lease_id = '"+toSign+"'") + "/link",
			status: 201,
			leaves: "document_evidence+",
		},
		{
			operation: "update_lease",
			name:      " (rent)",
			method:    "PATCH",
			path:      "/leases/" + lease,
			status:    200,
			table:     "leases",
			leaves:    "leases* payments*",
			body:      `{"monthly_rent":1234.5}`,
		},
		{
			operation: "update_lease",
			name:      " (termination)",
			method:    "PATCH",
			path:      "/leases/" + other,
			status:    200,
			table:     "leases",
			leaves:    "leases* payments? properties* tenants* units*", // a credit for what is left of a paid month
			body:      `{"status":"terminated","termination_reason":"Sold"}`,
		},
		{
			operation: "create_maintenance_ticket",
			method:    "POST",
			path:      "/maintenance/tickets",
			status:    201,
			table:     "tickets",
			leaves:    "tickets+ portfolios*",
			body:      `{"unit_id":"` + unit + `","description":"The kitchen tap drips all night."}`,
		},
		{
			operation: "update_maintenance_ticket",
			method:    "PATCH",
			path:      "/maintenance/tickets/" + ticket,
			status:    200,
			table:     "tickets",
			leaves:    "tickets*",
			body:      `{"description":"Water runs down the wall behind the boiler.","vendor":"Lone Star Plumbing"}`,
		},
		{
			operation: "invite_tenant",
			live:      true,
			method:    "POST",
			path:      "/tenants/invite",
			status:    201,
			table:     "invitations",
			leaves:    "invitations+ mails+ river_job+",
			body: `{"unit_id":"` + found("units", inLive) +
				`","email":"sam.rivera@example.com","first_name":"Sam"}`,
		},
		{
			operation: "create_webhook_endpoint",
			method:    "POST",
			path:      "/webhooks/endpoints",
			status:    201,
			table:     "webhook_endpoints",
			leaves:    "webhook_endpoints+",
			body:      `{"url":"https://hooks.example.com/crash"}`,
		},
		{
			operation: "update_webhook_endpoint",
			method:    "PATCH",
			path:      "/webhooks/endpoints/" + endpoint,
			status:    200,
			table:     "webhook_endpoints",
			leaves:    "webhook_endpoints*",
			body:      `{"description":"After the crash"}`,
		},
		{
			operation: "rotate_webhook_secret",
			method:    "POST",
			path:      "/webhooks/endpoints/" + endpoint + "/rotate_secret",
			status:    200,
			table:     "webhook_endpoints",
			leaves:    "webhook_endpoints*",
			body:      `{}`,
		},
		{
			operation: "delete_webhook_endpoint",
			method:    "DELETE",
			path:      "/webhooks/endpoints/" + gone,
			status:    204,
			table:     "webhook_endpoints",
			leaves:    "webhook_endpoints*",
		},
	}
}

// resetting takes away the records of all other mutations. What it leaves depends on what was there.
func resetting() *mutation {
	return &mutation{
		operation: "reset_demo_portfolio",
		method:    "POST",
		path:      "/test_helpers/reset",
		status:    202,
	}
}

// firstUnit is the unit of which the mutations generate leases, and leadStated lets these be signed.
const (
	firstUnit  = "min(r.id) FROM units r JOIN portfolios p ON p.id = r.portfolio_id WHERE p.mode = 'test'"
	leadStated = `"lead_paint":{"hazards":"none","records":"none"}`
)

// misses has an endpoint miss a test event and a ticket: both deliveries are cancelled, so
// nothing attempts them until they are redelivered. Two leases are generated, one of them not sent, with an attachment.
func (o *preparedDemo) misses(t *testing.T) {
	t.Helper()
	s := o.serve(t)
	defer s.signalAndEnd(t)
	write := func(method, path, body string, status int) *answer {
		t.Helper()
		return s.sent(t, &mutation{
			operation: method + " " + path,
			method:    method,
			path:      path,
			body:      body,
			status:    status,
		}, fmt.Sprintf("%s %s of %d bytes", method, path, len(body)))
	}
	// One to be deleted, for which nothing waits whatever ran before.
	write("POST", "/webhooks/endpoints", `{"url":"https://gone.example.com/","events":["lease.signed"]}`, 201)
	at := "/webhooks/endpoints/" + write(
		"POST",
		"/webhooks/endpoints",
		`{"url":"https://missed.example.com/","events":["maintenance.created"]}`,
		201,
	).id()
	write("POST", at+"/test", "", 202)
	write("POST", "/test_helpers/events", `{"type":"maintenance.created"}`, 201)
	write("DELETE", at, "", 204)
	write("PATCH", at, `{"status":"enabled"}`, 200)
	for _, name := range []string{"answered.csv", "confirmed.csv", "gone.csv"} {
		write("POST", "/imports", strings.Replace(sampleImport, "roll.csv", name, 1), 202)
	}
	drafted := `{"property_id":"` + s.value(t, "SELECT property_id FROM units WHERE id = (SELECT "+firstUnit+")") +
		`","unit_id":"` + s.value(t, "SELECT "+firstUnit) + `","tenant_id":"` + s.value(t, "SELECT min(r.id) "+
		"FROM tenants r JOIN portfolios p ON p.id = r.portfolio_id WHERE p.mode = 'test'") +
		`","start_date":"2028-02-01","monthly_rent":1200,` + leadStated
	unsent := write("POST", "/leases/generate", drafted+`,"send":false}`, 201).id()
	write("POST", "/leases/"+unsent+"/attachments", sampleAttachment(), 201)
	write("POST", "/leases/generate", strings.Replace(drafted, "2028", "2030", 1)+`}`, 201)
	eventually(t, "no attempt runs at what was cancelled", func() bool {
		return s.value(t, "SELECT count(*) FROM deliveries WHERE status = 'cancelled' AND claimed_by IS NULL") == "2"
	})
}

// hasAll compares mutations with those of the API's description.
func (s *service) hasAll(t *testing.T, all []*mutation) {
	t.Helper()
	var described struct {
		Paths map[string]map[string]struct{ OperationID string }
	}
	if err := json.Unmarshal([]byte(s.do(t, "openapi")), &described); err != nil {
		t.Fatal(err)
	}
	for path, operations := range described.Paths {
		for method, o := range operations {
			known := slices.ContainsFunc(all, func(m *mutation) bool { return m.operation == o.OperationID })
			if method != "get" && !known {
				t.Errorf("nobody tries %s %s, %s", method, path, o.OperationID)
			}
		}
	}
}

// answer is what a request was answered.
type answer struct {
	status   int
	body     string
	etag     string
	replayed bool
}

// id is that of the record, or of the first one of a list.
func (a *answer) id() string {
	var record struct {
		ID   string
		Data []struct{ ID string }
	}
	_ = json.Unmarshal(
		[]byte(a.body),
		&record,
	) // no body, no id; the data of an event is no list, and comes behind its id
	if len(record.Data) > 0 {
		return record.Data[0].ID
	}
	return record.ID
}

// fresh is a client that keeps no connection, so that it never sends anything again.
var fresh = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: patience}

// send sends a mutation, with a key unless that is "".
func (s *service) send(ctx context.Context, m *mutation, key string) (*answer, error) {
	with := s.vars["PORTAL_TEST_KEY"]
	if m.live {
		with = s.vars["PORTAL_LIVE_KEY"]
	}
	r, err := http.NewRequestWithContext(
		ctx,
		m.method,
		s.vars["PORTAL_URL"]+"/api/v1/external"+m.path,
		strings.NewReader(m.body),
	)
	if err != nil {
		return nil, err
	}
	r.Header = http.Header{"Authorization": {"Bearer " + with}, "Idempotency-Key": {key}}
	if m.body != "" {
		r.Header.Set("Content-Type", typeOf(m.body))
	}
	response, err := fresh.Do(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return &answer{
		response.StatusCode,
		string(body),
		response.Header.Get("ETag"),
		response.Header.Get("Idempotent-Replayed") == "true",
	}, err
}

// sent sends a mutation that must be answered well.
func (s *service) sent(t *testing.T, m *mutation, key string) *answer {
	t.Helper()
	a, err := s.send(t.Context(), m, key)
	if err != nil {
		t.Fatalf("%s: %v\n%s", m, err, &s.err)
	}
	if a.status != m.status {
		t.Fatalf("%s: %d %s", m, a.status, a.body)
	}
	return a
}

// check compares what a mutation has left with what it says it does.
func (m *mutation) check(t *testing.T, left tally) {
	t.Helper()
	want := strings.Fields(m.leaves + " idempotency_keys+")
	if len(left) != len(want) {
		t.Errorf("%s leaves %s, want %s", m, left, want)
	}
	for _, w := range want {
		table := strings.TrimRight(w, "+*?")
		rows := int64(strings.Count(w, "+"))
		if strings.HasSuffix(w, "?") {
			rows = left[table][0]
		}
		if n := left[table]; n[0] != rows || rows == 0 && n[1] < 1 {
			t.Errorf("%s leaves %s of %s, want %s", m, fmt.Sprint(n), table, w)
		}
	}
}
