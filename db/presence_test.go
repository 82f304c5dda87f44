package db_test

import (
	"context"
	"testing"
	"time"

	"portal/db/dbtest"
)

// TestPresenceIsReacquiredAfterConnectionLoss ends the connection that holds the lock,
// as a restart of a proxy would, and then the process.
func TestPresenceIsReacquiredAfterConnectionLoss(t *testing.T) {
	t.Parallel()
	d := dbtest.OnPostgres(t)
	holder := func() (pid int64) {
		err := d.Postgres().QueryRow(t.Context(), `SELECT COALESCE(max(pid), 0)
			FROM pg_locks
			WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE
				datname = current_database())`).Scan(&pid)
		must(t, err)
		return pid
	}
	wait := func(what string, holds func(pid int64) bool) {
		t.Helper()
		late := time.After(20 * time.Second)
		for !holds(holder()) {
			select {
			case <-late:
				t.Fatalf("in vain: %s", what)
			case <-time.After(5 * time.Millisecond):
			}
		}
	}
	process, end := context.WithCancel(t.Context())
	defer end()
	d.Present(process, "node", func(string) {})
	first := holder()
	if first == 0 {
		t.Fatal("nobody holds the lock")
	}
	_, err := d.Postgres().Exec(t.Context(), "SELECT pg_terminate_backend($1)", first)
	must(t, err)
	wait("another connection holds it", func(pid int64) bool { return pid != 0 && pid != first })
	end()
	wait("it is let go", func(pid int64) bool { return pid == 0 })
}
