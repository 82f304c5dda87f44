package rows

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"

	"portal/api/access"
	"portal/db"
)

// Table says, once, what the columns of a table are and where in a record each has its value: queries
// have the columns from it, scans their targets, and writes the values.
type Table[T any] struct {
	Name    string
	Columns string // those that are read, in their order
	written string // those that are written
	all     []Column[T]
	read    []func(*T) any
	targets sync.Pool // of *[]any, so that a row that is read allocates none
}

// Column is a column of a table.
type Column[T any] struct {
	Name   string
	Target func(*T) any          // where it is scanned into; nil for a column that is never read
	Value  func(*T) (any, error) // what is written; nil for a column that other queries write
}

// Cell is the value of a column that no record of the table has.
type Cell struct {
	Column string
	Value  any
}

// At is a column whose value stands in a field.
func At[T, V any](name string, field func(*T) *V) Column[T] {
	return Column[T]{
		Name:   name,
		Target: func(record *T) any { return field(record) },
		Value:  func(record *T) (any, error) { return *field(record), nil },
	}
}

// JSONAt is a column with the JSON of a field, NULL for nil.
func JSONAt[T, V any](name string, field func(*T) **V) Column[T] {
	return Column[T]{
		Name:   name,
		Target: func(record *T) any { return JSONInto(field(record)) },
		Value:  func(record *T) (any, error) { return JSONOf(*field(record)), nil },
	}
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
			read, t.read = append(read, c.Name), append(t.read, c.Target)
		}
		if c.Value != nil {
			written, t.all = append(written, c.Name), append(t.all, c)
		}
	}
	t.Columns, t.written = strings.Join(read, ", "), strings.Join(written, ", ")
	t.targets.New = func() any { return new(make([]any, len(t.read))) }
	return t
}

// Of are the columns of the table by its name in a query.
func (t *Table[T]) Of(name string) string {
	return name + "." + strings.ReplaceAll(t.Columns, ", ", ", "+name+".")
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
	targets := make([]any, len(t.read), len(t.read)+fewOthers)
	for i, target := range t.read {
		targets[i] = target(record)
	}
	return targets
}

// Scan reads a row of the columns into a record.
func (t *Table[T]) Scan(scan db.Scan, record *T) error {
	targets := t.targets.Get().(*[]any)
	for i, target := range t.read {
		(*targets)[i] = target(record)
	}
	err := scan(*targets...)
	clear(*targets)
	t.targets.Put(targets)
	return err
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

// Add writes a record with cells of other columns, and tells how many rows it wrote: none where the
// statement ends with a clause that makes a conflict nothing.
func (t *Table[T]) Add(ctx context.Context, d *db.DB, record *T, end string, also ...Cell) (int64, error) {
	values, err := t.Values(record)
	if err != nil {
		return 0, err
	}
	columns := t.written
	for _, c := range also {
		columns, values = columns+", "+c.Column, append(values, c.Value)
	}
	marks := make([]string, len(values))
	for i := range marks {
		marks[i] = "$" + strconv.Itoa(i+1)
	}
	sql := "INSERT INTO " + t.Name + " (" + columns + ") VALUES (" + strings.Join(marks, ", ") + ")"
	if end != "" {
		sql += " " + end
	}
	return d.Exec(ctx, sql, values...)
}

// Insert writes records, many with one statement.
func (t *Table[T]) Insert(ctx context.Context, d *db.DB, in access.Portfolio, records []T) error {
	return Insert(ctx, d, in, t.Name, t.written, records, t.Values)
}

// Insertion is the statement that writes some records.
func (t *Table[T]) Insertion(d *db.DB, in access.Portfolio, records []T) (string, []any, error) {
	return Insertion(d, in, t.Name, t.written, records, t.Values)
}

// Save writes all columns of a record that is there.
func (t *Table[T]) Save(ctx context.Context, d *db.DB, in access.Portfolio, record *T) error {
	values, err := t.Values(record)
	if err != nil {
		return err
	}
	return Save(ctx, d, in, t.Name, t.written, values)
}
