package mcp_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/list"
	"portal/api/operation"
	"portal/api/portfolio"
	"portal/api/portfolio/imports"
	"portal/api/portfolio/ledger/report"
	"portal/api/strictjson"
)

// filler makes the fullest records that their tags allow, or the emptiest.
type filler struct {
	full  bool
	of    string // the character that texts consist of
	parts int    // of a list within a record
}

const someID = "01KA5R2M7Q8D4E6F9G1H3J5K7M"

func (f filler) fill(v reflect.Value, tag reflect.StructTag) {
	if e, is := v.Interface().(interface{ Values() []string }); is && v.Kind() == reflect.String {
		v.SetString(e.Values()[0])
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		f.members(v)
	case reflect.Pointer:
		if f.full {
			v.Set(reflect.New(v.Type().Elem()))
			f.fill(v.Elem(), tag)
		}
	case reflect.Slice:
		n := 0
		if f.full {
			n = f.parts
		}
		if _, photos := v.Interface().(portfolio.Photos); photos {
			n = min(n, portfolio.MostPhotos)
		}
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			f.fill(v.Index(i), tag)
		}
	case reflect.String:
		v.SetString(f.text(tag))
	case reflect.Int, reflect.Int64:
		v.SetInt(f.number(v.Type(), tag))
	}
}

func (f filler) members(v reflect.Value) {
	for at, value := range v.Fields() {
		if at.Tag.Get("json") == "-" || !at.IsExported() {
			continue
		}
		f.fill(value, at.Tag)
		if prefix := at.Tag.Get("prefix"); at.Anonymous && prefix != "" {
			value.FieldByName("ID").SetString(prefix + "_" + someID)
			value.FieldByName("Object").SetString(at.Tag.Get("object"))
		}
	}
}

func (f filler) number(t reflect.Type, tag reflect.StructTag) int64 {
	switch t {
	case reflect.TypeFor[clock.Time]():
		return int64(clock.At(noon))
	case reflect.TypeFor[clock.Date]():
		return 20_000
	}
	bound := "min"
	if f.full {
		bound = "max"
	}
	if tag.Get(bound) == "next_year" {
		return int64(noon.Year()) + 1
	}
	if n, err := strconv.ParseInt(tag.Get(bound), 10, 64); err == nil {
		return n
	}
	return 1
}

func (f filler) text(tag reflect.StructTag) string {
	if fixed := tag.Get("const"); fixed != "" {
		return fixed
	}
	switch tag.Get("format") {
	case "id":
		return tag.Get("prefix") + "_" + someID
	case "phone":
		return "+15125550142"
	case "postal-code":
		return "78701-1234"
	case "email":
		return strings.Repeat("a", 242) + "@example.com"
	case "uri":
		return "https://portal.example.com/" + strings.Repeat("a", 100)
	}
	length := 76 // as what triage has matched
	if most, err := strconv.Atoi(tag.Get("maxlen")); err == nil {
		length = most
	}
	if !f.full {
		length = 1
	}
	return strings.Repeat(f.of, length)
}

func pageOf[T any](f filler, n int) *list.Page[T] {
	rows := make([]T, n+1)
	for i := range rows {
		f.fill(reflect.ValueOf(&rows[i]).Elem(), "")
	}
	return list.Of(rows, n, func(*T) string { return "lea_" + someID })
}

func oneOf[T any](f filler) any {
	v := new(T)
	f.fill(reflect.ValueOf(v).Elem(), "")
	return v
}

// answers are those of the tools that read, by the first tool that answers them.
func (f filler) answers(n int) map[string]any {
	return map[string]any{
		"get_expiring_leases":       pageOf[report.ExpiringLease](f, n),
		"list_maintenance_requests": pageOf[portfolio.Ticket](f, n),
		"list_maintenance_tickets":  pageOf[portfolio.Ticket](f, n),
		"list_properties":           pageOf[portfolio.Property](f, n),
		"get_rent_balances": &report.RentBalances{
			Page:     *pageOf[report.RentBalance](f, n),
			Currency: portfolio.Currency,
		},
		"list_tenants":          pageOf[portfolio.Tenant](f, n),
		"list_leases":           pageOf[portfolio.Lease](f, n),
		"list_payments":         pageOf[portfolio.Payment](f, n),
		"get_unit_history":      pageOf[portfolio.Ticket](f, n),
		"get_property":          oneOf[portfolio.PropertyWithUnits](filler{f.full, f.of, n * 4}),
		"get_portfolio_summary": oneOf[report.Summary](f),
		"get_import":            oneOf[imports.State](filler{f.full, f.of, n}),
	}
}

func madeOf[T any](f filler) change.Outcome {
	m := &change.Result[T]{
		Before:   new(T),
		After:    new(T),
		Warnings: []change.Warning{{Code: "w", Message: strings.Repeat("w", 300)}},
	}
	filler{f.full, "y", f.parts}.fill(reflect.ValueOf(m.Before).Elem(), "")
	f.fill(reflect.ValueOf(m.After).Elem(), "")
	return m
}

func (f filler) writes() map[string]change.Outcome {
	return map[string]change.Outcome{
		"update_property":           madeOf[portfolio.Property](f),
		"update_tenant":             madeOf[portfolio.Tenant](f),
		"update_lease":              madeOf[portfolio.Lease](f),
		"update_maintenance_ticket": madeOf[portfolio.Ticket](f),
	}
}

// sized is a tool with what its answers must be like.
type sized struct {
	*operation.Tool
	schema *jsonschema.Resolved
}

func (s sized) holds(t *testing.T, what string, b []byte, p *operation.Preview, small bool) {
	t.Helper()
	if err := valid(s.schema, b); err != nil {
		t.Errorf("%s, %s: %v\n%.500s", s.Name, what, err, b)
	}
	text := s.Fenced(nil, b, p, "ABCDEFGHIJKL")
	whole := len(b) + len(strictjson.AppendString(nil, text)) + 900 // what stands around it
	if whole > 64<<10 || small && (len(b) > 24<<10 || len(text) > 24<<10) {
		t.Errorf("%s, %s: %d bytes of JSON, %d of text, %d in all", s.Name, what, len(b), len(text), whole)
	}
}

func TestExtremeResponsesMatchSchemasAndSizeLimits(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		tools := map[string]sized{}
		for i, l := range r.list(r.key(access.Live, "payments")) {
			tools[l.Name] = sized{r.endpoint.Tools()[i], schema(t, l.OutputSchema)}
		}
		fillers := []filler{{false, "x", 0}}
		for _, of := range []string{"x", `"`, "😀", "\n"} {
			fillers = append(fillers, filler{true, of, 1}, filler{true, of, 8})
		}
		for name, tool := range tools {
			if !tool.Changes && fillers[0].answers(1)[name] == nil {
				t.Errorf("%s has no answer here", name)
			}
		}
		for _, f := range fillers {
			for _, n := range []int{1, 20, 100} {
				for name, answer := range f.answers(n) {
					var shown struct{ Data []json.RawMessage }
					b := tools[name].Render(nil, answer)
					must(t, json.Unmarshal(b, &shown))
					tools[name].holds(t, fmt.Sprintf("%d of %+v", n, f), b, nil, n <= 20 && shown.Data != nil)
				}
			}
			for name, w := range f.writes() {
				tools[name].holds(t, fmt.Sprintf("%+v", f), tools[name].RenderWrite(nil, w, nil), nil, false)
				p := tools[name].Preview(w)
				tools[name].holds(t, fmt.Sprintf("the preview of %+v", f), tools[name].RenderWrite(nil, w, p), p, false)
			}
		}
	})
}
