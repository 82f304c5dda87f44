package csvexport

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"portal/api/middleware"
	"portal/web/page"
)

// Limits of a file.
const (
	patience = 30 * time.Second // for a reader to take a page
	longest  = 10 * time.Minute // for the whole file, as for the data of an account
)

var (
	// errGone tells that the reader is.
	errGone = errors.New("the reader is gone")
	errLong = errors.New("the file takes too long")
)

// download is a file that is sent in pieces.
type download struct {
	*page.Request
	name    string // of what is exported, in small letters
	file    string // its name
	media   string
	control *http.ResponseController
	end     time.Time
}

// newDownload begins a CSV file.
func newDownload(v *page.Request, name string) *download {
	today := v.Today()
	return &download{
		Request: v,
		name:    name,
		file:    name + "-" + today.String() + ".csv",
		media:   "text/csv; charset=utf-8",
		control: http.NewResponseController(v.Response()),
		end:     time.Now().Add(longest), //nolint:forbidigo // the connection's own time
	}
}

// head sends what stands before the first byte.
func (x *download) head() {
	h := x.Response().Header()
	h.Set("Content-Type", x.media)
	h.Set("Content-Disposition", `attachment; filename="`+x.file+`"`)
	h.Set("Cache-Control", "no-store")
	x.Response().WriteHeader(http.StatusOK)
}

// send records the export and sends the file.
func (x *download) send(trail Trail, run func() error) error {
	if err := x.Session.Commit(); err != nil {
		return err
	}
	by := x.Actor()
	by.Portfolio.Mode = x.Mode()
	if err := trail.RecordDone(x.Ctx(), by, x.name+".exported", "", nil); err != nil {
		return err
	}
	_ = x.control.SetReadDeadline(time.Time{}) // the server's holds for requests that end soon
	x.head()
	if err := middleware.Contain(run); err != nil {
		x.abort(err)
	}
	return nil
}

// extend gives the reader time for the next piece. The server's limit is for answers that end soon.
func (x *download) extend() error {
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

// abort ends a file that is not complete.
func (x *download) abort(err error) {
	if !errors.Is(err, errGone) && x.Ctx().Err() == nil {
		x.Shell.Log.Error("export broke", "path", x.Route().Path, "request_id", x.ID,
			"error", fmt.Errorf("export %s: %w", x.name, err))
	}
	panic(http.ErrAbortHandler)
}

// Document is a file that knows how it is written.
type Document struct {
	Name  string // of what is exported, in small letters, for the audit trail
	File  string // its name
	Media string
	// Write writes the file, and calls sent after each piece.
	Write func(w io.Writer, sent func() error) error
}

// ServeDocument answers with a file that another package writes. It is sent in pieces and cut off as one of Serve is.
func ServeDocument(v *page.Request, trail Trail, d Document) error {
	x := newDownload(v, d.Name)
	x.file, x.media = d.File, d.Media
	if v.Request().Method == http.MethodHead {
		x.head()
		return nil
	}
	return x.send(trail, func() error {
		if err := x.extend(); err != nil {
			return err
		}
		return d.Write(writer{x}, func() error {
			if x.control.Flush() != nil {
				return errGone
			}
			return x.extend()
		})
	})
}

// writer writes to the reader of a file.
type writer struct{ *download }

// Write tells that the reader is gone where it takes nothing.
func (w writer) Write(b []byte) (int, error) {
	n, err := w.Response().Write(b)
	if err != nil {
		err = errGone
	}
	return n, err
}
