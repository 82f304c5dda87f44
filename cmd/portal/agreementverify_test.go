package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"portal/api/agreement"
	"portal/cmd/portal/cli"
	"portal/db/dbtest"
)

// signedLease is the PDF of a lease of the demo that all have signed.
func (h home) signedLease(t *testing.T) (content []byte) {
	t.Helper()
	h.withProduct(t, func(p *product) {
		_, err := p.demo(t.Context())
		orFail(t, err)
	})
	if code, _, err := h.inside(t, "", "trigger", "landlord@example.com", "lease.signed"); code != cli.ExitDone {
		t.Fatal(err)
	}
	h.withProduct(t, func(p *product) {
		all := dbtest.Texts(t, p.DB, "SELECT document_id FROM executed_documents")
		e, err := p.Agreements.Execution(t.Context(), all[0])
		orFail(t, err)
		content = e.Content
	})
	return content
}

func TestVerifyCommandIdentifiesSignedLease(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	content := h.signedLease(t)
	file := filepath.Join(t.TempDir(), "lease.pdf")
	orFail(t, os.WriteFile(file, content, 0o600))
	code, out, err := h.inside(t, "", "agreement", "verify", file)
	if code != cli.ExitDone || err != "" ||
		!strings.HasPrefix(out, "Genuine: this is the lease that all parties signed.\n") {
		t.Errorf("exit code %d: %s%s", code, out, err)
	}
	for _, want := range []string{", made in test mode", " UTC by ", "executed  ", "used by this service"} {
		if !strings.Contains(out, want) {
			t.Errorf("without %q:\n%s", want, out)
		}
	}
	changed := append([]byte{}, content...)
	changed[len(changed)/2] ^= 1
	for name, c := range map[string]struct {
		stdin   string
		finding agreement.Finding
		code    int
		says    string
	}{
		"genuine":  {string(content), agreement.Genuine, cli.ExitDone, ""},
		"changed":  {string(changed), agreement.Changed, cli.ExitFailed, "first difference is in the 1,024 bytes"},
		"appended": {string(content) + " ", agreement.Changed, cli.ExitFailed, "the rest was added"},
		"cut":      {string(content[:len(content)-5]), agreement.Changed, cli.ExitFailed, "ends too early"},
		"unknown":  {"%PDF-1.4", agreement.Unknown, cli.ExitFailed, "none that matches the file"},
		"no PDF":   {"", agreement.Unknown, cli.ExitFailed, "none that matches the file"},
	} {
		code, out, err := h.inside(t, c.stdin, "agreement", "verify", "-", "--json")
		var v agreement.Verdict
		if parsed := json.Unmarshal([]byte(out), &v); parsed != nil || code != c.code || v.Finding != c.finding ||
			len(v.SHA256) != 64 || (err == "") != (code == cli.ExitDone) {
			t.Errorf("%s: exit code %d: %s%s: %v", name, code, out, err, parsed)
		}
		if strings.Contains(out, "executed_at") != (c.finding == agreement.Genuine) {
			t.Errorf("%s: %s", name, out)
		}
		if _, out, _ := h.inside(t, c.stdin, "agreement", "verify", "-"); !strings.Contains(out, c.says) {
			t.Errorf("%s: without %q:\n%s", name, c.says, out)
		}
	}
	h.withProduct(t, func(p *product) {
		dbtest.Exec(t, p.DB, "UPDATE executed_documents SET content = $1", changed)
	})
	code, out, err = h.inside(t, "", "agreement", "verify", file)
	if code != cli.ExitFailed || !strings.Contains(out, "the signed document has another content") ||
		!strings.Contains(out, "has the SHA-256 of this file") || !strings.Contains(err, "not vouched for") {
		t.Errorf("exit code %d: %s%s", code, out, err)
	}
}

func TestUnverifiableAgreementFileIsRefused(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	missing := filepath.Join(t.TempDir(), "none.pdf")
	if code, _, err := h.inside(t, "", "agreement", "verify", missing); code != cli.ExitMisuse ||
		!strings.Contains(err, "can't be read") {
		t.Errorf("exit code %d: %s", code, err)
	}
	large := strings.Repeat(" ", agreement.MaxFile+1)
	if code, _, err := h.inside(t, large, "agreement", "verify", "-"); code != cli.ExitFailed ||
		!strings.Contains(err, "larger than 20 MB") {
		t.Errorf("exit code %d: %s", code, err)
	}
}
