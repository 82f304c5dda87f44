package redact

import (
	"strings"
	"testing"
)

func TestTypicalBodiesAreCleanInOnePass(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		"", "{}", " [ ] ", `{"a":null,"b":[1,-2.50,1e3,true,false]}`,
		`{"city":"Łódź","name":"O'Brien & Sons","description":"It drips.\nAll night, \"badly\"."}`,
		`{"id":"prop_01KA5R2M7Q8D4E6F9G1H3J5K7M","created_at":"2026-11-24T16:20:11.482Z","phone":"+15125550142",` +
			`"email":"ann@example.com","document_url":null}`,
		`{"id":"prop_01KF0FV2HR0400000000000001","postal_code":"78701-1234"}`,
		`{"type":"validation_error","code":"invalid_field","message":"The limit is 1 to 100.","param":null}`,
	} {
		if !clean(body) {
			t.Errorf("%s is read as JSON", body)
		}
	}
}

func TestPossibleSecretIsNotClean(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"password":"x"}`, `{"pass_word":1}`, `{"Secret" : null}`, `{"x-signature":"a"}`,
		`{"document_url":"/d/1"}`, `{"Apply_URL":"/a/1"}`, `["whsec_abc"]`, `["{\"secret\":1}"]`,
		`["4242424242424242"]`, `["78701-1234, 123-45-6789"]`, `[4242424242424242]`,
		`[4242 4242 4242 4242]`, `["se\u0063ret"]`, `{"se\u0063ret":"x"}`,
		`["https:\/\/ann:pw@example.com"]`, `["bearer abcdefgh1"]`, `["\x00"]`, `["a`, `"\`,
		"[\"a\nb\"]", "[\"\xff\"]", `x`,
		`{"` + strings.Repeat("a", 60) +
			`password":1}`, `{"toKen":1}`,
		`["'password': hunter2"]`, `{"x 'secret":"y"}`,
	} {
		if clean(body) {
			t.Errorf("%q is kept without a look", body)
		}
	}
}

// FuzzClean holds the pass over the bytes against the reading of the text.
func FuzzClean(f *testing.F) {
	for _, body := range []string{
		`{"a":"b","c":[1,2,{"d":null}]}`, `{"document_url":"https://x/y"}`,
		`{"a":1,"a":"\"token\":\"x\""}`, `"'signature'":1`, `["x\\","secret"]`,
		`{"a":"arer","b":"https:","c":"//x@y"}`, "4242 4242\n4242-4242", `{"pass\n":"=a"}`,
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		if k := scrubbedBody([]byte(body)); clean(body) && (k.Hidden || k.Text != body) {
			t.Fatalf("%q is called clean, and kept as %q", body, k.Text)
		}
	})
}
