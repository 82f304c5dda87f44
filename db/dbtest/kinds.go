package dbtest

import (
	"cmp"
	"reflect"
	"slices"
	"sync"
)

// Pointers are those to rows.
func Pointers[R any](rows []R) []any {
	all := make([]any, len(rows))
	for i := range rows {
		all[i] = &rows[i]
	}
	return all
}

// Sorted puts records into the order of every list.
func Sorted(rows []any) []any {
	slices.SortFunc(rows, func(a, b any) int { return cmp.Compare(IDOf(a), IDOf(b)) })
	return rows
}

// IDOf is the id of a record.
func IDOf(record any) string { return Field(record, "ID").String() }

// Field is the field of a record that has a name, the zero Value if none has. It is looked up by its name once for each
// type: tests of lists sort and filter many thousands of records.
func Field(record any, name string) reflect.Value {
	v := reflect.ValueOf(record).Elem()
	key := fieldName{v.Type(), name}
	index, known := fieldIndexes.Load(key)
	if !known {
		field, _ := v.Type().FieldByName(name)
		index, _ = fieldIndexes.LoadOrStore(key, field.Index)
	}
	if path := index.([]int); path != nil {
		return v.FieldByIndex(path)
	}
	return reflect.Value{}
}

var fieldIndexes sync.Map // of fieldName: []int

type fieldName struct {
	record reflect.Type
	name   string
}

// Everything is a limit that no list of a test reaches.
const Everything = 10_000
