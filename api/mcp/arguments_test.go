package mcp_test

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/operation"
	"portal/api/wire"
)

// TestArgumentsAreRefusedAsTheirSchemaSays draws arguments, right ones and wrong ones, and
// compares the decoder with the schema that tools/list shows. They part where the schema
// says less than words do: what a text, a day or a state is, how large a number may be,
// and what goes with what. And an identifier of another kind is one that is not found.
func TestArgumentsAreRefusedAsTheirSchemaSays(t *testing.T) {
	alone(t, func(t *testing.T, r *rig) {
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
				case (says == nil) == (does == nil), does != nil && inWords(f), does == nil && strings.Contains(says.Error(), "_\""):
				default:
					t.Errorf("%s %.300s: the schema says %v, the decoder %v", l.Name, text, says, does)
				}
			}
		}
	})
}

func decoded(tool *operation.Tool, text []byte) error {
	v, err := wire.Parse(text)
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
		said := slices.ContainsFunc([]string{" is empty;", " is blank;", "control characters", " e-mail address", "phone number", "ZIP code", "must be a day", "must be a moment", "must be one of AL,",
			"say where", "must not be before", "must be after", "must be 2027", "printable ASCII", "is not a cursor"}, func(words string) bool { return strings.Contains(d.Message, words) })
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
	of := []string{"Austin", "TX", "78701", "+15125550142", "a@example.com", "2026-02-28", "2026-02-30", "2026-02-28T10:00:00Z", "", " ", "a\nb", "a\x00b", strings.Repeat("😀", int(most)), strings.Repeat("é", int(most)+1)}
	if prefix, is := s["pattern"].(string); is {
		of = []string{strings.TrimPrefix(prefix, "^") + someID, "x"}
	}
	return one(d, of...)
}
