package web

import (
	"encoding/json"
	"strings"
	"sync"

	"portal/api/clock"
	"portal/api/operation"
	"portal/views"
)

// dictation is what a form says as the body of a request, so that the same rules read it as
// over REST.
type dictation struct {
	*form
	clears bool // what is empty clears, else it is left out
	body   map[string]any
}

// creation reads a form that makes something, update one that changes it.
func (f *form) creation() *dictation { return &dictation{f, false, map[string]any{}} }

func (f *form) update() *dictation { return &dictation{f, true, map[string]any{}} }

// put puts a value at a dotted name.
func (t *dictation) put(name string, value any) {
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

// needs are texts that cannot be empty.
func (t *dictation) needs(names ...string) *dictation {
	for _, name := range names {
		if s := t.text(name); s != "" {
			t.put(name, s)
		} else {
			t.reject(name, "Fill this in.")
		}
	}
	return t
}

// texts are those that may be empty.
func (t *dictation) texts(names ...string) *dictation {
	for _, name := range names {
		if s := t.text(name); s != "" {
			t.put(name, s)
		} else if t.clears {
			t.put(name, nil)
		}
	}
	return t
}

// numbers may be empty. Commas between thousands and a sign of dollars are read over.
func (t *dictation) numbers(names ...string) *dictation {
	for _, name := range names {
		s := strings.ReplaceAll(strings.TrimPrefix(t.text(name), "$"), ",", "")
		switch {
		case s == "" && t.clears:
			t.put(name, nil)
		case s == "":
		case json.Valid([]byte(s)) && strings.Trim(s, "0123456789.-") == "":
			t.put(name, json.Number(s))
		default:
			t.reject(name, "Write a number.")
		}
	}
	return t
}

// contract is how REST reads the body of a change.
type contract[I any] func() *operation.Operation

// contractOf is made when it is first needed.
func contractOf[I, O any](name string) contract[I] {
	return sync.OnceValue(func() *operation.Operation { return operation.Define[I, O](operation.Spec{Name: name}, nil) })
}

// reads makes an input of what was typed; what is wrong with it is then said in the form.
func (c contract[I]) reads(t *dictation, today clock.Date) (in I) {
	body, err := json.Marshal(t.body)
	if err != nil {
		t.refused(err)
		return in
	}
	d, err := c().Decode(operation.Request{Body: body, Today: today})
	if t.refused(err) {
		return in
	}
	if read, is := d.Input.(*I); is {
		in = *read
	}
	return in
}

// today is the present day where the reader is.
func (v *visit) today() clock.Date { return clock.DateOf(v.shell.Now(), v.zone()) }

// compared says at each field what the record holds by now, where something else was typed.
func compared(f *form, view views.Form) views.Form {
	now := map[string]string{}
	for _, g := range view.Groups {
		for _, field := range g.Fields {
			now[field.Name] = showing(&field)
		}
	}
	view = f.fill(view)
	if f.status != 409 {
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
