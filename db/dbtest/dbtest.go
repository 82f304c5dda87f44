// Package dbtest has what the promises of the stores are tested with: empty databases of both
// kinds, a fixture with all stores over one, and records to fill them with. The promises are tests of
// the packages that keep them; those of the engine are tests of this one.
//
// Raw SQL stands in for what no store does (taking a record away) or shows (a line of the request
// log).
package dbtest

import (
	"testing"

	"portal/db"
)

// Both runs a test at once on an empty, migrated database of either kind.
func Both(t *testing.T, test func(t *testing.T, d *db.DB)) {
	t.Helper()
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, SQLite(t))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(t, OnPostgres(t))
	})
}

// Each runs a test that opens many databases on either kind. What open makes is empty and
// migrated, and goes when its test ends.
func Each(t *testing.T, test func(t *testing.T, open func(testing.TB) *db.DB)) {
	t.Helper()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		test(t, SQLite)
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		test(t, NewPostgres(t).Open)
	})
}
