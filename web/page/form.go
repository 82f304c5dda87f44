package page

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"portal/api/account"
	"portal/api/clock"
	"portal/api/fault"
	"portal/views/kit"
)

// FormSize is the most that a form may have, many times what its fields hold.
const FormSize = 64 << 10

// ReadForm reads a form of bounded size into the request, and tells the status of one
// that it does not take.
func (v *Request) ReadForm() int {
	r := v.Request()
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	files := kind == echo.MIMEMultipartForm && v.route.files
	if err != nil || kind != echo.MIMEApplicationForm && !files {
		return http.StatusUnsupportedMediaType
	}
	if files {
		r.Body = http.MaxBytesReader(v.Response(), r.Body, v.route.most)
		err = v.Upload.read(v)
	} else {
		r.Body = http.MaxBytesReader(v.Response(), r.Body, FormSize)
		err = r.ParseForm()
	}
	tooLarge, disk := (*http.MaxBytesError)(nil), (*fs.PathError)(nil)
	switch {
	case errors.As(err, &disk):
		v.Shell.Log.Error("upload not stored", "request_id", v.ID, "error", err)
		return http.StatusServiceUnavailable
	case errors.As(err, &tooLarge):
		return http.StatusRequestEntityTooLarge
	case err != nil:
		return http.StatusBadRequest
	}
	return http.StatusOK
}

// Unread is what a page says about a form that was not read.
func Unread(status int, most int64) Refusal {
	switch status {
	case http.StatusUnsupportedMediaType:
		return newRefusal(status, staleTitle, staleWords)
	case http.StatusRequestEntityTooLarge:
		words := fmt.Sprintf(
			"A form can be up to %d KB. Go back, shorten what you wrote, and send it again.",
			FormSize>>10,
		)
		if most > FormSize {
			words = fmt.Sprintf(
				"A file can be up to %d MB. Go back and choose a smaller one, or split it into several.",
				most>>20,
			)
		}
		return newRefusal(status, "That is too much", words)
	}
	return newRefusal(status, "The form couldn’t be read", "Go back and send it again.")
}

// Form is what was sent, and what is wrong with it: by field, and as a whole.
type Form struct {
	Values      url.Values
	FieldErrors map[string]string
	Problem     string // "" where only fields are wrong
	Status      int
	// compared is set if the record has changed since: differences to what was typed are shown.
	compared bool
	rows     map[string][]string // by array: the rows of the form that were bound into its elements, in order
	again    bool                // it holds what was typed before its reader's session ended
	head     http.Header         // of the response, nil if there is none
	// typed returns what was typed before the session ended; nil if that does not matter.
	typed func(action string) *typed
}

// Form is that of a POST; that of a GET is empty, with what the address says of it.
func (v *Request) Form() *Form {
	values := v.Request().PostForm
	if values == nil {
		return v.Blank(v.Request().URL.Query())
	}
	return &Form{
		Values:      values,
		FieldErrors: map[string]string{},
		Status:      http.StatusOK,
		head:        v.Response().Header(),
	}
}

// Blank is a form with values that were not sent but are known. It is filled with what its reader
// typed before their session ended.
func (v *Request) Blank(values url.Values) *Form {
	f := Blank(values)
	if f.head = v.Response().Header(); v.Request().Method == http.MethodGet {
		f.typed = v.typedBefore
	}
	return f
}

// Blank is a form with values that were not sent but are known.
func Blank(values url.Values) *Form {
	return &Form{Values: values, FieldErrors: map[string]string{}, Status: http.StatusOK}
}

// Text is a field as it was typed, without spaces around it.
func (f *Form) Text(name string) string { return strings.TrimSpace(f.Values.Get(name)) }

// Raw is a field as it was typed: of a password every space counts.
func (f *Form) Raw(name string) string { return f.Values.Get(name) }

// Optional is a field, nil where nothing was typed.
func (f *Form) Optional(name string) *string {
	if s := f.Text(name); s != "" {
		return &s
	}
	return nil
}

// All are the values that were chosen of several.
func (f *Form) All(name string) []string { return f.Values[name] }

// Named are the printable texts of the fields whose names begin with a prefix, by what follows it.
func (f *Form) Named(prefix string) map[string]string {
	all := map[string]string{}
	for name := range f.Values {
		if rest, is := strings.CutPrefix(name, prefix); is {
			all[rest] = f.Printable(name)
		}
	}
	return all
}

// Checked reports whether a box was checked.
func (f *Form) Checked(name string) bool { return f.Values.Get(name) != "" }

// Day is a calendar day, nil where nothing was typed.
func (f *Form) Day(name string) *clock.Date {
	return Parsed(f, name, "Enter the date as 2026-12-31: year, month, day.", clock.ParseDate)
}

// Parsed reads a field, or remembers what is wrong with it.
func Parsed[T any](f *Form, name, help string, parse func(string) (T, error)) *T {
	s := f.Text(name)
	if s == "" {
		return nil
	}
	value, err := parse(s)
	if err != nil {
		f.Reject(name, help)
		return nil
	}
	return &value
}

// Between is a whole number from low to high, or refuses the field.
func (f *Form) Between(name string, low, high int, help string) (n int, ok bool) {
	n, err := strconv.Atoi(f.Text(name))
	if err != nil || n < low || n > high {
		f.Reject(name, help)
		return 0, false
	}
	return n, true
}

// Reject says what is wrong with a field. The first word stands.
func (f *Form) Reject(name, what string) {
	if f.FieldErrors[name] == "" {
		f.FieldErrors[name] = what
	}
	f.Status = http.StatusBadRequest
}

// Move says what is wrong with a field of the contract beside the field that it was typed into.
func (f *Form) Move(from, to string) {
	if said := f.FieldErrors[from]; said != "" {
		delete(f.FieldErrors, from)
		f.FieldErrors[to] = cmp.Or(f.FieldErrors[to], said)
	}
}

// Rejected reports whether something is wrong with what was sent.
func (f *Form) Rejected() bool { return f.Status != http.StatusOK }

// item is what names one of the values that were chosen of several.
var item = regexp.MustCompile(`\.[0-9]+$`)

// Refused reports whether the reader can mend what a rule refused, and keeps what it
// says: beside the fields that it names, above the form otherwise. What nobody can
// mend in a form (an unknown record, a fault of ours) is not.
func (f *Form) Refused(err error) bool {
	if err == nil || account.IsStale(err) {
		return false
	}
	said := fault.From(err)
	status := said.Code.Entry().Status
	if status == http.StatusNotFound && said.Param == "" || status >= http.StatusInternalServerError {
		return false
	}
	for _, d := range said.Details {
		f.Reject(f.fieldOf(d.Param), inWords(d.Param, d.Message))
	}
	switch {
	case len(said.Details) > 0:
	case said.Param != "":
		f.Reject(f.fieldOf(said.Param), inWords(said.Param, said.Message))
	default:
		f.Problem = sentence(patience(said))
	}
	f.Status = status
	if said.Retry > 0 && f.head != nil {
		f.head.Set("Retry-After", strconv.Itoa(said.Retry))
	}
	return true
}

// Again shows a form again with what a rule refused of it, or returns the error that nobody can mend in it.
func (f *Form) Again(v *Request, err error, show func(*Request, *Form) error) error {
	if !f.Refused(err) {
		return err
	}
	return show(v, f)
}

// fieldOf is the field of the form for a name of the contract. An element of an array has that of the row it
// was bound from, or, where it was one of several that were chosen, that of all.
func (f *Form) fieldOf(param string) string {
	array, rest, _ := strings.Cut(param, ".")
	element, field, inElement := strings.Cut(rest, ".")
	at, err := strconv.Atoi(element)
	if rows := f.rows[array]; err == nil && at >= 0 && at < len(rows) {
		name := array + "." + rows[at]
		if inElement {
			name += "." + field
		}
		return name
	}
	return item.ReplaceAllString(param, "")
}

// Fill gives fields the values that were sent and what is wrong with them. What is
// wrong with something that is no field of the form is said above it.
func (f *Form) Fill(view kit.Form) kit.Form {
	f.Resume(view.Action)
	f.compare(&view)
	known := map[string]bool{}
	for g := range view.Groups {
		for i := range view.Groups[g].Fields {
			field := &view.Groups[g].Fields[i]
			known[field.Name] = true
			f.FillField(field)
		}
	}
	view.Trouble = f.Problem
	for _, name := range slices.Sorted(maps.Keys(f.FieldErrors)) {
		if !known[name] {
			view.Trouble = strings.TrimSpace(view.Trouble + " " + f.FieldErrors[name])
		}
	}
	return view
}

// Resume puts in what was typed into the form of an address before its reader's session ended, for a form whose
// fields depend on it. Fill does so for others.
func (f *Form) Resume(action string) {
	if f.typed == nil {
		return
	}
	before := f.typed(action)
	if before == nil {
		return
	}
	values := maps.Clone(f.Values)
	if values == nil {
		values = url.Values{}
	}
	maps.Copy(values, before.Values)
	f.Values, f.again = values, true
	if !before.Picking {
		f.Problem = sessionOver
	}
}

// whole reports whether a box that is not among the values was left empty.
func (f *Form) whole() bool { return f.Rejected() || f.again }

// FillField leaves alone what was not sent: the value that the page itself knows
// stands. A password is never sent back.
func (f *Form) FillField(field *kit.Field) {
	field.Error = f.FieldErrors[field.Name]
	sent, was := f.Values[field.Name]
	switch {
	case field.Kind == "password" || field.Kind == "file":
	case len(field.Choices) > 0 && (was || f.whole()):
		for i := range field.Choices {
			field.Choices[i].Chosen = slices.Contains(sent, field.Choices[i].Value)
		}
	case field.Kind == "checkbox" && (was || f.whole()):
		field.Checked = was
	case was:
		field.Value = sent[0]
	}
}

// LineEnds is a text as a form sends it back.
func LineEnds(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")) }

// formReader is who was shown a form, and which account they looked at, "" for none.
type formReader struct{ UserID, AccountID string }

const (
	readerPurpose = "reader of a form"
	readerLife    = 24 * time.Hour // for how long a form names its reader
	longestReader = 512            // bytes of a sealed reader, more than any has
)

// seal is the reader and the time as a form's token holds them: nobody else can make or read it. It
// proves no session, so nothing is done by it. It decides whose text is kept that comes with no session.
func (r formReader) seal(s *Shell) string {
	text := r.UserID + "\n" + r.AccountID + "\n" + strconv.FormatInt(int64(clock.At(s.Now())), 10)
	return base64.RawURLEncoding.EncodeToString(s.Box.Seal(readerPurpose, text))
}

// openFormReader is the reader that a form's token holds, if the form was opened within readerLife.
func openFormReader(s *Shell, sealed string) (r formReader, ok bool) {
	if len(sealed) > longestReader {
		return r, false
	}
	raw, err := base64.RawURLEncoding.DecodeString(sealed)
	if err != nil {
		return r, false
	}
	text, err := s.Box.Open(readerPurpose, raw)
	if err != nil {
		return r, false
	}
	parts := strings.Split(text, "\n")
	if len(parts) != 3 {
		return r, false
	}
	at, err := strconv.ParseInt(parts[2], 10, 64)
	if err != nil {
		return r, false
	}
	return formReader{parts[0], parts[1]}, s.Now().Before(clock.Time(at).Std().Add(readerLife))
}

// sealedReader is the second part of the token of this reader's forms, one for all of a page. A form
// of somebody who is not signed in, or has not shown their second factor, has none.
func (v formToken) sealedReader() string {
	who := v.Person
	if v.Shell.Box == nil || who == nil || who.Pending {
		return ""
	}
	if v.reader == "" {
		v.reader = formReader{who.UserID, who.CurrentAccount()}.seal(v.Shell)
	}
	return v.reader
}

// sent is the token that came with a form: what ties it to a session, and its sealed reader.
func (v formToken) sent() (tie, reader string) {
	tie, reader, _ = strings.Cut(v.Request.Request().PostForm.Get(kit.TokenField), ".")
	return tie, reader
}
