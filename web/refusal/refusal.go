// Package refusal holds what pages say when they cannot do what a reader asked for: a title, what
// happened in a plain sentence, and what to do next.
//
// It knows nothing of HTTP requests, sessions or how a page is drawn.
package refusal

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"portal/api/access"
	"portal/api/fault"
	"portal/views/kit"
)

// Refusal is an answer that says why, without a code of the API's dictionary.
type Refusal struct {
	Status int
	Title  string
	Words  string
	Next   []kit.Link // what helps, beside what helps with every answer of the status
}

// New is a refusal that leads nowhere in particular.
func New(status int, title, words string) Refusal {
	return Refusal{Status: status, Title: title, Words: words}
}

// Error is the title.
func (r Refusal) Error() string { return r.Title }

// NotOurs refuses a form that another site sent.
var NotOurs = New(
	http.StatusForbidden, "This request came from another site",
	"Nothing was changed. If you meant to do this, do it from the page of this site.",
)

// Broken is what a page says about a fault of the service.
var Broken = New(
	http.StatusInternalServerError, "Something failed on our side",
	"This isn’t your fault, and nothing was changed. Try again in a moment.",
)

// ForOwners refuses a member of an account what its owners alone may do.
func ForOwners(account string, role access.Role) Refusal {
	r := New(
		http.StatusForbidden, "Only owners can do this",
		"In "+account+" your role is "+string(role)+". An owner can change it on the Team page.",
	)
	r.Next = []kit.Link{{Name: "View team", Path: "/team"}}
	return r
}

// Of is what a page says about an error.
func Of(err error) Refusal {
	if r := (Refusal{}); errors.As(err, &r) {
		return r
	}
	f := fault.From(err)
	switch status := f.Code.Entry().Status; status {
	case http.StatusNotFound:
		return New(status, "Page not found", "")
	case http.StatusInternalServerError:
		return Broken
	case http.StatusServiceUnavailable:
		return New(status, "Temporarily unavailable", "We can’t answer right now, and nothing was changed. "+
			"This usually ends within a minute. "+again(f.Retry))
	case http.StatusTooManyRequests:
		return New(status, "Too many requests", Patience(f))
	case http.StatusConflict:
		return New(status, "This can’t be done now", f.Message)
	case http.StatusForbidden:
		return New(status, "You can’t do this", f.Message)
	default:
		return New(status, "This can’t be done", f.Message)
	}
}

// Plain is what a page says about a status that no handler explained.
func Plain(status int) Refusal {
	switch {
	case status == http.StatusNotFound:
		return New(status, "Page not found", "")
	case status == http.StatusMethodNotAllowed:
		return New(
			status, "Nothing to show at this address",
			"It only receives a form. Go back to the page with the form.",
		)
	case status >= http.StatusInternalServerError:
		return Broken
	}
	return New(status, http.StatusText(status), "Nothing was changed.")
}

// Patience is what a fault says, and when waiting has helped.
func Patience(f *fault.Error) string {
	if f.Retry == 0 {
		return f.Message
	}
	return f.Message + " You can try again in " + duration(f.Retry) + "."
}

// again says when to try again.
func again(seconds int) string {
	if seconds == 0 {
		return "Try again in a moment."
	}
	return "Try again in " + duration(seconds) + "."
}

// duration is a number of seconds in words, in whole minutes from one minute on.
func duration(seconds int) string {
	wait := time.Duration(seconds) * time.Second
	if wait < time.Minute {
		return counted(seconds, "second")
	}
	return counted(int((wait+time.Minute-1)/time.Minute), "minute")
}

func counted(n int, unit string) string {
	if n != 1 {
		unit += "s"
	}
	return strconv.Itoa(n) + " " + unit
}
