package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"portal/cmd/portal/cli"
)

// inside runs a sub-command as main does, in this process.
func (h home) inside(t *testing.T, stdin string, args ...string) (code int, out, err string) {
	t.Helper()
	var said, complained strings.Builder
	code = run(t.Context(), func() {}, args, h.getenv, strings.NewReader(stdin), &said, &complained)
	return code, said.String(), complained.String()
}

// getenv is a variable of the home's environment.
func (h home) getenv(name string) string {
	for _, variable := range slices.Backward(h.env) {
		if value, is := strings.CutPrefix(variable, name+"="); is {
			return value
		}
	}
	return ""
}

func TestEveryCommandHasHelp(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	for _, c := range commands {
		code, out, err := h.inside(t, "", append(strings.Fields(c.Name), "--help")...)
		if code != cli.ExitDone || err != "" {
			t.Errorf("%s --help: exit code %d: %s", c.Name, code, err)
		}
		for _, want := range []string{"portal " + c.Name, c.Short, "-json"} {
			if !strings.Contains(out, want) {
				t.Errorf("%s --help does not say %q: %s", c.Name, want, out)
			}
		}
	}
	if _, err := os.Stat(h.data); !os.IsNotExist(err) {
		t.Errorf("asking for help made a data folder: %v", err)
	}
}

func TestHelpPrintsUsage(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	_, usage, _ := h.inside(t, "", "help")
	for _, args := range [][]string{{"help", "--help"}, {"help", "help"}} {
		if code, out, err := h.inside(t, "", args...); code != cli.ExitDone || err != "" || out != usage {
			t.Errorf("portal %s: exit code %d: %s%s", strings.Join(args, " "), code, out, err)
		}
	}
}

func TestUsageListsEveryCommand(t *testing.T) {
	t.Parallel()
	out := newHome(t).do(t, "help")
	for _, c := range commands {
		if !strings.Contains(out, "  "+c.Name+" ") {
			t.Errorf("%s is not listed", c.Name)
		}
	}
}

func TestInvalidCommandLineExitsWith2(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	for _, line := range []string{
		"", "dance", "key", "key dance", "serve now", "serve --loudly", "migrate here",
		"health --json=perhaps", "user add", "user add a@example.com",
		"user add a@example.com --role tenant --password-stdin",
		"member add a@example.com b@example.com", "access deny a@example.com",
		"plan set a@example.com", "plan set a@example.com gold",
		"plan set a@example.com pro --burst many", "key create",
		"key create a@example.com --expires soon", "key create a@example.com --name x --mode demo",
		"key revoke", "import a@example.com", "trigger a@example.com",
		"trigger a@example.com lease.eaten", "trigger a@example.com lease.signed --count 0",
	} {
		code, out, err := h.inside(t, "", strings.Fields(line)...)
		if code != cli.ExitMisuse || err == "" || out != "" {
			t.Errorf("portal %s: exit code %d, printed %q and %q", line, code, out, err)
		}
	}
}

func TestFailedCommandExitsWith1AndExplains(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.do(t, "migrate")
	for line, why := range map[string]string{
		"health": "connection refused",
		"member add a@example.com b@example.com --role manager": "a@example.com",
		"access approve a@example.com":                          "a@example.com",
		"plan set a@example.com pro":                            "a@example.com",
		"key create a@example.com --name x --mode test":         "a@example.com",
		"key list a@example.com":                                "a@example.com",
		"key revoke key_01KA5R2M7Q8D4E6F9G1H3J5K7M":             "key",
		"import a@example.com no-such-file.csv":                 "no-such-file.csv",
		"trigger a@example.com lease.signed":                    "a@example.com",
	} {
		code, out, err := h.inside(t, "", strings.Fields(line)...)
		if code != cli.ExitFailed || out != "" || !strings.Contains(err, why) {
			t.Errorf("portal %s: exit code %d, printed %q and %q", line, code, out, err)
		}
	}
}

// asJSON runs a command that has to succeed and reads what it printed.
func (h home) asJSON(t *testing.T, stdin string, args ...string) any {
	t.Helper()
	code, out, errs := h.inside(t, stdin, append(args, "--json")...)
	if code != cli.ExitDone {
		t.Fatalf("portal %s: exit code %d: %s", strings.Join(args, " "), code, errs)
	}
	var v any
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		t.Fatalf("portal %s --json printed %q: %v", strings.Join(args, " "), out, err)
	}
	return v
}

func TestLandlordSetupWithJSONCommands(t *testing.T) {
	t.Parallel()
	const owner = "dana@example.com"
	h := newHome(t)
	has := func(v any, name string, want any) {
		t.Helper()
		if got := v.(map[string]any)[name]; got != want {
			t.Errorf("%s is %v, want %v: %v", name, got, want, v)
		}
	}
	has(h.asJSON(t, "", "migrate"), "migrated", true)
	has(h.asJSON(t, "correct horse battery staple\n", "user", "add", owner, "--password-stdin"), "email", owner)
	h.asJSON(t, "correct horse battery staple\n", "user", "add", "sam@example.com", "--password-stdin")
	has(h.asJSON(t, "", "member", "add", owner, "sam@example.com", "--role", "manager"), "role", "manager")
	has(
		h.asJSON(t, "", "access", "request", owner, "--use-case", "Keep the bookkeeping in step with the ledger."),
		"status",
		"pending",
	)
	if all := h.asJSON(t, "", "access", "list").([]any); len(all) != 1 {
		t.Errorf("requests: %v", all)
	}
	has(h.asJSON(t, "", "access", "approve", owner), "status", "approved")
	has(h.asJSON(t, "", "plan", "set", owner, "pro", "--units", "300"), "units", 300.0)

	file := filepath.Join(t.TempDir(), "roll.csv")
	roll := "street_address,city,state,unit_number\n1 Elm Street,Austin,TX,A\n1 Elm Street,Austin,TX,B\n"
	if err := os.WriteFile(file, []byte(roll), 0o600); err != nil {
		t.Fatal(err)
	}
	h.asJSON(t, "", "import", owner, file)

	key := h.asJSON(
		t,
		"",
		"key",
		"create",
		owner,
		"--name",
		"Books",
		"--mode",
		"live",
		"--scopes",
		"read,write",
		"--expires",
		"720h",
	)
	has(key, "mode", "live")
	id := key.(map[string]any)["id"].(string)
	if all := h.asJSON(t, "", "key", "list", owner).([]any); len(all) != 1 || all[0].(map[string]any)["id"] != id {
		t.Errorf("keys: %v", all)
	}
	has(h.asJSON(t, "", "key", "revoke", id), "revoked", true)
	has(h.asJSON(t, "", "access", "revoke", owner), "status", "revoked")
	has(h.asJSON(t, "", "openapi"), "openapi", "3.1.0")
	has(h.asJSON(t, "", "version"), "api_version", "0.1.0")
}

func TestHealthReportsRunningServer(t *testing.T) {
	t.Parallel()
	s := newHome(t).serve(t)
	if got := s.do(t, "health"); got != "ready" {
		t.Errorf("health says %q", got)
	}
	s.kill()
	if code, _, _ := s.run(t, "health"); code != cli.ExitFailed {
		t.Errorf("exit code %d without a server", code)
	}
}
