package db_test

import (
	"context"
	"reflect"
	"testing"

	"portal/api/access"
	"portal/api/clock"
	"portal/db"
	"portal/db/dbtest"
)

// valueDependent has what the planner of SQLite looks at the arguments for: a bound LIMIT, a LIKE, and a column in the
// condition of a partial index.
const valueDependent = `
	SELECT id
	FROM properties
	WHERE portfolio_id = $1 AND id > $2 AND street_address LIKE $3
	ORDER BY id
	LIMIT $4`

// TestStatementIsPreparedOnceForAllArguments asks the reading connections and the writing one.
func TestStatementIsPreparedOnceForAllArguments(t *testing.T) {
	t.Parallel()
	d := dbtest.SQLite(t)
	run := func(ctx context.Context) error {
		for n, text := range []string{"", "a", "b"} {
			args := []any{int64(n), text, text + "%", int64(n)}
			if err := d.Each(ctx, valueDependent, args, func(db.Scan) error { return nil }); err != nil {
				return err
			}
		}
		return nil
	}
	must(t, run(t.Context()))
	must(t, d.Atomically(t.Context(), run))
	wantPreparedOnce(t, d)
}

// TestListIsPreparedOnceForAllFilterValues asks for each list by each of its equalities, from two positions.
func TestListIsPreparedOnceForAllFilterValues(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, in access.Portfolio) {
		for _, l := range lists(d, in) {
			for _, name := range append(l.equalities(), "StartingAfter") {
				for n, value := range []string{"x", "", "y"} {
					filter := reflect.New(l.filter).Elem()
					filter.FieldByName("Limit").SetInt(int64(n + 1))
					filter.FieldByName("UpdatedAfter").Set(reflect.ValueOf(new(clock.Time(n))))
					filter.FieldByName(name).SetString(value)
					_, err := l.read(t.Context(), filter)
					must(t, err)
				}
			}
		}
		wantPreparedOnce(t, d)
	})
}

func wantPreparedOnce(t *testing.T, d *db.DB) {
	t.Helper()
	again, err := d.PreparedAgain(t.Context())
	must(t, err)
	if len(again) > 0 {
		t.Errorf("SQLite has prepared these statements again: %q", again)
	}
}
