package rest_test

import (
	"encoding/json"
	"testing"
)

func TestSchemaCheckerDetectsViolations(t *testing.T) {
	t.Parallel()
	d := read(
		t,
		[]byte(
			`{"R": {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer", "minimum": 1, `+
				`"maximum": 9}, "n": {"type": ["string", "null"], "enum": ["x", null]}}}}`,
		),
	)
	for schema, cases := range map[string]struct{ right, wrong []string }{
		`{"$ref": "#/R"}`: {
			[]string{`{"a": 1}`, `{"a": 9, "n": null}`, `{"a": 3, "n": "x"}`},
			[]string{
				`{}`, `{"a": 0}`, `{"a": 10}`, `{"a": 1.5}`, `{"a": "1"}`, `{"a": null}`,
				`{"a": 1, "n": "y"}`, `{"a": 1, "b": 2}`, `[]`, `null`,
			},
		},
		`{"type": "array", "items": {"$ref": "#/R"}}`: {
			[]string{`[]`, `[{"a": 1}]`},
			[]string{`{}`, `[{"a": 1}, {}]`, `null`, `"x"`},
		},
		`{"oneOf": [{"$ref": "#/R"}, {"type": "null"}]}`: {
			[]string{`null`, `{"a": 1}`},
			[]string{`{}`, `1`},
		},
		`{"type": "string", "minLength": 2, "maxLength": 3}`: {
			[]string{`"äö"`, `"abc"`},
			[]string{`"a"`, `"abcd"`, `3`},
		},
		`{"type": "string", "pattern": "^a_[0-9]$"}`: {
			[]string{`"a_1"`},
			[]string{`"a_"`, `"b_1"`, `"xa_1"`},
		},
		`{"type": "string", "format": "date-time"}`: {
			[]string{`"2026-11-02T16:20:11.482Z"`},
			[]string{
				`"2026-11-02T16:20:11Z"`, `"2026-11-02T16:20:11.482+00:00"`,
				`"2026-13-02T16:20:11.482Z"`, `"2026-11-02"`, `""`,
			},
		},
		`{"type": "string", "format": "date"}`: {
			[]string{`"2026-11-02"`},
			[]string{`"2026-02-30"`, `"2026-2-3"`, `""`},
		},
		`{"type": "string", "format": "email"}`: {
			[]string{`"a@example.com"`},
			[]string{`"a"`, `"A <a@example.com>"`, `""`},
		},
		`{"type": "string", "format": "uri"}`: {
			[]string{`"https://example.com/a"`},
			[]string{`"example.com"`, `"/a"`, `""`},
		},
		`{"type": "string", "format": "password"}`: {
			[]string{`"whsec_MfKQ"`},
			[]string{`""`, `3`},
		},
		`{"type": "string", "const": "USD"}`: {
			[]string{`"USD"`},
			[]string{`"EUR"`, `null`},
		},
		`{"type": "number", "minimum": 0}`: {
			[]string{`0`, `0.5`, `1e3`},
			[]string{`-0.01`, `"0"`},
		},
		`{"allOf": [{"$ref": "#/R"}, {"properties": {"b": {"type": "integer"}}}]}`: {
			[]string{`{"a": 1}`, `{"a": 1, "b": 2}`},
			[]string{`{"b": 2}`, `{"a": 1, "b": "x"}`, `{"a": 1, "c": 2}`, `[]`},
		},
		`{"type": "object", "properties": {"b": {}}, "additionalProperties": false, "minProperties": 1}`: {
			[]string{`{"b": 1}`, `{"b": null}`},
			[]string{`{}`, `{"c": 1}`, `{"b": 1, "c": 1}`},
		},
		`{"type": "array", "minItems": 1, "maxItems": 2, "items": {"type": "integer"}}`: {
			[]string{`[1]`, `[1, 2]`, `[1.0, 2e0]`},
			[]string{`[]`, `[1, 2, 3]`, `[1.5]`},
		},
		`{"type": "array", "uniqueItems": true, "items": {"type": "string"}}`: {
			[]string{`[]`, `["a", "b"]`},
			[]string{`["a", "a"]`},
		},
		`{"type": "number", "multipleOf": 0.5}`: {
			[]string{`1.5`, `2`, `15e-1`, `0`},
			[]string{`1.25`, `0.1`, `"1"`},
		},
		`{"oneOf": [{"$ref": "#/R"}, {"type": "string"}, {"type": "null"}]}`: {
			[]string{`"x"`, `null`, `{"a": 2}`},
			[]string{`{"a": 0}`, `1`, `{"a": 1, "b": 1}`},
		},
		`{"type": "string", "pattern": "^[^\\s]+$"}`: {
			[]string{`"a"`},
			[]string{`"a b"`, `"a\u2003b"`, `"\ufeff"`},
		},
		`{"type": "boolean"}`: {
			[]string{`true`, `false`},
			[]string{`0`, `"true"`, `null`},
		},
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
	if len(d.check("it", map[string]any{"exclusiveMinimum": json.Number("1")}, json.Number("1"))) == 0 {
		t.Error("a keyword that is not known passes")
	}
}
