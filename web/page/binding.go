package page

import (
	"encoding/json"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"portal/api/clock"
	"portal/api/fault"
	"portal/api/operation"
	"portal/views/kit"
)

// Contract is how REST reads a body. A form of the same record is read by it, and takes from it what
// a field may hold.
type Contract[I any] func() *operation.Operation

// ContractOf is made when it is first needed.
func ContractOf[I, O any](name string) Contract[I] {
	return sync.OnceValue(func() *operation.Operation {
		return operation.Define[I, O](operation.Spec{Name: name}, nil)
	})
}

// InputOf is the contract of an input that no operation of the API takes.
func InputOf[I any](name string) Contract[I] {
	return sync.OnceValue(func() *operation.Operation { return operation.DefineInput[I](name) })
}

// fields are those of the groups that the contract has, with what it says of each.
func (c Contract[I]) fields(groups []kit.FieldGroup) iter.Seq2[*kit.Field, operation.Limits] {
	return func(yield func(*kit.Field, operation.Limits) bool) {
		for _, g := range groups {
			for i := range g.Fields {
				if l, known := c().Limits(g.Fields[i].Name); known && !yield(&g.Fields[i], l) {
					return
				}
			}
		}
	}
}

// Form gives the fields of a form what the contract says of them: how long a text may be, which the
// hint of a large one says, and whether one may be left out.
func (c Contract[I]) Form(form kit.Form) kit.Form {
	for field, l := range c.fields(form.Groups) {
		if l.Longest != nil {
			field.Longest = *l.Longest
			if field.Lines > 0 {
				field.Hint = strings.TrimSpace(field.Hint + " " + lengthHint(l))
			}
		}
		if !strings.Contains(field.Name, ".") { // those of an object may be left out with it
			field.Optional = l.Optional
		}
	}
	return form
}

// lengthHint says how long a text may be. That it must not be empty is known.
func lengthHint(l operation.Limits) string {
	least := l.Shortest
	if least != nil && *least == 1 {
		least = nil
	}
	return strings.TrimSpace(sentence(fault.Between("", least, l.Longest))) + " characters."
}

// Bind makes an input from what was typed into the named fields; names of nested fields have dots, and
// those of an element of an array a row between: fees.0.name. Errors are shown in the form. An object or an
// element is left out if none of its fields has text.
func (c Contract[I]) Bind(v *Request, f *Form, names ...string) (in I) {
	return c.BindOn(v.Today(), v.Zone(), f, names...)
}

// BindOn is Bind for somebody whose day and time zone are not those of the reader's account.
func (c Contract[I]) BindOn(today clock.Date, zone *time.Location, f *Form, names ...string) (in I) {
	b := binding{f, zone, map[string]any{}}
	f.rows = map[string][]string{}
	for _, name := range names {
		l, known := c().Limits(name)
		if !known {
			panic("page: the contract " + c().Name + " has no field " + name)
		}
		if c.bound(&b, names, name) {
			b.field(name, l)
		}
	}
	b.arrays()
	if len(b.body) == 0 && f.Rejected() { // what nothing is left of says nothing more
		return in
	}
	body, err := json.Marshal(b.body)
	if err != nil {
		f.Refused(err)
		return in
	}
	d, err := c().Decode(operation.Request{Body: body, Today: today})
	if f.Refused(err) {
		return in
	}
	if read, is := d.Input.(*I); is {
		in = *read
	}
	return in
}

// BindForm is Bind for the fields of a form that the contract has: what is asked is what is read.
func (c Contract[I]) BindForm(v *Request, f *Form, groups ...kit.FieldGroup) I {
	var names []string
	for field := range c.fields(groups) {
		names = append(names, field.Name)
	}
	return c.Bind(v, f, names...)
}

// BindChanges is Bind for only the fields that were changed; if one field of an object was changed,
// all fields of that object are bound. The fields of form hold the record as it was shown.
func (c Contract[I]) BindChanges(v *Request, f *Form, form kit.Form) I {
	changed := map[string]bool{} // by the part of the name before a dot
	for field := range c.fields(form.Groups) {
		changed[objectOf(field.Name)] = changed[objectOf(field.Name)] || !f.holds(field)
	}
	var names []string
	for field := range c.fields(form.Groups) {
		if changed[objectOf(field.Name)] {
			names = append(names, field.Name)
		}
	}
	if len(names) == 0 {
		return *new(I)
	}
	return c.Bind(v, f, names...)
}

func objectOf(name string) string {
	object, _, _ := strings.Cut(name, ".")
	return object
}

// holds reports whether what was typed into a field is what it showed.
func (f *Form) holds(field *kit.Field) bool {
	if len(field.Choices) == 0 {
		return LineEnds(field.Value) == LineEnds(f.Text(field.Name))
	}
	differs := func(c kit.Choice) bool { return c.Chosen != slices.Contains(f.All(field.Name), c.Value) }
	return !slices.ContainsFunc(field.Choices, differs)
}

// any reports whether something was typed into a field whose name begins with the prefix.
func (f *Form) any(names []string, prefix string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		return strings.HasPrefix(name, prefix) && f.Text(name) != ""
	})
}

// bound reports whether a field is part of the body: one of an object or of an element of an array is not
// where none of the fields beside it has text.
func (c Contract[I]) bound(b *binding, names []string, name string) bool {
	object, inner, part := strings.Cut(name, ".")
	if !part {
		return true
	}
	whole, _ := c().Limits(object)
	if whole.Type == "array" {
		row, _, _ := strings.Cut(inner, ".")
		at := object + "." + row // which is a field itself in an array of texts
		typed := b.Text(at) != "" && slices.Contains(names, at) || b.any(names, at+".")
		if typed && !slices.Contains(b.rows[object], row) { // it is an element of the array
			b.rows[object] = append(b.rows[object], row)
		}
		return typed
	}
	typed := b.any(names, object+".")
	if !typed && whole.Update {
		b.body[object] = nil
	}
	return typed
}

// binding is a form on its way to being the body of a request.
type binding struct {
	*Form
	zone *time.Location
	body map[string]any
}

func (b *binding) field(name string, l operation.Limits) {
	text := LineEnds(b.Text(name))
	switch {
	case l.Type == "array":
		b.put(name, append([]string{}, b.All(name)...))
	case l.Type == "boolean":
		b.put(name, b.Checked(name))
	case !utf8.ValidString(text): // JSON would say it otherwise
		b.Reject(name, inWords(name, "is not valid UTF-8."))
	case text == "" && (l.Required || l.Update && !l.Optional):
		b.Reject(name, inWords(name, fault.Required))
	case text == "" && l.Update:
		b.put(name, nil)
	case text == "":
	case l.Type == "number" || l.Type == "integer":
		b.number(name, text)
	case l.Format == "date-time":
		if at := b.Moment(name, b.zone); at != nil {
			b.put(name, at)
		}
	case l.Format == "date":
		if day, err := time.Parse("1/2/2006", text); err == nil { // the American way, month first
			text = day.Format(time.DateOnly)
		}
		b.put(name, text)
	default:
		b.put(name, text)
	}
}

// number reads over commas and spaces between thousands and a dollar sign.
func (b *binding) number(name, text string) {
	s := strings.NewReplacer(",", "", " ", "").Replace(strings.TrimPrefix(text, "$"))
	if !json.Valid([]byte(s)) || strings.Trim(s, "0123456789.-") != "" {
		b.Reject(name, "Enter a number.")
		return
	}
	b.put(name, json.Number(s))
}

// put puts a value at a dotted name.
func (b *binding) put(name string, value any) {
	at := b.body
	for {
		first, rest, nested := strings.Cut(name, ".")
		if !nested {
			at[first] = value
			return
		}
		inner, is := at[first].(map[string]any)
		if !is {
			inner = map[string]any{}
			at[first] = inner
		}
		at, name = inner, rest
	}
}

// arrays makes lists of the rows that were put by their names.
func (b *binding) arrays() {
	for array, rows := range b.rows {
		put, _ := b.body[array].(map[string]any)
		list := make([]any, len(rows))
		for i, row := range rows {
			if list[i] = put[row]; list[i] == nil { // nothing of it could be read
				list[i] = map[string]any{}
			}
		}
		b.body[array] = list
	}
}

// Today is the present day where the reader is; of the records of a demo portfolio, by its test clock.
func (v *Request) Today() clock.Date {
	if v.Mode() == "" || v.Person == nil {
		return clock.DateOf(v.Shell.Now(), v.Zone())
	}
	in := v.Actor().Portfolio
	return clock.DateOf(v.Shell.Clock(in.ID), v.Zone()).AddDays(in.Ahead)
}
