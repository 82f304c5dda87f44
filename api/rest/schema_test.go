package rest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"net/mail"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// document is the OpenAPI description as a reader finds it.
type document struct {
	t    testing.TB
	tree map[string]any
}

func read(t testing.TB, text []byte) document {
	t.Helper()
	return document{t, decoded(t, text).(map[string]any)}
}

// decoded is JSON with its numbers as they are written. It is one value, in UTF-8,
// without a member twice.
func decoded(t testing.TB, text []byte) any {
	t.Helper()
	if !utf8.Valid(text) {
		t.Errorf("not UTF-8: %q", text)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	must(t, d.Decode(&v))
	if d.More() {
		t.Errorf("more than one value: %.200s", text)
	}
	return v
}

// at finds a part of the document by the names on the way to it.
func (d document) at(names ...string) map[string]any {
	d.t.Helper()
	var v any = d.tree
	for _, name := range names {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	m, ok := v.(map[string]any)
	if !ok {
		d.t.Fatalf("the document has nothing at %s", strings.Join(names, " "))
	}
	return m
}

// follow is what a reference points at, or the thing itself.
func (d document) follow(m map[string]any) map[string]any {
	d.t.Helper()
	ref, is := m["$ref"].(string)
	if !is {
		return m
	}
	names := strings.Split(strings.TrimPrefix(ref, "#/"), "/")
	return d.follow(d.at(names...))
}

// check lists what a value has that its schema does not allow. It is strict: a
// member that the schema does not name is a fault, and so is a keyword that is not
// known here.
func (d document) check(where string, s map[string]any, v any) (faults []string) {
	if _, is := s["$ref"]; is {
		return d.check(where, d.follow(s), v)
	}
	say := func(format string, args ...any) { faults = append(faults, where+" "+fmt.Sprintf(format, args...)) }
	for keyword, want := range s {
		switch keyword {
		case "description", "default", "required":
		case "type":
			if !slices.ContainsFunc(types(want), func(name string) bool { return isType(name, v) }) {
				say("is %v, want %v", v, want)
			}
		case "const":
			if v != want {
				say("is %v, want %v", v, want)
			}
		case "enum":
			if !slices.Contains(want.([]any), v) {
				say("is %v, which is none of %v", v, want)
			}
		case "oneOf":
			faults = append(faults, d.oneOf(where, want.([]any), v)...)
		case "items":
			all, _ := v.([]any)
			for i, item := range all {
				faults = append(faults, d.check(fmt.Sprintf("%s[%d]", where, i), want.(map[string]any), item)...)
			}
		case "properties":
			if object, is := v.(map[string]any); is {
				faults = append(faults, d.members(where, s, object)...)
			}
		case "minimum", "maximum":
			if n, is := v.(json.Number); is && compare(n, want.(json.Number))*map[string]int{"minimum": 1, "maximum": -1}[keyword] < 0 {
				say("is %s, the %s is %s", n, keyword, want)
			}
		default:
			if text, is := v.(string); is {
				if wrong := textual(keyword, want, text); wrong != "" {
					say("%s", wrong)
				}
			} else if !slices.Contains([]string{"minLength", "maxLength", "pattern", "format"}, keyword) {
				say("has the keyword %s in its schema, which is not known here", keyword)
			}
		}
	}
	return faults
}

func (d document) oneOf(where string, schemas []any, v any) []string {
	var all []string
	fits := 0
	for _, s := range schemas {
		faults := d.check(where, s.(map[string]any), v)
		if len(faults) == 0 {
			fits++
		}
		all = append(all, faults...)
	}
	if fits == 1 {
		return nil
	}
	return append(all, fmt.Sprintf("%s fits %d schemas of one", where, fits))
}

func (d document) members(where string, s map[string]any, object map[string]any) (faults []string) {
	known := s["properties"].(map[string]any)
	required, _ := s["required"].([]any)
	for _, name := range required {
		if _, has := object[name.(string)]; !has {
			faults = append(faults, where+" lacks "+name.(string))
		}
	}
	for name, v := range object {
		member, has := known[name].(map[string]any)
		if !has {
			faults = append(faults, where+" has "+name+", which is not documented")
			continue
		}
		faults = append(faults, d.check(where+"."+name, member, v)...)
	}
	return faults
}

// textual tells what a string has that a keyword does not allow.
func textual(keyword string, want any, text string) string {
	switch keyword {
	case "minLength", "maxLength":
		n, err := want.(json.Number).Int64()
		length := int64(utf8.RuneCountInString(text))
		if err != nil || keyword == "minLength" && length < n || keyword == "maxLength" && length > n {
			return fmt.Sprintf("has %d characters, the %s is %s", length, keyword, want)
		}
	case "pattern":
		if !regexp.MustCompile(want.(string)).MatchString(text) {
			return fmt.Sprintf("is %q, which does not fit %s", text, want)
		}
	case "format":
		if !hasFormat(want.(string), text) {
			return fmt.Sprintf("is %q, which is no %s", text, want)
		}
	default:
		return "has the keyword " + keyword + " in its schema, which is not known here"
	}
	return ""
}

var milliseconds = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`)

func hasFormat(name, text string) bool {
	switch name {
	case "date-time":
		_, err := time.Parse(time.RFC3339, text)
		return err == nil && milliseconds.MatchString(text)
	case "date":
		_, err := time.Parse(time.DateOnly, text)
		return err == nil
	case "uri":
		u, err := url.Parse(text)
		return err == nil && u.Scheme != "" && u.Host != ""
	case "email":
		a, err := mail.ParseAddress(text)
		return err == nil && a.Address == text
	}
	return false
}

func types(want any) (names []string) {
	if name, one := want.(string); one {
		return []string{name}
	}
	for _, name := range want.([]any) {
		names = append(names, name.(string))
	}
	return names
}

func isType(name string, v any) bool {
	n, number := v.(json.Number)
	switch name {
	case "null":
		return v == nil
	case "integer":
		_, err := n.Int64()
		return number && err == nil
	case "number":
		return number
	}
	kinds := map[string]reflect.Kind{"string": reflect.String, "boolean": reflect.Bool, "array": reflect.Slice, "object": reflect.Map}
	kind, known := kinds[name]
	return known && v != nil && !number && reflect.TypeOf(v).Kind() == kind
}

func compare(a, b json.Number) int {
	x, _ := new(big.Rat).SetString(a.String())
	y, _ := new(big.Rat).SetString(b.String())
	return x.Cmp(y)
}

// walkTree calls back with every object of the document.
func walkTree(v any, each func(map[string]any)) {
	switch v := v.(type) {
	case map[string]any:
		each(v)
		for _, inner := range v {
			walkTree(inner, each)
		}
	case []any:
		for _, inner := range v {
			walkTree(inner, each)
		}
	}
}

func TestTheCheckOfSchemasSeesWhatIsWrong(t *testing.T) {
	t.Parallel()
	d := read(t, []byte(`{"R": {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer", "minimum": 1, "maximum": 9}, "n": {"type": ["string", "null"], "enum": ["x", null]}}}}`))
	for schema, cases := range map[string]struct{ right, wrong []string }{
		`{"$ref": "#/R"}`: {[]string{`{"a": 1}`, `{"a": 9, "n": null}`, `{"a": 3, "n": "x"}`}, []string{`{}`, `{"a": 0}`, `{"a": 10}`, `{"a": 1.5}`, `{"a": "1"}`, `{"a": null}`, `{"a": 1, "n": "y"}`, `{"a": 1, "b": 2}`, `[]`, `null`}},
		`{"type": "array", "items": {"$ref": "#/R"}}`:        {[]string{`[]`, `[{"a": 1}]`}, []string{`{}`, `[{"a": 1}, {}]`, `null`, `"x"`}},
		`{"oneOf": [{"$ref": "#/R"}, {"type": "null"}]}`:     {[]string{`null`, `{"a": 1}`}, []string{`{}`, `1`}},
		`{"type": "string", "minLength": 2, "maxLength": 3}`: {[]string{`"äö"`, `"abc"`}, []string{`"a"`, `"abcd"`, `3`}},
		`{"type": "string", "pattern": "^a_[0-9]$"}`:         {[]string{`"a_1"`}, []string{`"a_"`, `"b_1"`, `"xa_1"`}},
		`{"type": "string", "format": "date-time"}`:          {[]string{`"2026-11-02T16:20:11.482Z"`}, []string{`"2026-11-02T16:20:11Z"`, `"2026-11-02T16:20:11.482+00:00"`, `"2026-13-02T16:20:11.482Z"`, `"2026-11-02"`, `""`}},
		`{"type": "string", "format": "date"}`:               {[]string{`"2026-11-02"`}, []string{`"2026-02-30"`, `"2026-2-3"`, `""`}},
		`{"type": "string", "format": "email"}`:              {[]string{`"a@example.com"`}, []string{`"a"`, `"A <a@example.com>"`, `""`}},
		`{"type": "string", "format": "uri"}`:                {[]string{`"https://example.com/a"`}, []string{`"example.com"`, `"/a"`, `""`}},
		`{"type": "string", "const": "USD"}`:                 {[]string{`"USD"`}, []string{`"EUR"`, `null`}},
		`{"type": "number", "minimum": 0}`:                   {[]string{`0`, `0.5`, `1e3`}, []string{`-0.01`, `"0"`}},
		`{"type": "boolean"}`:                                {[]string{`true`, `false`}, []string{`0`, `"true"`, `null`}},
	} {
		s := decoded(t, []byte(schema)).(map[string]any)
		for _, v := range cases.right {
			if faults := d.check("it", s, decoded(t, []byte(v))); len(faults) > 0 {
				t.Errorf("%s does not take %s: %q", schema, v, faults)
			}
		}
		for _, v := range cases.wrong {
			if len(d.check("it", s, decoded(t, []byte(v)))) == 0 {
				t.Errorf("%s takes %s", schema, v)
			}
		}
	}
	if len(d.check("it", map[string]any{"multipleOf": json.Number("1")}, json.Number("1"))) == 0 {
		t.Error("a keyword that is not known passes")
	}
}
