package strictjson

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"portal/api/fault"
)

func TestInvalidJSONIsRefusedWithPosition(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		``:                             "ends where a value",
		`   `:                          "ends where a value",
		`{} {}`:                        "more follows",
		`{}x`:                          "more follows",
		`{"a":1,"a":2}`:                `"a" is given twice`,
		`{"a":1,"\u0061":2}`:           `"a" is given twice`,
		`{"a":{"b":1,"b":2}}`:          `"b" is given twice`,
		`{"a" 1}`:                      "colon",
		`{"a":1 "b":2}`:                "comma",
		`{"a":1,}`:                     "name in double quotes",
		`[1,]`:                         "no value",
		`[1 2]`:                        "comma",
		`{a:1}`:                        "name in double quotes",
		`{'a':1}`:                      "name in double quotes",
		`01`:                           "more follows",
		`1.`:                           "number is not finished",
		`-`:                            "number is not finished",
		`1e`:                           "number is not finished",
		`+1`:                           "no value",
		`NaN`:                          "no value",
		`nul`:                          "no value",
		`"a`:                           "no end",
		`"a\`:                          "no end",
		`"\x"`:                         "escape",
		`"\u12"`:                       "escape",
		`"\u+123"`:                     "escape",
		`"\ud800"`:                     "surrogate",
		`"\ud800\u0041"`:               "surrogate",
		`"\udc00"`:                     "surrogate",
		"\"a\nb\"":                     "control character",
		"\"\\n\x01\"":                  "control character",
		"\"\xff\"":                     "UTF-8",
		"\xef\xbb\xbf{}":               "no value",
		strings.Repeat("[", 33):        "more than 32 levels",
		strings.Repeat(`{"a":`, 33):    "more than 32 levels",
		strings.Repeat("[", 1_000_000): "more than 32 levels",

		"[" + strings.Repeat("0,", mostValues) + "0]":    "more than 20000 values",
		"[" + strings.Repeat("[{}],", mostValues) + "0]": "more than 20000 values",
	} {
		_, err := Parse([]byte(body))
		if !fault.Is(err, fault.InvalidJSON) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v; want %q", body, err, want)
		}
	}
}

func TestValidJSONIsParsed(t *testing.T) {
	t.Parallel()
	v, err := Parse([]byte(
		" {\"a\":\t[1, -0.5e+2,true ,null,{}],\"\\u00e9\\ud83d\\ude00\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"} ",
	))
	if err != nil {
		t.Fatal(err)
	}
	got := string(v.Canonical(nil))
	if got != "{\"a\":[1,-50,true,null,{}],\"é😀\":\"\\\"\\\\/\\u0008\\u000c\\n\\r\\t\"}" {
		t.Errorf("read %s", got)
	}
	if deep := strings.Repeat("[", 32) + strings.Repeat("]", 32); true {
		if _, err := Parse([]byte(deep)); err != nil {
			t.Errorf("32 levels: %v", err)
		}
	}
}

func TestObjectWithManyNamesParsesInLinearTime(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(`{"first":0`)
	const names = mostValues - 3
	for i := range names {
		b.WriteString(`,"` + big.NewInt(int64(i)).Text(36) + `":0`)
	}
	v, err := Parse([]byte(b.String() + "}"))
	if err != nil || len(v.Members) != names+1 {
		t.Errorf("%d members: %v", len(v.Members), err)
	}
	if _, err := Parse([]byte(b.String() + `,"first":1}`)); err == nil {
		t.Error("a name was taken twice")
	}
}

func TestEqualValuesHaveOneCanonicalForm(t *testing.T) {
	t.Parallel()
	same := [][]string{
		{`{"a":1,"b":[1450]}`, `{ "b" : [1450.00], "a" : 1e0 }`, `{"\u0062":[1.45e3],"a":10e-1}`},
		{`0`, `-0`, `0.000`, `0e5`, `-0.0E-3`},
		{`"é"`, `"\u00e9"`, `"\u00E9"`},
		{`0.001`, `1e-3`, `0.1E-2`},
		{`-1500`, `-1.5e+3`},
	}
	seen := map[string]string{}
	for _, group := range same {
		var first string
		for i, s := range group {
			v, err := Parse([]byte(s))
			if err != nil {
				t.Fatal(err)
			}
			got := string(v.Canonical(nil))
			if i == 0 {
				first = got
			}
			if got != first {
				t.Errorf("%s is %s, not %s", s, got, first)
			}
		}
		if other, has := seen[first]; has {
			t.Errorf("%s and %s are alike", group[0], other)
		}
		seen[first] = group[0]
	}
}

func TestDecimalPreservesNumericValue(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"0", "1", "-1", "1450.50", "1e5", "12.5e-1", "0.00001", "99999999999999999999", "1e-30",
		"5E+30", "100", "-0.10",
	} {
		plain, ok := Decimal(s)
		want, _ := new(big.Rat).SetString(s)
		got, fine := new(big.Rat).SetString(plain)
		if !ok || !fine || got.Cmp(want) != 0 || strings.ContainsAny(plain, "eE+") {
			t.Errorf("%s is %s, %v", s, plain, ok)
		}
	}
	for _, s := range []string{"1e31", "1e-31", "1e999999999999"} {
		if plain, ok := Decimal(s); ok {
			t.Errorf("%s is %s", s, plain)
		}
	}
}

// FuzzParse holds Parse against encoding/json: what it takes, that takes too, with
// the same meaning; what it refuses for its form, that refuses or reads leniently.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`{"a":[1,2.5e3,"x\u00e9",null,true]}`, `"\ud83d\ude00"`, `{"a":1,"a":2}`, "\xff", `[[[]]]`,
		`-0.1E-7`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		v, err := Parse(body)
		if err != nil {
			return
		}
		canonical := v.Canonical(nil)
		var a, b any
		read := func(b []byte, into *any) error {
			d := json.NewDecoder(bytes.NewReader(b))
			return d.Decode(into)
		}
		if err := read(body, &a); err != nil {
			if strings.Contains(err.Error(), "cannot unmarshal number") { // beyond float64
				return
			}
			t.Fatalf("encoding/json refuses %q: %v", body, err)
		}
		if err := read(canonical, &b); err != nil {
			t.Fatalf("encoding/json refuses %q: %v", canonical, err)
		}
		x, _ := json.Marshal(a)
		y, _ := json.Marshal(b)
		if !bytes.Equal(
			bytes.ReplaceAll(x, []byte("-0"), []byte("0")),
			bytes.ReplaceAll(y, []byte("-0"), []byte("0")),
		) {
			t.Errorf("%q became %q", body, canonical)
		}
		again, err := Parse(canonical)
		if err != nil || !bytes.Equal(again.Canonical(nil), canonical) {
			t.Errorf("%q is not stable: %v", canonical, err)
		}
	})
}
