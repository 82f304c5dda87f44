package redact_test

import (
	"encoding/json"
	"strings"
	"testing"

	"portal/api/redact"
	"portal/api/strictjson"
)

// FuzzValue hides secrets in JSON and looks for them in what is told of it.
func FuzzValue(f *testing.F) {
	for _, s := range []string{
		"",
		"x",
		"%",
		"\\",
		`"`,
		"\x00",
		"sk_",
		"whsec",
		"4242 ",
		"9",
		"e",
		"Bearer ",
		"%25",
		"…",
		strings.Repeat("a", 39),
		strings.Repeat("y ", 3000),
	} {
		f.Add([]byte(`{"a":1}`), s, s, uint16(600))
	}
	f.Add([]byte(`[[[{"a":[1,2,{"b":null}]}]]]`), "a", "b", uint16(0))
	f.Fuzz(func(t *testing.T, more []byte, before, after string, most uint16) {
		text := before + " " + strings.Join([]string{
			live, test, signs, link, card, amex, social, jwt, "Bearer a1b2c3d4e5",
		}, " ") + " " + after
		touched := before + live + after
		v := strictjson.Value{Kind: strictjson.Object, Members: []strictjson.Member{
			{Name: text, Value: strictjson.Value{Kind: strictjson.Text, Text: touched}},
			{Name: touched, Value: strictjson.Value{Kind: strictjson.Text, Text: text}},
			{
				Name: "more",
				Value: strictjson.Value{
					Kind: strictjson.Array,
					Items: []strictjson.Value{
						{Kind: strictjson.Text, Text: before + signs + after},
						{Kind: strictjson.Number, Text: card},
					},
				},
			},
		}}
		if inner, err := strictjson.Parse(more); err == nil {
			v.Members = append(
				v.Members,
				strictjson.Member{Name: after, Value: inner},
				strictjson.Member{
					Name:  "idempotency_key",
					Value: strictjson.Value{Kind: strictjson.Text, Text: touched},
				},
			)
		}
		bound := max(512, int(most))
		got := redact.Value(&v, bound)
		if !json.Valid([]byte(got)) || len(got) > bound {
			t.Fatalf("%d of %d bytes: %q", len(got), bound, got)
		}
		if _, err := strictjson.Parse([]byte(got)); err != nil {
			t.Fatalf("%v: %q", err, got)
		}
		for _, secret := range []string{live, test, signs, link, card, amex, social, jwt, "a1b2c3d4e5"} {
			whole := strings.Contains(before, secret) || strings.Contains(after, secret) ||
				strings.Contains(string(more), secret)
			if strings.Contains(got, secret) && !whole {
				t.Fatalf("%s is told: %q", secret, got)
			}
		}
	})
}
