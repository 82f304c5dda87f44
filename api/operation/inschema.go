package operation

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"portal/api/clock"
	"portal/api/money"
)

// Body is the schema of the body that an operation takes.
func (s *Schemas) Body(o *Operation) *Schema {
	name, t := bodyOf(o.input.typ)
	return s.input(name, t, o.input.update)
}

// extras are the members that may stand beside a record in the answer of a write.
func (s *Schemas) extras() (all []Property) {
	for _, f := range fieldsOf(reflect.TypeFor[extras]()) {
		all = append(all, Property{f.name, s.of(f.direct())}) // absent rather than null
	}
	return all
}

// Parameter is the schema of a parameter.
func (s *Schemas) Parameter(p Parameter) *Schema {
	f, own := p.field.direct(), *p.Schema
	if !isEnum(f.typ) {
		return p.Schema
	}
	return s.enum(f, &own)
}

// bodyOf finds the struct that is the body: the input itself, or the one that it
// embeds beside its parameters.
func bodyOf(t reflect.Type) (name string, body reflect.Type) {
	for f := range t.Fields() {
		if f.Anonymous && f.IsExported() && len(slotsOf(fieldsOf(f.Type))) > 0 {
			return bodyOf(f.Type)
		}
	}
	return nameOf(t), t
}

// input collects the schema of an object that is read, whose fields are all known.
func (s *Schemas) input(name string, t reflect.Type, update bool) *Schema {
	return s.add(name, t, func() *Schema {
		object := &Schema{Type: "object", Additional: new(false)}
		if update {
			object.MinProps = new(1)
		}
		for _, slot := range slotsOf(fieldsOf(t)) {
			value := s.slot(slot.field)
			if s.DefaultsInWords && value.Default != nil {
				value.Description, value.Default = withDefault(value.Description, value.Default), nil
			}
			object.Properties = append(object.Properties, Property{slot.name, value})
			if slot.required {
				object.Required = append(object.Required, slot.name)
			}
		}
		return object
	})
}

// withDefault is a description that says what holds where its field is left out.
func withDefault(description string, value any) string {
	text, is := value.(string)
	if !is {
		b, err := json.Marshal(value)
		if err != nil {
			panic(err)
		}
		text = string(b)
	}
	return description + defaultBegins + text + defaultEnds
}

// What stands around the default of a field at the end of its description.
const defaultBegins, defaultEnds = " Default: `", "`."

// CutDefault takes the default off the description of a field of a body, "" where it has none.
func CutDefault(description string) (about, value string) {
	about, rest, _ := strings.Cut(description, defaultBegins)
	return about, strings.TrimSuffix(rest, defaultEnds)
}

func (s *Schemas) slot(f field) *Schema {
	inner := f
	switch {
	case isUpdate(f):
		return s.slot(settled(f))
	case f.typ.Kind() == reflect.Pointer:
		inner.typ = f.typ.Elem()
		return nullable(s.slot(inner))
	case f.typ.Kind() == reflect.Slice:
		inner.typ, inner.doc, inner.initial, inner.minLen, inner.maxLen = f.typ.Elem(), "", "", f.itemMin, f.itemMax
		a := &Schema{
			Type:        "array",
			Description: f.doc,
			Items:       s.slot(inner),
			MinItems:    f.minLen,
			MaxItems:    f.maxLen,
			Unique:      true,
		}
		if f.initial != "" {
			a.Default = []string{f.initial}
		}
		return a
	case f.typ.Kind() == reflect.Map:
		value := &Schema{Type: []string{"string", "null"}, MaxLength: f.itemMax}
		return &Schema{Type: "object", Description: f.doc, Additional: value, MaxProps: f.maxLen}
	case f.typ.Kind() == reflect.Struct:
		return s.nested(f)
	}
	if isEnum(f.typ) {
		return s.enum(f, readable(f))
	}
	return s.bounded(f, readable(f))
}

// nested is an object within a body; one with a shorthand may be a string too.
func (s *Schemas) nested(f field) *Schema {
	name := f.typ.Name()
	if !strings.HasSuffix(name, "Create") && !strings.HasSuffix(name, "Update") {
		name += "Input" // answers show the type itself
	}
	ref := s.input(name, f.typ, false)
	if short, is := reflect.TypeAssert[shorthand](reflect.Zero(f.typ)); is {
		plain := &Schema{}
		for _, slot := range slotsOf(fieldsOf(f.typ)) {
			if slot.name == short.Shorthand() {
				plain = s.slot(slot.field)
			}
		}
		return &Schema{Description: f.doc, OneOf: []*Schema{ref, plain}}
	}
	ref.Description = f.doc
	return ref
}

// What is taken of a phone number and of several lines of text, as patterns.
const (
	phones = `^(\+[2-9][0-9]{7,14}|(\+?1[ .-]?)?\(?[2-9][0-9]{2}\)?[ .-]?[2-9][0-9]{2}[ .-]?[0-9]{4})( ?(x|ext\. ?|;ext=)[0-9]{1,7})?$`
	zips   = `^[0-9]{5}(-?[0-9]{4})?$`
	lines  = `^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*[^\x00-\x20\x7F-\xA0\s][^\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F]*$`
	line   = "^[^\\x00-\\x1F\\x7F-\\x9F\u2028\u2029]*[^\\x00-\\x20\\x7F-\\xA0\\s\u2028\u2029][^\\x00-\\x1F\\x7F-\\x9F\u2028\u2029]*$"
)

// settable is a closed list of which a caller sets only some values; the others a record
// gets by itself.
type settable interface{ Settable() []string }

// readable is the schema of a scalar that is read.
func readable(f field) *Schema {
	s := scalar(f)
	if zero, is := reflect.TypeAssert[settable](reflect.Zero(f.typ)); is && f.in == "" {
		s.Enum = nil
		for _, v := range zero.Settable() {
			s.Enum = append(s.Enum, v)
		}
	}
	switch zero := reflect.Zero(f.typ).Interface().(type) {
	case counted:
		step, low, high := zero.Range()
		s.MultipleOf, s.Minimum, s.Maximum = step, &low, &high
	case clock.Time:
		s.Pattern = clock.TimePattern
	case clock.Date:
		s.Pattern = clock.DatePattern
	case money.Cents:
		s.Minimum, s.Maximum = new(0.0), new(float64(money.Max)/100)
		if f.min != nil {
			s.Minimum = float(f.min)
		}
	}
	if s.Type == "string" && s.Enum == nil && s.Const == nil && s.Format == "" {
		switch f.format {
		case "phone":
			s.Pattern = phones
		case "postal-code":
			s.Pattern = zips
		case "text":
			s.Pattern = lines
		case "ref":
			s.Pattern = "^" + f.prefix + "_"
		case "ascii", "search", "cursor", "position", "state-cursor":
		default:
			s.Pattern = line
			if f.in != "" {
				s.Pattern = printable // a blank parameter finds nothing
			}
		}
	}
	if f.initial != "" {
		s.Default = f.initial
		if n, err := strconv.Atoi(f.initial); err == nil && s.Type != "string" {
			s.Default = n
		}
		if s.Type == "boolean" {
			s.Default = f.initial == "true"
		}
	}
	return s
}

// BodyExample is a body made of the examples of its fields; what may be left out and
// has none is left out.
func (o *Operation) BodyExample() any {
	var shown object
	_, t := bodyOf(o.input.typ)
	for _, s := range slotsOf(fieldsOf(t)) {
		f := settled(s.field).direct()
		if s.required || f.example != "" && f.typ.Kind() != reflect.Struct || o.input.update && len(shown) == 0 {
			shown = append(shown, f)
		}
	}
	return shown
}
