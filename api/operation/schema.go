package operation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"portal/api/clock"
	"portal/api/id"
	"portal/api/money"
)

// Schema is a JSON Schema of draft 2020-12, as OpenAPI 3.1 uses it.
type Schema struct {
	Ref         string     `json:"$ref,omitempty"`
	Type        any        `json:"type,omitempty"` // a name, or several
	Description string     `json:"description,omitempty"`
	Format      string     `json:"format,omitempty"`
	Pattern     string     `json:"pattern,omitempty"`
	Enum        []any      `json:"enum,omitempty"`
	Const       any        `json:"const,omitempty"`
	Minimum     *float64   `json:"minimum,omitempty"`
	Maximum     *float64   `json:"maximum,omitempty"`
	MultipleOf  float64    `json:"multipleOf,omitempty"`
	MinLength   *int       `json:"minLength,omitempty"`
	MaxLength   *int       `json:"maxLength,omitempty"`
	Default     any        `json:"default,omitempty"`
	Items       *Schema    `json:"items,omitempty"`
	Properties  Properties `json:"properties,omitzero"`
	Required    []string   `json:"required,omitempty"`
	Additional  *bool      `json:"additionalProperties,omitempty"`
	MinProps    *int       `json:"minProperties,omitempty"`
	MinItems    *int       `json:"minItems,omitempty"`
	MaxItems    *int       `json:"maxItems,omitempty"`
	Unique      bool       `json:"uniqueItems,omitempty"`
	OneOf       []*Schema  `json:"oneOf,omitempty"`
	AnyOf       []*Schema  `json:"anyOf,omitempty"`
	AllOf       []*Schema  `json:"allOf,omitempty"`
}

// Properties are the properties of an object in their order.
type Properties []Property

// Property is a named schema.
type Property struct {
	Name   string
	Schema *Schema
}

// MarshalJSON writes an object with the properties in their order.
func (p Properties) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, prop := range p {
		if i > 0 {
			b.WriteByte(',')
		}
		text, err := json.Marshal(prop.Schema)
		if err != nil {
			return nil, err
		}
		b.WriteString(strconv.Quote(prop.Name) + ":")
		b.Write(text)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Schemas collects the named schemas that others refer to, in the order in which
// they are met.
type Schemas struct {
	Prefix string // of a reference: #/components/schemas/
	Named  Properties
	types  []reflect.Type // of Named
}

// named is a type that is called otherwise outside.
type named interface{ SchemaName() string }

// Of is the schema of a type of answer: structs are collected and referred to.
func (s *Schemas) Of(t reflect.Type) *Schema {
	return s.of(field{typ: t})
}

func (s *Schemas) of(f field) *Schema {
	t := f.typ
	switch {
	case t == reflect.TypeFor[Raw]():
		return scalar(f)
	case t.Kind() == reflect.Pointer:
		inner := f
		inner.typ = t.Elem()
		return nullable(s.of(inner))
	case t.Kind() == reflect.Slice:
		inner := f
		inner.typ, inner.doc, inner.example, inner.minLen, inner.maxLen = t.Elem(), "", "", nil, nil
		return &Schema{Type: "array", Description: f.doc, Items: s.of(inner), MinItems: f.minLen, MaxItems: f.maxLen}
	case t.Kind() == reflect.Struct:
		return s.refer(f)
	default:
		return scalar(f)
	}
}

// nullable admits null beside a schema.
func nullable(s *Schema) *Schema {
	if s.Ref != "" {
		return &Schema{Description: s.Description, OneOf: []*Schema{{Ref: s.Ref}, {Type: "null"}}}
	}
	s.Type = []string{s.Type.(string), "null"}
	if s.Enum != nil {
		s.Enum = append(s.Enum, nil)
	}
	return s
}

func (s *Schemas) refer(f field) *Schema {
	name := nameOf(f.typ)
	ref := &Schema{Ref: s.Prefix + name, Description: f.doc}
	for i, have := range s.Named {
		if have.Name == name && s.types[i] != f.typ {
			panic(fmt.Sprintf("operation: %s and %s have the same schema name %s", s.types[i], f.typ, name))
		}
		if have.Name == name {
			return ref
		}
	}
	at := len(s.Named)
	s.Named, s.types = append(s.Named, Property{Name: name}), append(s.types, f.typ) // before its own fields, which may refer to it
	object := &Schema{Type: "object"}
	for _, member := range fieldsOf(f.typ) {
		object.Properties = append(object.Properties, Property{member.name, s.of(member)})
		if !member.omit {
			object.Required = append(object.Required, member.name)
		}
	}
	s.Named[at].Schema = object
	return ref
}

// nameOf is the name of a struct's schema: that of the record, or of the type; a
// page is called after what it lists.
func nameOf(t reflect.Type) string {
	if n, ok := reflect.TypeAssert[named](reflect.Zero(t)); ok {
		return n.SchemaName()
	}
	if f, ok := t.FieldByName("Data"); ok && f.Type.Kind() == reflect.Slice {
		return nameOf(f.Type.Elem()) + "List"
	}
	for f := range t.Fields() {
		if f.Anonymous && read(f).object != "" {
			return camel(read(f).object)
		}
	}
	return t.Name()
}

func camel(snake string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(snake, "_") {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}

// scalar is the schema of a value that is not made of others.
func scalar(f field) *Schema {
	s := &Schema{Description: f.doc, MinLength: f.minLen, MaxLength: f.maxLen, Minimum: float(f.min), Maximum: float(f.max)}
	switch zero := reflect.Zero(f.typ).Interface().(type) {
	case Raw:
		return s // of any type
	case clock.Time:
		s.Type, s.Format = "string", "date-time"
		return s
	case clock.Date:
		s.Type, s.Format = "string", "date"
		return s
	case money.Cents:
		s.Type = "number" // no multipleOf 0.01: validators divide in floating point and refuse 19.99
		return s
	case appender:
		s.Type = "number"
		return s
	case enumerated:
		s.Type = "string"
		for _, v := range zero.Values() {
			s.Enum = append(s.Enum, v)
		}
		return s
	}
	switch f.typ.Kind() {
	case reflect.String:
		textual(f, s)
	case reflect.Int, reflect.Int64:
		s.Type = "integer"
		if f.typ.Kind() == reflect.Int64 {
			s.Format = "int64"
		}
	case reflect.Float64:
		s.Type = "number"
	case reflect.Bool:
		s.Type = "boolean"
	default:
		panic(fmt.Sprintf("operation: %s (%s) has no schema", f.name, f.typ))
	}
	return s
}

func textual(f field, s *Schema) {
	s.Type = "string"
	switch {
	case f.fixed != "":
		s.Const = f.fixed
	case f.format == "email" || f.format == "uri":
		s.Format = f.format
	case f.format == "cursor" || f.format == "position":
		s.MaxLength = new(longestCursor)
	case f.format == "id" && f.prefix != "":
		s.Pattern = "^" + f.prefix + "_" + id.Pattern + "$"
	default:
		s.Pattern = formats[f.format]
	}
}

func float(n *int) *float64 {
	if n == nil {
		return nil
	}
	return new(float64(*n))
}

// printable is what checkText takes of any text.
const printable = `^[^\x00-\x1F\x7F-\x9F]+$`

// paramSchema is the schema of a parameter.
func paramSchema(f field) *Schema {
	for f.typ.Kind() == reflect.Pointer {
		f.typ = f.typ.Elem()
	}
	s := scalar(f)
	s.Description = ""
	switch {
	case f.in == "path": // whatever is not an id of ours answers 404
		s.Pattern = ""
	case s.Format == "date-time":
		s.Pattern = clock.TimePattern
	case s.Format == "date":
		s.Pattern = clock.DatePattern
	case s.Type == "string" && s.Enum == nil && s.Pattern == "":
		s.Pattern = printable
	}
	if f.initial != "" {
		s.Default = f.initial
		if n, err := strconv.Atoi(f.initial); err == nil {
			s.Default = n
		}
	}
	return s
}
