package db_test

import (
	"context"
	"database/sql"
	"fmt"
	"testing"

	"portal/db"
	"portal/db/dbtest"
)

// ids reads the ids of users one by one, calling back at each.
func ids(ctx context.Context, t *testing.T, q interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}, each func(id string),
) {
	t.Helper()
	rows, err := q.QueryContext(ctx, "SELECT id FROM users ORDER BY id")
	must(t, err)
	defer rows.Close()
	for rows.Next() {
		var id string
		must(t, rows.Scan(&id))
		each(id)
	}
	must(t, rows.Err())
}

func TestQueryCanRunWhileIteratingItsOwnRows(t *testing.T) {
	t.Parallel()
	d := dbtest.SQLite(t)
	for _, name := range []string{"a", "b", "c"} {
		must(t, addUser(t.Context(), d, name))
	}
	tx, err := d.SQLite().BeginTx(t.Context(), nil)
	must(t, err)
	defer tx.Rollback() //nolint:errcheck // it only read
	pairs := ""
	for range 2 { // the second time with kept statements
		ids(t.Context(), t, tx, func(outer string) {
			ids(t.Context(), t, tx, func(inner string) { pairs += outer + inner + " " })
		})
	}
	if want := "aa ab ac ba bb bc ca cb cc "; pairs != want+want {
		t.Errorf("%q", pairs)
	}
}

func TestCachedStatementsSeeSchemaChanges(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	d := dbtest.SQLiteIn(t, folder)
	other := reopened(t, folder)
	defer other.Close()
	for i, change := range []string{
		"ALTER TABLE users ADD COLUMN nickname TEXT",
		"CREATE INDEX users_nickname ON users (nickname)",
		"ALTER TABLE users DROP COLUMN password_hash",
		"ALTER TABLE users ADD COLUMN password_hash TEXT NOT NULL DEFAULT '-'",
		"DROP INDEX users_nickname", "VACUUM",
	} {
		for _, store := range []*db.DB{d, other} {
			name := fmt.Sprintf("user%d%p", i, store)
			if i != 3 { // while the column is gone
				must(t, addUser(t.Context(), store, name))
				wantUsers(t, d, true, name)
				wantUsers(t, other, true, name)
			} else if err := addUser(t.Context(), store, name); err == nil {
				t.Error("a column that is gone was written")
			}
		}
		_, err := other.SQLite().ExecContext(t.Context(), change)
		must(t, err)
	}
	wantUsers(t, d, true, fmt.Sprintf("user0%p", d))
}

func TestStatementCacheIsBounded(t *testing.T) {
	t.Parallel()
	d := dbtest.SQLite(t)
	held, err := d.SQLite().PrepareContext(t.Context(), "SELECT count(*) FROM users")
	must(t, err)
	defer held.Close()
	for i := range 2 * db.MaxPrepared {
		_, err := d.SQLite().ExecContext(t.Context(), fmt.Sprintf("DELETE FROM users WHERE id = 'absent %d'", i))
		must(t, err)
	}
	for i := range 10 * db.MaxPrepared { // over all reading connections
		must(t, d.Query(t.Context(), fmt.Sprintf("SELECT id FROM users WHERE id = 'absent %d'", i)))
	}
	most, err := d.Prepared(t.Context())
	must(t, err)
	if most > db.MaxPrepared || most < db.MaxPrepared/2 {
		t.Errorf("%d statements", most)
	}
	var n int
	if err := held.QueryRowContext(t.Context()).Scan(&n); err != nil {
		t.Errorf("a statement that somebody holds was taken from them: %v", err)
	}
}

// What nobody needs at the same time is asked on one connection, which has its statements and
// pages, and the others stay small.
func TestSequentialReadsUseOneConnection(t *testing.T) {
	t.Parallel()
	d := dbtest.SQLite(t)
	for i := range 20 {
		must(t, d.Query(t.Context(), fmt.Sprintf("SELECT id FROM users WHERE id = 'absent %d'", i)))
	}
	if used := d.UsedReaders(t.Context()); used != 1 {
		t.Errorf("%d connections were used", used)
	}
}
