package page

import (
	"errors"
	"net/http"
	"time"

	"portal/api/access"
	"portal/api/fault"
	"portal/views/kit"
)

// Refusal is what a page says when it cannot do what a reader asked for: a title, what happened in
// a plain sentence, and what to do next. It has no code of the API's dictionary.
type Refusal struct {
	Status int
	Title  string
	Words  string
	Next   []kit.Link // what helps, beside what helps with every answer of the status
	// Translated is set if Title and Words are in the language of the reader already.
	Translated bool
	spanish    string // Words in Spanish, where they are others than those of every refusal of the status
}

// newRefusal is a refusal that leads nowhere in particular.
func newRefusal(status int, title, words string) Refusal {
	return Refusal{Status: status, Title: title, Words: words}
}

// Error is the title.
func (r Refusal) Error() string { return r.Title }

// notOurs refuses a form that another site sent.
var notOurs = newRefusal(
	http.StatusForbidden, "This request came from another site",
	"Nothing was changed. If you meant to do this, do it from the page of this site.",
)

// brokenRefusal is what a page says about a fault of the service.
var brokenRefusal = newRefusal(
	http.StatusInternalServerError, "Something failed on our side",
	"This isn’t your fault, and nothing was changed. Try again in a moment.",
)

// forOwners refuses a member of an account what its owners alone may do.
func forOwners(account string, role access.Role) Refusal {
	r := newRefusal(
		http.StatusForbidden, "Only owners can do this",
		"In "+account+" your role is "+string(role)+". An owner can change it on the Team page.",
	)
	r.Next = []kit.Link{{Name: "View team", Path: "/team"}}
	return r
}

// refusalOf is what a page says about an error.
func refusalOf(err error) Refusal {
	if r := (Refusal{}); errors.As(err, &r) {
		return r
	}
	f := fault.From(err)
	switch status := f.Code.Entry().Status; status {
	case http.StatusNotFound:
		return newRefusal(status, "Page not found", "")
	case http.StatusInternalServerError:
		return brokenRefusal
	case http.StatusServiceUnavailable:
		return newRefusal(status, "Temporarily unavailable", "We can’t answer right now, and nothing was changed. "+
			"This usually ends within a minute. "+again(f.Retry))
	case http.StatusTooManyRequests:
		return newRefusal(status, "Too many requests", patience(f))
	case http.StatusConflict:
		return newRefusal(status, "This can’t be done now", f.Message)
	case http.StatusForbidden:
		return newRefusal(status, "You can’t do this", f.Message)
	default:
		return newRefusal(status, "This can’t be done", f.Message)
	}
}

// plainRefusal is what a page says about a status that no handler explained.
func plainRefusal(status int) Refusal {
	switch {
	case status == http.StatusNotFound:
		return newRefusal(status, "Page not found", "")
	case status == http.StatusMethodNotAllowed:
		return newRefusal(
			status, "Nothing to show at this address",
			"It only receives a form. Go back to the page with the form.",
		)
	case status >= http.StatusInternalServerError:
		return brokenRefusal
	}
	return newRefusal(status, http.StatusText(status), "Nothing was changed.")
}

// patience is what a fault says, and when waiting has helped.
func patience(f *fault.Error) string {
	if f.Retry == 0 {
		return f.Message
	}
	return f.Message + " You can try again in " + secondsInWords(f.Retry) + "."
}

// again says when to try again.
func again(seconds int) string {
	if seconds == 0 {
		return "Try again in a moment."
	}
	return "Try again in " + secondsInWords(seconds) + "."
}

// secondsInWords is a number of seconds in words, in whole minutes from one minute on.
func secondsInWords(seconds int) string {
	wait := time.Duration(seconds) * time.Second
	if wait < time.Minute {
		return Counted(seconds, "second")
	}
	return Counted(int((wait+time.Minute-1)/time.Minute), "minute")
}
