package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"portal/cmd/portal/cli"
)

// greeting is what serve --demo prints (README.md).
var greeting = regexp.MustCompile(`\APORTAL_URL=http://127\.0\.0\.1:\d+
PORTAL_DEMO_LANDLORD=landlord@example\.com
PORTAL_DEMO_STAFF=staff@example\.com
PORTAL_DEMO_PASSWORD=\S{20,}
PORTAL_TEST_KEY=sk_test_pm_[0-9A-Za-z]{49}
PORTAL_LIVE_KEY=sk_live_pm_[0-9A-Za-z]{49}
\z`)

func TestDemoPrintsSameSixLinesOnRestart(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	first := h.serveFirst(t)
	if !greeting.MatchString(first.out.String()) {
		t.Fatalf("the demo printed %q", &first.out)
	}
	first.signalAndEnd(t)
	second := h.serve(t)
	if got, want := second.out.String(), first.out.String(); got != want {
		t.Errorf("printed at first\n%sand then\n%s", want, got)
	}
	for _, key := range []string{"PORTAL_TEST_KEY", "PORTAL_LIVE_KEY"} {
		if r := second.me(t, second.vars[key]); r.StatusCode != 200 {
			t.Errorf("%s: %s", key, r.Status)
		}
	}
}

func TestDataFolderIsOwnerOnly(t *testing.T) {
	t.Parallel()
	s := newHome(t).serveFirst(t)
	for name, want := range map[string]os.FileMode{".": 0o700, "demo.json": 0o600, "secret.key": 0o600} {
		info, err := os.Stat(filepath.Join(s.data, name))
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", name, got, want)
		}
	}
}

func TestDemoIsRefusedOverHTTPS(t *testing.T) {
	t.Parallel()
	h := newHome(t, "PORTAL_BASE_URL=https://portal.example.com")
	code, out, err := h.run(t, "serve", "--demo")
	if code != cli.ExitMisuse || out != "" || !strings.Contains(err, "--demo") || !strings.Contains(err, "https") {
		t.Errorf("exit code %d, printed %q and %q", code, out, err)
	}
	if _, err := os.Stat(h.data); !os.IsNotExist(err) {
		t.Errorf("it left something behind: %v", err)
	}
}

func TestAddressInUseIsReported(t *testing.T) {
	t.Parallel()
	s := newHome(t).serve(t)
	code, _, err := s.run(t, "serve")
	if code != cli.ExitFailed || !strings.Contains(err, "address already in use") {
		t.Errorf("exit code %d: %s", code, err)
	}
}

func TestDemoStartsDespiteRevokedDemoKey(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	first := h.serve(t)
	_, list, _ := h.run(t, "key", "list", "landlord@example.com")
	id := regexp.MustCompile(`key_\S+  Demo \(test\)`).FindString(list)
	if code, _, err := h.run(t, "key", "revoke", strings.Fields(id)[0]); code != cli.ExitDone {
		t.Fatal(err)
	}
	first.signalAndEnd(t)
	second := h.serve(t)
	if got, want := second.out.String(), first.out.String(); got != want {
		t.Errorf("printed at first\n%sand then\n%s", want, got)
	}
}
