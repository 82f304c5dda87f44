// Package rows is what all stores are made of: lists, inserts, updates and values of statements.
//
// It knows no table and no record.
package rows

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/db"
)

// Bulk is how many rows one INSERT carries: SQLite takes 32,766 parameters.
const Bulk = 100

// Insertion is the statement that writes some records.
func Insertion[T any](
	d *db.DB, in access.Portfolio, table, columns string, records []T, values func(*T) ([]any, error),
) (string, []any, error) {
	return bulked(d, table, "portfolio_id, "+columns, records, func(record *T) ([]any, error) {
		row, err := values(record)
		return append([]any{in.ID}, row...), err
	})
}

// bulked is Insertion into a table whose records say their portfolio, or have none.
func bulked[T any](
	d *db.DB, table, columns string, records []T, values func(*T) ([]any, error),
) (string, []any, error) {
	var sql strings.Builder
	sql.WriteString("INSERT INTO " + table + " (" + columns + ") VALUES ")
	var args []any
	for i := range records {
		row, err := values(&records[i])
		if err != nil {
			return "", nil, err
		}
		if i > 0 {
			sql.WriteString(", ")
		}
		sql.WriteString("(" + d.Marks(len(args), len(row)) + ")")
		args = append(args, row...)
	}
	return sql.String(), args, nil
}

// Save writes all columns of a record that is there; its id is the first value.
func Save(ctx context.Context, d *db.DB, in access.Portfolio, table, columns string, values []any) error {
	var sets []string
	for i, column := range strings.Split(columns, ",")[1:] {
		sets = append(sets, fmt.Sprintf("%s = $%d", strings.TrimSpace(column), i+3))
	}
	query := "UPDATE " + table + " SET " + strings.Join(sets, ", ") + " WHERE portfolio_id = $1 AND id = $2"
	n, err := d.Exec(ctx, query, append([]any{in.ID}, values...)...)
	if err == nil && n != 1 {
		err = fmt.Errorf("%d rows of %s have the id %v", n, table, values[0])
	}
	return err
}

// JSONColumn reads a column of JSON text, or NULL, into a pointer.
type JSONColumn[T any] struct{ into **T }

// JSONInto reads a column of JSON text into a pointer.
func JSONInto[T any](into **T) *JSONColumn[T] { return &JSONColumn[T]{into} }

// Scan is sql.Scanner.
func (c *JSONColumn[T]) Scan(src any) error {
	var text []byte
	switch src := src.(type) {
	case nil:
		*c.into = nil
		return nil
	case string:
		text = []byte(src)
	case []byte:
		text = src
	default:
		return fmt.Errorf("a column of JSON holds %T", src)
	}
	*c.into = new(T)
	return json.Unmarshal(text, *c.into)
}

// JSONOf is JSON text for a column, or NULL. The structs that come here hold
// nothing that JSON cannot.
func JSONOf[T any](v *T) any {
	if v == nil {
		return nil
	}
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// Transactor is what runs changes together: a db.DB, for a store that rules ask for transactions.
type Transactor interface {
	Atomically(ctx context.Context, do func(context.Context) error) error
	Exclusively(ctx context.Context, in access.Portfolio, do func(context.Context) error) error
	Lock(ctx context.Context, in access.Portfolio) error
}

// Bit is 1 for true and 0 for false.
func Bit(is bool) int64 {
	if is {
		return 1
	}
	return 0
}

// BitInto reads a column of 1 for true and 0 for false.
type BitInto bool

// Scan is sql.Scanner.
func (b *BitInto) Scan(src any) error {
	bit, is := src.(int64)
	if !is {
		return fmt.Errorf("a column of 1 and 0 holds a %T", src)
	}
	*b = bit == 1
	return nil
}

// Text is the text that a driver reads from a column of text.
func Text(src any) (string, error) {
	switch src := src.(type) {
	case string:
		return src, nil
	case []byte:
		return string(src), nil
	}
	return "", fmt.Errorf("a column of text holds a %T", src)
}

// Span is the positions between which lie the records of a prefix that were made from one
// moment on, before another, and before a record.
func Span(prefix string, from, to *clock.Time, before string) (after, end string) {
	end = prefix + "_~"
	if from != nil {
		after = id.After(prefix, from.Std().Add(-time.Millisecond))
	}
	if to != nil {
		end = id.After(prefix, to.Std().Add(-time.Millisecond))
	}
	if before != "" {
		end = min(end, before)
	}
	return after, end
}

// SpanFrom is Span for a list that may ascend: the position is behind the end of its page, in either order. order
// is what the list is sorted by.
func SpanFrom(prefix string, from, to *clock.Time, position string, ascending bool) (after, end, order string) {
	if !ascending {
		after, end = Span(prefix, from, to, position)
		return after, end, "id DESC"
	}
	after, end = Span(prefix, from, to, "")
	return max(after, position), end, "id"
}

// OneOf is the condition that a column has one of some statuses. They are the closed sets of
// the business packages, and stand in the query as they are: SQLite uses an index with a
// condition only where a query has the very same words.
func OneOf[T ~string](column string, statuses []T) string {
	quoted := make([]string, len(statuses))
	for i, s := range statuses {
		quoted[i] = Literal(s)
	}
	return column + " IN (" + strings.Join(quoted, ", ") + ")"
}

// Is is the condition that a column has a status, in the words that an index may have, too.
func Is[T ~string](column string, status T) string { return column + " = " + Literal(status) }

// IsNot is the condition that a column has another status.
func IsNot[T ~string](column string, status T) string { return column + " <> " + Literal(status) }

// Literal is a status as it stands in a query. It is one of a closed set: what a caller says never
// comes here.
func Literal[T ~string](status T) string { return "'" + string(status) + "'" }

// Forget deletes rows of a table for which a condition on $1 holds, in an order and at most so many. It tells how many.
// key has the columns of the table's key.
func Forget(
	ctx context.Context, d *db.DB, table, key, condition, order string, before any, most int,
) (int64, error) {
	return d.Exec(ctx, `DELETE FROM `+table+`
		WHERE (`+key+`) IN (
			SELECT `+key+`
			FROM `+table+`
			WHERE `+condition+`
			ORDER BY `+order+`
			LIMIT $2)`, before, int64(most))
}

// Null is NULL for a zero value.
func Null[T comparable](v T) any {
	if v == *new(T) {
		return nil
	}
	return v
}

// CasesAfter is what stands behind WHERE in a query of cases for the staff, whose table has an alias. They are those
// behind an id of a prefix, "" for the first ones, and of a status where one is named. The newest come first unless
// they are to ascend.
func CasesAfter(alias, prefix, after, status string, ascending bool, limit int) (where string, args []any) {
	which, order := "< $1", "DESC"
	switch {
	case ascending:
		which, order = "> $1", "ASC"
	case after == "":
		after = prefix + "_~"
	}
	args = []any{after, int64(limit)}
	if status != "" {
		which += " AND " + alias + ".status = $3"
		args = append(args, status)
	}
	return fmt.Sprintf("%s.id %s ORDER BY %s.id %s LIMIT $2", alias, which, alias, order), args
}

// AtMost counts what stands behind FROM in a query, so many at most: that is $1, and the arguments come behind it.
func AtMost(ctx context.Context, d *db.DB, most int, from string, args ...any) (n int, err error) {
	_, err = d.One(ctx, `SELECT count(*)
		FROM (
			SELECT 1 AS one
			FROM `+from+`
			LIMIT $1) counted`, append([]any{int64(most)}, args...), &n)
	return n, err
}

// Table says, once, what the columns of a table are and where in a record each has its value: queries
// have the columns from it, scans their targets, and writes the values.
type Table[T any] struct {
	Name     string
	Columns  string // those that are read, in their order
	written  string // those that are written
	all      []Column[T]
	shown    []Column[T]
	complete func(*T, access.Mode) // nil where the columns are all that a record has
	targets  sync.Pool             // of *[]any, so that a row that is read allocates none
}

// Column is a column of a table.
type Column[T any] struct {
	Name   string
	Shown  string                // what is read instead, "" for the column itself
	Target func(*T) any          // where it is scanned into; nil for a column that is never read
	Value  func(*T) (any, error) // what is written; nil for a column that other queries write
}

// At is a column whose value stands in a field.
func At[T, V any](name string, field func(*T) *V) Column[T] {
	return Column[T]{
		Name:   name,
		Target: func(record *T) any { return field(record) },
		Value:  func(record *T) (any, error) { return *field(record), nil },
	}
}

// ShownAt is At of a column instead of which something else is read.
func ShownAt[T, V any](name, shown string, field func(*T) *V) Column[T] {
	c := At(name, field)
	c.Shown = shown
	return c
}

// NullAt is a column that has NULL for the zero value of a field, which is zero in SQL.
func NullAt[T any, V comparable](name, zero string, field func(*T) *V) Column[T] {
	c := ShownAt(name, "COALESCE("+name+", "+zero+")", field)
	c.Value = func(record *T) (any, error) { return Null(*field(record)), nil }
	return c
}

// MicrosAt is a column with the microseconds of a field.
func MicrosAt[T any](name string, field func(*T) *time.Duration) Column[T] {
	return Column[T]{
		Name:   name,
		Target: func(record *T) any { return (*micros)(field(record)) },
		Value:  func(record *T) (any, error) { return field(record).Microseconds(), nil },
	}
}

type micros time.Duration

// Scan is sql.Scanner.
func (m *micros) Scan(src any) error {
	n, is := src.(int64)
	if !is {
		return fmt.Errorf("a column of microseconds holds a %T", src)
	}
	*m = micros(time.Duration(n) * time.Microsecond)
	return nil
}

// JSONAt is a column with the JSON of a field, NULL for nil.
func JSONAt[T, V any](name string, field func(*T) **V) Column[T] {
	return Column[T]{
		Name:   name,
		Target: func(record *T) any { return JSONInto(field(record)) },
		Value:  func(record *T) (any, error) { return JSONOf(*field(record)), nil },
	}
}

// ListAt is a column with the JSON of a list.
func ListAt[T, V any](name string, field func(*T) *[]V) Column[T] {
	return Column[T]{
		Name:   name,
		Target: func(record *T) any { return (*jsonList[V])(field(record)) },
		Value: func(record *T) (any, error) {
			if len(*field(record)) == 0 {
				return "[]", nil
			}
			return JSONOf(field(record)), nil
		},
	}
}

type jsonList[V any] []V

// Scan is sql.Scanner.
func (l *jsonList[V]) Scan(src any) error {
	text, err := Text(src)
	if err != nil {
		return err
	}
	return json.Unmarshal([]byte(text), (*[]V)(l))
}

// Written is a column that is only written.
func Written[T any](name string, value func(*T) any) Column[T] {
	return Column[T]{Name: name, Value: func(record *T) (any, error) { return value(record), nil }}
}

// Read is a column that is only read: other queries write it.
func Read[T, V any](name string, field func(*T) *V) Column[T] {
	return Column[T]{Name: name, Target: func(record *T) any { return field(record) }}
}

// NewTable is a table of columns; the first is the id where records are saved.
func NewTable[T any](name string, columns ...Column[T]) *Table[T] {
	t := &Table[T]{Name: name}
	var read, written []string
	for _, c := range columns {
		if c.Target != nil {
			read, t.shown = append(read, cmp.Or(c.Shown, c.Name)), append(t.shown, c)
		}
		if c.Value != nil {
			written, t.all = append(written, c.Name), append(t.all, c)
		}
	}
	t.Columns, t.written = strings.Join(read, ", "), strings.Join(written, ", ")
	t.targets.New = func() any { return new(make([]any, len(t.shown))) }
	return t
}

// And is the table with more columns. Those of t that are only written are not among its own.
func (t *Table[T]) And(columns ...Column[T]) *Table[T] {
	return NewTable(t.Name, slices.Concat(t.shown, columns)...).Completed(t.complete)
}

// Completed is the table of records that have more than their columns, which depends on the mode of the portfolio.
func (t *Table[T]) Completed(complete func(*T, access.Mode)) *Table[T] {
	t.complete = complete
	return t
}

// Complete fills what a record has besides its columns. Read and what reads a portfolio's records do it.
func (t *Table[T]) Complete(record *T, mode access.Mode) {
	if t.complete != nil {
		t.complete(record, mode)
	}
}

// Of are the columns of the table by its name in a query.
func (t *Table[T]) Of(name string) string {
	columns := make([]string, len(t.shown))
	for i, c := range t.shown {
		columns[i] = strings.Replace(cmp.Or(c.Shown, c.Name), c.Name, name+"."+c.Name, 1)
	}
	return strings.Join(columns, ", ")
}

// Excluded sets what an insertion writes in the row that is there, but for the columns of its key: it
// goes behind DO UPDATE SET.
func (t *Table[T]) Excluded(key ...string) string {
	var sets []string
	for _, c := range t.all {
		if !slices.Contains(key, c.Name) {
			sets = append(sets, c.Name+" = excluded."+c.Name)
		}
	}
	return strings.Join(sets, ", ")
}

// fewOthers is for how many columns of other tables the targets of a row have room.
const fewOthers = 10

// Targets are where the columns of a row are scanned into, for a query that reads others too.
func (t *Table[T]) Targets(record *T) []any {
	targets := make([]any, len(t.shown), len(t.shown)+fewOthers)
	for i := range t.shown {
		targets[i] = t.shown[i].Target(record)
	}
	return targets
}

// Scan reads a row of the columns into a record.
func (t *Table[T]) Scan(scan db.Scan, record *T) error {
	targets := t.targets.Get().(*[]any)
	for i := range t.shown {
		(*targets)[i] = t.shown[i].Target(record)
	}
	err := scan(*targets...)
	clear(*targets)
	t.targets.Put(targets)
	return err
}

// Read is Scan of the records of a portfolio.
func (t *Table[T]) Read(in access.Portfolio) func(db.Scan, *T) error {
	return func(scan db.Scan, record *T) error {
		err := t.Scan(scan, record)
		t.Complete(record, in.Mode)
		return err
	}
}

// query reads the columns. rest is what stands behind the name of the table.
func (t *Table[T]) query(rest string) string {
	return "SELECT " + t.Columns + " FROM " + t.Name + " " + rest
}

// All reads rows of the table. rest is what stands behind its name in the query.
func (t *Table[T]) All(ctx context.Context, d *db.DB, rest string, args ...any) ([]T, error) {
	return All(ctx, d, t.query(rest), args, t.Scan)
}

// In is All of the records of a portfolio, which rest names.
func (t *Table[T]) In(ctx context.Context, d *db.DB, in access.Portfolio, rest string, args ...any) ([]T, error) {
	return All(ctx, d, t.query(rest), args, t.Read(in))
}

// MostIDs is how many ids a statement has at most.
const MostIDs = 100

// With is In of those records whose column has one of some ids, which are asked for in parts. SQLite reads them by an
// index, "" for its choice. rest is what stands behind that condition.
func (t *Table[T]) With(
	ctx context.Context, d *db.DB, in access.Portfolio, index, column string, ids []string, rest string,
) (all []T, err error) {
	for some := range slices.Chunk(ids, MostIDs) {
		these, args := d.Among([]any{in.ID}, some)
		found, err := t.In(ctx, d, in, d.IndexedBy(index)+`
			WHERE portfolio_id = $1 AND `+column+these+` `+rest, args...)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// Each is All of many or large rows, one after the other.
func (t *Table[T]) Each(ctx context.Context, d *db.DB, each func(*T) error, rest string, args ...any) error {
	return d.Each(ctx, t.query(rest), args, func(scan db.Scan) error {
		var record T
		if err := t.Scan(scan, &record); err != nil {
			return err
		}
		return each(&record)
	})
}

// First reads the row of the table that rest finds, and reports whether there is one.
func (t *Table[T]) First(ctx context.Context, d *db.DB, rest string, args ...any) (T, bool, error) {
	return First(ctx, d, t.query(rest), args, t.Scan)
}

// Take is First and deletes the row.
func (t *Table[T]) Take(ctx context.Context, d *db.DB, rest string, args ...any) (T, bool, error) {
	return First(ctx, d, "DELETE FROM "+t.Name+" "+rest+" RETURNING "+t.Columns, args, t.Scan)
}

// Only is First that fails with fault.NotFound of a noun where there is no row.
func (t *Table[T]) Only(ctx context.Context, d *db.DB, noun, rest string, args ...any) (T, error) {
	return Only(ctx, d, noun, t.query(rest), args, t.Scan)
}

// Record reads one record by its id within a portfolio, or fault.NotFound of a noun.
func (t *Table[T]) Record(ctx context.Context, d *db.DB, noun string, in access.Portfolio, id string) (T, error) {
	return Only(ctx, d, noun, t.query("WHERE portfolio_id = $1 AND id = $2"), []any{in.ID, id}, t.Read(in))
}

// Values are the values of a record as they are written.
func (t *Table[T]) Values(record *T) ([]any, error) {
	values := make([]any, len(t.all))
	for i := range t.all {
		v, err := t.all[i].Value(record)
		if err != nil {
			return nil, err
		}
		values[i] = v
	}
	return values, nil
}

// Add writes a record, and also other columns: the name of each and its value.
func (t *Table[T]) Add(ctx context.Context, d *db.DB, record *T, also ...any) error {
	_, err := t.AddOr(ctx, d, "", record, also...)
	return err
}

// AddOr is Add with a clause for a conflict, and reports whether it wrote a row.
func (t *Table[T]) AddOr(ctx context.Context, d *db.DB, conflict string, record *T, also ...any) (bool, error) {
	sql, values, err := t.addition(conflict, record, also)
	if err != nil {
		return false, err
	}
	return d.Changes(ctx, sql, values...)
}

// AddLater is Add along with the next statement of the transaction.
func (t *Table[T]) AddLater(ctx context.Context, d *db.DB, record *T, also ...any) error {
	sql, values, err := t.addition("", record, also)
	if err != nil {
		return err
	}
	return d.Later(ctx, sql, values...)
}

func (t *Table[T]) addition(conflict string, record *T, also []any) (sql string, values []any, err error) {
	if values, err = t.Values(record); err != nil {
		return "", nil, err
	}
	columns := t.written
	for i := 0; i < len(also); i += 2 {
		columns, values = columns+", "+also[i].(string), append(values, also[i+1])
	}
	sql = "INSERT INTO " + t.Name + " (" + columns + ") VALUES (" + db.Placeholders(0, len(values)) + ")"
	if conflict != "" {
		sql += " " + conflict
	}
	return sql, values, nil
}

// Insert writes records, many with one statement.
func (t *Table[T]) Insert(ctx context.Context, d *db.DB, in access.Portfolio, records []T) error {
	for chunk := range slices.Chunk(records, Bulk) {
		sql, args, err := t.Insertion(d, in, chunk)
		if err != nil {
			return err
		}
		if _, err := d.Exec(ctx, sql, args...); err != nil {
			return err
		}
	}
	return nil
}

// Insertion is the statement that writes some records.
func (t *Table[T]) Insertion(d *db.DB, in access.Portfolio, records []T) (string, []any, error) {
	return Insertion(d, in, t.Name, t.written, records, t.Values)
}

// Bulked is Insertion into a table whose records say their portfolio, or have none.
func (t *Table[T]) Bulked(d *db.DB, records []T) (string, []any, error) {
	return bulked(d, t.Name, t.written, records, t.Values)
}

// Save writes all columns of a record that is there.
func (t *Table[T]) Save(ctx context.Context, d *db.DB, in access.Portfolio, record *T) error {
	values, err := t.Values(record)
	if err != nil {
		return err
	}
	return Save(ctx, d, in, t.Name, t.written, values)
}
