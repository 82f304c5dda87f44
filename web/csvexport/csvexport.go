// Package csvexport answers with the rows of a list as a CSV file, read and sent a page at a time.
//
// It knows no record: sections give it their lists and columns.
package csvexport

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/list"
	"portal/web/page"
)

// Table is a list as a file. Path and filters of the list are those of its page.
type Table[T any] struct {
	Name  string     // of the list, in small letters: the file is NAME-2026-11-26.csv
	Query list.Query // the order of the list; its page does not count
	// Page reads a page of the list.
	Page func(q list.Query) (*list.Page[T], error)
	// Row reads one row again. A list whose rows never move has none.
	Row func(ctx context.Context, by access.Actor, id string) (*T, error)
	// Load looks up what the cells of a page of rows need, if anything.
	Load func(rows []T) error
	// Cells are those of a row. Their names are the same for every row, also for one that is empty.
	Cells func(row *T) Cells
	// Lines are those of a row that has several of them, or none. A list without it has one of each row, its Cells.
	Lines func(row *T) []Cells
}

// load looks up what the cells of rows need.
func (t *Table[T]) load(rows []T) error {
	if t.Load == nil {
		return nil
	}
	return t.Load(rows)
}

// record is what a table needs to know of its rows: the id, and a version that every change raises.
type record[T any] interface {
	*T
	Identity() string
	Revision() int64
}

// Trail records in the audit trail that a list was exported.
type Trail interface {
	RecordDone(ctx context.Context, by access.Actor, action, target string, details map[string]string) error
}

// pageSize is how many rows are read at a time.
const pageSize = list.Max

// mark is the byte order mark of UTF-8. Excel reads a file without it in the code page of the
// computer and spoils every accent. What reads CSV as UTF-8 skips the mark, our import of rent rolls
// included; programs that do not are better served by the API.
const mark = "\ufeff"

// errMoved tells that no row is where it was, so that the list cannot be read on.
var errMoved = errors.New("every row of the page before has changed")

// Serve answers with all rows of a list. Each page is read by a query of its own and sent before the
// next one is read. A record that changes meanwhile may be missing or be there twice; all others are
// there once.
//
// Before the first byte has left, an error is an answer as on every page. After it, the connection is
// cut: the body has no last chunk (RFC 9112, section 7.1), so no reader takes it for a complete file.
func Serve[T any, P record[T]](v *page.Request, trail Trail, t Table[T]) error {
	return serve(v, trail, t, func(q list.Query, sent []T) (*list.Page[T], []T, error) {
		return next[T, P](v, t, q, sent)
	})
}

// ServeAll answers with all rows of a list that is so short that it was read at once.
func ServeAll[T any](v *page.Request, trail Trail, name string, rows []T, cells func(row *T) Cells) error {
	return serve(v, trail, Table[T]{
		Name:  name,
		Page:  func(list.Query) (*list.Page[T], error) { return &list.Page[T]{Data: rows}, nil },
		Cells: cells,
	}, nil)
}

func serve[T any](
	v *page.Request, trail Trail, t Table[T], next func(q list.Query, sent []T) (*list.Page[T], []T, error),
) error {
	if t.Lines == nil {
		t.Lines = func(row *T) []Cells { return []Cells{t.Cells(row)} }
	}
	x := &export[T]{download: newDownload(v, t.Name), Table: t, next: next}
	if v.Request().Method == http.MethodHead {
		x.head()
		return nil
	}
	x.Query.Limit, x.Query.StartingAfter, x.Query.Whole = pageSize, "", true
	first, err := x.Page(x.Query)
	if err != nil {
		return err
	}
	if err := x.load(first.Data); err != nil {
		return err
	}
	return x.send(trail, func() error { return x.run(first) })
}

// export is a file on its way to its reader.
type export[T any] struct {
	*download
	Table[T]
	// next reads the page behind some rows, and which rows of it have not been sent.
	next func(q list.Query, sent []T) (*list.Page[T], []T, error)
	file *csv.Writer
}

// run sends the names of the columns and all rows.
func (x *export[T]) run(p *list.Page[T]) error {
	x.file = csv.NewWriter(x.Response())
	if err := x.extend(); err != nil {
		return err
	}
	if _, err := io.WriteString(x.Response(), mark); err != nil {
		return errGone
	}
	if x.file.Write(x.Cells(new(T)).names()) != nil {
		return errGone
	}
	for shown := p.Data; ; {
		if err := x.write(shown); err != nil {
			return err
		}
		if _, more := p.Next(); !more {
			return nil
		}
		var err error
		if p, shown, err = x.next(x.Query, p.Data); err != nil {
			return err
		}
		if err = x.load(shown); err != nil {
			return err
		}
	}
}

// write sends rows.
func (x *export[T]) write(rows []T) error {
	if err := x.extend(); err != nil {
		return err
	}
	for i := range rows {
		for _, line := range x.Lines(&rows[i]) {
			if x.file.Write(line.values()) != nil {
				return errGone
			}
		}
	}
	x.file.Flush()
	if x.file.Error() != nil || x.control.Flush() != nil {
		return errGone
	}
	return nil
}

// next reads the page behind some rows, and which rows of it have not been sent. A page begins behind
// the place that a row has now, not that which it had: where the last row has changed, the list may
// have moved it, and the page begins behind the one before it.
func next[T any, P record[T]](v *page.Request, t Table[T], q list.Query, sent []T) (*list.Page[T], []T, error) {
	for i := len(sent) - 1; i >= 0; i-- {
		was := P(&sent[i])
		q.StartingAfter = was.Identity()
		p, err := t.Page(q)
		if err != nil {
			return nil, nil, err
		}
		now := was
		if t.Row != nil {
			now, err = t.Row(v.Ctx(), v.Actor(), was.Identity())
		}
		if fault.Is(err, fault.NoRecord) {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		if now.Revision() == was.Revision() { // so the page was read behind the same place
			return p, slices.DeleteFunc(slices.Clone(p.Data), func(row T) bool {
				return slices.ContainsFunc(
					sent,
					func(other T) bool { return P(&other).Identity() == P(&row).Identity() },
				)
			}), nil
		}
	}
	return nil, nil, errMoved
}

// Send answers with a short table as a file for somebody without an account, of whom the audit trail keeps nothing. The
// rows are at least one, as the names of the columns come from them.
func Send(v *page.Request, name string, rows []Cells) error {
	lines := [][]string{rows[0].names()}
	for _, row := range rows {
		lines = append(lines, row.values())
	}
	var b bytes.Buffer
	b.WriteString(mark)
	if err := csv.NewWriter(&b).WriteAll(lines); err != nil {
		return fmt.Errorf("export %s: %w", name, err)
	}
	h := v.Response().Header()
	h.Set("Content-Disposition", `attachment; filename="`+name+`.csv"`)
	return v.Send.Body("text/csv; charset=utf-8", b.Bytes())
}
