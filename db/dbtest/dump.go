package dbtest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"portal/db"
)

// Dump is every row of every table, but for what besides names: the column that is left
// out of a table, or * for all of it.
func Dump(t testing.TB, d *db.DB, besides map[string]string) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, table := range Tables(t, d) {
		leave := besides[table]
		if leave == "*" {
			continue
		}
		rows := []string{}
		//nolint:unqueryvet // columns that nobody thought of too
		Query(t, d, "SELECT * FROM "+table, func(columns []string, values []any) {
			var b strings.Builder
			for i, c := range columns {
				if c != leave {
					fmt.Fprintf(&b, "%s=%v ", c, values[i])
				}
			}
			rows = append(rows, b.String())
		})
		slices.Sort(rows)
		all[table] = rows
	}
	return all
}

// Tables are the names of all tables.
func Tables(t testing.TB, d *db.DB) (names []string) {
	t.Helper()
	statement := "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
	if d.Postgres() != nil {
		statement = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
	}
	Query(t, d, statement, func(_ []string, values []any) { names = append(names, fmt.Sprint(values[0])) })
	return names
}

// Query reads rows past the store's methods.
func Query(t testing.TB, d *db.DB, statement string, row func(columns []string, values []any)) {
	t.Helper()
	ctx := context.Background()
	if pool := d.Postgres(); pool != nil {
		rows, err := pool.Query(ctx, statement)
		OK(t, err)
		defer rows.Close()
		var columns []string
		for _, f := range rows.FieldDescriptions() {
			columns = append(columns, f.Name)
		}
		for rows.Next() {
			values, err := rows.Values()
			OK(t, err)
			row(columns, values)
		}
		OK(t, rows.Err())
		return
	}
	rows, err := d.SQLite().QueryContext(ctx, statement)
	OK(t, err)
	defer rows.Close()
	columns, err := rows.Columns()
	OK(t, err)
	for rows.Next() {
		values := make([]any, len(columns))
		into := make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		OK(t, rows.Scan(into...))
		row(columns, values)
	}
	OK(t, rows.Err())
}

// Unchanged checks that nothing is stored that was not there before.
func Unchanged(t testing.TB, what string, before, after map[string][]string) {
	t.Helper()
	for _, table := range slices.Sorted(maps.Keys(after)) {
		if !slices.Equal(before[table], after[table]) {
			t.Errorf("%s has changed %s\nbefore %.600q\n after %.600q", what, table,
				Without(before[table], after[table]), Without(after[table], before[table]))
		}
	}
}

// Grown tells by how many rows tables have grown.
func Grown(before, after map[string][]string) string {
	var all []string
	for _, table := range slices.Sorted(maps.Keys(after)) {
		if n := len(after[table]) - len(before[table]); n != 0 {
			all = append(all, fmt.Sprintf("%s %+d", table, n))
		}
	}
	return strings.Join(all, ", ")
}

// Without are the rows that are not among others.
func Without(rows, others []string) []string {
	return slices.DeleteFunc(slices.Clone(rows), func(row string) bool { return slices.Contains(others, row) })
}

// OK ends a test at an error.
func OK(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
