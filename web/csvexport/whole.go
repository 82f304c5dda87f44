package csvexport

import (
	"portal/api/list"
	"portal/web/page"
)

// whole is a row of a list that was read whole, so that no page follows its first.
type whole[T any] struct{ row T }

// Identity is the same for all: nothing is looked up by it.
func (*whole[T]) Identity() string { return "" }

// Revision is the same for all, too.
func (*whole[T]) Revision() int64 { return 1 }

// ServeAll answers with all rows of a list that is so short that it was read at once.
func ServeAll[T any](v *page.Request, trail Trail, name string, rows []T, columns []Column[T]) error {
	all := make([]whole[T], len(rows))
	for i := range rows {
		all[i].row = rows[i]
	}
	of := make([]Column[whole[T]], len(columns))
	for i, c := range columns {
		of[i] = Column[whole[T]]{c.Name, func(w *whole[T]) Value { return c.Of(&w.row) }}
	}
	return Serve(v, trail, Table[whole[T]]{
		Name: name,
		Page: func(list.Query) (*list.Page[whole[T]], error) {
			return list.Of(all, max(1, len(all)), (*whole[T]).Identity), nil
		},
		Columns: func([]whole[T]) ([]Column[whole[T]], error) { return of, nil },
	})
}
