package page

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"portal/api/account"
	"portal/api/fault"
	"portal/api/middleware"
	"portal/views/kit"
)

// fail answers with a page for what a handler could not do, and logs what is a fault
// of ours.
func (s *Shell) fail(v *Request, err error) error {
	if err == nil {
		return nil
	}
	if to := (Detour{}); errors.As(err, &to) {
		return v.after(to.to)
	}
	if account.IsStale(err) {
		return v.after("/confirm")
	}
	r := refused(err)
	s.complain(v, r, err)
	if v.Response().Committed { // by a handler that knew what to show
		return nil
	}
	if s.answersProgram(v, r) {
		return nil
	}
	if f := fault.From(err); f.Retry > 0 {
		v.Response().Header().Set("Retry-After", strconv.Itoa(f.Retry))
	}
	return v.refuse(r)
}

// complain logs what is a fault of ours. A reader who went away is none.
func (s *Shell) complain(v *Request, r Refusal, err error) {
	switch {
	case r.Status < http.StatusInternalServerError:
	case fault.From(err).Retry > 0: // no fault of ours: there are too many at once
		s.Log.Warn("page busy", "path", v.route.Path, "request_id", v.ID)
	case middleware.Abandoned(v.Ctx(), err), v.Response().Committed && middleware.Unwritten(err):
		s.Log.Debug("reader went away", "path", v.route.Path, "request_id", v.ID, "error", err)
	default:
		s.Log.Error("page failed", "path", v.route.Path, "request_id", v.ID, "error", err)
	}
}

// answersProgram answers a program that asks for what is not there with what it can read,
// and reports whether the reader is one.
func (s *Shell) answersProgram(v *Request, r Refusal) bool {
	absent := r.Status == http.StatusNotFound || r.Status == http.StatusMethodNotAllowed
	return absent && v.route.Audience != LinkHolder && s.Programs != nil && s.Programs(v.Context, r.Status)
}

// Refusal is an answer that says why, without a code of the API's dictionary.
type Refusal struct {
	Status int
	Title  string
	Words  string
}

// Error is the title.
func (r Refusal) Error() string { return r.Title }

// What is said of a form that is not one that the page shows now.
const (
	staleTitle = "This form is out of date"
	staleWords = "Nothing was changed. Load the page again and send the form that it shows."
)

var notOurs = Refusal{
	http.StatusForbidden, "This request comes from another site",
	"Nothing was changed. If you meant to do this, do it from the page of this site.",
}

// refused is what a page says about an error.
func refused(err error) Refusal {
	if r := (Refusal{}); errors.As(err, &r) {
		return r
	}
	f := fault.From(err)
	switch status := f.Code.Entry().Status; status {
	case http.StatusNotFound:
		return Refusal{Status: status}
	case http.StatusInternalServerError:
		return broken
	case http.StatusServiceUnavailable:
		return Refusal{status, "We cannot answer just now", "Nothing you sent was taken. Try again in a moment."}
	case http.StatusTooManyRequests:
		return Refusal{status, "That was too often", patience(f)}
	case http.StatusConflict:
		return Refusal{status, "That does not fit any more", f.Message}
	case http.StatusForbidden:
		return Refusal{status, "This is not allowed", f.Message}
	default:
		return Refusal{status, "That could not be taken", f.Message}
	}
}

var broken = Refusal{
	http.StatusInternalServerError, "Something failed on our side",
	"Try again in a moment. What you sent was not taken.",
}

// refuse shows why there is no answer. A page that leads nowhere names nothing but its
// own address: what belongs to somebody else is not there.
func (v *Request) refuse(r Refusal) error {
	if v.route.Audience == LinkHolder {
		return v.Notice(r.Status, "", r.Title, r.Words)
	}
	if r.Status == http.StatusNotFound {
		return v.ShowAs(r.Status, kit.MissingPage(kit.Missing{Frame: v.Frame("Not found"), Path: v.Request().URL.Path}))
	}
	page := kit.Refused{Frame: v.Frame(r.Title), Status: r.Status, Words: r.Words}
	if r.Status >= http.StatusInternalServerError {
		page.RequestID = v.ID
	}
	return v.ShowAs(r.Status, kit.RefusedPage(page))
}

// Fail answers what no handler answered: an unknown path, a wrong method. It is what
// the error handler of the server calls for all that is no part of the API.
func (s *Shell) Fail(c echo.Context, err error) error {
	v := s.request(c, Route{Method: c.Request().Method, Path: c.Path(), Audience: Guest})
	r := broken
	if he := (*echo.HTTPError)(nil); errors.As(err, &he) {
		r = plain(he.Code)
	}
	s.complain(v, r, err)
	if c.Response().Committed || s.answersProgram(v, r) {
		return nil
	}
	if err := v.recognize(); err != nil && !errors.Is(err, context.Canceled) {
		s.Log.Warn("reader unknown", "request_id", v.ID, "error", err)
	}
	return v.refuse(r)
}

// plain is what a page says about a status that no handler explained.
func plain(status int) Refusal {
	switch {
	case status == http.StatusMethodNotAllowed:
		return Refusal{
			status, "This address is not asked for in this way",
			"It takes what a form sends, and shows nothing by itself. Go back to the page that the form is on.",
		}
	case status >= http.StatusInternalServerError:
		return broken
	}
	return Refusal{status, http.StatusText(status), "Nothing was changed."}
}

// patience is what a fault says, and when waiting has helped.
func patience(f *fault.Error) string {
	if f.Retry == 0 {
		return f.Message
	}
	wait := time.Duration(f.Retry) * time.Second
	if wait < time.Minute {
		return f.Message + " That is in " + Counted(f.Retry, "second") + "."
	}
	return f.Message + " That is in " + Counted(int((wait+time.Minute-1)/time.Minute), "minute") + "."
}

// NotFound is the error for a page that is not there.
var NotFound = fault.Of(fault.RouteNotFound)
