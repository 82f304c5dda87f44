package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"portal/api/webhook/signature"
	"portal/cmd/portal/cli"
)

const pastedBody = `{"id":"evt_1","type":"lease.signed"}`

// delivery signs a body and is the flags that paste its headers.
func delivery(at time.Time, body string, s signature.Secrets) (flags []string) {
	h := http.Header{}
	signature.Sign(h, "evt_1", at, []byte(body), s)
	for name, values := range h {
		flags = append(flags, "--header", name+": "+values[0])
	}
	return flags
}

func verify(flags ...string) []string { return append([]string{"webhook", "verify"}, flags...) }

func TestVerifyPastedDeliveryWithoutDatabase(t *testing.T) {
	t.Parallel()
	h := newHome(t, "PORTAL_BASE_URL=nonsense")
	secret, _ := signature.NewSecret()
	flags := delivery(time.Now(), pastedBody, signature.Secrets{Present: secret})
	code, out, err := h.inside(t, pastedBody, verify(append(flags, "--secret", secret)...)...)
	if code != cli.ExitDone || err != "" ||
		!strings.HasPrefix(out, "Valid: signed in X-Service-Signature with secret 1") ||
		strings.Contains(out, secret) {
		t.Errorf("exit code %d: %s%s", code, out, err)
	}
	for _, want := range []string{
		"X-Service-Signature  passed", "webhook-signature    passed",
		"timestamp            passed", "body                 passed",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("without %q:\n%s", want, out)
		}
	}
	if _, err := os.Stat(h.data); !os.IsNotExist(err) {
		t.Errorf("it made a data folder: %v", err)
	}
}

func TestInvalidPastedDeliveryExitsWith1AndExplains(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	secret, _ := signature.NewSecret()
	other, _ := signature.NewSecret()
	flags := append(delivery(time.Now(), pastedBody, signature.Secrets{Present: secret}), "--json")
	for name, c := range map[string]struct {
		secret, body, code string
	}{
		"another secret": {other, pastedBody, "another_secret"},
		"quoted":         {`"` + secret + `"`, pastedBody, "secret_form"},
		"rewritten":      {secret, strings.ReplaceAll(pastedBody, ":", ": "), "body_rewritten"},
		"cut":            {secret, pastedBody[:20], "body_cut"},
	} {
		code, out, err := h.inside(t, c.body, verify(append([]string{"--secret", c.secret}, flags...)...)...)
		var v signature.Verdict
		parsed := json.Unmarshal([]byte(out), &v)
		if parsed != nil || code != cli.ExitFailed || v.Valid || string(v.Code) != c.code ||
			err != "portal webhook verify: "+v.Message+"\n" {
			t.Errorf("%s: exit code %d: %s%s: %v", name, code, out, err, parsed)
		}
		if strings.Contains(out+err, secret[6:30]) || strings.Contains(out+err, other[6:30]) {
			t.Errorf("%s: a secret is in %s%s", name, out, err)
		}
	}
}

func TestVerifyAcceptsReferenceTime(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	secret, _ := signature.NewSecret()
	came := time.Now().Add(-2 * time.Hour)
	flags := append(delivery(came, pastedBody, signature.Secrets{Present: secret}), "--secret", secret)
	for at, want := range map[string]int{
		"":                                 cli.ExitFailed,
		"-2h":                              cli.ExitDone,
		strconv.FormatInt(came.Unix(), 10): cli.ExitDone,
		came.Format(time.RFC3339):          cli.ExitDone,
		"2h":                               cli.ExitFailed,
	} {
		code, out, err := h.inside(t, pastedBody, verify(append(flags, "--at", at)...)...)
		if code != want || want == cli.ExitFailed && !strings.Contains(err, "--at") {
			t.Errorf("--at %q: exit code %d: %s%s", at, code, out, err)
		}
	}
	if code, _, err := h.inside(
		t,
		pastedBody,
		verify(append(flags, "--tolerance", "7500")...)...); code != cli.ExitDone {
		t.Errorf("with more tolerance: exit code %d: %s", code, err)
	}
}

func TestVerifyAcceptsServerStyleHeaderNames(t *testing.T) {
	t.Parallel()
	secret, _ := signature.NewSecret()
	flags := delivery(time.Now(), pastedBody, signature.Secrets{Present: secret})
	for i := 1; i < len(flags); i += 2 {
		name, value, _ := strings.Cut(flags[i], ":")
		flags[i] = "HTTP_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_")) + ":" + value
	}
	code, out, err := newHome(t).inside(t, pastedBody, verify(append(flags, "--secret", secret)...)...)
	if code != cli.ExitDone || strings.Contains(out, "unchecked") {
		t.Errorf("exit code %d: %s%s", code, out, err)
	}
}

func TestInvalidVerifyCommandExitsWith2(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	const secret, header = "whsec_swordfish", "X-Service-Signature: swordfish"
	for _, args := range [][]string{
		{},
		{"--secret", secret},
		{"--header", header},
		{"--secret", " ", "--header", header},
		{"--secret", secret, "--header", "swordfish"},
		{"--secret", secret, "--header", ": swordfish"},
		{"--secret", secret, "--header", header, "--tolerance", "-1"},
		{"--secret", secret, "--header", header, "--tolerance", "soon"},
		{"--secret", secret, "--header", header, "--at", "soon"},
		{secret, "--header", header},
	} {
		code, out, err := h.inside(t, "", verify(args...)...)
		if code != cli.ExitMisuse || out != "" || err == "" || strings.Contains(err, "swordfish") {
			t.Errorf("%q: exit code %d: %q, %q", args, code, out, err)
		}
	}
	if code, _, err := h.inside(
		t,
		strings.Repeat(" ", cli.LargestBody+1),
		verify("--secret", secret, "--header", header)...,
	); code != cli.ExitFailed ||
		!strings.Contains(err, "1 MiB") {
		t.Errorf("exit code %d: %s", code, err)
	}
}

// The example of the documentation is called as a shell would.
func TestDocsWebhookExampleIsValid(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "webhooks.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(doc), "    printf '%s' '")
	example, _, _ = strings.Cut(example, "\n\n")
	body, call, found := strings.Cut(example, "' | portal ")
	var args []string
	for i, part := range strings.Split(call, "'") { // every second part is quoted
		if i%2 == 1 {
			args = append(args, part)
		} else {
			args = append(args, strings.Fields(strings.ReplaceAll(part, "\\", ""))...)
		}
	}
	if code, out, err := newHome(t).inside(t, body, args...); !found || code != cli.ExitDone ||
		strings.Count(out, "passed") != 4 {
		t.Errorf("portal %q: exit code %d: %s%s", args, code, out, err)
	}
	h := http.Header{}
	signature.Sign(h, "evt_01KA5R2M7Q8D4E6F9G1H3J5K7M", time.Unix(1767225600, 0), []byte(body), signature.Secrets{
		Present: "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
	})
	for name, values := range h {
		if name != signature.ServiceHeader {
			name = strings.ToLower(name)
		}
		if line := "    " + name + ": " + values[0] + "\n"; !strings.Contains(string(doc), line) {
			t.Errorf("the documentation does not have %s", line)
		}
	}
}
