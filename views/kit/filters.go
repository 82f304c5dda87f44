package kit

import (
	"net/url"
	"slices"
	"strings"
)

// Filters narrow a list down. They are part of its address: a choice is a link, so it acts at
// once and without a script.
type Filters struct {
	About  string // what they narrow down
	Submit string // what the button says, "" for one with a sign alone
	At     string // address of the whole list
	Fields []Field
	Order  Field  // the orders of the list, the first of which is the usual one; none without choices
	Clear  string // address of the whole list, "" while it is shown
}

// chip is one filter: fields that belong together.
type chip struct {
	name    string
	fields  []Field
	applied bool
}

// searches are the fields that something is typed into in the bar itself.
func (f Filters) searches() (all []Field) {
	for _, field := range f.Fields {
		if field.Kind == "search" {
			all = append(all, field)
		}
	}
	return all
}

// chips are all other filters; fields of one group stand in one.
func (f Filters) chips() (all []chip) {
	for _, field := range f.Fields {
		if field.Kind == "search" || field.Kind == "hidden" {
			continue
		}
		name := field.Group
		if name == "" {
			name = field.Label
		}
		if n := len(all); n > 0 && field.Group != "" && all[n-1].name == name {
			all[n-1].fields = append(all[n-1].fields, field)
			all[n-1].applied = all[n-1].applied || field.asFilter().applied()
			continue
		}
		all = append(all, chip{name, []Field{field}, field.asFilter().applied()})
	}
	return all
}

// open are the filters that are not applied.
func (f Filters) open() (all []chip) {
	for _, c := range f.chips() {
		if !c.applied && !c.fields[0].Given {
			all = append(all, c)
		}
	}
	return all
}

// shown are the filters that are applied.
func (f Filters) shown() (all []chip) {
	for _, c := range f.chips() {
		if c.applied {
			all = append(all, c)
		}
	}
	return all
}

// carried are the values that a search keeps: those of everything but what is typed in the form.
func (f Filters) carried() (all []Field) {
	for _, field := range append(f.Fields, f.Order) {
		typed := field.Kind == "search" || field.Kind != "select" && field.Kind != "hidden" && !field.Given
		if v := field.value(); !typed && v != "" {
			all = append(all, Field{Name: field.Name, Value: v})
		}
	}
	return all
}

// With is the address of the list where fields, each before its value, have other values.
func (f Filters) With(pairs ...string) string {
	q := f.query()
	for pair := range slices.Chunk(pairs, 2) {
		if q.Set(pair[0], pair[1]); pair[1] == "" {
			q.Del(pair[0])
		}
	}
	return f.address(q)
}

// query is what the address of the list says.
func (f Filters) query() url.Values {
	q := url.Values{}
	for _, field := range append(f.Fields, f.Order) {
		if v := field.value(); v != "" {
			q.Set(field.Name, v)
		}
	}
	return q
}

// without is the address of the list without the fields of a chip.
func (f Filters) without(c chip) string {
	q := f.query()
	for _, field := range c.fields {
		q.Del(field.Name)
	}
	return f.address(q)
}

func (f Filters) address(q url.Values) string {
	if len(q) == 0 {
		return f.At
	}
	return f.At + "?" + q.Encode()
}

// value is what a filter narrows its list down to, "" for nothing.
func (f Field) value() string {
	for i, c := range f.Choices { // the first one is what the list shows anyway
		if c.Chosen && i > 0 {
			return c.Value
		}
	}
	if len(f.Choices) > 0 {
		return ""
	}
	return f.Value
}

// said is what an applied filter narrows its list down to, in words.
func (c chip) said() string {
	var all []string
	for _, f := range c.fields {
		switch {
		case f.Shown != "":
			all = append(all, f.Shown)
		case len(f.Choices) > 0:
			for i, x := range f.Choices {
				if x.Chosen && i > 0 {
					all = append(all, x.Label)
				}
			}
		case f.Value != "" && f.Group != "":
			all = append(all, strings.ToLower(f.Label)+" "+f.Value)
		case f.Value != "":
			all = append(all, f.Value)
		}
	}
	return strings.Join(all, ", ")
}

// order is the name of the order that is shown.
func (f Filters) order() string {
	for _, c := range f.Order.Choices {
		if c.Chosen {
			return c.Label
		}
	}
	if len(f.Order.Choices) == 0 {
		return ""
	}
	return f.Order.Choices[0].Label
}

// asFilter is the field of a filter: none is needed.
func (f Field) asFilter() Field {
	f.Optional, f.filter = true, true
	return f
}

// applied tells a filter that narrows its list down.
func (f Field) applied() bool { return f.filter && f.value() != "" }
