package operation

import (
	"reflect"
	"strings"
)

// Limits are what the contract says of a field of a body, for somebody who fills it in on a page.
type Limits struct {
	Type     string // string, number, integer, boolean or array, as in the schema
	Format   string // date-time, email … as in the schema, "" for none
	Optional bool   // it may be null, or left out without a default
	Required bool   // it has to be given
	Update   bool   // what is empty clears it, or is refused, and is not left out
	Shortest *int   // characters of a text, nil where the contract does not say
	Longest  *int
}

// Limits tells what the contract says of the field at a dotted name of the body. What follows the name of
// an array names one of its elements.
func (o *Operation) Limits(name string) (Limits, bool) {
	return limitsOf(o.input.body, name)
}

func limitsOf(slots []slot, name string) (Limits, bool) {
	first, rest, nested := strings.Cut(name, ".")
	for i := range slots {
		s := &slots[i]
		if s.name != first {
			continue
		}
		inner, optional := settled(s.field), false
		if inner.typ.Kind() == reflect.Pointer {
			inner.typ, optional = inner.typ.Elem(), true
		}
		if nested && inner.typ.Kind() == reflect.Slice {
			return limitsOfElement(inner.typ.Elem(), rest)
		}
		if nested {
			return limitsOf(slotsOf(fieldsOf(inner.typ)), rest)
		}
		l := Limits{
			Type:     "array",
			Optional: optional,
			Required: s.required,
			Update:   isUpdate(s.field),
		}
		if kind := inner.typ.Kind(); kind == reflect.Slice || kind == reflect.Struct {
			if kind == reflect.Struct {
				l.Type = "object"
			}
			return l, true
		}
		schema := scalar(inner)
		l.Format, l.Shortest, l.Longest = schema.Format, schema.MinLength, schema.MaxLength
		l.Type, _ = schema.Type.(string)
		return l, true
	}
	return Limits{}, false
}

// limitsOfElement are those of an element of an array, or of a field of it. Elements that are texts are the
// only ones of which a form has a field as a whole.
func limitsOfElement(element reflect.Type, name string) (Limits, bool) {
	_, rest, nested := strings.Cut(name, ".")
	switch {
	case element.Kind() == reflect.Struct && nested:
		return limitsOf(slotsOf(fieldsOf(element)), rest)
	case element.Kind() == reflect.String && !nested:
		return Limits{Type: "string", Optional: true}, true
	}
	return Limits{}, false
}
