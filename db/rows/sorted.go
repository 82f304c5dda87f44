package rows

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"portal/api/access"
	"portal/api/id"
	"portal/api/list"
	"portal/db"
)

// Sorted is a list in an order that people read. Its parts stand one behind the other, each in an
// order of its own. A cursor is the id of a record; where that is gone, the list begins anew.
//
// A part is read from the index that has its order, unless few of its rows pass the filter: then
// they are found by the index that has what the filter looks at, and sorted. Which of the two it
// is decides a count of the rows that pass, as far as they are few.
type Sorted struct {
	DB      *db.DB
	In      access.Portfolio
	Table   string
	Columns string
	Prefix  string // of the ids
	Query   list.Query
	Parts   []Part
}

// Filter is what narrows a list.
type Filter struct {
	// Narrow adds the conditions to a query.
	Narrow func(*Listing)
	// Either are the conditions in parts that exclude each other, each of which Lookup can find; nil where
	// it finds what Narrow says.
	Either []func(*Listing)
	// Choices are columns of which one has to have a value that leads to few rows; nil for none.
	Choices []Choice
	// Lookup is the index of SQLite that has what they look at, "" where that is for SQLite to choose.
	Lookup string
	// Facets reports whether Lookup is an index of all that the list can be narrowed by. Conditions that
	// are not set then name all values of their column.
	Facets bool
	// All reports whether all rows pass, or too many to be counted.
	All bool
	// Few reports whether it is known that few rows pass. Many are more than that, most likely, and spread over
	// the list: some are counted before it is read in its order.
	Few, Many bool
	// None reports whether no row can pass.
	None bool
	// Walks reports whether it is a search for common words alone: next to no row may pass, and no index leads
	// to those that do. A portfolio has few reads of this kind at once.
	Walks bool
}

// Part is a part of a sorted list.
type Part struct {
	Filter Filter         // which rows of it are listed
	Of     func(*Listing) // which rows it has, nil for all
	Key    string         // what they are sorted by, and then by id; "" for the id alone
	Text   bool           // the key is text, else a number
	Desc   bool
	Index  string // of SQLite, in this order
	Apart  bool   // that index has the condition id >= '', so that PostgreSQL takes no other one
	Short  bool   // it has few rows, most likely, and a search has found many: its rows are counted first
}

// position is where a page begins: behind a row of a part.
type position struct {
	part int
	key  any
	id   string
}

// ReadSorted reads a page with one row more than its limit.
func ReadSorted[T any](ctx context.Context, s *Sorted, read func(db.Scan, *T) error) ([]T, error) {
	leave, err := s.enter(ctx, slices.ContainsFunc(s.Parts, func(p Part) bool { return p.Filter.Walks }))
	if err != nil {
		return nil, err
	}
	defer leave()
	from, err := s.position(ctx)
	if err != nil {
		return nil, err
	}
	found := make([]T, 0, min(s.Query.Limit, list.Max)+1)
	for i := from.part; i < len(s.Parts) && len(found) <= s.Query.Limit && err == nil; i++ {
		found, err = readPart(ctx, s, &s.Parts[i], from, found, read)
		from = position{} // the next part is read from its first row
	}
	return found[:min(len(found), s.Query.Limit+1)], err
}

// enter takes a slot for what walks, see enterWalk.
func (s *Sorted) enter(ctx context.Context, walks bool) (leave func(), err error) {
	if !walks {
		return func() {}, nil
	}
	return enterWalk(ctx, s.DB, s.In.ID)
}

// readPart adds the rows of a part to those that were found, one more than the limit at most: as many wherever the
// part before has ended, so that the statement is the same one.
func readPart[T any](
	ctx context.Context, s *Sorted, p *Part, from position, found []T, read func(db.Scan, *T) error,
) ([]T, error) {
	had, n, limit, most := len(found), 0, s.Query.Limit+1, p.Filter.most()
	each := func(l *Listing, also ...any) error {
		return s.DB.EachPlanned(ctx, l.SQL.String(), l.Args, func(scan db.Scan) error {
			found = append(found, *new(T))
			return read(func(into ...any) error { return scan(append(into, also...)...) }, &found[len(found)-1])
		})
	}
	switch f := &p.Filter; {
	case f.None:
		return found, nil
	case f.All || db.Beside[narrowing](s.DB).inOrder:
		return found, each(s.inOrder(p, from, limit))
	case f.Few:
		return found, each(s.few(p, from, limit, 0))
	case from.id == "" && !f.Facets && !f.Many: // few, most likely: they are read as they are counted
		if err := each(s.few(p, from, limit, most+1), &n); n <= most || err != nil {
			return found, err
		}
		found = found[:had]
		return found, each(s.inOrder(p, from, limit))
	}
	if p.Short {
		if n, err := s.count(ctx, &Filter{Narrow: p.Filter.Narrow, Lookup: p.Index}); n == 0 || err != nil {
			return found, err
		} else if n <= list.Most {
			return found, each(s.inOrder(p, from, limit))
		}
	}
	n, err := s.count(ctx, &p.Filter)
	switch {
	case n == 0 || err != nil:
		return found, err
	case n <= most:
		return found, each(s.few(p, from, limit, 0))
	}
	return found, each(s.inOrder(p, from, limit))
}

// most is how many rows that pass are few. What a search has found is looked up: to pass by all others in the order
// of an index takes longer.
func (f *Filter) most() int {
	switch {
	case f.Many:
		return list.Most / 2
	case f.Choices != nil:
		return 2 * list.Most
	}
	return list.Most
}

// position finds the row of the cursor.
func (s *Sorted) position(ctx context.Context) (position, error) {
	after := s.Query.StartingAfter
	if after == "" || len(s.Parts) == 1 && s.Parts[0].Key == "" {
		return position{id: after}, nil
	}
	for i := range s.Parts {
		p := &s.Parts[i]
		var number int64
		at, key, text := position{part: i}, "0", ""
		var into any = &number
		if p.Text {
			into = &text
		}
		if p.Key != "" {
			key = p.Key
		}
		l := NewListing(s.DB, 1, s.In.ID, after)
		l.SQL.WriteString("SELECT id, " + key + " FROM " + s.Table + " WHERE portfolio_id = $1 AND id = $2")
		p.of(l)
		there, err := s.DB.One(ctx, l.SQL.String(), l.Args, &at.id, into)
		if err != nil || there {
			if at.key = number; p.Text {
				at.key = text
			}
			return at, err
		}
	}
	return position{}, nil
}

func (p *Part) of(l *Listing) {
	if p.Of != nil {
		p.Of(l)
	}
}

// count counts the rows that pass a filter, one more than are few at most.
func (s *Sorted) count(ctx context.Context, f *Filter) (n int, err error) {
	l := NewListing(s.DB, 0, s.In.ID)
	l.SQL.WriteString("SELECT count(*) FROM (")
	s.lookUp(l, "1", f)
	l.SQL.WriteString(" LIMIT " + strconv.Itoa(f.most()+1) + ") AS n")
	err = s.DB.EachPlanned(ctx, l.SQL.String(), l.Args, func(scan db.Scan) error { return scan(&n) })
	return n, err
}

// inOrder reads the rows in the order of an index and skips those that do not pass.
func (s *Sorted) inOrder(p *Part, at position, limit int) *Listing {
	l := NewListing(s.DB, limit, s.In.ID)
	l.Plus = "" // SQLite has no choice
	from := s.from(p.Index)
	if p.Apart {
		from = strings.Replace(from, "id > ''", "id >= ''", 1)
	}
	l.SQL.WriteString("SELECT " + s.Columns + from)
	if p.Filter.Choices != nil {
		l.Choose(p.Filter.Choices...)
	}
	s.narrow(l, &p.Filter)
	l.behind(p.Key, "id", p.Desc, at)
	l.end(p.Key, "id", p.Desc, limit)
	return l
}

// few finds the rows that pass, sorts them, and reads those of the page. Where it may find so many at most, the last
// column of each row says how many it has found; 0 is all.
func (s *Sorted) few(p *Part, from position, limit, most int) *Listing {
	l := NewListing(s.DB, limit, s.In.ID)
	key, end, count := p.Key, "", ""
	if key == "" {
		key = "0"
	}
	if most > 0 {
		end, count = " LIMIT "+strconv.Itoa(most), ", (SELECT count(*) FROM few)"
	}
	l.SQL.WriteString("WITH few AS MATERIALIZED (")
	s.lookUp(l, "id AS few_id, "+key+" AS few_key", &p.Filter)
	l.SQL.WriteString(end + "), page AS MATERIALIZED (SELECT few_id, few_key FROM few WHERE 1 = 1")
	l.behind("few_key", "few_id", p.Desc, from)
	l.end("few_key", "few_id", p.Desc, limit)
	l.SQL.WriteString(") SELECT " + s.Columns + count + " FROM page CROSS JOIN " + s.Table +
		" WHERE portfolio_id = $1 AND id = few_id ORDER BY " + order("few_key", "few_id", p.Desc))
	return l
}

// lookUp is the query of all rows that pass a filter.
func (s *Sorted) lookUp(l *Listing, columns string, f *Filter) {
	l.Plus = ""
	if l.facets = f.Facets; l.sqlite && !l.facets {
		l.Plus = "+"
	}
	for i, c := range f.Choices {
		if i > 0 {
			l.SQL.WriteString(" UNION ALL ")
		}
		s.choose(l, columns, c)
		for _, before := range f.Choices[:i] {
			l.Except(before)
		}
		s.narrow(l, &Filter{Narrow: f.Narrow})
	}
	if f.Choices != nil {
		return
	}
	either := f.Either
	if either == nil {
		either = []func(*Listing){f.Narrow}
	}
	for i, narrow := range either {
		if i > 0 {
			l.SQL.WriteString(" UNION ALL ")
		}
		l.SQL.WriteString("SELECT " + columns + s.from(f.Lookup))
		s.narrow(l, &Filter{Narrow: narrow})
	}
}

// from reads the table by an index, one that only such queries use (migration list_orders) among them.
func (s *Sorted) from(index string) string {
	query := " FROM " + s.Table + s.DB.IndexedBy(index) + " WHERE portfolio_id = $1"
	if index != "" {
		query += " AND id > ''"
	}
	return query
}

// narrow adds the conditions of a filter.
func (s *Sorted) narrow(l *Listing, f *Filter) {
	if q := &s.Query; q.CreatedAfter != nil {
		l.Where("id > ?", id.After(s.Prefix, q.CreatedAfter.Std()))
	}
	if q := &s.Query; q.UpdatedAfter != nil {
		l.Where("updated_at > ?", int64(*q.UpdatedAfter))
	}
	f.Narrow(l)
}

// behind narrows to what follows a position.
func (l *Listing) behind(key, of string, desc bool, from position) {
	sign := ">"
	if desc {
		sign = "<"
	}
	switch {
	case from.id == "":
	case key == "" || from.key == nil:
		l.Where(of+" "+sign+" ?", from.id)
	default:
		l.Args = append(l.Args, from.key, from.id)
		n := len(l.Args)
		l.SQL.WriteString(
			" AND (" + key + ", " + of + ") " + sign + " ($" + strconv.Itoa(n-1) + ", $" + strconv.Itoa(n) + ")",
		)
	}
}

// end orders and bounds a query. The limit stands in the query itself: see Among.
func (l *Listing) end(key, of string, desc bool, limit int) {
	l.SQL.WriteString(" ORDER BY " + order(key, of, desc) + " LIMIT " + strconv.Itoa(limit))
}

func order(key, of string, desc bool) string {
	way := ""
	if desc {
		way = " DESC"
	}
	if key == "" {
		return of + way
	}
	return key + way + ", " + of + way
}

// Among narrows by a column of few values where the filter is set. A lookup in an index of facets
// names all values where it is not, so that the columns behind this one are looked up, too. A value
// stands in the query itself: with it PostgreSQL plans once what it would plan at each execution.
func (l *Listing) Among(column, value string, all []string) {
	switch {
	case slices.Contains(all, value) && value != "":
		l.SQL.WriteString(" AND " + l.steered(column) + " = " + Literal(value))
	case value != "":
		l.Equal(column, value)
	case l.facets:
		quoted := make([]string, len(all))
		for i, v := range all {
			quoted[i] = Literal(v)
		}
		l.SQL.WriteString(" AND " + column + " IN (" + strings.Join(quoted, ", ") + ")")
	}
}

// CountEach counts the rows that pass the filter of each value, one more than list.Most at most of
// each, with one query.
func (s *Sorted) CountEach(
	ctx context.Context, values []string, filter func(value string) Filter,
) (map[string]int, error) {
	counts, l, walks := make(map[string]int, len(values)), NewListing(s.DB, 0, s.In.ID), false
	for _, v := range values {
		f := filter(v)
		if f.None {
			continue
		}
		walks = walks || f.Walks
		if l.SQL.Len() > 0 {
			l.SQL.WriteString(" UNION ALL ")
		}
		l.indexed = false
		l.SQL.WriteString("SELECT " + Literal(v) + " AS value, (SELECT count(*) FROM (")
		s.lookUp(l, "1", &f)
		l.SQL.WriteString(" LIMIT " + strconv.Itoa(list.Most+1) + ") AS n)")
	}
	if l.SQL.Len() == 0 {
		return counts, nil
	}
	leave, err := s.enter(ctx, walks)
	if err != nil {
		return nil, err
	}
	defer leave()
	return counts, s.DB.EachPlanned(ctx, l.SQL.String(), l.Args, Numbers(counts))
}

// Numbers reads rows of a name and a number.
func Numbers(into map[string]int) func(db.Scan) error {
	return func(scan db.Scan) error {
		var name string
		var n int
		err := scan(&name, &n)
		into[name] = n
		return err
	}
}

// Counts are numbers by the names of some statuses, each of where list.Most and one more says that there are more.
func Counts[S ~string](numbers map[string]int, err error) (list.Counts[S], error) {
	counts := make(list.Counts[S], len(numbers))
	for status, n := range numbers {
		counts[S(status)] = list.CountOf(n)
	}
	return counts, err
}

// CountStatuses counts the rows of a table that have each of some statuses, one more than list.Most at most, with
// one query.
func CountStatuses[S ~string](
	ctx context.Context, d *db.DB, table string, statuses ...S,
) (list.Counts[S], error) {
	var each []string
	for _, status := range statuses {
		each = append(each, `SELECT `+Literal(status)+` AS value, (SELECT count(*)
			FROM (SELECT 1 AS one FROM `+table+` WHERE `+Is("status", status)+` LIMIT $1) n)`)
	}
	found := map[string]int{}
	err := d.Each(ctx, strings.Join(each, " UNION ALL "), []any{int64(list.Most + 1)}, Numbers(found))
	return Counts[S](found, err)
}

// Some adds the query of columns of rows that pass a filter, one more than list.Most at most.
func (s *Sorted) Some(l *Listing, f Filter, columns string) {
	l.indexed = false
	if f.None {
		f = Filter{Narrow: func(l *Listing) { l.SQL.WriteString(" AND 1 = 0") }}
	}
	s.lookUp(l, columns, &f)
	l.SQL.WriteString(" LIMIT " + strconv.Itoa(list.Most+1))
}
