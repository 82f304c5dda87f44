package db

import (
	"context"
	"strconv"
	"strings"
)

// Locking are the words by which a reading statement of PostgreSQL takes rows that no
// other process is at. SQLite writes one transaction after the other and needs none.
func (d *DB) Locking(words string) string {
	if !d.OnPostgres() {
		return ""
	}
	return words
}

// IndexedBy names the index that SQLite reads deliveries by. Left to itself it prefers the primary
// key, which is the table, and so reads all deliveries of a portfolio: it takes a portfolio
// to have ten. PostgreSQL counts.
func (d *DB) IndexedBy(index string) string {
	if d.OnPostgres() || index == "" {
		return ""
	}
	return " INDEXED BY " + index
}

// PlanAnew has PostgreSQL plan each statement of the transaction by the size that tables have
// now. The plan that a connection keeps of a statement is made when it has run it some times:
// in a new database that is while a few deliveries are there, so that all of them would be
// read for each one, however many they become, until statistics are gathered.
func (d *DB) PlanAnew(ctx context.Context) error {
	if !d.OnPostgres() {
		return nil
	}
	return d.Later(ctx, "SET LOCAL plan_cache_mode = force_custom_plan")
}

// Placeholders are n of them behind the first ones: $2, $3, $4.
func Placeholders(behind, n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("$" + strconv.Itoa(behind+i+1))
	}
	return b.String()
}

// Marks are placeholders for the next values of a bulk insert. SQLite finds the
// name of each named one by walking all of them, which made binding a third of the
// server's work under load; its nameless ones cost nothing.
func (d *DB) Marks(behind, n int) string {
	if d.OnPostgres() {
		return Placeholders(behind, n)
	}
	return strings.Repeat("?, ", n-1) + "?"
}
