package dbtest

import (
	"context"
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
