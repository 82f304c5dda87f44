package dbtest

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"portal/db"
)

// Exec runs a statement past the stores, and outside of any transaction.
func Exec(t testing.TB, d *db.DB, statement string, args ...any) {
	t.Helper()
	_, err := d.Exec(db.Outside(context.Background()), statement, args...)
	OK(t, err)
}

// Row reads the one row of a query past the stores.
func Row(t testing.TB, d *db.DB, query string, args []any, into ...any) {
	t.Helper()
	found, err := d.One(db.Outside(context.Background()), query, args, into...)
	OK(t, err)
	if !found {
		t.Fatalf("there is no row of %s", query)
	}
}

// Texts reads the one column of a query past the stores.
func Texts(t testing.TB, d *db.DB, query string, args ...any) (all []string) {
	t.Helper()
	OK(t, d.Each(db.Outside(context.Background()), query, args, func(scan db.Scan) error {
		var s string
		err := scan(&s)
		all = append(all, s)
		return err
	}))
	return all
}

// Backfill is the statement with which a migration fills a table from what was there before it.
// The test runs in a folder beside the migrations.
func Backfill(t testing.TB, d *db.DB, migration, table string) string {
	t.Helper()
	dialect := "sqlite"
	if d.OnPostgres() {
		dialect = "postgres"
	}
	file, err := os.ReadFile(filepath.Join("..", "migrations", dialect, migration))
	OK(t, err)
	_, from, found := strings.Cut(string(file), "\nINSERT INTO "+table+" ")
	statement, _, ended := strings.Cut(from, ";\n")
	if !found || !ended {
		t.Fatalf("%s does not fill %s", migration, table)
	}
	return "INSERT INTO " + table + " " + statement
}
