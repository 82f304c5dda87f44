package developer

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"portal/api/redact"
)

// words are the arguments that a shell makes of a command.
func words(t *testing.T, command string) []string {
	t.Helper()
	shell := exec.CommandContext(
		t.Context(),
		"sh",
		"-c",
		`curl() { for word in "$@"; do printf '%s\0' "$word"; done; }`+"\n"+command,
	)
	shell.Env = []string{"PORTAL_API_KEY=sk_test"}
	out, err := shell.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", command, err, out)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}

func TestCurlCommandSendsExactBytes(t *testing.T) {
	t.Parallel()
	const base = "https://portal.example.com"
	for _, body := range []string{
		`{"name":"O'Hara \"x\" $HOME ` + "`id`" + ` !! \\ %"}`, "{\n\t\"name\": \"Ställe 🏠\"\r\n}",
		`'`, `''\''`, "@file", "-x",
	} {
		e := Exchange{
			Target: redact.Kept{Text: "/api/v1/external/properties/prop_1?a=b'c&d=[1]"},
			Request: Message{Body: redact.Kept{Text: body}, Headers: []Header{
				{Name: "Accept-Encoding", Value: "gzip"},
				{Name: "Authorization", Value: "Bearer sk_…", Hidden: true},
				{Name: "Content-Type", Value: "application/json"},
				{Name: "Idempotency-Key", Value: "it's $1"},
				{Name: "If-Match", Value: `"3"`},
			}},
		}
		command, trouble := Curl(base, "", &Request{Method: "PATCH"}, &e)
		want := []string{
			"--globoff", "-X", "PATCH", base + e.Target.Text, "-H",
			"Authorization: Bearer sk_test", "-H", "Content-Type: application/json", "-H",
			"Idempotency-Key: it's $1", "-H", `If-Match: "3"`, "--data-raw", body,
		}
		if got := words(t, command); trouble != "" || !slices.Equal(got, want) {
			t.Errorf("%s\nis    %q\nwants %q %s", command, got, want, trouble)
		}
	}
}

func TestCurlCommandForBodylessRequestIsShort(t *testing.T) {
	t.Parallel()
	e := Exchange{Target: redact.Kept{Text: "/api/v1/external/me"}}
	for method, want := range map[string]string{
		"GET":    "curl ",
		"HEAD":   "curl --head ",
		"POST":   "curl -X POST ",
		"DELETE": "curl -X DELETE ",
	} {
		got, _ := Curl("http://127.0.0.1:8080", "", &Request{Method: method}, &e)
		if want += "http://127.0.0.1:8080/api/v1/external/me \\\n  -H \"Authorization: Bearer $PORTAL_API_KEY\""; got !=
			want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestCurlCommandForIncompleteExchangeGivesReason(t *testing.T) {
	t.Parallel()
	for want, e := range map[string]Exchange{
		"A secret was taken out of the body": {
			Request: Message{Body: redact.Kept{Text: "{}", Hidden: true}},
		},
		"The body was too long to be kept whole": {
			Request: Message{Body: redact.Kept{Text: "{", Cut: true}},
		},
		"The body was not read": {
			Request: Message{Unread: true, Size: 300_000},
		},
		"A secret was taken out of the address": {Target: redact.Kept{Text: "/…", Hidden: true}},
		"A secret was taken out of the header Idempotency-Key,": {
			Request: Message{
				Headers: []Header{{Name: "Idempotency-Key", Value: "whsec_…", Hidden: true}},
			},
		},
	} {
		if command, trouble := Curl("", "", &Request{
			Method: "POST",
		}, &e); command != "" || !strings.HasPrefix(trouble, want) {
			t.Errorf("%q: %q, %q", want, command, trouble)
		}
	}
}
