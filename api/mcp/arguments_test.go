package mcp_test

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/operation"
	"portal/api/strictjson"
)

// TestArgumentsAreValidatedAgainstSchema draws arguments, right ones and wrong ones, and
// compares the decoder with the schema that tools/list shows. They part where the schema
// says less than words do: which days a month has, and what goes with what. And an
// identifier of another kind is one that is not found; and what clients fill in is forgiven.
func TestArgumentsAreValidatedAgainstSchema(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		d := draw{rand.New(rand.NewPCG(20, 26))}
		for i, l := range r.list(r.key(access.Live, "payments")) {
			s := schema(t, l.InputSchema)
			var shown map[string]any
			must(t, json.Unmarshal(l.InputSchema, &shown))
			for range 1000 {
				text, err := json.Marshal(d.object(shown))
				must(t, err)
				says, does := valid(s, text), decoded(r.endpoint.Tools()[i], text)
				switch f := fault.From(does); {
				case (says == nil) == (does == nil), does != nil &&
					inWords(f), does == nil &&
					(strings.Contains(says.Error(), "_\"") || forgiven.Match(text)):
				default:
					t.Errorf("%s %.300s: the schema says %v, the decoder %v", l.Name, text, says, does)
				}
			}
		}
	})
}

// forgiven tells arguments in a spelling that the server takes although its schema names
// another, since schemas have one type a field and clients fill in what they are not asked for: a
// state in small letters, nothing as null or an empty text, a number or a truth as text, a vendor by
// the name alone.
var forgiven = regexp.MustCompile(`"tx"|:(null|""|"[0-9]+")|"vendor":"`)

func decoded(tool *operation.Tool, text []byte) error {
	v, err := strictjson.Parse(text)
	if err == nil {
		_, err = tool.Decode(&v, clock.DateOf(noon, time.UTC))
	}
	return err
}

// inWords tells what only the decoder refuses: each of its details says how a value must
// read, or what goes with what.
func inWords(f *fault.Error) bool {
	if f.Code == fault.EmptyUpdate {
		return true
	}
	for _, d := range f.Details {
		said := slices.ContainsFunc([]string{
			`not "2026-02-30"`, "say where", "must not be before", "must be after",
			"is not a cursor", "is given a value too",
		}, func(words string) bool { return strings.Contains(d.Message, words) })
		if !said {
			return false
		}
	}
	return len(f.Details) > 0
}

// draw draws values of a schema, and now and then others.
type draw struct{ *rand.Rand }

func one[T any](d draw, of ...T) T { return of[d.IntN(len(of))] }

func (d draw) object(s map[string]any) map[string]any {
	o := map[string]any{}
	required, _ := s["required"].([]any)
	all, _ := s["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if slices.Contains(required, any(name)) && d.IntN(12) > 0 || d.IntN(3) == 0 {
			o[name] = d.value(all[name].(map[string]any))
		}
	}
	if d.IntN(20) == 0 {
		o["surplus"] = 1
	}
	return o
}

func (d draw) value(s map[string]any) any {
	if items, is := s["items"].(map[string]any); is && s["type"] == "array" && d.IntN(3) > 0 {
		return []any{d.value(items)}
	}
	if d.IntN(25) == 0 {
		return one[any](d, nil, "x", 3, true, []any{}, map[string]any{}, -1, 1.5)
	}
	for _, several := range []string{"oneOf", "anyOf"} {
		if of, is := s[several].([]any); is {
			return d.value(one(d, of...).(map[string]any))
		}
	}
	if values, is := s["enum"].([]any); is {
		return one(d, values...)
	}
	kind := s["type"]
	if kinds, is := kind.([]any); is {
		kind = one(d, kinds...)
	}
	switch kind {
	case "boolean":
		return d.IntN(2) == 0
	case "integer", "number":
		return d.number(s)
	case "object":
		return d.object(s)
	case "string":
		return d.text(s)
	}
	return nil
}

func (d draw) number(s map[string]any) any {
	low, _ := s["minimum"].(float64)
	high, bounded := s["maximum"].(float64)
	if !bounded {
		high = low + 1000
	}
	return one[any](d, low, low-1, low+0.5, low+1, high, high-1)
}

func (d draw) text(s map[string]any) string {
	most, bounded := s["maxLength"].(float64)
	if !bounded {
		most = 50
	}
	of := []string{
		"Austin",
		"TX",
		"78701",
		"+15125550142",
		"12",
		"(512) 555-0142",
		"a@example.com",
		"a@example",
		"A <a@example.com>",
		"tx",
		"1",
		"787011234",
		"a\u2028b",
		"\u00a0",
		"2026-02-28",
		"2026-02-30",
		"2026-02-28T10:00:00Z",
		"",
		" ",
		"a\nb",
		"a\x00b",
		strings.Repeat("😀", int(most)),
		strings.Repeat("é", int(most)+1),
	}
	if prefix, is := s["pattern"].(string); is && strings.HasSuffix(prefix, "_") {
		of = []string{strings.TrimPrefix(prefix, "^") + someID, "x"}
	}
	return one(d, of...)
}

// What the server refuses of a single value, whatever the record says, the schema of the
// tool refuses already.
func TestToolSchemaRejectsInvalidValues(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		listed := map[string]*jsonschema.Resolved{}
		for _, l := range r.list(r.key(access.Live, "payments")) {
			listed[l.Name] = schema(t, l.InputSchema)
		}
		property := `"property_id":"prop_` + someID + `",`
		tenant := `"tenant_id":"ten_` + someID + `",`
		lease := `"lease_id":"lea_` + someID + `",`
		for tool, all := range map[string][]string{
			"update_property": {
				property + `"city":""`, property + `"city":" "`, property + `"state":"ZZ"`,
				property + `"year_built":2028`, property + `"postal_code":"7"`,
			},
			"update_tenant": {tenant + `"phone":"12"`, tenant + `"email":"dana"`, tenant + `"first_name":"a\nb"`},
			"update_lease": {lease +
				`"status":"draft"`, lease +
				`"status":"pending_signature"`, lease +
				`"status":"signed"`, lease +
				`"status":"active"`,
				lease +
					`"status":"expired"`, lease +
					`"status":"renewed"`, lease +
					`"status":"declined"`, lease +
					`"start_date":"soon"`, lease +
					`"monthly_rent":1000000000`},
			"create_maintenance_ticket": {
				property + `"description":""`,
				property + `"description":"It drips.","idempotency_key":"ä"`,
			},
		} {
			for _, arguments := range all {
				if valid(listed[tool], []byte("{"+arguments+"}")) == nil {
					t.Errorf("the schema of %s takes %s", tool, arguments)
				}
			}
		}
	})
}

// What some clients fill in for arguments that a person has left out, or write otherwise than the
// schema has it, is no error of a tool that only reads.
func TestReadsForgiveWhatClientsFillIn(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Live, "read")
		property := r.anyID(key, "list_properties")
		for _, c := range []struct{ tool, sent, meant string }{
			{"list_properties", `{"starting_after":null,"limit":null,"search":null}`, `{}`},
			{"list_tenants", `{"status":"","search":"","starting_after":""}`, `{}`},
			{"list_leases", `{"limit":"2","status":""}`, `{"limit":2}`},
			{"list_payments", `{"overdue":"true","limit":"3","type":null}`, `{"overdue":true,"limit":3}`},
			{"list_maintenance_tickets", `{"property_id":"","unit_id":null}`, `{}`},
			{"list_maintenance_requests", `{"status":"","limit":"5"}`, `{"limit":5}`},
			{"get_expiring_leases", `{"within_days":"90","property_id":""}`, `{"within_days":90}`},
			{"get_rent_balances", `{"min_days_overdue":"0","starting_after":null}`, `{"min_days_overdue":0}`},
			{"get_property", `{"property_id":"` + property + `"}`, `{"property_id":"` + property + `"}`},
			{"get_portfolio_summary", `{"random_string":"x"}`, `{}`},
			{"get_portfolio_summary", `{"random_string":null,"limit":{"a":[1]}}`, `{}`},
		} {
			sent, meant := ok[map[string]any](r, key, c.tool, c.sent), ok[map[string]any](r, key, c.tool, c.meant)
			if !reflect.DeepEqual(sent, meant) {
				t.Errorf("%s %s answers otherwise than %s", c.tool, c.sent, c.meant)
			}
		}
		for _, c := range []struct{ tool, sent, words string }{
			{"list_properties", `{"random_string":""}`, `"random_string" is not a field here`},
			{"list_properties", `{"limit":"five"}`, "limit must be"},
			{"list_properties", `{"limit":"0"}`, "limit must be"},
			{"list_properties", `{"limit":" 5"}`, "limit must be"},
			{"list_payments", `{"overdue":"yes"}`, "overdue must be"},
			{"get_property", `{"property_id":""}`, "property_id is required"},
			{"get_property", `{"property_id":null}`, "property_id is required"},
		} {
			if o := r.call(key, c.tool, c.sent); !o.IsError || !strings.Contains(o.Content[0].Text, c.words) {
				t.Errorf("%s %s: %s", c.tool, c.sent, o.Content[0].Text)
			}
		}
	})
}

// An update empties what clear names, as null does, over the surface where schemas have one type.
func TestClearEmptiesFields(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.key(access.Live, "write")
		tenant := r.anyID(key, "list_tenants")
		as := func(rest string) string { return `{"tenant_id":"` + tenant + `",` + rest + `}` }
		type shown struct {
			Phone            *string `json:"phone"`
			PreferredContact *string `json:"preferred_contact_method"`
			Contact          any     `json:"emergency_contact"`
			FirstName        string  `json:"first_name"`
		}
		full := as(`"phone":"(512) 555-0142","preferred_contact_method":"phone","emergency_contact":{"name":"Lee"}`)
		for _, asked := range []string{
			`"clear":["phone","preferred_contact_method","emergency_contact"]`,
			`"phone":null,"clear":["phone","preferred_contact_method"],"emergency_contact":null,"first_name":"Dana"`,
			`"phone":null,"preferred_contact_method":null,"emergency_contact":null,"clear":null`,
		} {
			if before := ok[shown](r, key, "update_tenant", full); before.Phone == nil || before.Contact == nil {
				t.Fatalf("%+v", before)
			}
			got := ok[shown](r, key, "update_tenant", as(asked))
			if got.Phone != nil || got.PreferredContact != nil || got.Contact != nil || got.FirstName == "" {
				t.Errorf("%s leaves %+v", asked, got)
			}
		}
		for asked, words := range map[string]string{
			`"clear":["first_name"]`:                     "clear.0 must be one of ",
			`"clear":["phone","phone"]`:                  "clear.1 repeats phone",
			`"clear":["phone"],"phone":"(512) 555-0142"`: "clear.0 names phone, which is given a value too",
			`"clear":"phone"`:                            "clear must be an array, not a string.",
			`"clear":[1]`:                                "clear.0 must be a string, not a number.",
			`"clear":[]`:                                 "The update has no fields",
			`"first_name":"","clear":["tenant_id"]`:      "clear.0 must be one of ",
		} {
			if o := r.call(key, "update_tenant", as(asked)); !o.IsError || !strings.Contains(o.Content[0].Text, words) {
				t.Errorf("%s: %s", asked, o.Content[0].Text)
			}
		}
	})
}

// Some clients refuse a schema with several types, and some have no oneOf.
func TestInputSchemasHaveOneTypeAField(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		for _, l := range r.list(r.key(access.Live, "payments")) {
			var shown map[string]any
			must(t, json.Unmarshal(l.InputSchema, &shown))
			oneType(t, l.Name, shown)
		}
	})
}

func oneType(t *testing.T, at string, s map[string]any) {
	t.Helper()
	if _, is := s["type"].(string); !is || s["oneOf"] != nil || s["anyOf"] != nil || s["$ref"] != nil {
		t.Errorf("%s has the types %v: %v", at, s["type"], s)
	}
	if values, is := s["enum"].([]any); is && slices.Contains(values, nil) {
		t.Errorf("%s lists null", at)
	}
	properties, _ := s["properties"].(map[string]any)
	for name, inner := range properties {
		oneType(t, at+"."+name, inner.(map[string]any))
	}
	if items, is := s["items"].(map[string]any); is {
		oneType(t, at+"[]", items)
	}
}
