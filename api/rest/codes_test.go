package rest_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/developer"
	"portal/api/id"
	"portal/api/operation"
	"portal/api/portfolio"
	"portal/api/portfolio/upload"
	"portal/api/rest"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

// documented are the error codes that the document lists for each operation.
var documented struct {
	once  sync.Once
	codes map[string][]string
}

// codes are the error codes of each operation, by method and path.
func (d document) codes() map[string][]string {
	all := map[string][]string{}
	for path, item := range d.at("paths") {
		for method, op := range item.(map[string]any) {
			var codes []string
			for _, response := range op.(map[string]any)["responses"].(map[string]any) {
				examples, _ := jsonContent(d.follow(response.(map[string]any)))["examples"].(map[string]any)
				for code := range examples {
					codes = append(codes, code)
				}
			}
			all[strings.ToUpper(method)+" "+strings.TrimPrefix(path, rest.Base)] = codes
		}
	}
	return all
}

// listed holds that the document lists the code of a refusal for the operation that gave
// it. Every answer that a test of this package gets comes by here.
func (r *fixture) listed(a answer) {
	if a.status < http.StatusBadRequest || len(a.body) == 0 {
		return
	}
	documented.once.Do(func() { documented.codes = read(r.t, r.api.Document()).codes() })
	method, path, _ := strings.Cut(a.to, " ")
	path, _, _ = strings.Cut(path, "?")
	op := r.entry(method, path)
	if op == "" {
		return
	}
	if code := a.code(); !slices.Contains(documented.codes[op], code) {
		r.t.Errorf("%s answers %d %s, which the document does not list: %.300s", op, a.status, code, a.body)
	}
}

// entry is the operation that a request is for, "" where it is for none.
func (r *fixture) entry(method, path string) string {
	if (path == "/events/stream" || path == "/export") && method == http.MethodGet {
		return "GET " + path
	}
	all := r.api.Operations()
	literal := slices.ContainsFunc(all, func(op *operation.Operation) bool { return op.Path == path })
	for _, op := range all {
		if op.Method == method && (op.Path == path || !literal && fits(op.Path, path)) {
			return method + " " + op.Path
		}
	}
	return ""
}

// fits reports whether a path is one of a template such as /tenants/{id}.
func fits(template, path string) bool {
	want, have := strings.Split(template, "/"), strings.Split(path, "/")
	return len(want) == len(have) && !slices.ContainsFunc(want, func(part string) bool {
		i := slices.Index(want, part)
		return part != have[i] && (!strings.HasPrefix(part, "{") || have[i] == "")
	})
}

// provocation is a request that an operation refuses.
type provocation struct {
	code, path, key, body string
	headers               []string
}

// Each code that the document lists for an operation is provoked, and what is provoked
// is listed (listed holds that). What only a broken database gives is in another test.
func TestEveryListedErrorCodeCanBeProduced(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		p := newProvoker(r)
		all := read(t, r.api.Document()).codes()
		produced := map[string][]string{}
		for _, m := range p.requests() {
			name := m.Method + " " + m.Path
			if m.Changes && m.Method != http.MethodDelete && !m.MakesRoom {
				p.whileFull(m)
				produced[name] = append(produced[name], "demo_limit_reached")
			}
			for _, c := range append(p.shared(m), p.own(m)...) {
				a := r.send(m.Method, cmp.Or(c.path, m.path), c.key, c.body, c.headers...)
				if code := a.code(); code != c.code {
					t.Errorf("%s answers %d %s, want %s: %.300s", name, a.status, code, c.code, a.body)
					continue
				}
				produced[name] = append(produced[name], c.code)
			}
			produced[name] = append(produced[name], "internal", "unavailable")
		}
		for name, codes := range all {
			for _, code := range codes {
				if !slices.Contains(produced[name], code) {
					t.Errorf("%s lists %s, which nothing produces", name, code)
				}
			}
		}
	})
}

func TestEveryOperationListsDatabaseErrors(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		p := newProvoker(r)
		requests := p.requests()
		must(t, r.db.Close())
		for _, m := range requests {
			a := r.send(m.Method, m.path, p.writer, m.body)
			if a.status < http.StatusInternalServerError {
				t.Errorf("%s: status %d: %s", m.Name, a.status, a.body)
			}
		}
		for name, codes := range read(t, r.api.Document()).codes() {
			if !slices.Contains(codes, "internal") || !slices.Contains(codes, "unavailable") {
				t.Errorf("%s lists %q", name, codes)
			}
		}
	})
}

// provoker makes requests that are refused.
type provoker struct {
	*fixture
	s                                                 seeded
	reader, writer, live, revoked, expired, throttled string
	used                                              string // an Idempotency-Key of the writer's
}

func newProvoker(r *fixture) *provoker {
	plan := unlimited()
	plan.Units = new(0)
	r.landlord("ada@example.com", plan)
	key := func(mode access.Mode, scopes ...string) string {
		return *r.key("ada@example.com", mode, scopes...).Plaintext
	}
	p := &provoker{fixture: r, s: seeded{1, access.Test}, used: "used"}
	p.reader, p.writer, p.live = key(access.Test), key(access.Test, "payments"), key(access.Live, "payments")
	p.expired = r.expiring("ada@example.com", time.Minute)
	r.clock.add(time.Minute)
	revoked := r.key("ada@example.com", access.Test, "write")
	must(r.t, r.developer.RevokeKey(r.t.Context(), revoked.ID))
	p.revoked = *revoked.Plaintext
	r.send("PATCH", "/properties/"+p.s.id("prop", 2), p.writer, `{"name":null}`, idempotencyKey, p.used).done(r.t)
	r.landlord("bea@example.com", developer.Plan{Tier: developer.Starter, Sustained: new(1), Burst: new(20)})
	p.throttled = *r.key("bea@example.com", access.Test, "write").Plaintext
	for range 20 {
		r.get("/me", p.throttled).ok(r.t, &struct{}{})
	}
	return p
}

const idempotencyKey = "Idempotency-Key"

// whileFull makes a request in a demo portfolio that holds more than it may.
func (p *provoker) whileFull(m mutation) {
	dbtest.Exec(p.t, p.db, "UPDATE demo_usage SET records = records + 20001")
	p.send(m.Method, m.path, p.writer, m.body).expect(p.t, http.StatusForbidden, "demo_limit_reached")
	dbtest.Exec(p.t, p.db, "UPDATE demo_usage SET records = records - 20001")
}

// requests are one for each operation, the stream of events and the export among them.
func (p *provoker) requests() []mutation {
	all := p.mutations(p.s)
	for _, op := range p.api.Operations() {
		if path := ofGeneratedLease[op.Name]; path != nil {
			all = append(all, mutation{op, path(p.generated()), fileFor(op)})
		}
	}
	for _, op := range p.reads() {
		all = append(all, mutation{op, p.s.on(op, 1), ""})
	}
	stream := operation.Define(operation.Spec{
		Name:   "stream_events",
		Method: http.MethodGet,
		Path:   "/events/stream",
		Scope:  access.Read,
	},
		func(context.Context, *struct{}) (*struct{}, error) { return &struct{}{}, nil })
	export := operation.Define(operation.Spec{
		Name:   "export_rent_roll",
		Method: http.MethodGet,
		Path:   "/export",
		Scope:  access.Read,
	},
		func(context.Context, *struct{}) (*struct{}, error) { return &struct{}{}, nil })
	return append(all, mutation{stream, stream.Path, ""}, mutation{export, export.Path, ""})
}

// shared are provocations that are the same for all operations.
func (p *provoker) shared(m mutation) []provocation {
	all := []provocation{
		{code: "missing_api_key"},
		{code: "malformed_api_key", key: "x"},
		{code: "unknown_api_key", key: strangersKey()},
		{code: "revoked_api_key", key: p.revoked},
		{code: "expired_api_key", key: p.expired},
		{code: "rate_limited", key: p.throttled},
		{
			code: "unknown_parameter",
			key:  p.writer,
			path: m.path + "?zzz=1",
			body: m.body,
		},
	}
	if m.List() {
		all = append(all, provocation{code: "invalid_field", key: p.reader, path: m.path + "?limit=0"},
			provocation{code: "invalid_cursor", key: p.reader, path: m.path + "?starting_after=x"})
	}
	if strings.Contains(m.Path, "{") {
		all = append(all, provocation{
			code: "not_found",
			key:  p.writer,
			path: within(m.Operation, "x"),
			body: m.body,
		})
	}
	if m.Changes {
		all = append(all,
			provocation{code: "scope_required", key: p.reader, body: m.body},
			provocation{
				code:    "invalid_field",
				key:     p.writer,
				body:    m.body,
				headers: []string{"Dry-Run", "maybe"},
			},
			provocation{
				code:    "invalid_idempotency_key",
				key:     p.writer,
				body:    m.body,
				headers: []string{idempotencyKey, "\u00e4"},
			},
			provocation{
				code:    "idempotency_key_reused",
				key:     p.writer,
				body:    m.body,
				headers: []string{idempotencyKey, p.used},
			})
	}
	if m.File != nil {
		fields := m.BodyFields()
		field := fields[len(fields)-1]
		return append(all,
			provocation{code: "invalid_json", key: p.writer, body: fileParts("x", field, "{")},
			provocation{code: "unknown_field", key: p.writer, body: fileParts("x", "zzz", "1")},
			provocation{
				code: "body_too_large", key: p.writer, body: fileParts("x", field, strings.Repeat(" ", 300<<10)),
			},
			provocation{code: "unsupported_media_type", key: p.writer, body: "{}"},
		)
	}
	body, unknown := cmp.Or(m.body, "{}"), `{"zzz":1}`
	if m.body != "" {
		unknown = strings.TrimSuffix(m.body, "}") + `,"zzz":1}`
	}
	all = append(all,
		provocation{code: "invalid_json", key: p.writer, body: "{"},
		provocation{code: "unknown_field", key: p.writer, body: unknown},
		provocation{
			code: "body_too_large",
			key:  p.writer,
			body: `{"a":"` + strings.Repeat("x", 256<<10) + `"}`,
		},
		provocation{
			code:    "unsupported_media_type",
			key:     p.writer,
			body:    body,
			headers: []string{"Content-Type", "text/plain"},
		})
	if m.Method == http.MethodPatch {
		all = append(all, provocation{code: "empty_update", key: p.writer, body: "{}"})
	}
	if m.Method == http.MethodPatch && m.Name != "update_import" { // which has no version
		all = append(all,
			provocation{
				code:    "stale_write",
				key:     p.writer,
				body:    m.body,
				headers: []string{"If-Match", `"77"`},
			})
	}
	return all
}

// generated is a lease that waits for signatures, with an attachment.
func (p *provoker) generated() record {
	p.t.Helper()
	m := p.mutation(p.s, "generate_lease")
	m.body = strings.Replace(m.body, p.s.id("unit", 2), p.s.id("unit", 1), 1)
	at := "/leases/" + m.by(p.fixture, p.writer).done(p.t)["id"].(string)
	p.send(http.MethodPost, at+"/attachments", p.writer, onePDF()).done(p.t)
	return p.get(at, p.writer).done(p.t)
}

// confirmed is the path of an import that was confirmed.
func (p *provoker) confirmed() string {
	p.t.Helper()
	at := "/imports/" + p.send(http.MethodPost, "/imports", p.writer, oneBody()).done(p.t)["id"].(string)
	p.send(http.MethodPost, at+"/confirm", p.writer, "").done(p.t)
	return at
}

// own are the provocations of one operation.
func (p *provoker) own(m mutation) (all []provocation) {
	add := func(code, key, path, body string) {
		all = append(all, provocation{
			code: code,
			key:  key,
			path: path,
			body: body,
		})
	}
	switch m.Name {
	case "create_property":
		add("missing_field", p.writer, "", "{}")
		add("unit_limit_reached", p.live, "", m.body)
	case "invite_tenant":
		add("missing_field", p.writer, "", "{}")
		add("not_found", p.writer, "", `{"unit_id":"x","email":"sam.rivera@example.com"}`)
	case "update_tenant":
		add("missing_field", p.writer, "/tenants/"+p.s.id("ten", 2), `{"mailing_address":{}}`)
		add("signature_in_progress", p.writer, "/tenants/"+p.signing().tenant.ID, `{"email":"z@example.com"}`)
	case "create_import":
		add("missing_field", p.writer, "", "")
		add("malformed_request", p.writer, "", strings.TrimSuffix(m.body, "--\r\n"))
		kept := p.send(m.Method, m.path, p.live, m.body).done(p.t)["id"]
		dbtest.Exec(p.t, p.db, "UPDATE imports SET content = $1 WHERE id = $2", make([]byte, upload.MostKept), kept)
		add("invalid_transition", p.live, "", m.body)
	case "update_import":
		add("invalid_transition", p.writer, p.confirmed(), m.body)
	case "discard_import":
		add("invalid_transition", p.writer, p.confirmed(), "")
	case "confirm_import":
		dbtest.Exec(p.t, p.db, "DELETE FROM imports WHERE octet_length(content) >= $1", upload.MostKept)
		add("invalid_transition", p.writer, "/imports/"+p.s.id("imp", 1)+"/confirm", "")
		sent := p.send(http.MethodPost, "/imports", p.live, oneBody()).done(p.t)
		add("unit_limit_reached", p.live, "/imports/"+sent["id"].(string)+"/confirm", "")
	case "create_lease_attachment", "delete_lease_attachment":
		if m.File != nil {
			add("missing_field", p.writer, "", "")
			add("malformed_request", p.writer, "", strings.TrimSuffix(m.body, "--\r\n"))
		}
		for code, status := range map[string]portfolio.LeaseStatus{
			"invalid_transition":    portfolio.LeaseVoided,
			"signature_in_progress": portfolio.LeasePendingSignature,
		} {
			other := p.generated()
			dbtest.Exec(p.t, p.db, "UPDATE leases SET status = $1 WHERE id = $2", string(status), other["id"])
			add(code, p.writer, ofGeneratedLease[m.Name](other), m.body)
		}
	case "create_signing_link", "send_lease":
		voided := p.generated()
		p.send("PATCH", "/leases/"+voided["id"].(string), p.writer, `{"status":"voided"}`).done(p.t)
		add("invalid_transition", p.writer, ofGeneratedLease[m.Name](voided), "")
	case "update_property":
		add("signature_in_progress", p.writer, "/properties/"+p.signing().property.ID, `{"city":"Round Rock"}`)
	case "create_maintenance_ticket":
		add("missing_field", p.writer, "", "{}")
		add("not_found", p.writer, "", `{"unit_id":"x","description":"It drips."}`)
		add("date_order", p.writer, "", strings.TrimSuffix(m.body, "}")+wrongSchedule)
	case "update_maintenance_ticket":
		add("missing_field", p.writer, "/maintenance/tickets/"+p.s.id("tkt", 2), `{"vendor":{}}`)
		add("date_order", p.writer, "", "{"+wrongSchedule[1:])
		add("invalid_transition", p.writer, "", `{"status":"cancelled"}`)
	case "create_webhook_endpoint":
		add("missing_field", p.writer, "", "{}")
		add("url_not_allowed", p.writer, "", `{"url":"http://hooks.example.com/"}`)
		for i := range 20 {
			p.send("POST", m.path, p.live, fmt.Sprintf(`{"url":"https://hooks.example.com/%d"}`, i))
		}
		add("endpoint_limit_reached", p.live, "", m.body)
	case "generate_lease":
		with := func(more string) string { return strings.TrimSuffix(m.body, "}") + more + "}" }
		add("missing_field", p.writer, "", "{}")
		add("not_found", p.writer, "", strings.Replace(m.body, p.s.id("ten", 1), "x", 1))
		add("date_order", p.writer, "", with(`,"end_date":"2026-12-31"`))
		add("invalid_transition", p.writer, "", with(`,"renews_lease_id":"`+p.s.id("lea", 2)+`"`))
		add("late_fee_above_legal_maximum", p.writer, "", with(`,"late_fee_amount":900`))
		add(
			"deposit_above_legal_maximum",
			p.writer,
			"",
			`{"property_id":"`+p.s.id("prop", 2)+`","tenant_id":"`+p.s.id("ten", 1)+
				`","start_date":"2027-01-01","monthly_rent":1000,"security_deposit":9000}`,
		)
		dbtest.Exec(p.t, p.db, "UPDATE units SET status = 'off_market' WHERE id = $1",
			p.s.id("unit", 2)) // then none is vacant
		add(
			"unit_ambiguous",
			p.writer,
			"",
			`{"property_id":"`+p.s.id("prop", 1)+`","tenant_id":"`+p.s.id("ten", 2)+
				`","start_date":"2027-01-01","monthly_rent":1000}`,
		)
		for p.send(m.Method, m.path, p.writer, m.body).status == m.Status {
			p.clock.add(time.Second) // until the unit has all the drafts that it may have
		}
		add("draft_limit_reached", p.writer, "", m.body)
		key, draft, _ := p.addressless("cleo@example.com")
		add("landlord_address_required", key, "", draft)
	case "update_lease":
		p.leases(add)
	case "update_lease_details":
		add("owner_required", p.former(), "", m.body)
	case "advance_test_clock":
		add("missing_field", p.writer, "", "{}")
		add("test_key_required", p.live, "", m.body)
		add("invalid_field", p.writer, "", `{"advance_to":"2026-01-01"}`)
		p.send(m.Method, m.path, p.writer, `{"advance_to":"2026-12-02"}`).done(p.t)
		add("invalid_transition", p.writer, "", m.body)
	case "reset_demo_portfolio":
		add("test_key_required", p.live, "", "")
		add("owner_required", p.former(), "", "")
	case "export_rent_roll":
		add("invalid_field", p.reader, m.path+"?format=pdf", "")
	case "stream_events":
		add("invalid_field", p.reader, m.path+"?after="+strings.Repeat("x", 101), "")
		add("invalid_cursor", p.reader, m.path+"?after=x", "")
		add("test_key_required", p.live, "", "")
	default:
		p.webhooks(m, add)
	}
	return all
}

// webhooks provokes what only changes of endpoints and what is sent to them can answer. The
// first endpoint of the fixture is disabled.
func (p *provoker) webhooks(m mutation, add func(code, key, path, body string)) {
	disabled := strings.Replace(m.path, p.s.id("we", 2), p.s.id("we", 1), 1)
	switch m.Name {
	case "update_webhook_endpoint":
		add("url_not_allowed", p.writer, "", `{"url":"http://hooks.example.com/"}`)
		off := "/webhooks/endpoints/" + p.get("/webhooks/endpoints", p.live).ids(p.t)[0]
		p.send(http.MethodPatch, off, p.live, `{"status":"disabled"}`).done(p.t)
		p.send(http.MethodPost, "/webhooks/endpoints", p.live, `{"url":"https://hooks.example.com/more"}`).done(p.t)
		add("endpoint_limit_reached", p.live, off, `{"status":"enabled"}`)
	case "test_webhook_endpoint":
		add("invalid_transition", p.writer, disabled, "")
	case "redeliver_missed_events":
		add("missing_field", p.writer, "", "{}")
		add("invalid_transition", p.writer, disabled, m.body)
	case "redeliver_webhook_delivery":
		p.send(http.MethodPatch, "/webhooks/endpoints/"+p.s.id("we", 2), p.writer, `{"status":"disabled"}`).done(p.t)
		add("invalid_transition", p.writer, "", "")
	case "create_test_unit":
		add("missing_field", p.writer, "", "{}")
		add("test_key_required", p.live, "", m.body)
		add("not_found", p.writer, "", strings.Replace(m.body, p.s.id("prop", 1), absent("prop"), 1))
		archived := strings.Replace(m.body, p.s.id("prop", 1), p.s.id("prop", 2), 1)
		add("invalid_transition", p.writer, "", archived)
	case "create_test_tenant":
		add("missing_field", p.writer, "", "{}")
		add("test_key_required", p.live, "", m.body)
		add("not_found", p.writer, "", strings.Replace(m.body, p.s.id("unit", 2), absent("unit"), 1))
		with := func(more string) string {
			return strings.TrimSuffix(
				m.body,
				"}",
			) + `,"email":"noor@example.com","lease":{"monthly_rent":1450` + more + `}}`
		}
		add("date_order", p.writer, "", with(`,"start_date":"2027-01-01","end_date":"2026-12-31"`))
		taken := with(`,"start_date":"2026-11-01"`)
		for p.send(m.Method, m.path, p.writer, taken).status == m.Status {
			p.clock.add(time.Second) // until the unit is let
		}
		add("invalid_transition", p.writer, "", taken)
	case "create_test_payment":
		add("missing_field", p.writer, "", "{}")
		add("test_key_required", p.live, "", m.body)
		add("not_found", p.writer, "", strings.Replace(m.body, p.s.id("pay", 2), absent("pay"), 1))
		dbtest.Exec(p.t, p.db, "UPDATE leases SET online_payments = 'none' WHERE id = $1", p.s.id("lea", 1))
		add("invalid_transition", p.writer, "", m.body)
	case "create_test_event":
		add("missing_field", p.writer, "", "{}")
		add("test_key_required", p.live, "", m.body)
		add("invalid_field", p.writer, "", `{"type":"lease.signed","tenant_id":"`+p.s.id("ten", 1)+`"}`)
		add("not_found", p.writer, "", `{"type":"lease.signed","lease_id":"`+absent("lea")+`"}`)
		const rent = `{"type":"payment.succeeded"}`
		for p.send(m.Method, m.path, p.writer, rent).status == m.Status {
			p.clock.add(time.Second) // until all rent is paid that can be charged
		}
		add("invalid_transition", p.writer, "", rent)
	}
}

// former is a key whose maker is no longer a member of the account.
func (p *provoker) former() string {
	k := p.key("ada@example.com", access.Test, "write")
	dbtest.Exec(
		p.t,
		p.db,
		"UPDATE api_keys SET created_by = (SELECT user_id FROM members m JOIN portfolios p ON p.account_id = "+
			"m.account_id WHERE p.id = $1) WHERE id = $2",
		p.in(p.throttled).ID,
		k.ID,
	)
	return *k.Plaintext
}

// addressless provokes what only an update of a lease can answer.
// addressless is a key of a live portfolio whose lease details have no address any more, with the body of a
// lease to be generated there, and a draft from before.
func (p *provoker) addressless(email string) (key, body, draft string) {
	p.landlord(email, unlimited())
	key = *p.key(email, access.Live, "write").Plaintext
	must(p.t, p.fixture.fixture(p.t.Context(), p.in(key)))
	s := seeded{byte(p.fills.Load()), access.Live}
	body = `{"property_id":"` + s.id("prop", 1) + `","tenant_id":"` + s.id("ten", 1) + `","unit_id":"` +
		s.id("unit", 2) + `","start_date":"2027-01-01","monthly_rent":1450}`
	draft = p.send(http.MethodPost, "/leases/generate", key, body).done(p.t)["id"].(string)
	dbtest.Exec(p.t, p.db, "UPDATE lease_details SET address = NULL WHERE portfolio_id = $1", p.in(key).ID)
	return key, body, draft
}

// signing is a home whose lease is out for signature.
func (p *provoker) signing() *home {
	return p.home(p.writer, outForSignature)
}

func outForSignature(l *portfolio.Lease) {
	l.Status = portfolio.LeasePendingSignature
}

func (p *provoker) leases(add func(code, key, path, body string)) {
	add("date_order", p.writer, "", `{"start_date":"2026-05-02","end_date":"2026-05-01"}`)
	add("missing_field", p.writer, "", `{"lead_paint":{}}`)
	addressless, _, draft := p.addressless("dora@example.com")
	add("landlord_address_required", addressless, "/leases/"+draft, `{"rent_due_day":2}`)
	add("invalid_transition", p.writer, "", `{"status":"signed"}`)
	signing := p.home(p.writer, func(l *portfolio.Lease) { l.Status = portfolio.LeasePendingSignature })
	add("signature_in_progress", p.writer, "/leases/"+signing.lease.ID, `{"rent_due_day":2}`)
	limited := p.home(p.writer, func(*portfolio.Lease) {})
	p.send(http.MethodPatch, "/properties/"+limited.property.ID, p.writer, `{"state":"NY"}`)
	add(
		"deposit_above_legal_maximum",
		*p.key("ada@example.com", access.Test, "payments").Plaintext,
		"/leases/"+limited.lease.ID,
		`{"security_deposit":9000}`,
	)
	add("late_fee_above_legal_maximum", p.writer, "/leases/"+limited.lease.ID, `{"late_fee_amount":900}`)
	now := p.home(p.writer, func(*portfolio.Lease) {})
	next := now.lease
	next.ID = id.New("lea", secondMade)
	next.Status = portfolio.LeaseSigned
	next.StartDate = *day(2027, 1, 15)
	next.EndDate = day(2027, 12, 31)
	must(p.t, portfoliostore.New(p.db).Add(p.t.Context(), now.in, &portfolio.Book{
		Leases: []portfolio.Lease{next},
	}))
	add("lease_dates_overlap", p.writer, "/leases/"+now.lease.ID, `{"end_date":"2027-01-15"}`)
}

const wrongSchedule = `,"scheduled_start":"2026-05-02T00:00:00Z","scheduled_end":"2026-05-01T00:00:00Z"}`

// code is the error code of a refusal, "" of any other answer.
func (a answer) code() string {
	var f struct{ Error struct{ Code string } }
	_ = json.Unmarshal(a.body, &f) // what is no envelope has no code
	return f.Error.Code
}
