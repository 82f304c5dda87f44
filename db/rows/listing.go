package rows

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/list"
	"portal/db"
)

// Listing builds the query of a list: the rows of a portfolio behind a position,
// in ascending id, narrowed by filters.
//
// The first equality filter is the one with an index; callers give the narrowest
// first. SQLite, which knows nothing of how many rows a value has, is kept from
// the indexes of the others by a unary plus; PostgreSQL has statistics.
type Listing struct {
	SQL     strings.Builder
	Args    []any
	Limit   int
	Plus    string // "+" on SQLite
	sqlite  bool
	indexed bool // an index has been chosen
	facets  bool // it is one of all that the list can be narrowed by
	Newest  bool // comes in descending id
}

// Listed begins a list of a table's rows whose ids have a prefix. "Created after"
// is a position too, since an id begins with its time.
func Listed(d *db.DB, columns, table string, in access.Portfolio, prefix string, q list.Query) *Listing {
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
	l := NewListing(d, q.Limit, in.ID, after)
	l.Newest = q.Newest
	l.SQL.Grow(1024)
	l.SQL.WriteString("SELECT " + columns + " FROM " + table + " WHERE portfolio_id = $1 AND id " + behind + " $2")
	if q.CreatedAfter != nil && q.Newest {
		l.Where("id > ?", id.After(prefix, q.CreatedAfter.Std()))
	}
	if q.UpdatedAfter != nil {
		l.Where("updated_at > ?", int64(*q.UpdatedAfter))
	}
	return l
}

// NewListing begins a query with arguments that are known.
func NewListing(d *db.DB, limit int, args ...any) *Listing {
	l := &Listing{Args: append(make([]any, 0, 8), args...), Limit: limit}
	if l.sqlite = !d.OnPostgres(); l.sqlite {
		l.Plus = "+"
	}
	return l
}

// Where adds a condition; its ? is the argument.
func (l *Listing) Where(condition string, arg any) {
	l.Args = append(l.Args, arg)
	l.SQL.WriteString(" AND ")
	l.SQL.WriteString(strings.ReplaceAll(condition, "?", "$"+strconv.Itoa(len(l.Args))))
}

// WhereDay adds a condition; its ? is today, which stands in the query itself: see Among.
func (l *Listing) WhereDay(condition string, today clock.Date) {
	l.SQL.WriteString(" AND ")
	l.SQL.WriteString(strings.ReplaceAll(condition, "?", strconv.FormatInt(int64(today), 10)))
}

// Equal narrows by a column where the filter is set.
func (l *Listing) Equal(column, value string) {
	if value != "" {
		l.Where(l.steered(column)+" = ?", value)
	}
}

// Found narrows by a condition that leads to few rows: nothing else is looked up.
func (l *Listing) Found(condition string, arg any) {
	l.indexed = true
	l.Where(condition, arg)
}

// FoundIn is Found for what a query has between two values of a column, the second one excluded. PostgreSQL is
// given an array: it would join the query with all rows of the portfolio.
func (l *Listing) FoundIn(column, query, by, from, to string) {
	l.Args = append(l.Args, from, to)
	n := len(l.Args)
	l.indexed = true
	in := " AND %s = ANY(ARRAY(%s AND %s >= $%d AND %s < $%d))"
	if l.sqlite {
		in = " AND %s IN (%s AND %s >= $%d AND %s < $%d)"
	}
	fmt.Fprintf(&l.SQL, in, column, query, by, n-1, by, n)
}

// steered is a column for an equality: the first one may be looked up.
func (l *Listing) steered(column string) string {
	if l.indexed {
		return l.Plus + column
	}
	l.indexed = true
	return column
}

// EqualFold is equal for upper and lower case alike, of ASCII letters: those are
// what lower knows in SQLite and, for a column of the collation "C", in PostgreSQL.
// Of a parameter PostgreSQL would fold the letters of all languages.
func (l *Listing) EqualFold(column, value string) {
	if value != "" {
		l.Where(l.steered("lower("+column+")")+" = ?", strings.Map(Lower, value))
	}
}

// Lower folds an ASCII letter.
func Lower(c rune) rune {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// Before narrows by a day where the filter is set.
func (l *Listing) Before(column string, day *clock.Date) {
	if day != nil {
		l.Where(l.Plus+column+" < ?", int64(*day))
	}
}

// After narrows by a day where the filter is set.
func (l *Listing) After(column string, day *clock.Date) {
	if day != nil {
		l.Where(l.Plus+column+" > ?", int64(*day))
	}
}

// Rows reads the list with one row more than its limit.
func Rows[T any](ctx context.Context, d *db.DB, l *Listing, read func(db.Scan, *T) error) ([]T, error) {
	if l.Newest {
		return Ordered(ctx, d, l, "id DESC", read)
	}
	return Ordered(ctx, d, l, "id", read)
}

// Ordered is Rows in another order.
func Ordered[T any](ctx context.Context, d *db.DB, l *Listing, by string, read func(db.Scan, *T) error) ([]T, error) {
	l.Args = append(l.Args, int64(l.Limit+1))
	fmt.Fprintf(&l.SQL, " ORDER BY %s LIMIT $%d", by, len(l.Args))
	found := make([]T, 0, min(l.Limit, list.Max)+1)
	err := d.Each(ctx, l.SQL.String(), l.Args, func(scan db.Scan) error {
		found = append(found, *new(T))
		return read(scan, &found[len(found)-1])
	})
	return found, err
}

// Record reads one row of a table by its id within a portfolio.
func Record[T any](
	ctx context.Context,
	d *db.DB,
	columns, table string,
	in access.Portfolio,
	id string,
	read func(db.Scan, *T) error,
) (v T, found bool, err error) {
	query := "SELECT " + columns + " FROM " + table + " WHERE portfolio_id = $1 AND id = $2"
	err = d.Each(ctx, query, []any{in.ID, id}, func(scan db.Scan) error {
		found = true
		return read(scan, &v)
	})
	return v, found, err
}

// Marker collects the values of a statement in the order in which their placeholders
// stand in it; see db.DB.Marks.
type Marker struct {
	pg   bool
	Args []any
}

// Mark adds a value and is its placeholder.
func (m *Marker) Mark(v any) string {
	m.Args = append(m.Args, v)
	if !m.pg {
		return "?"
	}
	return "$" + strconv.Itoa(len(m.Args))
}

// NewMarker begins with no values.
func NewMarker(d *db.DB) Marker { return Marker{pg: d.OnPostgres()} }

// Typed is for a value whose place does not tell PostgreSQL its type.
func (m *Marker) Typed(kind string, v any) string {
	if !m.pg {
		return m.Mark(v)
	}
	return "CAST(" + m.Mark(v) + " AS " + kind + ")"
}
