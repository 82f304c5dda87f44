package db_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"portal/db"
	"portal/db/dbtest"
)

// wantSettings checks what the writing connection works under.
func wantSettings(t *testing.T, d *db.DB) {
	t.Helper()
	for name, want := range map[string]string{
		"journal_mode":       "wal",
		"synchronous":        "2",
		"foreign_keys":       "1",
		"busy_timeout":       "30000",
		"journal_size_limit": "67108864",
	} {
		var got string
		must(t, d.SQLite().QueryRowContext(t.Context(), "PRAGMA "+name).Scan(&got))
		if got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

func TestWriteConnectionSyncsCommitsAndEnforcesForeignKeys(t *testing.T) {
	t.Parallel()
	d := dbtest.SQLite(t)
	wantSettings(t, d)
}

// endless is a query that ends only when it is interrupted.
const endless = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

// River cancels what it runs; an interrupted connection is replaced.
func TestInterruptedConnectionIsReplacedWithSameSettings(t *testing.T) {
	t.Parallel()
	d := dbtest.SQLite(t)
	for _, within := range []bool{false, true} {
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		var n int
		if within {
			tx, err := d.SQLite().BeginTx(ctx, nil)
			must(t, err)
			_, err = tx.ExecContext(ctx, "DELETE FROM users")
			must(t, err)
			err = tx.QueryRowContext(ctx, endless).Scan(&n)
			if err == nil || tx.Commit() == nil {
				t.Errorf("the query ended with %v", err)
			}
		} else if err := d.SQLite().QueryRowContext(ctx, endless).Scan(&n); err == nil {
			t.Error("the query was not interrupted")
		}
		name := map[bool]string{false: "outside", true: "within"}[within]
		must(t, addUser(t.Context(), d, name))
		wantUsers(t, d, true, name, "outside")
		wantSettings(t, d)
	}
}

func TestDatabaseFilesAreOwnerOnly(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	d := reopened(t, folder)
	must(t, d.Migrate(t.Context()))
	must(t, os.Chmod(filepath.Join(folder, "portal.db"), 0o640)) // as its owner wishes
	must(t, reopened(t, folder).Close())
	files, err := os.ReadDir(folder)
	must(t, err)
	for _, f := range files {
		info, err := f.Info()
		must(t, err)
		want := os.FileMode(0o600)
		if f.Name() == "portal.db" {
			want = 0o640
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has the rights %v", f.Name(), info.Mode())
		}
	}
	must(t, d.Close())
}

// sqlite.org/wal.html, "The WAL-reset bug"; its versions are told in full.
func TestSQLiteVersionsThatMayLoseCommitsAreRefused(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]bool{
		"3.51.3": true, "3.51.10": true, "3.52.0": true, "4.0.0": true,
		"3.51.2": false, "3.51.0": false, "3.9.2": false, "3.8.11.1": false, "3.7.17": false, "": false, "x": false,
	} {
		if db.Recent(version) != want {
			t.Errorf("version %q may be used: %v", version, !want)
		}
	}
}

func TestFolderNameCanContainAnyCharacters(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"a b", "100%", "%41", "what?mode=memory", "#1", "a&b=c;d", "it's", `"quoted"`, "Häuser 🏠",
		"a:b", "+",
	} {
		folder := filepath.Join(t.TempDir(), name)
		must(t, os.Mkdir(folder, 0o700))
		d := reopened(t, folder)
		must(t, d.Migrate(t.Context()))
		must(t, addUser(t.Context(), d, "dana"))
		wantUsers(t, d, true, "dana")
		must(t, d.Close())
		files, err := os.ReadDir(folder)
		must(t, err)
		if len(files) != 2 || files[0].Name() != "portal.db" || files[1].Name() != "portal.db.migrating" {
			t.Errorf("%q holds %v", name, files)
		}
	}
}

func TestNonDatabaseFileIsRefusedAndKept(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "portal.db")
	text := []byte(strings.Repeat("The rent roll of last year. ", 1000))
	must(t, os.WriteFile(file, text, 0o600))
	for _, where := range []string{folder, filepath.Join(folder, "absent")} {
		if d, err := db.OpenSQLite(t.Context(), where); err == nil {
			t.Errorf("%s was opened", where)
			_ = d.Close()
		}
	}
	after, err := os.ReadFile(file)
	must(t, err)
	if !bytes.Equal(after, text) {
		t.Error("the file was changed")
	}
}
