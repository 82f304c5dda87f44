package rest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"portal/api/access"
	"portal/api/middleware"
	"portal/api/operation"
	"portal/api/portfolio/rentroll/export"
)

// csvFile is the media type of a CSV file, which is in UTF-8.
const csvFile = "text/csv"

// exportFormat is what is asked of an export.
type exportFormat struct {
	// The kind of file.
	Format export.Format `in:"query" name:"format" default:"csv"`
}

// Limits of a file that is sent in pieces.
const (
	downloadPatience = 30 * time.Second // for a reader to take a piece
	downloadLongest  = 10 * time.Minute // for the whole file
)

// newExport is the entry of the operation that answers with a file.
func newExport() *operation.Operation {
	return operation.Define(operation.Spec{
		Name:    "export_rent_roll",
		Method:  http.MethodGet,
		Path:    exportPath,
		Tag:     "Properties",
		Summary: "Export the rent roll",
		Description: "The whole portfolio as a file with the columns that an import reads: a line for each unit and " +
			"lease, without archived properties, drafts, and voided leases. CSV is UTF-8 with a byte order mark; " +
			"texts that a spreadsheet would take for a formula begin with an apostrophe. The file is sent in pieces. " +
			"If it can't be completed, the connection is cut, without the end of the body.",
		Scope:  access.Read,
		Status: http.StatusOK,
		Media:  []string{csvFile, export.XLSX.Media()},
	},
		func(context.Context, *exportFormat) (*operation.Nothing, error) { return nil, nil }) // never called
}

// serveExport answers with the rent roll of the portfolio. Each page of it is read by queries of its own and sent
// before the next one is read.
func (a *API) serveExport(c echo.Context) error {
	return a.request(c, a.export, (*request).download)
}

func (x *request) download() error {
	if err := x.req.Admit(); err != nil {
		return err
	}
	by := x.req.Caller.Actor()
	if err := by.Need(x.op.Scope); err != nil {
		return err
	}
	from, err := x.request()
	if err != nil {
		return err
	}
	d, err := x.op.Decode(from)
	if err != nil {
		return err
	}
	file, err := x.api.Portfolio.Rolls.Open(x.req.HTTP.Context(), *by, d.Input.(*exportFormat).Format)
	if err != nil {
		return err
	}
	h := x.req.Writer.Header()
	h["Content-Type"] = []string{file.Format.Media()}
	h["Content-Disposition"] = []string{`attachment; filename="` + file.Name() + `"`}
	x.req.Status, x.req.First = http.StatusOK, x.req.Now().Sub(x.req.Began)
	if x.req.HTTP.Method == http.MethodHead {
		x.req.Writer.WriteHeader(x.req.Status)
		return nil
	}
	x.send(file)
	return nil
}

// send sends a file. Once its first byte has left, no error can be told: the connection is cut.
func (x *request) send(file *export.File) {
	to := &reader{
		request: x,
		control: http.NewResponseController(x.req.Writer),
		end:     time.Now().Add(downloadLongest), //nolint:forbidigo // the connection's own time
	}
	err := middleware.Contain(func() error {
		_ = to.control.SetReadDeadline(time.Time{}) // the server's holds for requests that end soon
		if err := to.extend(); err != nil {
			return err
		}
		x.req.Writer.WriteHeader(x.req.Status)
		return file.Write(x.req.HTTP.Context(), to, to.sent)
	})
	if err == nil {
		return
	}
	if !errors.Is(err, errGone) && x.req.HTTP.Context().Err() == nil {
		x.req.Log.Error("export broke", "request_id", x.req.ID, "error", fmt.Errorf("export a rent roll: %w", err))
	}
	panic(http.ErrAbortHandler)
}

// reader is who takes a file.
type reader struct {
	*request
	control *http.ResponseController
	end     time.Time
}

// Write sends a part of a piece.
func (r *reader) Write(b []byte) (int, error) {
	n, err := r.req.Writer.Write(b)
	r.req.Bytes += n
	if err != nil {
		err = errGone
	}
	return n, err
}

// sent ends a piece and gives time for the next one.
func (r *reader) sent() error {
	if r.control.Flush() != nil {
		return errGone
	}
	return r.extend()
}

// extend gives the reader time for the next piece.
func (r *reader) extend() error {
	now := time.Now() //nolint:forbidigo // the connection's own time
	if !now.Before(r.end) {
		return errGone
	}
	until := now.Add(downloadPatience)
	if until.After(r.end) {
		until = r.end
	}
	if r.control.SetWriteDeadline(until) != nil {
		return errGone
	}
	return nil
}
