package rest_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// besides are what any request may touch: its line in the log, the state of the limits,
// and the time at which a key was last used, which the recorder writes later on.
var besides = map[string]string{"requests": "*", "rate_limits": "*", "api_keys": "last_used_at"}

// dump is every row of every table, but for what any request may touch.
func (r *rig) dump() map[string][]string {
	r.t.Helper()
	all := map[string][]string{}
	for _, table := range r.tables() {
		leave := besides[table]
		if leave == "*" {
			continue
		}
		rows := []string{}
		r.query("SELECT * FROM "+table, func(columns []string, values []any) { //nolint:unqueryvet // columns that nobody thought of too
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

func (r *rig) tables() (names []string) {
	r.t.Helper()
	query := "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
	if r.db.Postgres() != nil {
		query = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
	}
	r.query(query, func(_ []string, values []any) { names = append(names, fmt.Sprint(values[0])) })
	return names
}

// query reads rows past the store's methods.
func (r *rig) query(query string, row func(columns []string, values []any)) {
	r.t.Helper()
	ctx := context.Background()
	if pool := r.db.Postgres(); pool != nil {
		rows, err := pool.Query(ctx, query)
		must(r.t, err)
		defer rows.Close()
		var columns []string
		for _, f := range rows.FieldDescriptions() {
			columns = append(columns, f.Name)
		}
		for rows.Next() {
			values, err := rows.Values()
			must(r.t, err)
			row(columns, values)
		}
		must(r.t, rows.Err())
		return
	}
	rows, err := r.db.SQLite().QueryContext(ctx, query)
	must(r.t, err)
	defer rows.Close()
	columns, err := rows.Columns()
	must(r.t, err)
	for rows.Next() {
		values := make([]any, len(columns))
		into := make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		must(r.t, rows.Scan(into...))
		row(columns, values)
	}
	must(r.t, rows.Err())
}

// unchanged checks that nothing is stored that was not there before.
func unchanged(t testing.TB, what string, before, after map[string][]string) {
	t.Helper()
	for _, table := range slices.Sorted(maps.Keys(after)) {
		if !slices.Equal(before[table], after[table]) {
			t.Errorf("%s has changed %s\nbefore %.600q\n after %.600q", what, table, without(before[table], after[table]), without(after[table], before[table]))
		}
	}
}

// grown tells by how many rows tables have grown.
func grown(before, after map[string][]string) string {
	var all []string
	for _, table := range slices.Sorted(maps.Keys(after)) {
		if n := len(after[table]) - len(before[table]); n != 0 {
			all = append(all, fmt.Sprintf("%s %+d", table, n))
		}
	}
	return strings.Join(all, ", ")
}

func without(rows, others []string) []string {
	return slices.DeleteFunc(slices.Clone(rows), func(row string) bool { return slices.Contains(others, row) })
}
