package page

import (
	"encoding/json"
	"strings"
	"sync"

	"portal/api/clock"
	"portal/api/operation"
	"portal/views"
)

// Binding is what a form says as the body of a request, so that the same rules read it as
// over REST.
type Binding struct {
	*Form
	clears bool // what is empty clears, else it is left out
	body   map[string]any
}

// Creation reads a form that makes something, update one that changes it.
func (f *Form) Creation() *Binding { return &Binding{f, false, map[string]any{}} }

// Update binds a form to the body of a PATCH.
func (f *Form) Update() *Binding { return &Binding{f, true, map[string]any{}} }

// Put puts a value at a dotted name.
func (t *Binding) Put(name string, value any) {
	at := t.body
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

// Needs are texts that cannot be empty.
func (t *Binding) Needs(names ...string) *Binding {
	for _, name := range names {
		if s := t.Text(name); s != "" {
			t.Put(name, s)
		} else {
			t.Reject(name, "Fill this in.")
		}
	}
	return t
}

// Texts are those that may be empty.
func (t *Binding) Texts(names ...string) *Binding {
	for _, name := range names {
		if s := t.Text(name); s != "" {
			t.Put(name, s)
		} else if t.clears {
			t.Put(name, nil)
		}
	}
	return t
}

// Numbers may be empty. Commas between thousands and a sign of dollars are read over.
func (t *Binding) Numbers(names ...string) *Binding {
	for _, name := range names {
		s := strings.ReplaceAll(strings.TrimPrefix(t.Text(name), "$"), ",", "")
		switch {
		case s == "" && t.clears:
			t.Put(name, nil)
		case s == "":
		case json.Valid([]byte(s)) && strings.Trim(s, "0123456789.-") == "":
			t.Put(name, json.Number(s))
		default:
			t.Reject(name, "Write a number.")
		}
	}
	return t
}

// Contract is how REST reads the body of a change.
type Contract[I any] func() *operation.Operation

// ContractOf is made when it is first needed.
func ContractOf[I, O any](name string) Contract[I] {
	return sync.OnceValue(func() *operation.Operation { return operation.Define[I, O](operation.Spec{Name: name}, nil) })
}

// Reads makes an input of what was typed; what is wrong with it is then said in the form.
func (c Contract[I]) Reads(t *Binding, today clock.Date) (in I) {
	body, err := json.Marshal(t.body)
	if err != nil {
		t.Refused(err)
		return in
	}
	d, err := c().Decode(operation.Request{Body: body, Today: today})
	if t.Refused(err) {
		return in
	}
	if read, is := d.Input.(*I); is {
		in = *read
	}
	return in
}

// Today is the present day where the reader is.
func (v *Request) Today() clock.Date { return clock.DateOf(v.Shell.Now(), v.Zone()) }

// Compared says at each field what the record holds by now, where something else was typed.
func Compared(f *Form, view views.Form) views.Form {
	now := map[string]string{}
	for _, g := range view.Groups {
		for _, field := range g.Fields {
			now[field.Name] = showing(&field)
		}
	}
	view = f.Fill(view)
	if f.Status != 409 {
		return view
	}
	for g := range view.Groups {
		for i := range view.Groups[g].Fields {
			field := &view.Groups[g].Fields[i]
			if was := now[field.Name]; was != showing(field) && field.Kind != "hidden" && field.Fault == "" {
				field.Hint = strings.TrimSpace(field.Hint + " Now: " + quoted(was) + ".")
			}
		}
	}
	return view
}

// showing is the value of a field in words.
func showing(f *views.Field) string {
	for _, c := range f.Choices {
		if c.Chosen {
			return c.Label
		}
	}
	return f.Value
}

func quoted(s string) string {
	if s == "" {
		return "nothing"
	}
	return "“" + s + "”"
}
