package dbtest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"portal/db"
	"portal/db/rows"
)

// besides are migrations that blank databases have beside those of the schema.
var besides struct {
	name string
	run  []func(context.Context, *db.DB) error
}

// Besides has the databases of a package's tests begin with other migrations too, as those of a server do: a library's,
// of a name. It is called before there is any, by an init.
func Besides(name string, migrate func(context.Context, *db.DB) error) {
	besides.name += " " + name
	besides.run = append(besides.run, migrate)
}

// Blank is the file of an empty, migrated SQLite database.
var Blank = sync.OnceValues(func() (file []byte, err error) {
	folder, err := os.MkdirTemp("", "dbtest")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	ctx := context.Background()
	d, err := db.OpenSQLite(ctx, folder)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(d.Migrate(ctx, besides.run...), d.Close()); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(folder, "portal.db"))
})

// SQLite opens an empty, migrated store in a file of its own, which is closed and
// removed when the test ends.
func SQLite(t testing.TB) *db.DB {
	t.Helper()
	return SQLiteIn(t, t.TempDir())
}

// SQLiteIn is SQLite in a folder that the test knows.
func SQLiteIn(t testing.TB, folder string) *db.DB {
	t.Helper()
	BlankIn(t, folder)
	return Opened(t)(db.OpenSQLite(t.Context(), folder))
}

// BlankIn writes an empty, migrated SQLite database into a folder, which it makes.
func BlankIn(t testing.TB, folder string) {
	t.Helper()
	file, err := Blank()
	OK(t, err)
	OK(t, os.MkdirAll(folder, 0o700))
	OK(t, os.WriteFile(filepath.Join(folder, "portal.db"), file, 0o600))
}

// Opened closes a store when the test ends. In a test, not in a benchmark, a statement that leaves
// its transaction by mistake panics, and one that SQLite has prepared again fails the test.
func Opened(t testing.TB) func(*db.DB, error) *db.DB {
	return func(d *db.DB, err error) *db.DB {
		t.Helper()
		OK(t, err)
		once := func() {}
		if _, measured := t.(*testing.B); !measured {
			d.Strict()
			d.Patience(time.Hour, time.Millisecond)
			rows.BoundWalks(d, 0, 0, time.Hour)
			once = preparedOnce(t, d)
		}
		t.Cleanup(func() {
			once()
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		})
		return d
	}
}

// preparedOnce begins a test that fails at its end where it has run a statement whose plan depends on its arguments:
// SQLite prepares such a statement at each execution, which costs more than to run it. A test that changes the schema
// has all of them prepared again, so nothing is said of it.
func preparedOnce(t testing.TB, d *db.DB) (end func()) {
	t.Helper()
	schema := func() (version int) {
		if !d.OnPostgres() {
			Row(t, d, "PRAGMA schema_version", nil, &version)
		}
		return version
	}
	before := schema()
	return func() {
		again, err := d.PreparedAgain(context.Background())
		OK(t, err)
		if len(again) > 0 && schema() == before {
			t.Errorf("SQLite has prepared these statements again: %q", again)
		}
	}
}
