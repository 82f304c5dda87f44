package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"portal/cmd/portal/cli"
)

// groupsOfCommands are the first words of the commands that have two.
func groupsOfCommands() map[string][]string {
	all := map[string][]string{}
	for _, c := range commands {
		if group, name, grouped := strings.Cut(c.Name, " "); grouped {
			all[group] = append(all[group], name)
		}
	}
	return all
}

func TestEveryGroupListsItsCommands(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	listed := func(text, group string, names []string) bool {
		return !slices.ContainsFunc(
			names,
			func(name string) bool { return !strings.Contains(text, "  portal "+group+" "+name) },
		)
	}
	for group, names := range groupsOfCommands() {
		for line, wrong := range map[string]bool{
			group: true, group + " dance": true, group + " --json": true,
			group + " --help": false, group + " -h": false, group + " help": false, "help " + group: false,
		} {
			code, out, err := h.inside(t, "", strings.Fields(line)...)
			if wrong && (code != cli.ExitMisuse || out != "" || !listed(err, group, names)) {
				t.Errorf("portal %s: exit code %d, printed %q and %q", line, code, out, err)
			}
			if !wrong && (code != cli.ExitDone || err != "" || !listed(out, group, names)) {
				t.Errorf("portal %s: exit code %d, printed %q and %q", line, code, out, err)
			}
		}
		if _, _, err := h.inside(t, "", group, "dance"); !strings.Contains(err, `"`+group+` dance"`) {
			t.Errorf("portal %s dance is not told what is wrong: %q", group, err)
		}
	}
	if len(groupsOfCommands()) < 5 {
		t.Errorf("there are only the groups %v", groupsOfCommands())
	}
}

func TestEveryCommandRefusesInvalidUsage(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	for _, c := range commands {
		words := strings.Fields(c.Name)
		for _, wrong := range [][]string{{"--loudly"}, {"--json=perhaps"}, {"1", "2", "3", "4"}} {
			code, out, err := h.inside(t, "", slices.Concat(words, wrong)...)
			if code != cli.ExitMisuse || out != "" || !strings.Contains(err, "portal "+c.Name) {
				t.Errorf("portal %s %s: exit code %d, printed %q and %q", c.Name, wrong, code, out, err)
			}
		}
		code, out, err := h.inside(t, "", append([]string{"help"}, words...)...)
		if code != cli.ExitDone || err != "" || !strings.Contains(out, c.Short) {
			t.Errorf("portal help %s: exit code %d, printed %q and %q", c.Name, code, out, err)
		}
	}
	if _, err := os.Stat(h.data); !os.IsNotExist(err) {
		t.Errorf("wrong use made a data folder: %v", err)
	}
}

func TestVersionIsAlsoAFlag(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	for _, more := range [][]string{nil, {"--json"}} {
		_, want, _ := h.inside(t, "", append([]string{"version"}, more...)...)
		code, out, err := h.inside(t, "", append([]string{"--version"}, more...)...)
		if code != cli.ExitDone || out != want || err != "" {
			t.Errorf("--version %s: exit code %d, printed %q and %q, want %q", more, code, out, err, want)
		}
	}
}

// useOf is a call of each command that is right but for its data. Those that need none, or
// make it, have the reason instead.
var useOf = map[string]string{
	"migrate":        "makes it",
	"serve":          "makes it",
	"user add":       "makes it",
	"restore":        "makes it",
	"health":         "asks the server",
	"listen":         "asks the server",
	"openapi":        "needs none",
	"version":        "needs none",
	"webhook verify": "needs none",

	"member add":         "a@example.com b@example.com --role owner",
	"access request":     "a@example.com --use-case Bookkeeping_in_step_with_the_ledger",
	"access list":        "",
	"access approve":     "a@example.com",
	"access deny":        "a@example.com --reason none",
	"access revoke":      "a@example.com",
	"plan set":           "a@example.com pro",
	"key create":         "a@example.com --name x --mode test",
	"key list":           "a@example.com",
	"key revoke":         "key_01KA5R2M7Q8D4E6F9G1H3J5K7M",
	"webhook test":       "we_01KA5R2M7Q8D4E6F9G1H3J5K7M",
	"webhook deliveries": "we_01KA5R2M7Q8D4E6F9G1H3J5K7M",
	"webhook delivery":   "del_01KA5R2M7Q8D4E6F9G1H3J5K7M",
	"webhook redeliver":  "del_01KA5R2M7Q8D4E6F9G1H3J5K7M",
	"webhook enable":     "we_01KA5R2M7Q8D4E6F9G1H3J5K7M",
	"webhook resend":     "we_01KA5R2M7Q8D4E6F9G1H3J5K7M --since 2026-11-02",
	"webhook update":     "we_01KA5R2M7Q8D4E6F9G1H3J5K7M --status disabled",
	"webhook events":     "a@example.com",
	"webhook event":      "evt_01KA5R2M7Q8D4E6F9G1H3J5K7M",
	"mail list":          "",
	"mail show":          "mail_01KA5R2M7Q8D4E6F9G1H3J5K7M",
	"activity":           "a@example.com",
	"agreement verify":   "ROLL",
	"tenant link":        "ten_01KA5R2M7Q8D4E6F9G1H3J5K7M",
	"import":             "a@example.com ROLL",
	"trigger":            "a@example.com lease.signed",
	"secret rotate":      "",
	"backup":             "FILE",
}

func TestOnlyDataCreatingCommandsCreateFolder(t *testing.T) {
	t.Parallel()
	roll := filepath.Join(t.TempDir(), "roll.csv")
	if err := os.WriteFile(
		roll,
		[]byte("street_address,city,state,unit_number\n1 Elm Street,Austin,TX,A\n"),
		0o600,
	); err != nil {
		t.Fatal(err)
	}
	for _, c := range commands {
		use, known := useOf[c.Name]
		if !known {
			t.Errorf("%s has no line in this test: does it need data, or make it?", c.Name)
		}
		if !known || strings.Contains(" makes it asks the server needs none ", " "+use+" ") && use != "" {
			continue
		}
		h := newHome(t)
		file := filepath.Join(t.TempDir(), "copy.db")
		args := strings.NewReplacer("ROLL", roll, "FILE", file).Replace(use)
		code, out, err := h.inside(t, "", append(strings.Fields(c.Name), strings.Fields(args)...)...)
		if code != cli.ExitFailed || out != "" || !strings.Contains(err, "no database in "+h.data) ||
			!strings.Contains(err, "PORTAL_DATA") {
			t.Errorf("portal %s %s: exit code %d, printed %q and %q", c.Name, use, code, out, err)
		}
		for _, path := range []string{h.data, file} {
			if _, err := os.Stat(path); !os.IsNotExist(err) {
				t.Errorf("portal %s %s made %s: %v", c.Name, use, path, err)
			}
		}
	}
}
