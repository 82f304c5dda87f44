package dbtest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"portal/db"
)

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
	if err := errors.Join(d.Migrate(ctx), d.Close()); err != nil {
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
	file, err := Blank()
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "portal.db"), file, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return Opened(t)(db.OpenSQLite(t.Context(), folder))
}

// Opened closes a store when the test ends. In a test, not in a benchmark, a statement that leaves
// its transaction by mistake panics.
func Opened(t testing.TB) func(*db.DB, error) *db.DB {
	return func(d *db.DB, err error) *db.DB {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if _, measured := t.(*testing.B); !measured {
			d.Strict()
		}
		t.Cleanup(func() {
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		})
		return d
	}
}
