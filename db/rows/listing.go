package rows

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
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

	whole    bool       // is read to the end, see list.Query
	walk     *list.Walk // is told how far it was read; nil for one that is read at once
	table    string
	lead     string // the condition of the index that is read, whose ? is leadArg; "" for that of the id alone
	leadArg  any
	filtered bool // rows of the index are passed over
	few      bool // the rows are looked up by something else, and few
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
	l.Newest, l.table, l.whole, l.walk = q.Newest, table, q.Whole, q.Walk
	l.SQL.Grow(1024)
	l.SQL.WriteString("SELECT " + columns + " FROM " + table + " WHERE portfolio_id = $1 AND id " + behind + " $2")
	if q.CreatedAfter != nil && q.Newest {
		l.Where("id > ?", id.After(prefix, q.CreatedAfter.Std()))
	}
	if q.UpdatedAfter != nil {
		l.Filter("updated_at > ?", int64(*q.UpdatedAfter))
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

// Has narrows by a column where the filter is set, and leaves it to the database how the rows are found.
func (l *Listing) Has(column, value string) {
	if value != "" {
		l.Where(column+" = ?", value)
	}
}

// Filter is Where for a condition that no index leads to: rows for which it does not hold are passed over.
func (l *Listing) Filter(condition string, arg any) {
	l.filtered = true
	l.Where(condition, arg)
}

// WhereDay adds a condition; its ? is today, which stands in the query itself: see Among.
func (l *Listing) WhereDay(condition string, today clock.Date) {
	l.filtered = true
	l.SQL.WriteString(" AND ")
	l.SQL.WriteString(strings.ReplaceAll(condition, "?", strconv.FormatInt(int64(today), 10)))
}

// Equal narrows by a column where the filter is set.
func (l *Listing) Equal(column, value string) {
	if value != "" {
		l.steer(column, value)
	}
}

// steer adds an equality. The first one leads to the rows, and the others pass some of those over.
func (l *Listing) steer(column string, value any) {
	if l.indexed {
		l.Filter(l.Plus+column+" = ?", value)
		return
	}
	l.indexed, l.lead, l.leadArg = true, column+" = ?", value
	l.Where(l.lead, value)
}

// Lead says that the rows are read from an index of its own that has a condition.
func (l *Listing) Lead(condition string) {
	if !l.indexed {
		l.lead = condition
	}
}

// Found narrows by a condition that leads to few rows: nothing else is looked up.
func (l *Listing) Found(condition string, arg any) {
	l.indexed, l.few = true, true
	l.Where(condition, arg)
}

// Lists narrows to rows in which a list of a column of JSON has an object, or to those in which it has none or is not
// there; nil leaves the filter out. The first list that has one is read from the index with that condition.
func (l *Listing) Lists(column, name string, want *bool) {
	switch {
	case want == nil:
	case *want && !l.indexed:
		l.indexed, l.lead, l.leadArg = true, l.first(column, name)+" = 'object'", nil
		l.SQL.WriteString(" AND " + l.lead)
	case *want:
		l.filtered = true
		l.SQL.WriteString(" AND " + l.first(l.Plus+column, name) + " = 'object'")
	default:
		l.filtered = true
		l.SQL.WriteString(" AND " + l.first(column, name) + " IS DISTINCT FROM 'object'")
	}
}

// first is the type of what a list begins with, NULL where it has nothing. It is compared with a type: PostgreSQL takes
// nearly no row to be equal to it, but nearly every one to have some, and would pass by all that have none.
func (l *Listing) first(column, name string) string {
	if l.sqlite {
		return "json_type(" + column + ", '$." + name + "[0]')"
	}
	return "jsonb_typeof(CAST(" + column + " AS jsonb) #> '{" + name + ",0}')"
}

// Linked narrows to rows that a row of another table names for which a condition holds, or to those that none names;
// nil leaves the filter out. Where nothing else leads to the rows, that table does. Else each row is looked up in it:
// PostgreSQL would join the two, and where it expects a few of that table go through all of them for each row. Alone
// says that nothing else narrows the list, so that no more of that table are read than the page has.
func (l *Listing) Linked(k Link, condition string, want *bool, alone bool) {
	if want == nil {
		return
	}
	from := " FROM " + k.Table + " WHERE portfolio_id = $1 AND " + condition
	if *want && !l.indexed {
		l.indexed, l.few = true, true
		if l.table != "" { // behind the position of the list
			behind, order := l.way()
			from += " AND " + k.Column + " " + behind + " $2"
			if alone {
				l.Args = append(l.Args, int64(l.Limit+1))
				limit := " LIMIT $" + strconv.Itoa(len(l.Args))
				from += " GROUP BY " + k.Column + " ORDER BY " + k.Column + order + limit
			}
		}
		in := " IN (SELECT " + k.Column + from + ")"
		if !l.sqlite {
			in = " = ANY(ARRAY(SELECT " + k.Column + from + "))"
		}
		l.SQL.WriteString(" AND " + k.By + in)
		return
	}
	l.filtered = true
	not := map[bool]string{false: "NOT "}[*want]
	l.SQL.WriteString(" AND " + not + "COALESCE((SELECT TRUE" + from + " AND " + k.Column + " = " + k.By +
		" LIMIT 1), FALSE)")
}

// FoundIn is Found for what a query has between two values of a column, the second one excluded. PostgreSQL is
// given an array: it would join the query with all rows of the portfolio.
func (l *Listing) FoundIn(column, query, by, from, to string) {
	l.Args = append(l.Args, from, to)
	n := len(l.Args)
	l.indexed, l.few = true, true
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
		l.steer("lower("+column+")", strings.Map(Lower, value))
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
		l.Filter(l.Plus+column+" < ?", int64(*day))
	}
}

// After narrows by a day where the filter is set.
func (l *Listing) After(column string, day *clock.Date) {
	if day != nil {
		l.Filter(l.Plus+column+" > ?", int64(*day))
	}
}

// Rows reads the list with one row more than its limit, or as far as its walk may go.
func Rows[T any](ctx context.Context, d *db.DB, l *Listing, read func(db.Scan, *T) error) ([]T, error) {
	if (l.walk != nil || l.whole) && l.filtered && !l.few {
		return walked(ctx, d, l, read)
	}
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

// All reads the rows of a query, each into a record.
func All[T any](
	ctx context.Context, d *db.DB, query string, args []any, read func(db.Scan, *T) error,
) ([]T, error) {
	all := []T{}
	err := d.Each(ctx, query, args, func(scan db.Scan) error {
		all = append(all, *new(T))
		return read(scan, &all[len(all)-1])
	})
	return all, err
}

// Value reads a row of one column.
func Value[T any](scan db.Scan, into *T) error { return scan(into) }

// First reads the row of a query that finds one, and reports whether it did.
func First[T any](
	ctx context.Context, d *db.DB, query string, args []any, read func(db.Scan, *T) error,
) (v T, found bool, err error) {
	err = d.Each(ctx, query, args, func(scan db.Scan) error {
		found = true
		return read(scan, &v)
	})
	return v, found, err
}

// Only is First that fails with fault.NotFound of a noun where there is no row.
func Only[T any](
	ctx context.Context, d *db.DB, noun, query string, args []any, read func(db.Scan, *T) error,
) (T, error) {
	v, found, err := First(ctx, d, query, args, read)
	if err == nil && !found {
		err = fault.NotFound(noun)
	}
	return v, err
}

// Find is Only into some values.
func Find(ctx context.Context, d *db.DB, noun, query string, args []any, into ...any) error {
	_, err := Only(ctx, d, noun, query, args, func(scan db.Scan, _ *struct{}) error { return scan(into...) })
	return err
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

// Choice is a column that has one of some values.
type Choice struct {
	Column string
	Values []string // ids, each once
	// Through is the table that has what Column has for the values; nil where Column has them itself.
	Through *Link
	// Terms each begin a word of the row, in place of Values. Rare is the one of them whose rows are looked up
	// in Words, "" for none.
	Terms []string
	Rare  string
	Words Vocabulary
}

// Link is a table in which By has some values, and Column what belongs to them.
type Link struct{ Table, Column, By string }

// OneOf narrows to rows whose column has one of some values, which are looked up. The query is the same however many
// there are.
func (l *Listing) OneOf(column string, values []string) {
	l.SQL.WriteString(" AND " + column + l.among(Choice{Values: values}))
}

// Choose narrows to rows for which one of some choices holds.
func (l *Listing) Choose(choices ...Choice) {
	l.few = true
	held := []string{"1 = 0"}
	for _, c := range slices.Backward(choices) { // words first: they are in the index that is counted by
		held = append(held, l.holds(c))
	}
	l.SQL.WriteString(" AND (" + strings.Join(held, " OR ") + ")")
}

// holds is the condition of a choice.
func (l *Listing) holds(c Choice) string {
	if c.Terms != nil && c.Rare == "" {
		return "1 = 1" + l.others(c)
	}
	if l.sqlite || c.Rare != "" {
		return c.Column + l.among(c) + l.others(c)
	}
	return c.Column + " IN (" + l.values(c) + ")" + l.others(c)
}

// values is the query of PostgreSQL of what the column of a choice has. It hashes what it says, and where that is
// one side of an OR it leaves the order of the list alone; of an array it would look each value up.
func (l *Listing) values(c Choice) string {
	l.Args = append(l.Args, "{"+strings.Join(c.Values, ",")+"}")
	values := "SELECT unnest(CAST($" + strconv.Itoa(len(l.Args)) + " AS text[]))"
	if k := c.Through; k != nil {
		return "SELECT " + k.Column + " FROM " + k.Table + " WHERE portfolio_id = $1 AND " + k.By +
			" = ANY(ARRAY(" + values + "))"
	}
	return values
}

// others are the conditions for the terms that are not looked up.
func (l *Listing) others(c Choice) string {
	var conditions strings.Builder
	for _, t := range c.Terms {
		if t != c.Rare {
			l.Args = append(l.Args, " "+t)
			conditions.WriteString(" AND " + strings.ReplaceAll(hasTerm, "?", "$"+strconv.Itoa(len(l.Args))))
		}
	}
	return conditions.String()
}

// rare is the query of the rows that have a word which begins with the rare term of a choice, each once.
func (l *Listing) rare(c Choice) string {
	l.Args = append(l.Args, c.Rare, c.Rare+last)
	n := len(l.Args)
	return "SELECT DISTINCT " + c.Words.Record + " AS chosen_value FROM " + c.Words.Table +
		" WHERE portfolio_id = $1 AND word >= $" + strconv.Itoa(n-1) + " AND word < $" + strconv.Itoa(n)
}

// Except leaves out the rows for which a choice of values holds.
func (l *Listing) Except(c Choice) {
	l.SQL.WriteString(" AND NOT COALESCE(" + c.Column + ", '')" + l.among(c))
}

// among is the condition of a choice behind its column. The values are one argument, so that a statement
// stays prepared however many there are. PostgreSQL is given an array where it would join a query with the
// whole table; that of a query, as it would look at each of its values for each plan.
func (l *Listing) among(c Choice) string {
	if l.sqlite {
		return " IN (" + l.chosen(c) + ")"
	}
	if c.Rare != "" {
		return " = ANY(ARRAY(" + l.rare(c) + "))"
	}
	return " = ANY(ARRAY(" + l.values(c) + "))"
}

// chosen is the query of SQLite of what the column of a choice has, each value once.
func (l *Listing) chosen(c Choice) string {
	if c.Rare != "" {
		return l.rare(c)
	}
	values, _ := json.Marshal(c.Values) //nolint:errchkjson // strings alone
	l.Args = append(l.Args, string(values))
	each := "json_each($" + strconv.Itoa(len(l.Args)) + ")"
	if k := c.Through; k != nil {
		return "SELECT DISTINCT " + k.Column + " AS chosen_value FROM " + each + " CROSS JOIN " + k.Table +
			" WHERE portfolio_id = $1 AND " + k.By + " = value"
	}
	return "SELECT value AS chosen_value FROM " + each
}

// choose begins the query of the rows for which a choice holds. SQLite goes from the values to the rows: left
// to itself it would read all rows of the portfolio, of which it takes there to be ten.
func (s *Sorted) choose(l *Listing, columns string, c Choice) {
	l.indexed = true
	if l.sqlite {
		l.SQL.WriteString("SELECT " + columns + " FROM (" + l.chosen(c) + ") CROSS JOIN " + s.Table +
			" WHERE portfolio_id = $1 AND " + c.Column + " = chosen_value")
	} else {
		l.SQL.WriteString("SELECT " + columns + s.from("") + " AND " + c.Column + l.among(c))
	}
	l.SQL.WriteString(l.others(c))
}

// IDs reads the ids that a listing's query selects, the newest first.
func IDs(ctx context.Context, d *db.DB, l *Listing) (ids []string, err error) {
	l.SQL.WriteString(" ORDER BY id DESC LIMIT " + strconv.Itoa(l.Limit))
	err = d.EachPlanned(ctx, l.SQL.String(), l.Args, func(scan db.Scan) error {
		ids = append(ids, "")
		return scan(&ids[len(ids)-1])
	})
	return ids, err
}

// CountGroups counts the rows that pass a filter by the values of a column, of most rows at most, and
// tells whether there are more than those.
func (s *Sorted) CountGroups(
	ctx context.Context, column string, f Filter, most int,
) (counts map[string]int, more bool, err error) {
	counts = map[string]int{}
	if f.None {
		return counts, false, nil
	}
	leave, err := s.enter(ctx, f.Walks)
	if err != nil {
		return nil, false, err
	}
	defer leave()
	l := NewListing(s.DB, 0, s.In.ID)
	l.SQL.WriteString("SELECT value, count(*) FROM (")
	s.lookUp(l, column+" AS value", &f)
	l.SQL.WriteString(" LIMIT " + strconv.Itoa(most+1) + ") AS n GROUP BY value")
	sum := 0
	err = s.DB.EachPlanned(ctx, l.SQL.String(), l.Args, func(scan db.Scan) error {
		var value string
		var n int
		err := scan(&value, &n)
		counts[value], sum = n, sum+n
		return err
	})
	return counts, sum > most, err
}
