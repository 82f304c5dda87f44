package db

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/list"
)

// listing builds the query of a list: the rows of a portfolio behind a position,
// in ascending id, narrowed by filters.
//
// The first equality filter is the one with an index; callers give the narrowest
// first. SQLite, which knows nothing of how many rows a value has, is kept from
// the indexes of the others by a unary plus; PostgreSQL has statistics.
type listing struct {
	sql     strings.Builder
	args    []any
	limit   int
	plus    string // "+" on SQLite
	indexed bool   // an index has been chosen
	newest  bool   // comes in descending id
}

// listed begins a list of a table's rows whose ids have a prefix. "Created after"
// is a position too, since an id begins with its time.
func (d *DB) listed(columns, table string, in access.Portfolio, prefix string, q list.Query) *listing {
	after, behind := q.StartingAfter, ">"
	if q.Newest && after == "" {
		after = prefix + "`" // behind every id of the prefix, which goes on with an underscore
	}
	if q.Newest {
		behind = "<"
	}
	if q.CreatedAfter != nil && !q.Newest {
		after = max(after, id.After(prefix, q.CreatedAfter.Std()))
	}
	l := d.listing(q.Limit, in.ID, after)
	l.newest = q.Newest
	l.sql.Grow(1024)
	l.sql.WriteString("SELECT " + columns + " FROM " + table + " WHERE portfolio_id = $1 AND id " + behind + " $2")
	if q.CreatedAfter != nil && q.Newest {
		l.where("id > ?", id.After(prefix, q.CreatedAfter.Std()))
	}
	if q.UpdatedAfter != nil {
		l.where("updated_at > ?", int64(*q.UpdatedAfter))
	}
	return l
}

// listing begins a query with arguments that are known.
func (d *DB) listing(limit int, args ...any) *listing {
	l := &listing{args: append(make([]any, 0, 8), args...), limit: limit}
	if d.lite != nil {
		l.plus = "+"
	}
	return l
}

// where adds a condition; its ? is the argument.
func (l *listing) where(condition string, arg any) {
	l.args = append(l.args, arg)
	l.sql.WriteString(" AND ")
	l.sql.WriteString(strings.ReplaceAll(condition, "?", "$"+strconv.Itoa(len(l.args))))
}

// equal narrows by a column where the filter is set.
func (l *listing) equal(column, value string) {
	if value != "" {
		l.where(l.steered(column)+" = ?", value)
	}
}

// steered is a column for an equality: the first one may be looked up.
func (l *listing) steered(column string) string {
	if l.indexed {
		return l.plus + column
	}
	l.indexed = true
	return column
}

// equalFold is equal for upper and lower case alike, of ASCII letters: those are
// what lower knows in SQLite and, for a column of the collation "C", in PostgreSQL.
// Of a parameter PostgreSQL would fold the letters of all languages.
func (l *listing) equalFold(column, value string) {
	if value != "" {
		l.where(l.steered("lower("+column+")")+" = ?", strings.Map(lower, value))
	}
}

func lower(c rune) rune {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// before and after narrow by a day where the filter is set.
func (l *listing) before(column string, day *clock.Date) {
	if day != nil {
		l.where(column+" < ?", int64(*day))
	}
}

func (l *listing) after(column string, day *clock.Date) {
	if day != nil {
		l.where(column+" > ?", int64(*day))
	}
}

// rows reads the list with one row more than its limit.
func rows[T any](ctx context.Context, d *DB, l *listing, read func(scan, *T) error) ([]T, error) {
	if l.newest {
		return ordered(ctx, d, l, "id DESC", read)
	}
	return ordered(ctx, d, l, "id", read)
}

// ordered is rows in another order. SQLite would prepare a statement again for each
// bound LIMIT; "+ 0" keeps it from that.
func ordered[T any](ctx context.Context, d *DB, l *listing, by string, read func(scan, *T) error) ([]T, error) {
	l.args = append(l.args, int64(l.limit+1))
	fmt.Fprintf(&l.sql, " ORDER BY %s LIMIT $%d + 0", by, len(l.args))
	found := make([]T, 0, min(l.limit, list.Max)+1)
	err := d.each(ctx, l.sql.String(), l.args, func(s scan) error {
		found = append(found, *new(T))
		return read(s, &found[len(found)-1])
	})
	return found, err
}

// record reads one row of a table by its id within a portfolio.
func record[T any](ctx context.Context, d *DB, columns, table string, in access.Portfolio, id string, read func(scan, *T) error) (v T, found bool, err error) {
	query := "SELECT " + columns + " FROM " + table + " WHERE portfolio_id = $1 AND id = $2"
	err = d.each(ctx, query, []any{in.ID, id}, func(s scan) error {
		found = true
		return read(s, &v)
	})
	return v, found, err
}

// placeholders are n of them behind the first ones: $2, $3, $4.
func placeholders(behind, n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("$" + strconv.Itoa(behind+i+1))
	}
	return b.String()
}

// marks are placeholders for the next values of a bulk insert. SQLite finds the
// name of each named one by walking all of them, which made binding a third of the
// server's work under load; its nameless ones cost nothing.
func (d *DB) marks(behind, n int) string {
	if d.pg != nil {
		return placeholders(behind, n)
	}
	return strings.Repeat("?, ", n-1) + "?"
}

// marker collects the values of a statement in the order in which their placeholders
// stand in it; see marks.
type marker struct {
	pg   bool
	args []any
}

func (m *marker) mark(v any) string {
	m.args = append(m.args, v)
	if !m.pg {
		return "?"
	}
	return "$" + strconv.Itoa(len(m.args))
}

// typed is for a value whose place does not tell PostgreSQL its type.
func (m *marker) typed(kind string, v any) string {
	if !m.pg {
		return m.mark(v)
	}
	return "CAST(" + m.mark(v) + " AS " + kind + ")"
}
