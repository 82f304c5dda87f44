package web

import (
	"errors"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"portal/api/account"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/money"
	"portal/views"
)

// formSize is the most that a form may have, many times what its fields hold.
const formSize = 64 << 10

// read reads a form of bounded size into the request, and tells the status of one
// that it does not take.
func (v *visit) read() int {
	r := v.Request()
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	files := kind == echo.MIMEMultipartForm && v.route.files
	if err != nil || kind != echo.MIMEApplicationForm && !files {
		return http.StatusUnsupportedMediaType
	}
	r.Body = http.MaxBytesReader(v.Response(), r.Body, v.route.most)
	if files {
		err = r.ParseMultipartForm(v.route.most)
	} else {
		err = r.ParseForm()
	}
	tooLarge := (*http.MaxBytesError)(nil)
	switch {
	case errors.As(err, &tooLarge):
		return http.StatusRequestEntityTooLarge
	case err != nil:
		return http.StatusBadRequest
	}
	return http.StatusOK
}

// unread is what a page says about a form that was not read.
func unread(status int, most int64) refusal {
	switch status {
	case http.StatusUnsupportedMediaType:
		return refusal{status, "This is not the form of the page", "Open the page again and send the form that it shows."}
	case http.StatusRequestEntityTooLarge:
		return refusal{status, "That is too much", tooMuch(most)}
	}
	return refusal{status, "The form could not be read", "Go back and send it again."}
}

// tooMuch says how much a form may have.
func tooMuch(most int64) string {
	if most > formSize {
		return fmt.Sprintf("A file may have %d MB. Go back and choose a smaller one, or split it into several.", most>>20)
	}
	return fmt.Sprintf("A form may have %d KB in all. Go back, shorten what you wrote and send it again.", formSize>>10)
}

// form is what was sent, and what is wrong with it: by field, and as a whole.
type form struct {
	values url.Values
	wrong  map[string]string
	what   string // "" where only fields are wrong
	status int
	over   bool        // the record has changed since: where it differs from what was typed is said
	head   http.Header // of the answer, nil where there is none
}

// form is that of a POST; that of a GET is empty, with what the address says of it.
func (v *visit) form() *form {
	values := v.Request().PostForm
	if values == nil {
		values = v.Request().URL.Query()
	}
	return &form{values: values, wrong: map[string]string{}, status: http.StatusOK, head: v.Response().Header()}
}

// blank is a form with values that were not sent but are known.
func blank(values url.Values) *form {
	return &form{values: values, wrong: map[string]string{}, status: http.StatusOK}
}

// text is a field as it was typed, without spaces around it.
func (f *form) text(name string) string { return strings.TrimSpace(f.values.Get(name)) }

// raw is a field as it was typed: of a password every space counts.
func (f *form) raw(name string) string { return f.values.Get(name) }

// optional is a field, nil where nothing was typed.
func (f *form) optional(name string) *string {
	if s := f.text(name); s != "" {
		return &s
	}
	return nil
}

// all are the values that were chosen of several.
func (f *form) all(name string) []string { return f.values[name] }

// checked tells whether a box was checked.
func (f *form) checked(name string) bool { return f.values.Get(name) != "" }

// whole is a whole number, nil where nothing was typed. Commas between thousands are
// read over.
func (f *form) whole(name string) *int {
	return parsed(f, name, "Write a whole number, for example 3.", func(s string) (int, error) { return strconv.Atoi(strings.ReplaceAll(s, ",", "")) })
}

// amount is an amount of dollars, nil where nothing was typed.
func (f *form) amount(name string) *money.Cents {
	return parsed(f, name, "Write an amount in dollars, for example 1,450 or 1,450.50.", func(s string) (money.Cents, error) {
		return money.Parse(strings.ReplaceAll(strings.TrimPrefix(s, "$"), ",", ""))
	})
}

// day is a calendar day, nil where nothing was typed.
func (f *form) day(name string) *clock.Date {
	return parsed(f, name, "Write the day as 2026-12-31: year, month, day.", clock.ParseDate)
}

// parsed reads a field, or remembers what is wrong with it.
func parsed[T any](f *form, name, help string, parse func(string) (T, error)) *T {
	s := f.text(name)
	if s == "" {
		return nil
	}
	value, err := parse(s)
	if err != nil {
		f.reject(name, help)
		return nil
	}
	return &value
}

// reject says what is wrong with a field. The first word stands.
func (f *form) reject(name, what string) {
	if f.wrong[name] == "" {
		f.wrong[name] = what
	}
	f.status = http.StatusBadRequest
}

// rejected tells whether something is wrong with what was sent.
func (f *form) rejected() bool { return f.status != http.StatusOK }

// refused tells whether the reader can mend what a rule refused, and keeps what it
// says: beside the fields that it names, above the form otherwise. What nobody can
// mend in a form (an unknown record, a fault of ours) is not.
func (f *form) refused(err error) bool {
	if err == nil || account.IsStale(err) {
		return false
	}
	said := fault.From(err)
	status := said.Code.Entry().Status
	if status == http.StatusNotFound && said.Param == "" || status >= http.StatusInternalServerError {
		return false
	}
	for _, d := range said.Details {
		f.reject(d.Param, d.Message)
	}
	switch {
	case len(said.Details) > 0:
	case said.Param != "":
		f.reject(said.Param, said.Message)
	default:
		f.what = patience(said)
	}
	f.status = status
	if said.Retry > 0 && f.head != nil {
		f.head.Set("Retry-After", strconv.Itoa(said.Retry))
	}
	return true
}

// fill gives fields the values that were sent and what is wrong with them. What is
// wrong with something that is no field of the form is said above it.
func (f *form) fill(view views.Form) views.Form {
	known := map[string]bool{}
	for g := range view.Groups {
		for i := range view.Groups[g].Fields {
			field := &view.Groups[g].Fields[i]
			known[field.Name] = true
			f.fillField(field)
		}
	}
	view.Trouble = f.what
	for _, name := range slices.Sorted(maps.Keys(f.wrong)) {
		if !known[name] {
			view.Trouble = strings.TrimSpace(view.Trouble + " " + f.wrong[name])
		}
	}
	return view
}

// fillField leaves alone what was not sent: the value that the page itself knows
// stands. A password is never sent back.
func (f *form) fillField(field *views.Field) {
	field.Fault = f.wrong[field.Name]
	sent, was := f.values[field.Name]
	if f.over && was && field.Fault == "" {
		field.Fault = present(field, sent)
	}
	switch {
	case field.Kind == "password" || field.Kind == "file":
	case len(field.Choices) > 0 && (was || f.rejected()):
		for i := range field.Choices {
			field.Choices[i].Chosen = slices.Contains(sent, field.Choices[i].Value)
		}
	case field.Kind == "checkbox" && (was || f.rejected()):
		field.Checked = was
	case was:
		field.Value = sent[0]
	}
}

// lineEnds is a text as a form sends it back.
func lineEnds(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")) }
