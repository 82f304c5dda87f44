package page

import (
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"portal/api/change"
	"portal/api/portfolio"
	"portal/views/kit"
)

// RecordForm is a page with the form of a record. A GET shows it; a POST does what was typed, or shows
// the form again with what is wrong.
type RecordForm[I any] struct {
	Contract Contract[I]
	Title    string
	About    string
	Words    []string
	Stages   []kit.Stage  // of a form in several steps
	Summary  *kit.Summary // what the form comes to, nil for nothing
	Back     kit.Link     // leads to where the form is left
	Submit   string
	Groups   []kit.FieldGroup
	Holds    any               // what the fields hold before anything is typed, nil for nothing
	Record   *portfolio.Record // the form is of its version, nil for a new record
	// Advice is what to think of before the form is sent again where the record has changed. A form with it must say
	// of which version it is, as it would do the same once more; "" for a form that holds fields of the record.
	Advice string
	// Changes binds only the fields that were changed.
	Changes bool
	// Bind reads what was typed; nil reads the fields of the groups.
	Bind func(f *Form) I
	// Place says what is wrong with the contract's fields beside those that were typed into; nil where they are
	// the same.
	Place func(f *Form)
	// Check completes what was bound, and says in the form what else is wrong; nil for nothing.
	Check func(f *Form, in *I)
	// Do does what was typed and answers. What is wrong with a field may be said in the form.
	Do    func(f *Form, in I, t change.Target) error
	Other Other
}

// Serve answers a request for the page.
func (r RecordForm[I]) Serve(v *Request) error {
	f, groups := v.Form(), slices.Concat(r.Groups, r.Other.Groups)
	if r.Record != nil {
		groups = append(slices.Clone(groups), VersionField(r.Record))
	}
	form := r.Contract.FormOf(r.Holds, kit.Form{
		Action: v.Request().URL.Path, Submit: r.Submit, Cancel: r.Back.Path, Groups: groups, Other: r.Other.button(v),
	})
	done, err := r.Other.orElse(v, f, func() (bool, error) {
		var in I
		if r.Bind != nil {
			in = r.Bind(f)
		} else if r.Changes {
			in = r.Contract.BindChanges(v, f, form)
		} else {
			in = r.Contract.BindForm(v, f, form.Groups...)
		}
		if r.Check != nil {
			r.Check(f, &in)
		}
		return f.try(r.Record, true, r.Advice, func(t change.Target) error { return r.Do(f, in, t) })
	})
	if done || err != nil {
		return err
	}
	if r.Place != nil {
		r.Place(f)
	}
	heading := kit.Heading{Title: r.Title, About: r.About, Back: r.Back}
	return v.ShowAs(f.Status, kit.FormPage(kit.FormView{
		Frame: v.Frame(r.Title), Heading: heading, Stages: r.Stages, Words: slices.Concat(r.Words, r.Other.Words),
		Summary: r.Summary, Form: f.Fill(form),
	}))
}

// Show shows a page that is a form.
func (f *Form) Show(v *Request, heading kit.Heading, form kit.Form, words ...string) error {
	return v.ShowAs(f.Status, kit.FormPage(kit.FormView{
		Frame: v.Frame(heading.Title), Heading: heading, Words: words, Form: f.Fill(form),
	}))
}

// Confirm shows a page that asks before something is done.
func (v *Request) Confirm(status int, title string, form kit.Form, words ...string) error {
	return v.ShowAs(status, kit.ConfirmPage(kit.Confirm{
		Frame: v.Frame(title), Title: title, Words: words, Form: form,
	}))
}

// Question is a page that asks before something is done, to a record or not. A GET asks; a POST does
// it, or asks again with what is in the way.
type Question struct {
	Title  string
	Window string // the title of the window, "" for that of the page
	Words  []string
	Form   kit.Form          // without the version and where it is left
	Back   string            // the page that asks, or that of the record
	Record *portfolio.Record // nil for none
	// Ask completes what has to be looked up to ask; nil for nothing.
	Ask func(q *Question) error
	// Do does what was asked about and answers.
	Do    func(f *Form, t change.Target) error
	Other Other
}

// Serve answers a request for the page.
func (q Question) Serve(v *Request) error {
	f := v.Form()
	done, err := q.Other.orElse(v, f, func() (bool, error) {
		return f.try(q.Record, false, "", func(t change.Target) error { return q.Do(f, t) })
	})
	if done || err != nil {
		return err
	}
	if q.Ask != nil {
		if err := q.Ask(&q); err != nil {
			return err
		}
	}
	q.Form.Groups, q.Form.Other = slices.Concat(q.Form.Groups, q.Other.Groups), q.Other.button(v)
	if q.Form.Cancel = q.Back; q.Record != nil {
		q.Form.Groups = append(q.Form.Groups, VersionField(q.Record))
	}
	return v.ShowAs(f.Status, kit.ConfirmPage(kit.Confirm{
		Frame: v.Frame(cmp.Or(q.Window, q.Title)),
		Title: q.Title,
		Words: slices.Concat(q.Words, q.Other.Words),
		Form:  f.Fill(q.Form),
	}))
}

// try does what a form asks for unless something is wrong with it, and reports whether it is answered:
// otherwise the form is shown again. The fields of a form that compares are those of the record. With advice, it must
// say its version.
func (f *Form) try(
	r *portfolio.Record, compares bool, advice string, do func(change.Target) error,
) (done bool, err error) {
	if advice != "" && f.Version() == nil {
		f.Outdated()
	}
	if f.Rejected() {
		return false, nil
	}
	target, version := change.Target{}, ""
	if r != nil {
		target, version = change.Target{ID: r.ID, Version: f.Version()}, strconv.FormatInt(r.Version, 10)
	}
	err = do(target)
	switch {
	case f.Rejected():
		return false, nil
	case r != nil && f.Stale(err, version, advice):
		f.compared = compares && advice == ""
		return false, nil
	case f.Refused(err):
		return false, nil
	}
	return true, err
}

// Saved leads to a record that was changed, with the warnings of the change, or says that it says so
// already. The error is that of the change.
func Saved[T any](v *Request, to, said string, made *change.Result[T], err error) error {
	if err != nil {
		return err
	}
	before, after := any(made.Before).(versioned), any(made.After).(versioned)
	if before.Revision() == after.Revision() {
		said = Unchanged
	}
	return v.Warned(to, said, made.Warnings)
}

// Warned is Done with the warnings of what was done.
func (v *Request) Warned(to, what string, warnings []change.Warning) error {
	tone := kit.Done
	for _, w := range warnings {
		tone, what = kit.Warned, what+" "+Warning(w)
	}
	v.Say(tone, what)
	return v.SeeOther(to)
}

type versioned interface{ Revision() int64 }

// FormOf is Form for a form whose fields are those of a record. They also take from the contract the kind
// of input and the keyboard, and from the record their values; what a field says of itself stands. A
// fixed field shows its value under a name that is not read.
func (c Contract[I]) FormOf(record any, form kit.Form) kit.Form {
	form = c.Form(form)
	for field, l := range c.fields(form.Groups) {
		if field.Kind == "hidden" {
			continue
		}
		field.Optional = field.Optional || l.Optional
		if len(field.Choices) == 0 && field.Lines == 0 {
			takes(field, l.Type, l.Format)
		} else if len(field.Choices) > 0 && field.Kind == "" {
			field.Kind = "select"
		}
		show(field, valueOf(reflect.ValueOf(record), field.Name))
		if field.Fixed {
			fix(field)
		}
	}
	return form
}

// takes says what is typed into a field of a type and format.
func takes(field *kit.Field, typ, format string) {
	switch {
	case field.Kind != "":
	case typ == "boolean":
		field.Kind = "checkbox"
	case format == "date":
		field.Kind = "date"
	case format == "date-time":
		field.Kind = "datetime-local"
	case format == "email":
		field.Kind, field.Complete = "email", "off"
	case typ == "number":
		field.Mode, field.Short, field.Complete = "decimal", true, "off"
	case typ == "integer":
		field.Mode, field.Short, field.Complete = "numeric", true, "off"
	default:
		field.Complete = "off"
	}
}

// show has a field hold a value unless it holds one.
func show(field *kit.Field, value string) {
	if len(field.Choices) == 0 {
		if field.Value == "" {
			field.Value = value
		}
		return
	}
	if field.Value != "" {
		value, field.Value = field.Value, ""
	}
	for i := range field.Choices {
		if c := &field.Choices[i]; value != "" && c.Value == value {
			c.Chosen = true
		}
	}
}

// fix shows a field that cannot be changed. A choice is shown as its word.
func fix(field *kit.Field) {
	for _, c := range field.Choices {
		if c.Chosen {
			field.Value = c.Label
		}
	}
	if field.Kind == "select" {
		field.Kind = ""
	}
	field.Choices, field.Hint, field.Longest = nil, "", 0
	field.Name = "locked_" + field.Name // what is sent of it is not read
}

// valueOf is what a record has at a dotted name of its JSON, as it is typed; "" for nothing.
func valueOf(record reflect.Value, name string) string {
	for record.Kind() == reflect.Pointer || record.Kind() == reflect.Interface {
		record = record.Elem()
	}
	if record.Kind() != reflect.Struct {
		return ""
	}
	first, rest, nested := strings.Cut(name, ".")
	for _, f := range reflect.VisibleFields(record.Type()) {
		if tag, _, _ := strings.Cut(f.Tag.Get("json"), ","); tag != first {
			continue
		}
		value, err := record.FieldByIndexErr(f.Index)
		switch {
		case err != nil:
			return ""
		case nested:
			return valueOf(value, rest)
		}
		return formText(value)
	}
	return ""
}

// formText is a value as one types it.
func formText(value reflect.Value) string {
	if value.Kind() == reflect.Pointer {
		value = value.Elem()
	}
	switch value.Kind() {
	case reflect.Invalid:
		return ""
	case reflect.String:
		return value.String()
	}
	text, err := json.Marshal(value.Interface())
	if err != nil {
		return ""
	}
	return strings.Trim(string(text), `"`)
}

// Named are the values of an enumeration to choose from by their names, behind a choice of none where it
// has a name.
func Named[S interface {
	~string
	Values() []string
}](names map[S]string, none string) (all []kit.Choice) {
	if none != "" {
		all = append(all, kit.Choice{Label: none})
	}
	for _, value := range S("").Values() {
		all = append(all, kit.Choice{Value: value, Label: names[S(value)]})
	}
	return all
}
