package dbtest

import (
	"cmp"
	"reflect"
	"slices"
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
func IDOf(record any) string { return reflect.ValueOf(record).Elem().FieldByName("ID").String() }

// Everything is a limit that no list of a test reaches.
const Everything = 10_000
