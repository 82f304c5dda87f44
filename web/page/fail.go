package page

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"

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
	r := refusalOf(err)
	s.complain(v, r, err)
	if v.Response().Committed { // by a handler that knew what to show
		return nil
	}
	if s.answersProgram(v, r) {
		return nil
	}
	if f := fault.From(err); f.Retry > 0 {
		v.Response().Header().Set("Retry-After", strconv.Itoa(f.Retry))
	} else if r.Status == http.StatusServiceUnavailable {
		v.Response().Header().Set("Retry-After", unavailableFor)
	}
	return v.refuse(r)
}

// unavailableFor is after how many seconds to try again while the database or another part is away.
const unavailableFor = "5"

// complain logs what is a fault of ours. A reader who went away is none.
func (s *Shell) complain(v *Request, r Refusal, err error) {
	switch {
	case r.Status < http.StatusInternalServerError:
	case refusedForLoad(err): // no fault of ours: there are too many at once
		s.Log.Warn("page busy", "path", v.route.Path, "request_id", v.ID)
	case middleware.Abandoned(v.Ctx(), err), v.Response().Committed && middleware.Unwritten(err):
		s.Log.Debug("reader went away", "path", v.route.Path, "request_id", v.ID, "error", err)
	default:
		s.Log.Error("page failed", "path", v.route.Path, "request_id", v.ID, "error", err)
	}
}

// refusedForLoad reports whether something was refused because others have asked for as much as there is.
func refusedForLoad(err error) bool {
	r := Refusal{}
	return fault.From(err).Retry > 0 || errors.As(err, &r) && r.Status == http.StatusServiceUnavailable
}

// answersProgram answers a program that asks for what is not there with what it can read,
// and reports whether the reader is one.
func (s *Shell) answersProgram(v *Request, r Refusal) bool {
	absent := r.Status == http.StatusNotFound || r.Status == http.StatusMethodNotAllowed
	return absent && v.route.Audience != LinkHolder && s.Programs != nil && s.Programs(v.Context, r.Status)
}

// What is said of a form that is not one that the page shows now.
const (
	staleTitle = "This form is out of date"
	staleWords = "Nothing was changed. Reload the page and send its form."
)

// refuse shows why there is no answer. A page that leads nowhere names nothing but its
// own address: what belongs to somebody else is not there.
func (v *Request) refuse(r Refusal) error {
	if v.route.Audience == LinkHolder {
		r = v.inSpanish(r)
		return v.notice(r.Status, v.plainHeader(r.Title), r.Words)
	}
	page := kit.Refused{Frame: v.Frame(r.Title), Status: r.Status, Words: r.Words}
	page.Next = v.ways(page.Frame, r)
	if r.Status == http.StatusNotFound {
		return v.ShowAs(r.Status, kit.MissingPage(kit.Missing{Refused: page, Path: v.Request().URL.Path}))
	}
	if r.Status >= http.StatusInternalServerError {
		page.RequestID = v.ID
	}
	return v.ShowAs(r.Status, kit.RefusedPage(page))
}

// ways are where the reader of a refusal goes on, the most likely first: the same page again, the
// list that a missing record belongs to, the first page of the reader.
func (v *Request) ways(f kit.Frame, r Refusal) []kit.Link {
	next := slices.Clone(r.Next)
	switch {
	case r.Status >= http.StatusInternalServerError && v.route.Method == http.MethodGet:
		next = append(next, kit.Link{Name: "Try again", Path: ownAddress(v.Request().URL)})
	case r.Status != http.StatusNotFound:
		if from := v.referred(); from != "" && v.route.Method == http.MethodPost {
			next = append(next, kit.Link{Name: "Go back to the form", Path: from})
		}
	case f.Person != nil:
		next = append(next, f.Nearest()...)
	}
	if f.Person == nil && r.Status == http.StatusNotFound {
		next = append(next, kit.Link{Name: "Read the docs", Path: "/docs"})
	}
	return append(next, f.Home())
}

// Fail answers what no handler answered: an unknown path, a wrong method. It is what
// the error handler of the server calls for all that is no part of the API.
func (s *Shell) Fail(c echo.Context, err error) error {
	v := s.request(c, Route{Method: c.Request().Method, Path: c.Path(), Audience: Guest})
	r := brokenRefusal
	if he := (*echo.HTTPError)(nil); errors.As(err, &he) {
		r = plainRefusal(he.Code)
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

// NotFound is the error for a page that is not there.
var NotFound = fault.Of(fault.RouteNotFound)
