package main

import (
	"database/sql"
	"encoding/base64"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"portal/db/dbtest"
)

// crashing builds the binary that kills itself where its environment says. It is without
// the race detector, as it is started some hundred times.
var crashing = sync.OnceValues(func() (string, error) { return build("-tags", "crash") })

// deadMail has live mail wait in its job.
var deadMail = []string{"SMTP_URL=smtp://127.0.0.1:1", "PORTAL_MAIL_FROM=portal@example.com"}

// preparedDemo is a demo that was made once and stopped; tests run on copies of it.
type preparedDemo struct {
	home
	pg  *dbtest.Postgres // nil on SQLite
	url string           // of its database there
}

// onEachDemo runs a test on each kind of database.
func onEachDemo(t *testing.T, test func(*testing.T, *preparedDemo)) {
	t.Helper()
	t.Parallel()
	onSQLiteDemo(t, test)
	onPostgresDemo(t, test)
}

// onOneDemo runs a test on oneDatabase. It is for tests that kill many processes;
// TestKillAtAnyStepThenRetryAppliesOnce always kills on both.
func onOneDemo(t *testing.T, test func(*testing.T, *preparedDemo)) {
	t.Helper()
	t.Parallel()
	sqlite, postgres := oneDatabase()
	if sqlite {
		onSQLiteDemo(t, test)
	}
	if postgres {
		onPostgresDemo(t, test)
	}
}

// oneDatabase says on which of the databases a test runs: on one, in each run by chance, and on both for `make prove`.
func oneDatabase() (sqlite, postgres bool) {
	postgres = os.Getenv("PORTAL_TEST_DATABASE_URL") != "" && rand.IntN(2) == 1
	return proving || !postgres, proving || postgres
}

func onSQLiteDemo(t *testing.T, test func(*testing.T, *preparedDemo)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, newPreparedDemo(t, &preparedDemo{home: newHome(t, deadMail...)}))
	})
}

func onPostgresDemo(t *testing.T, test func(*testing.T, *preparedDemo)) {
	t.Helper()
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		o := &preparedDemo{pg: dbtest.NewPostgres(t)}
		o.url = o.pg.Migrated(t)
		o.home = newHome(t, slices.Concat(deadMail, []string{
			"PORTAL_SECRET_KEY=" + base64.StdEncoding.EncodeToString(make([]byte, 32)),
		})...)
		test(t, newPreparedDemo(t, o))
	})
}

// shortLived has a process leave its garbage, as it is killed within a second: a start takes a sixth less.
const shortLived = "GOGC=2000"

func newPreparedDemo(t *testing.T, o *preparedDemo) *preparedDemo {
	t.Helper()
	o.build = crashing
	h := o.at(o.home.with(shortLived), o.url)
	s := h.serve(t)
	h.do(t, "plan", "set", demoLandlord, "prime", "--sustained", "100000", "--burst", "100000")
	s.signalAndEnd(t)
	o.home = h
	// Which tenants are emailed about rent depends on the hour at which a process starts.
	d := h.opened(t, "rw")
	defer d.Close()
	if _, err := d.ExecContext(t.Context(), "UPDATE portfolios SET rent_notices = 0"); err != nil {
		t.Fatal(err)
	}
	return o
}

// at is a home with the database of a URL.
func (o *preparedDemo) at(h home, url string) home {
	if o.pg == nil {
		return h
	}
	return h.with("DATABASE_URL=" + url)
}

// copy is another home with the same data.
func (o *preparedDemo) copy(t *testing.T) home {
	t.Helper()
	h := newHome(t)
	copyFiles(t, o.data, h.data, "[^.]*")
	h.env, h.build = slices.Concat(o.env, h.env), o.build
	if o.pg == nil {
		return h
	}
	return o.at(h, o.pg.Copy(t, o.url))
}

// last is what the environment says last of a variable.
func (h home) last(name string) (value string) {
	for _, e := range h.env {
		if v, is := strings.CutPrefix(e, name+"="); is {
			value = v
		}
	}
	return value
}

// database opens the data beside a process that runs, for reading.
func (h home) database(t *testing.T) *sql.DB {
	t.Helper()
	return h.opened(t, "ro")
}

// opened opens the data in a mode of SQLite.
func (h home) opened(t *testing.T, mode string) *sql.DB {
	t.Helper()
	driver, source := "pgx", h.last("DATABASE_URL")
	if source == "" {
		driver, source = "sqlite", "file:"+filepath.Join(
			h.data,
			"portal.db",
		)+"?mode="+mode+"&_pragma=busy_timeout(30000)"
	}
	d, err := sql.Open(driver, source)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// value reads one value.
func (h home) value(t *testing.T, query string, args ...any) (v string) {
	t.Helper()
	d := h.database(t)
	defer d.Close()
	if err := d.QueryRowContext(t.Context(), query, args...).Scan(&v); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return v
}
