package main

import (
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"portal/cmd/portal/cli"
)

// ofAPerson are the calls of commands that name an account by a person, who is EMAIL.
var ofAPerson = map[string]string{
	"member add":     "EMAIL third@example.com --role manager",
	"access request": "EMAIL --use-case Bookkeeping_in_step_with_the_ledger",
	"access approve": "EMAIL",
	"access deny":    "EMAIL --reason none",
	"access revoke":  "EMAIL",
	"plan set":       "EMAIL pro",
	"key create":     "EMAIL --name x --mode test",
	"key list":       "EMAIL",
	"webhook events": "EMAIL",
	"activity":       "EMAIL",
	"import":         "EMAIL ROLL",
	"trigger":        "EMAIL maintenance.created",
}

// couple makes two landlords, each with an account of their own, of whom the second owns
// the first's too.
func couple(t *testing.T) home {
	t.Helper()
	h := newHome(t).blank(t)
	for _, email := range []string{"first@example.com", "second@example.com", "third@example.com"} {
		code, _, err := h.inside(
			t,
			"plover-canyon-umbrella-71",
			"user",
			"add",
			email,
			"--role",
			"landlord",
			"--password-stdin",
		)
		if code != cli.ExitDone {
			t.Fatal(err)
		}
	}
	h.do(t, "member", "add", "first@example.com", "second@example.com", "--role", "owner")
	return h
}

// TestCommandActsOnNamedAccount and on none where several are meant.
func TestCommandActsOnNamedAccount(t *testing.T) {
	t.Parallel()
	h := couple(t)
	roll := filepath.Join(t.TempDir(), "roll.csv")
	if err := os.WriteFile(
		roll,
		[]byte("street_address,city,state,unit_number\n1 Elm Street,Austin,TX,A\n"),
		0o600,
	); err != nil {
		t.Fatal(err)
	}
	for _, c := range commands {
		use, named := ofAPerson[c.Name]
		flags := flag.NewFlagSet(c.Name, flag.ContinueOnError)
		flags.SetOutput(io.Discard)
		c.Bind(&cli.Flags{FlagSet: flags})
		takes := slices.ContainsFunc(
			strings.Fields(c.Args),
			func(word string) bool { return strings.Trim(word, "[]") == "EMAIL" },
		)
		if takes && c.Name != "user add" && !named || (flags.Lookup("account") != nil) != named {
			t.Errorf("%s names a person: %t, and is tested here: %t", c.Name, takes, named)
		}
		if !named {
			continue
		}
		args := append(strings.Fields(c.Name), strings.Fields(strings.NewReplacer(
			"EMAIL",
			"second@example.com",
			"ROLL",
			roll,
		).Replace(use))...)
		code, out, err := h.inside(t, "", args...)
		if code != cli.ExitMisuse || out != "" || !strings.Contains(err, "(first@example.com, acct_") ||
			!strings.Contains(err, "(second@example.com, acct_") || !strings.Contains(err, "--account") {
			t.Errorf("%s without an account: exit code %d, printed %q and %q", c.Name, code, out, err)
		}
		for _, owner := range []string{"first@example.com", "second@example.com"} {
			if _, _, err := h.inside(
				t,
				"",
				append(args, "--account", owner)...,
			); !strings.HasPrefix(err, "Account: ") ||
				!strings.Contains(err, "("+owner+", acct_") {
				t.Errorf("%s --account %s says %q", c.Name, owner, err)
			}
		}
		if code, out, err := h.inside(
			t,
			"",
			append(args, "--account", "third@example.com")...); code != cli.ExitFailed ||
			out != "" ||
			strings.Contains(err, "Account: ") {
			t.Errorf("%s with the account of somebody else: exit code %d, printed %q and %q", c.Name, code, out, err)
		}
	}
}

func TestSecondOwnersKeyOpensNamedAccount(t *testing.T) {
	t.Parallel()
	h := couple(t)
	keys := func(owner string) (all []struct{ Name string }) {
		if err := json.Unmarshal(
			[]byte(h.do(t, "key", "list", owner, "--account", owner, "--json")),
			&all,
		); err != nil {
			t.Fatal(err)
		}
		return all
	}
	h.do(t, "access", "approve", "first@example.com")
	code, out, err := h.inside(t, "", "key", "create", "second@example.com", "--name", "x", "--mode", "test")
	if code != cli.ExitMisuse || out != "" || len(keys("first@example.com"))+len(keys("second@example.com")) != 0 {
		t.Errorf("a key of none was made: exit code %d, printed %q and %q", code, out, err)
	}
	h.do(t, "key", "create", "second@example.com", "--name", "x", "--mode", "test", "--account", "first@example.com")
	if len(keys("first@example.com")) != 1 || len(keys("second@example.com")) != 0 {
		t.Errorf("the first has %d keys, the second %d", len(keys("first@example.com")),
			len(keys("second@example.com")))
	}
}

func TestImportAboveUnitLimitSaysWhereToAskForMore(t *testing.T) {
	t.Parallel()
	h := newHome(t).blank(t)
	const email = "a@example.com"
	code, _, err := h.inside(t, "plover-canyon-umbrella-71", "user", "add", email, "--role", "landlord",
		"--password-stdin")
	if code != cli.ExitDone {
		t.Fatal(err)
	}
	roll := filepath.Join(t.TempDir(), "roll.csv")
	rows := []byte("street_address,city,state,unit_number\n1 Elm Street,Austin,TX,A\n1 Elm Street,Austin,TX,B\n")
	if err := os.WriteFile(roll, rows, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"plan", "set", email, "starter", "--units", "1"}, {"import", email, roll}} {
		code, _, err = h.inside(t, "", args...)
	}
	if code == cli.ExitDone || !strings.Contains(err, "The portfolio has 0 units and the file adds 2, but the plan's "+
		"limit is 1. Ask for more units at http") || !strings.HasSuffix(strings.TrimSpace(err), "/usage/units.") {
		t.Errorf("exit code %d: %s", code, err)
	}
}
