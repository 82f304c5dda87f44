package mcp_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"portal/api/access"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// every is the seventeen tools in the order of docs/assistants.md.
var every = []string{
	"get_expiring_leases",
	"get_rent_balances",
	"list_maintenance_requests",
	"get_unit_history",
	"list_properties",
	"get_property",
	"list_tenants",
	"list_leases",
	"list_maintenance_tickets",
	"list_payments",
	"get_portfolio_summary",
	"get_import",
	"update_property",
	"update_tenant",
	"create_maintenance_ticket",
	"update_maintenance_ticket",
	"update_lease",
}

// reading is how many of them only read.
const reading = 12

// listed is a tool as tools/list shows it.
type listed struct {
	Name, Title, Description  string
	InputSchema, OutputSchema json.RawMessage
	Annotations               map[string]bool
}

func (r *fixture) list(key string) []listed {
	r.t.Helper()
	var v struct{ Result struct{ Tools []listed } }
	must(r.t, json.Unmarshal([]byte(r.post(key, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`).body), &v))
	return v.Result.Tools
}

func names(all []listed) (names []string) {
	for _, t := range all {
		names = append(names, t.Name)
	}
	return names
}

// anyID is the first record that a tool lists.
func (r *fixture) anyID(key, tool string) string {
	r.t.Helper()
	return ok[struct{ Data []struct{ ID string } }](r, key, tool, `{"limit":1}`).Data[0].ID
}

func TestToolListMatchesGoldenFile(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		a := r.post(r.key(access.Live, "payments"), `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
		var v any
		must(t, json.Unmarshal([]byte(a.body), &v))
		got, err := json.MarshalIndent(v, "", " ")
		must(t, err)
		const file = "testdata/tools.json"
		if *update {
			must(t, os.WriteFile(file, append(got, '\n'), 0o644))
		}
		want, err := os.ReadFile(file)
		must(t, err)
		if string(got)+"\n" != string(want) {
			t.Errorf("tools/list has changed; run go test ./api/mcp -update and read the diff of %s", file)
		}
	})
}

func TestKeyListsOnlyToolsItCanCall(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		for _, c := range []struct {
			mode   access.Mode
			scopes []string
			want   []string
		}{
			{access.Live, []string{"read"}, every[:reading]},
			{access.Live, []string{"write"}, every},
			{access.Live, []string{"payments"}, every},
			{access.Test, []string{"read"}, every[:reading]},
			{access.Test, []string{"write"}, every[:reading]},
			{access.Test, []string{"payments"}, every[:reading]},
		} {
			if got := names(r.list(r.key(c.mode, c.scopes...))); !slices.Equal(got, c.want) {
				t.Errorf("%s %v: %v", c.mode, c.scopes, got)
			}
		}
	})
}

func TestToolListStaysWithinSizeLimits(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Live, "payments")
		said := 0
		for _, tool := range r.list(key) {
			said += len(tool.Name) + len(tool.Title) + len(tool.Description) + len(tool.InputSchema)
			if n := len(tool.Description); n < 60 || n > 400 {
				t.Errorf("%s is described in %d bytes", tool.Name, n)
			}
		}
		if said > 32<<10 {
			t.Errorf("names, descriptions and input schemas have %d bytes", said)
		}
		if n := len(r.post(key, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`).body); n > 128<<10 {
			t.Errorf("the list has %d bytes", n)
		} else {
			t.Logf("%d bytes of %d, %d in all of %d", said, 32<<10, n, 128<<10)
		}
	})
}

func TestToolAnnotationsMatchBehavior(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		for i, tool := range r.list(r.key(access.Live, "payments")) {
			want := map[string]bool{"readOnlyHint": true, "openWorldHint": false}
			if i >= reading {
				updates := tool.Name != "create_maintenance_ticket"
				want = map[string]bool{
					"readOnlyHint":    false,
					"destructiveHint": updates,
					"idempotentHint":  updates,
					"openWorldHint":   false,
				}
			}
			if fmt.Sprint(tool.Annotations) != fmt.Sprint(want) || tool.Title == "" {
				t.Errorf("%s: %v", tool.Name, tool.Annotations)
			}
			scope := "Needs read."
			if i >= reading {
				scope = "Needs write"
			}
			if !strings.Contains(tool.Description, scope) {
				t.Errorf("%s does not name its scope: %s", tool.Name, tool.Description)
			}
		}
	})
}

// schema compiles a schema as draft 2020-12, which must be plain: nothing referred to, no
// patterns that a library may read otherwise.
func schema(t *testing.T, text []byte) *jsonschema.Resolved {
	t.Helper()
	if strings.Contains(string(text), `"$`) {
		t.Errorf("the schema is not plain: %s", text)
	}
	var s jsonschema.Schema
	must(t, json.Unmarshal(text, &s))
	compiled, err := s.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	must(t, err)
	return compiled
}

func valid(s *jsonschema.Resolved, text []byte) error {
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return err
	}
	return s.Validate(v)
}

// TestEveryResponseMatchesItsSchema goes through the whole of the demo portfolio, page by page.
func TestEveryResponseMatchesItsSchema(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Test)
		count := map[string]int{}
		for _, tool := range r.list(key) {
			s := schema(t, tool.OutputSchema)
			for _, arguments := range r.questions(key, tool.Name) {
				count[tool.Name] += r.pages(key, tool.Name, arguments, s)
			}
		}
		t.Logf("records by tool: %v", count)
		for _, name := range every[:reading] {
			if count[name] == 0 {
				t.Errorf("%s has answered nothing", name)
			}
		}
	})
}

// questions are the arguments with which a tool shows all that it can.
func (r *fixture) questions(key, tool string) (all []string) {
	switch tool {
	case "get_property":
		for _, id := range r.ids(key, "list_properties") {
			all = append(all, `"property_id":"`+id+`"`)
		}
	case "get_unit_history":
		for _, unit := range r.units(key) {
			for _, kind := range []string{"leases", "maintenance", "payments"} {
				all = append(all, `"unit_id":"`+unit+`","kind":"`+kind+`"`)
			}
		}
	case "get_expiring_leases":
		return []string{`"within_days":365`, `"limit":3`}
	case "get_portfolio_summary":
		return []string{""}
	case "get_import":
		for _, file := range []string{unclearRoll, hostileRoll} {
			all = append(all, `"import_id":"`+r.sends(key, file)+`"`)
		}
	default:
		return []string{`"limit":100`, `"limit":7`}
	}
	return all
}

// pages walks through the pages of a list and counts the records, or looks at a single
// record.
func (r *fixture) pages(key, tool, arguments string, s *jsonschema.Resolved) (n int) {
	for after := ""; ; {
		o := r.call(key, tool, "{"+strings.Trim(arguments+after, ",")+"}")
		if o.IsError {
			r.t.Fatalf("%s %s: %s", tool, arguments, o.Content[0].Text)
		}
		if err := valid(s, o.Data); err != nil {
			r.t.Fatalf("%s %s: %v\n%.2000s", tool, arguments, err, o.Data)
		}
		if unfenced(o.Content[0].Text) != spaced(o.Data) || o.Content[0].Type != "text" || len(o.Content) != 1 {
			r.t.Errorf("%s: without its marks the text is not the structured content", tool)
		}
		var page struct {
			Data       []json.RawMessage
			HasMore    bool    `json:"has_more"`
			NextCursor *string `json:"next_cursor"`
		}
		must(r.t, json.Unmarshal(o.Data, &page))
		if n += max(len(page.Data), 1); page.HasMore != (page.NextCursor != nil) {
			r.t.Errorf("%s: has_more %v, next_cursor %v", tool, page.HasMore, page.NextCursor)
		}
		if !page.HasMore {
			return n
		}
		after = `,"starting_after":"` + *page.NextCursor + `"`
	}
}

// ids are those of all records that a tool lists.
func (r *fixture) ids(key, tool string) (all []string) {
	for after := ""; ; {
		page := ok[struct {
			Data       []struct{ ID string }
			NextCursor *string `json:"next_cursor"`
		}](r, key, tool, `{"limit":100`+after+`}`)
		for _, d := range page.Data {
			all = append(all, d.ID)
		}
		if page.NextCursor == nil {
			return all
		}
		after = `,"starting_after":"` + *page.NextCursor + `"`
	}
}

func (r *fixture) units(key string) (all []string) {
	for _, id := range r.ids(key, "list_properties") {
		for _, u := range ok[struct{ Units []struct{ ID string } }](
			r,
			key,
			"get_property",
			`{"property_id":"`+id+`"}`,
		).Units {
			all = append(all, u.ID)
		}
	}
	return all
}

func TestAllInvalidArgumentsAreReportedWithSuggestions(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Live, "payments")
		lease := r.anyID(key, "list_leases")
		for _, c := range []struct{ tool, arguments, code, param, has string }{
			{"list_leases", `{"stats":"active"}`, "unknown_field", "stats", "did you mean status?"},
			{"list_leases", `{"status":"open"}`, "invalid_field", "status", "one of draft"},
			{"list_leases", `{"limit":0}`, "invalid_field", "limit", "between 1 and 100"},
			{"list_leases", `{"limit":"twenty"}`, "invalid_field", "limit", "must be a number, not a string"},
			{"list_leases", `{"limit":[20]}`, "invalid_field", "limit", "must be a number, not an array"},
			{
				"list_leases", `{"created_after":"2026-01-01T00:00:00Z"}`, "unknown_field",
				"created_after", "the fields are status",
			},
			{"list_leases", `{"starting_after":"ten_1"}`, "invalid_cursor", "starting_after", "next_cursor"},
			{
				"list_leases", `{"stats":"x","limti":3}`, "unknown_field", "stats",
				"did you mean status; \"limti\" is not",
			},
			{"list_properties", `{"search":"-"}`, "invalid_field", "search", "a letter or a digit"},
			{"list_tenants", `{"search":" %"}`, "invalid_field", "search", "a letter or a digit"},
			{
				"list_tenants", `{"search":"` + strings.Repeat("a", 101) + `"}`, "invalid_field",
				"search", "between 1 and 100 characters",
			},
			{"list_payments", `{"overdue":"yes"}`, "invalid_field", "overdue", "must be a boolean"},
			{"list_payments", `{"status":"x","type":"y"}`, "invalid_field", "status", "; type must be one of"},
			{"get_property", `{}`, "missing_field", "property_id", "is required"},
			{"get_property", `{"property_id":"prop_1"}`, "not_found", "property_id", "No property"},
			{"get_property", `{"property_id":"` + lease + `"}`, "not_found", "property_id", "No property"},
			{"get_unit_history", `{"unit_id":"unit_1"}`, "not_found", "unit_id", "No unit"},
			{"get_import", `{}`, "missing_field", "import_id", "is required"},
			{"get_import", `{"import_id":"` + lease + `"}`, "not_found", "import_id", "No import"},
			{"get_expiring_leases", `{"within_days":366}`, "invalid_field", "within_days", "between 1 and 365"},
			{"update_lease", `{"lease_id":"` + lease + `"}`, "empty_update", "", ""},
			{"update_lease", `{"lease_id":"` + lease + `","version":3,"dry_run":true}`, "empty_update", "", ""},
			{
				"update_lease", `{"lease_id":"` + lease + `","dry_run":"true","rent_due_day":3}`,
				"invalid_field", "dry_run", "boolean",
			},
			{"update_lease", `{"lease_id":"lea_1","rent_due_day":3}`, "not_found", "lease_id", "No lease"},
			{
				"update_lease", `{"lease_id":"` + lease + `","rent_due_day":3,"version":999}`,
				"stale_write", "", "not 999",
			},
			{
				"update_lease", `{"lease_id":"` + lease + `","late_fee_amount":900000}`,
				"late_fee_above_legal_maximum", "late_fee_amount", "at most",
			},
			{
				"update_lease",
				`{"lease_id":"` + lease + `","dry_run":true,"late_fee_amount":900000}`,
				"late_fee_above_legal_maximum", "late_fee_amount", "at most",
			},
			{
				"update_lease", `{"lease_id":"` + lease + `","start_date":"2026-02-30"}`,
				"invalid_field", "start_date", "YYYY-MM-DD",
			},
			{"create_maintenance_ticket", `{"description":"x"}`, "missing_field", "unit_id", "say where the work is"},
			{"create_maintenance_ticket", `{"unit_id":"unit_1","description":"x"}`, "not_found", "unit_id", ""},
			{
				"create_maintenance_ticket",
				`{"unit_id":"unit_1","description":"x","idempotency_key":""}`, "invalid_field",
				"idempotency_key", "",
			},
			{
				"create_maintenance_ticket",
				`{"unit_id":"unit_1","description":"x","idempotency_key":"clé"}`,
				"invalid_idempotency_key", "idempotency_key", "printable ASCII",
			},
			{
				"create_maintenance_ticket", `{"description":"x","idempotency_key":"clé"}`,
				"missing_field", "unit_id", "; idempotency_key must have",
			},
			{
				"update_maintenance_ticket", `{"ticket_id":"tkt_1","status":"done"}`,
				"invalid_field", "status", "one of open",
			},
			{"update_tenant", `{"tenant_id":"ten_1","email":"x"}`, "invalid_field", "email", ""},
			{
				"update_tenant", `{"tenant_id":"ten_1","date_of_birth":"1990-01-01"}`,
				"unknown_field", "date_of_birth", "",
			},
		} {
			o := r.call(key, c.tool, c.arguments)
			param := ""
			if o.Meta.Param != nil {
				param = *o.Meta.Param
			}
			if !o.IsError || o.Meta.Code != c.code || param != c.param ||
				!strings.Contains(o.Content[0].Text, c.has) || o.Data != nil ||
				!strings.HasPrefix(o.Meta.RequestID, "req_") || o.Meta.Type == "" {
				t.Errorf("%s %s: %+v", c.tool, c.arguments, o)
			}
		}
	})
}

func TestUnknownToolNamesWhatWasAskedAndTheNearest(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Live)
		for asked, words := range map[string]string{
			"list_property":              `Unknown tool \"list_property\"; did you mean list_properties?`,
			"get_leases":                 `Unknown tool \"get_leases\"; did you mean list_leases?`,
			"send_rocket":                `Unknown tool \"send_rocket\": call tools/list for those`,
			"":                           `Unknown tool \"\": call tools/list for those`,
			key:                          `Unknown tool \"` + key[:17],
			strings.Repeat("x", 100_000): `Unknown tool \"`,
		} {
			a := r.post(
				key,
				`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+asked+`","arguments":{}}}`,
			)
			if !strings.Contains(a.body, words) || strings.Contains(a.body, key) || len(a.body) > 300 {
				t.Errorf("%.40s: %.300s", asked, a.body)
			}
		}
	})
}

// TestPermissionMatrix is the matrix of permissions.
func TestPermissionMatrix(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		for _, mode := range []access.Mode{access.Test, access.Live} {
			reader := r.key(mode)
			for _, scope := range []string{"read", "write", "payments"} {
				key := r.key(mode, scope)
				for _, tool := range every {
					for _, dry := range []string{"", `,"dry_run":true`} {
						r.cell(t, mode, scope, key, reader, tool, dry)
					}
				}
			}
		}
	})
}

func (r *fixture) cell(t *testing.T, mode access.Mode, scope, key, reader, tool, dry string) {
	t.Helper()
	arguments, writes, money := r.attempt(reader, tool)
	if !writes && dry != "" {
		return
	}
	want := ""
	switch {
	case writes && mode == access.Test:
		want = "test_key_read_only"
	case writes && scope == "read", money && scope == "write":
		want = "scope_required"
	}
	o := r.call(key, tool, "{"+strings.Trim(arguments+dry, ",")+"}")
	if o.Meta.Code != want || o.IsError != (want != "") {
		t.Errorf("%s key with %s, %s%s: %q %s; want %q", mode, scope, tool, dry, o.Meta.Code,
			o.Content[0].Text[:min(200, len(o.Content[0].Text))], want)
	}
	if need := map[string]string{
		"test_key_read_only": "scope write",
		"scope_required":     "scope ",
	}[want]; !strings.Contains(o.Content[0].Text, need) {
		t.Errorf("%s: %s does not name the scope", tool, o.Content[0].Text)
	}
}

// attempt is a call that succeeds with all rights.
func (r *fixture) attempt(key, tool string) (arguments string, writes, money bool) {
	r.t.Helper()
	switch tool {
	case "get_property":
		return `"property_id":"` + r.anyID(key, "list_properties") + `"`, false, false
	case "get_unit_history":
		return `"unit_id":"` + r.unit(key) + `"`, false, false
	case "get_import":
		return `"import_id":"` + r.sends(key, unclearRoll) + `"`, false, false
	case "update_property":
		return `"property_id":"` + r.anyID(key, "list_properties") + `","name":"Seen"`, true, false
	case "update_tenant":
		return `"tenant_id":"` + r.anyID(key, "list_tenants") + `","preferred_contact_method":"email"`, true, false
	case "create_maintenance_ticket":
		return `"unit_id":"` + r.unit(key) + `","description":"The tap drips."`, true, false
	case "update_maintenance_ticket":
		return `"ticket_id":"` + r.anyID(key, "list_maintenance_tickets") + `","entry_notes":"Ring twice."`, true, false
	case "update_lease":
		l := ok[struct{ Data []struct{ ID string } }](r, key, "list_leases", `{"status":"active","limit":1}`).Data[0]
		return `"lease_id":"` + l.ID + `","monthly_rent":` + fmt.Sprint(1000+r.clock.Add(1)%500), true, true
	}
	return "", false, false
}

func (r *fixture) unit(key string) string {
	r.t.Helper()
	id := r.anyID(key, "list_properties")
	return ok[struct{ Units []struct{ ID string } }](r, key, "get_property", `{"property_id":"`+id+`"}`).Units[0].ID
}

func TestOtherPortfoliosAreUnreachable(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		mine, other := r.key(access.Live, "payments"), r.key(access.Test)
		r.landlord("eve@example.com")
		foreign := r.keyOf("eve@example.com", access.Test)
		for _, theirs := range []string{other, foreign} {
			property, unit := r.anyID(theirs, "list_properties"), r.unit(theirs)
			lease := r.anyID(theirs, "list_leases")
			tenant := r.anyID(theirs, "list_tenants")
			ticket := r.anyID(theirs, "list_maintenance_tickets")
			for tool, arguments := range map[string]string{
				"get_property":              `"property_id":"` + property + `"`,
				"get_unit_history":          `"unit_id":"` + unit + `"`,
				"get_import":                `"import_id":"` + r.sends(theirs, unclearRoll) + `"`,
				"update_property":           `"property_id":"` + property + `","name":"x"`,
				"update_tenant":             `"tenant_id":"` + tenant + `","first_name":"x"`,
				"create_maintenance_ticket": `"unit_id":"` + unit + `","description":"x"`,
				"update_maintenance_ticket": `"ticket_id":"` + ticket + `","status":"open"`,
				"update_lease":              `"lease_id":"` + lease + `","rent_due_day":2`,
			} {
				if o := r.call(mine, tool, "{"+arguments+"}"); o.Meta.Code != "not_found" {
					t.Errorf("%s: %+v", tool, o)
				}
			}
			for tool, filters := range map[string][]string{
				"list_leases": {
					`"property_id":"` + property, `"unit_id":"` + unit, `"tenant_id":"` + tenant,
				},
				"list_payments":             {`"lease_id":"` + lease, `"tenant_id":"` + tenant},
				"list_tenants":              {`"property_id":"` + property, `"unit_id":"` + unit},
				"list_maintenance_tickets":  {`"unit_id":"` + unit},
				"list_maintenance_requests": {`"unit_id":"` + unit},
				"get_rent_balances": {
					`"property_id":"` + property, `"lease_id":"` + lease, `"tenant_id":"` + tenant,
				},
				"get_expiring_leases": {`"within_days":365,"property_id":"` + property},
			} {
				for _, f := range filters {
					if got := ok[struct{ Data []json.RawMessage }](r, mine, tool, "{"+f+`"}`); len(got.Data) != 0 {
						t.Errorf("%s {%s}: %d records of somebody else", tool, f, len(got.Data))
					}
				}
			}
		}
	})
}
