package main

import (
	"bytes"
	"encoding/base64"
	"os"
	"strings"
	"sync"
	"testing"

	"portal/cmd/portal/cli"
	"portal/db/dbtest"
)

// secretKey is a key of one byte repeated.
func secretKey(b byte) string { return base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{b}, 32)) }

// keyed is a home with other keys.
func (h home) keyed(keys ...byte) home {
	all := make([]string, len(keys))
	for i, k := range keys {
		all[i] = secretKey(k)
	}
	return h.with("PORTAL_SECRET_KEY=" + strings.Join(all, ","))
}

// onBoth runs a test with an empty database of each kind, under the key 1.
func onBoth(t *testing.T, test func(*testing.T, home)) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, newHome(t).keyed(1))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		url := dbtest.NewPostgres(t).Empty(t)
		test(t, newHome(t, "DATABASE_URL="+url).keyed(1))
	})
}

// refuses expects a mistake of the configuration to be told.
func (h home) refuses(t *testing.T, line string, says ...string) {
	t.Helper()
	code, out, err := h.inside(t, "correct horse battery staple\n", strings.Fields(line)...)
	if code != cli.ExitMisuse || out != "" || strings.Contains(err, secretKey(1)) ||
		strings.Contains(err, secretKey(2)) {
		t.Errorf("portal %s: exit code %d, printed %q and %q", line, code, out, err)
	}
	for _, what := range says {
		if !strings.Contains(err, "\n"+what) {
			t.Errorf("portal %s does not say %q: %q", line, what, err)
		}
	}
}

func TestServerRefusesWrongSecretKey(t *testing.T) {
	onBoth(t, func(t *testing.T, h home) {
		h.asJSON(t, "", "migrate")
		before := h.census(t).String()
		for _, line := range []string{
			"serve", "serve --demo", "migrate", "user add a@example.com --password-stdin",
			"access list", "mail list", "secret rotate",
		} {
			h.keyed(2).refuses(t, line, "PORTAL_SECRET_KEY doesn't decrypt")
			h.keyed(2, 3).with("PORTAL_ADDR=nowhere", "SMTP_URL=smtp://x").refuses(
				t,
				line,
				"PORTAL_SECRET_KEY doesn't decrypt",
				"PORTAL_ADDR is",
				"PORTAL_MAIL_FROM is",
			)
		}
		if now := h.census(t).String(); now != before {
			t.Errorf("something was written: %s, was %s", now, before)
		}
		h.keyed(2, 1).asJSON(t, "", "access", "list")
		h.asJSON(t, "", "access", "list")
	})
}

func TestLostKeyFileIsNotReplaced(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.asJSON(t, "", "migrate")
	path := h.data + "/secret.key"
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	h.refuses(t, "serve", "PORTAL_SECRET_KEY is not set and "+path+" is missing")
	h.with("PORTAL_ADDR=nowhere").refuses(
		t,
		"access list",
		"PORTAL_SECRET_KEY is not set and "+path+" is missing",
		"PORTAL_ADDR is",
	)
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("a key was made: %v", err)
	}
	for text, says := range map[string]string{
		secretKey(2): "and the key in " + path + " doesn't decrypt",
		"rubbish":    "and " + path + " can't be used",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		h.refuses(t, "serve", "PORTAL_SECRET_KEY is not set, "+says)
	}
	if err := os.WriteFile(path, []byte(secretKey(2)+"\n"+string(kept)), 0o600); err != nil {
		t.Fatal(err)
	}
	h.asJSON(t, "", "access", "list")
	if err := os.WriteFile(path, kept, 0o600); err != nil {
		t.Fatal(err)
	}
	h.asJSON(t, "", "access", "list")
}

// A database from before there was a check value, and so from before there were keys of the seal.
func TestOlderDatabaseAcceptsKeyThatDecryptsItsData(t *testing.T) {
	onBoth(t, func(t *testing.T, h home) {
		h.asJSON(t, "", "migrate")
		older := func() { h.keyed(2, 1).write(t, "DELETE FROM secret_check", "DELETE FROM seal_keys") }
		older()
		h.keyed(2).asJSON(t, "", "migrate") // it holds nothing yet
		h.refuses(t, "migrate", "PORTAL_SECRET_KEY doesn't decrypt")
		older()
		// The account gets a demo portfolio.
		h.asJSON(t, "correct horse battery staple\n", "user", "add", "dana@example.com", "--password-stdin")
		older()
		h.keyed(2).refuses(t, "serve", "PORTAL_SECRET_KEY doesn't decrypt")
		if n := h.value(t, "SELECT count(*) FROM secret_check"); n != "0" {
			t.Error("a foreign key has made a check value")
		}
		h.asJSON(t, "", "access", "list")
		if n := h.value(t, "SELECT count(*) FROM secret_check"); n != "1" {
			t.Error("the right key has made no check value")
		}
		older()
		h.keyed(2, 1).asJSON(t, "", "migrate")
		h.keyed(2).asJSON(t, "", "access", "list") // the first key has sealed the new one
	})
}

func TestOneNodeStartsAmongDifferentSecretKeys(t *testing.T) {
	onBoth(t, func(t *testing.T, h home) {
		const nodes = 4
		var all sync.WaitGroup
		codes := make([]int, nodes)
		for i := range nodes {
			all.Go(func() {
				var err string
				codes[i], _, err = h.keyed(byte(i+1)).inside(t, "", "migrate")
				if codes[i] != cli.ExitDone &&
					(codes[i] != cli.ExitMisuse || !strings.Contains(err, "PORTAL_SECRET_KEY doesn't decrypt")) {
					t.Errorf("exit code %d: %s", codes[i], err)
				}
			})
		}
		all.Wait()
		started := 0
		for i, code := range codes {
			again, _, _ := h.keyed(byte(i+1)).inside(t, "", "access", "list")
			if again != code {
				t.Errorf("node %d ended with %d, now with %d", i, code, again)
			}
			if code == cli.ExitDone {
				started++
			}
		}
		if started != 1 {
			t.Errorf("%d nodes have started", started)
		}
	})
}

// write changes the database behind the product's back.
func (h home) write(t *testing.T, statements ...string) {
	t.Helper()
	h.withProduct(t, func(p *product) {
		d := p.DB.SQLite()
		if d == nil {
			d = h.database(t)
			defer d.Close()
		}
		for _, statement := range statements {
			if _, err := d.ExecContext(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// withProduct opens the product of a home for a while.
func (h home) withProduct(t *testing.T, do func(p *product)) {
	t.Helper()
	c, err := configure(h.getenv)
	if err != nil {
		t.Fatal(err)
	}
	p, err := openProduct(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	do(p)
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}
