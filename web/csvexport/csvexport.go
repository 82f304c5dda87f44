// Package csvexport answers with the rows of a list as a CSV file, read and sent a page at a time.
//
// It knows no record: sections give it their lists and columns.
package csvexport

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/list"
	"portal/api/middleware"
	"portal/web/page"
)

// Table is a list as a file. Path and filters of the list are those of its page.
type Table[T any] struct {
	Name  string     // of the list, in small letters: the file is NAME-2026-11-26.csv
	Query list.Query // the order of the list; its page does not count
	// Page reads a page of the list.
	Page func(q list.Query) (*list.Page[T], error)
	// Row reads one row again.
	Row func(id string) (*T, error)
	// Columns are those of a page of rows, with what has to be looked up for them. Their names are
	// the same for every page, also for one without rows.
	Columns func(rows []T) ([]Column[T], error)
}

// Row is what a table needs to know of its rows: the id, and a version that every change raises.
type Row[T any] interface {
	*T
	Identity() string
	Revision() int64
}

// Trail records in the audit trail that a list was exported.
type Trail interface {
	RecordDone(ctx context.Context, by access.Actor, action, target string, details map[string]string) error
}

// Limits of a file.
const (
	pageSize = list.Max
	patience = 30 * time.Second // for a reader to take a page
	longest  = 10 * time.Minute // for the whole file, as for the data of an account
)

// mark is the byte order mark of UTF-8. Excel reads a file without it in the code page of the
// computer and spoils every accent. What reads CSV as UTF-8 skips the mark, our import of rent rolls
// included; programs that do not are better served by the API.
const mark = "\ufeff"

var (
	// errGone tells that the reader is.
	errGone = errors.New("the reader is gone")
	// errMoved tells that no row is where it was, so that the list cannot be read on.
	errMoved = errors.New("every row of the page before has changed")
	errLong  = errors.New("the file takes too long")
)

// Address is that of the file of a list which has the filters and the order of this request.
func Address(v *page.Request, path string) string {
	q := url.Values{}
	for name, values := range v.Request().URL.Query() {
		if name != "after" && name != "trail" {
			q[name] = values
		}
	}
	if len(q) == 0 {
		return v.In(path)
	}
	return v.In(path) + "?" + q.Encode()
}

// Serve answers with all rows of a list. Each page is read by a query of its own and sent before the
// next one is read. A record that changes meanwhile may be missing or be there twice; all others are
// there once.
//
// Before the first byte has left, an error is an answer as on every page. After it, the connection is
// cut: the body has no last chunk (RFC 9112, section 7.1), so no reader takes it for a complete file.
func Serve[T any, P Row[T]](v *page.Request, trail Trail, t Table[T]) error {
	x := &export[T, P]{Request: v, Table: t, control: http.NewResponseController(v.Response())}
	if v.Request().Method == http.MethodHead {
		x.head()
		return nil
	}
	x.end = time.Now().Add(longest) //nolint:forbidigo // the connection's own time
	x.Query.Limit, x.Query.StartingAfter = pageSize, ""
	first, err := x.Page(x.Query)
	if err != nil {
		return err
	}
	columns, err := x.Columns(first.Data)
	if err != nil {
		return err
	}
	if err := v.Session.Commit(); err != nil {
		return err
	}
	by := v.Actor()
	by.Portfolio.Mode = v.Mode()
	if err := trail.RecordDone(v.Ctx(), by, t.Name+".exported", "", nil); err != nil {
		return err
	}
	x.head()
	if err := middleware.Contain(func() error { return x.run(first, columns) }); err != nil {
		x.abort(err)
	}
	return nil
}

// export is a file on its way to its reader.
type export[T any, P Row[T]] struct {
	*page.Request
	Table[T]
	file    *csv.Writer
	control *http.ResponseController
	end     time.Time
}

// head sends what stands before the first byte.
func (x *export[T, P]) head() {
	today := clock.DateOf(x.Shell.Now(), x.Zone())
	h := x.Response().Header()
	h.Set("Content-Type", "text/csv; charset=utf-8")
	h.Set("Content-Disposition", `attachment; filename="`+x.Name+"-"+today.String()+`.csv"`)
	h.Set("Cache-Control", "no-store")
	x.Response().WriteHeader(http.StatusOK)
}

// run sends the names of the columns and all rows.
func (x *export[T, P]) run(p *list.Page[T], columns []Column[T]) error {
	x.file = csv.NewWriter(x.Response())
	if err := x.extend(); err != nil {
		return err
	}
	if _, err := io.WriteString(x.Response(), mark); err != nil {
		return errGone
	}
	cells := make([]string, len(columns))
	for i := range columns {
		cells[i] = columns[i].Name
	}
	if x.file.Write(cells) != nil {
		return errGone
	}
	for shown := p.Data; ; {
		if err := x.write(columns, shown, cells); err != nil {
			return err
		}
		if _, more := p.Next(); !more {
			return nil
		}
		var err error
		if p, shown, err = x.next(p.Data); err != nil {
			return err
		}
		if columns, err = x.Columns(shown); err != nil {
			return err
		}
	}
}

// write sends rows.
func (x *export[T, P]) write(columns []Column[T], rows []T, cells []string) error {
	if err := x.extend(); err != nil {
		return err
	}
	for i := range rows {
		for k := range columns {
			cells[k] = columns[k].Of(&rows[i]).text
		}
		if x.file.Write(cells) != nil {
			return errGone
		}
	}
	x.file.Flush()
	if x.file.Error() != nil || x.control.Flush() != nil {
		return errGone
	}
	return nil
}

// extend gives the reader time for the next rows. The server's limit is for answers that end soon.
func (x *export[T, P]) extend() error {
	now := time.Now() //nolint:forbidigo // the connection's own time
	if !now.Before(x.end) {
		return errLong
	}
	until := now.Add(patience)
	if until.After(x.end) {
		until = x.end
	}
	if err := x.control.SetWriteDeadline(until); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return errGone
	}
	return nil
}

// next reads the page behind some rows, and which rows of it have not been sent. A page begins behind
// the place that a row has now, not that which it had: where the last row has changed, the list may
// have moved it, and the page begins behind the one before it.
func (x *export[T, P]) next(sent []T) (*list.Page[T], []T, error) {
	for i := len(sent) - 1; i >= 0; i-- {
		was, q := P(&sent[i]), x.Query
		q.StartingAfter = was.Identity()
		p, err := x.Page(q)
		if err != nil {
			return nil, nil, err
		}
		now, err := x.Row(was.Identity())
		if fault.Is(err, fault.NoRecord) {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		if P(now).Revision() == was.Revision() { // so the page was read behind the same place
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

// abort ends a file that is not complete.
func (x *export[T, P]) abort(err error) {
	if !errors.Is(err, errGone) && x.Ctx().Err() == nil {
		x.Shell.Log.Error("export broke", "path", x.Route().Path, "request_id", x.ID,
			"error", fmt.Errorf("export %s: %w", x.Name, err))
	}
	panic(http.ErrAbortHandler)
}
