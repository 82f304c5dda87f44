package db_test

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/db"
	"portal/db/dbtest"
)

// migrateAsChild says that it runs, waits for a word, migrates and says so.
func migrateAsChild(ctx context.Context, database string) error {
	fmt.Println("ready")
	heard()
	d, err := openAt(ctx, database)
	if err != nil {
		return err
	}
	if err := migrate(ctx, d); err != nil {
		return err
	}
	fmt.Println("done")
	return d.Close()
}

// eachEmpty runs a test on an empty database of each kind: a folder and a URL.
func eachEmpty(t *testing.T, test func(t *testing.T, empty func() string)) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, t.TempDir)
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		p := dbtest.NewPostgres(t)
		test(t, func() string { return p.Empty(t) })
	})
}

func TestMigrationsMatchAcrossDatabases(t *testing.T) {
	t.Parallel()
	var names [2][]string
	for i, folder := range []string{"migrations/sqlite", "migrations/postgres"} {
		entries, err := fs.ReadDir(os.DirFS("."), folder)
		must(t, err)
		for n, e := range entries {
			names[i] = append(names[i], e.Name())
			if want := fmt.Sprintf("%05d_", n+1); !strings.HasPrefix(e.Name(), want) {
				t.Errorf("%s does not begin with %s", e.Name(), want)
			}
		}
	}
	if !slices.Equal(names[0], names[1]) {
		t.Errorf("sqlite has %v, postgres %v", names[0], names[1])
	}
}

func TestConcurrentNodesMigrateEmptyDatabase(t *testing.T) {
	eachEmpty(t, func(t *testing.T, empty func() string) {
		database := empty()
		nodes := make([]*process, 8)
		for i := range nodes {
			nodes[i] = start(t, "migrate", database)
		}
		for _, p := range nodes {
			p.line()
		}
		for _, p := range nodes {
			p.tell("go")
		}
		for _, p := range nodes {
			p.end()
		}
		wantMigrated(t, database, empty())
	})
}

func TestMigratingTwiceChangesNothing(t *testing.T) {
	eachEmpty(t, func(t *testing.T, empty func() string) {
		database := empty()
		d, err := openAt(t.Context(), database)
		must(t, err)
		defer d.Close()
		if done, err := d.Migrated(t.Context()); done || err != nil {
			t.Errorf("an empty database is migrated: %v, %v", done, err)
		}
		must(t, migrate(t.Context(), d))
		first := schema(t, d)
		must(t, migrate(t.Context(), d))
		if !slices.Equal(schema(t, d), first) {
			t.Error("the second run changed the schema")
		}
	})
}

// A process is killed once and once more at some moment of its migration; who
// comes then completes it.
// TestMigratingConnectionHoldsLock: where it were another one, the lock of a process
// that was killed could be free while the server still works on what it had sent last.
func TestMigratingConnectionHoldsLock(t *testing.T) {
	t.Parallel()
	d := dbtest.OnPostgres(t)
	mine := "SELECT count(*)::TEXT FROM pg_locks WHERE locktype = 'advisory' AND granted AND pid = pg_backend_pid()"
	migrates := func(_ context.Context, locked *db.DB) error {
		if got := texts(t, locked, mine); !slices.Equal(got, []string{"1"}) {
			t.Errorf("it holds %s locks", got)
		}
		return nil
	}
	must(t, d.Migrate(t.Context(), migrates))
}

func TestKilledMigrationIsCompletedByNextRun(t *testing.T) {
	eachEmpty(t, func(t *testing.T, empty func() string) {
		whole := empty()
		p := start(t, "migrate", whole)
		p.line()
		began := time.Now()
		p.tell("go")
		p.line()
		takes := time.Since(began)
		p.end()
		for range 3 {
			database := empty()
			for range 2 {
				p := start(t, "migrate", database)
				p.line()
				p.tell("go")
				<-time.After(rand.N(takes)) // any moment will do
				p.kill()
			}
			wantMigrated(t, database, whole)
		}
	})
}

// wantMigrated migrates a database and compares its schema with that of another
// on which it was undisturbed.
func wantMigrated(t *testing.T, database, undisturbed string) {
	t.Helper()
	var schemas [2][]string
	for i, database := range []string{database, undisturbed} {
		d, err := openAt(t.Context(), database)
		must(t, err)
		must(t, migrate(t.Context(), d))
		done, err := d.Migrated(t.Context())
		must(t, err)
		if !done {
			t.Errorf("%s is not migrated", database)
		}
		schemas[i] = schema(t, d)
		must(t, d.Close())
	}
	if !slices.Equal(schemas[0], schemas[1]) {
		t.Errorf("the schema is\n%s\nwant\n%s", strings.Join(schemas[0], "\n"), strings.Join(schemas[1], "\n"))
	}
}

// schema is what a database holds, a line for each column and each index.
func schema(t *testing.T, d *db.DB) (lines []string) {
	t.Helper()
	query := `SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable
		FROM information_schema.columns
		WHERE table_schema = current_schema()
		UNION ALL
		SELECT indexdef
		FROM pg_indexes
		WHERE schemaname = current_schema()`
	if d.SQLite() != nil {
		query = "SELECT type || ' ' || name || ' ' || COALESCE(sql, '') FROM sqlite_schema"
	}
	lines = texts(t, d, query)
	slices.Sort(lines)
	return lines
}

// texts are the rows of a query of one text.
func texts(t *testing.T, d *db.DB, query string) (all []string) {
	t.Helper()
	scan := func(rows interface {
		Next() bool
		Scan(dest ...any) error
		Err() error
	}) {
		for rows.Next() {
			var s string
			must(t, rows.Scan(&s))
			all = append(all, s)
		}
		must(t, rows.Err())
	}
	if pool := d.Postgres(); pool != nil {
		rows, err := pool.Query(t.Context(), query)
		must(t, err)
		defer rows.Close()
		scan(rows)
		return all
	}
	rows, err := d.SQLite().QueryContext(t.Context(), query)
	must(t, err)
	defer rows.Close()
	scan(rows)
	return all
}
