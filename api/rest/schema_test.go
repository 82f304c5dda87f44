package rest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"portal/api/operation"
	"portal/api/rest"
)

// document is the OpenAPI description as a reader finds it.
type document struct {
	t     testing.TB
	tree  map[string]any
	input bool // moments are of any form of RFC 3339, as callers write them

	forgives func(fault string) bool // may be nil: nothing is forgiven
}

func read(t testing.TB, text []byte) document {
	t.Helper()
	return document{t: t, tree: decoded(t, text).(map[string]any)}
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

// operation is what the document says of an operation.
func (d document) operation(op *operation.Operation) map[string]any {
	d.t.Helper()
	return d.at("paths", rest.Base+op.Path, strings.ToLower(op.Method))
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
	if object, is := v.(map[string]any); is && !anything(d.follow(s)) {
		_, own := d.follow(s)["additionalProperties"].(map[string]any) // names of the caller's own
		known := d.known(s)
		for name := range object {
			if !known[name] && !own {
				faults = append(faults, where+" has "+name+", which is not documented")
			}
		}
	}
	return d.unforgiven(append(faults, d.keywords(where, s, v)...))
}

func (d document) unforgiven(faults []string) []string {
	if d.forgives == nil {
		return faults
	}
	return slices.DeleteFunc(faults, d.forgives)
}

// anything tells a schema that takes every value.
func anything(s map[string]any) bool {
	return !slices.ContainsFunc([]string{
		"type", "properties", "allOf", "oneOf", "const", "enum",
	}, func(keyword string) bool { return s[keyword] != nil })
}

// known are the members that a schema names, wherever in it.
func (d document) known(s map[string]any) map[string]bool {
	all := map[string]bool{}
	s = d.follow(s)
	properties, _ := s["properties"].(map[string]any)
	for name := range properties {
		all[name] = true
	}
	for _, keyword := range []string{"allOf", "oneOf"} {
		parts, _ := s[keyword].([]any)
		for _, part := range parts {
			maps.Copy(all, d.known(part.(map[string]any)))
		}
	}
	return all
}

func (d document) keywords(where string, s map[string]any, v any) (faults []string) {
	s = d.follow(s)
	say := func(format string, args ...any) { faults = append(faults, where+" "+fmt.Sprintf(format, args...)) }
	for keyword, want := range s {
		switch keyword {
		case "description", "default", "discriminator":
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
		case "allOf":
			for _, part := range want.([]any) {
				faults = append(faults, d.keywords(where, part.(map[string]any), v)...)
			}
		case "items":
			all, _ := v.([]any)
			for i, item := range all {
				faults = append(faults, d.check(fmt.Sprintf("%s[%d]", where, i), want.(map[string]any), item)...)
			}
		case "properties", "required", "additionalProperties":
			if object, is := v.(map[string]any); is {
				faults = append(faults, d.members(where, keyword, s, object)...)
			}
		case "minimum", "maximum":
			if n, is := v.(json.Number); is && compare(n, want.(json.Number))*map[string]int{
				"minimum": 1,
				"maximum": -1,
			}[keyword] < 0 {
				say("is %s, the %s is %s", n, keyword, want)
			}
		case "multipleOf":
			if n, is := v.(json.Number); is && !ratio(n, want.(json.Number)).IsInt() {
				say("is %s, which is no multiple of %s", n, want)
			}
		case "uniqueItems":
			all, _ := v.([]any)
			for i, item := range all {
				if want == true &&
					slices.ContainsFunc(all[:i], func(other any) bool { return reflect.DeepEqual(item, other) }) {
					say("has %v twice", item)
				}
			}
		case "minItems", "maxItems", "minProperties", "maxProperties":
			if wrong := sized(keyword, want.(json.Number), v); wrong != "" {
				say("%s", wrong)
			}
		default:
			if text, is := v.(string); is {
				if keyword == "format" && want == "date-time" && d.input {
					if _, err := time.Parse(time.RFC3339, text); err != nil {
						say("is %q, which is no moment", text)
					}
				} else if wrong := textual(keyword, want, text); wrong != "" {
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

// members checks what an object holds by one of the three keywords that speak of it.
func (d document) members(where, keyword string, s, object map[string]any) (faults []string) {
	known, _ := s["properties"].(map[string]any)
	switch keyword {
	case "required":
		for _, name := range s["required"].([]any) {
			if _, has := object[name.(string)]; !has {
				faults = append(faults, where+" lacks "+name.(string))
			}
		}
	case "additionalProperties":
		for name := range object {
			_, has := known[name]
			if each, is := s[keyword].(map[string]any); is && !has {
				faults = append(faults, d.check(where+"."+name, each, object[name])...)
			}
			if !has && s[keyword] == false {
				faults = append(faults, where+" has "+name+" besides")
			}
		}
	case "properties":
		for name, v := range object {
			if member, has := known[name].(map[string]any); has {
				faults = append(faults, d.check(where+"."+name, member, v)...)
			}
		}
	}
	return faults
}

// sized reports whether an array or an object has too few or too many members.
func sized(keyword string, want json.Number, v any) string {
	n := -1
	switch v := v.(type) {
	case []any:
		n = len(v)
	case map[string]any:
		n = len(v)
	}
	bound, err := want.Int64()
	if n >= 0 &&
		(err != nil || strings.HasPrefix(keyword, "min") && int64(n) < bound ||
			strings.HasPrefix(keyword, "max") && int64(n) > bound) {
		return fmt.Sprintf("has %d members, the %s is %s", n, keyword, want)
	}
	return ""
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
