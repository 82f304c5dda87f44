package operation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"portal/api/clock"
	"portal/api/contact"
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
	Additional  any        `json:"additionalProperties,omitempty"` // a bool, or the schema of the members
	MinProps    *int       `json:"minProperties,omitempty"`
	MaxProps    *int       `json:"maxProperties,omitempty"`
	MinItems    *int       `json:"minItems,omitempty"`
	MaxItems    *int       `json:"maxItems,omitempty"`
	Unique      bool       `json:"uniqueItems,omitempty"`
	OneOf       []*Schema  `json:"oneOf,omitempty"`
	// Discriminator says which of OneOf a value is (OpenAPI 3.1, Discriminator Object).
	Discriminator *Discriminator `json:"discriminator,omitempty"`
	AnyOf         []*Schema      `json:"anyOf,omitempty"`
	AllOf         []*Schema      `json:"allOf,omitempty"`
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
	Enums  bool // whether closed lists of values are named too
	Year   int  // the present one, which bounds years; 0 bounds none

	// DefaultsInWords has descriptions of fields of bodies say their defaults: generators of clients take
	// a field that has one in its schema for one that must be sent.
	DefaultsInWords bool

	types  []reflect.Type // of Named
	writes []reflect.Type // records that are the answer of a write
}

// Answers notes that writes answer a record of a type: its schema then has what may
// stand beside the record.
func (s *Schemas) Answers(record reflect.Type) { s.writes = append(s.writes, record) }

// Text is the named schema of a body that is plain text.
func (s *Schemas) Text(name, description string) *Schema {
	return s.add(name, reflect.TypeFor[string](), func() *Schema {
		return &Schema{Type: "string", Description: description}
	})
}

// File is the named schema of a body that is a file.
func (s *Schemas) File(name, description string) *Schema {
	return s.add(name, reflect.TypeFor[[]byte](), func() *Schema {
		return &Schema{Type: "string", Format: "binary", Description: description}
	})
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
	case t == reflect.TypeFor[Raw](), f.fixed != "":
		return scalar(f)
	case isUnion(t):
		return s.union(f)
	case t.Kind() == reflect.Map:
		inner := f
		inner.typ, inner.doc = t.Elem(), ""
		return &Schema{Type: []string{"object", "null"}, Description: f.doc, Additional: s.of(inner)}
	case t.Kind() != reflect.Pointer && isEnum(t):
		return s.enum(f, scalar(f))
	case t.Kind() == reflect.Pointer:
		inner := f
		inner.typ = t.Elem()
		return nullable(s.of(inner))
	case t.Kind() == reflect.Slice:
		inner := f
		inner.typ, inner.doc, inner.example, inner.minLen, inner.maxLen = t.Elem(), "", "", nil, nil
		return &Schema{
			Type:        "array",
			Description: f.doc,
			Items:       s.of(inner),
			MinItems:    f.minLen,
			MaxItems:    f.maxLen,
		}
	case t.Kind() == reflect.Struct:
		return s.refer(f)
	default:
		return s.bounded(f, scalar(f))
	}
}

// bounded adds the year after the present one as maximum, if the field has that limit.
func (s *Schemas) bounded(f field, value *Schema) *Schema {
	if f.nextYear && s.Year > 0 {
		value.Maximum = float(new(s.Year + 1))
	}
	return value
}

// nullable admits null beside a schema.
func nullable(s *Schema) *Schema {
	if s.OneOf != nil {
		s.OneOf = append(s.OneOf, &Schema{Type: "null"})
		return s
	}
	if s.Ref != "" {
		return &Schema{Description: s.Description, OneOf: []*Schema{{Ref: s.Ref}, {Type: "null"}}}
	}
	s.Type = []string{s.Type.(string), "null"}
	if s.Enum != nil {
		s.Enum = append(s.Enum, nil)
	}
	return s
}

// isEnum tells a type with a closed list of values.
func isEnum(t reflect.Type) bool { return t.Implements(reflect.TypeFor[enumerated]()) }

// enum is the schema of a value from a closed list, which is named where the collection
// names such lists.
func (s *Schemas) enum(f field, list *Schema) *Schema {
	if !s.Enums {
		return list
	}
	name := nameOf(f.typ)
	if len(list.Enum) < len(reflect.Zero(f.typ).Interface().(enumerated).Values()) {
		name += "Update"
	}
	ref := &Schema{Description: list.Description, Default: list.Default}
	list.Description, list.Default = "", nil
	ref.Ref = s.add(name, f.typ, func() *Schema { return list }).Ref
	return ref
}

// add collects a named schema, once, and answers with a reference to it. Its own parts
// may refer to it.
func (s *Schemas) add(name string, t reflect.Type, describe func() *Schema) *Schema {
	ref := &Schema{Ref: s.Prefix + name}
	for i, have := range s.Named {
		if have.Name == name && s.types[i] != t {
			panic(fmt.Sprintf("operation: %s and %s have the same schema name %s", s.types[i], t, name))
		}
		if have.Name == name {
			return ref
		}
	}
	at := len(s.Named)
	s.Named, s.types = append(s.Named, Property{Name: name}), append(s.types, t)
	s.Named[at].Schema = describe()
	return ref
}

func (s *Schemas) refer(f field) *Schema {
	ref := s.add(nameOf(f.typ), f.typ, func() *Schema {
		if v, is := reflect.TypeAssert[variants](reflect.Zero(f.typ)); is {
			field, types := v.Variants()
			return s.oneOf(types, field)
		}
		return s.object(f.typ)
	})
	ref.Description = f.doc
	return ref
}

// object is the schema of a struct that is answered.
func (s *Schemas) object(t reflect.Type) *Schema {
	object := &Schema{Type: "object"}
	for _, member := range answered(t) {
		object.Properties = append(object.Properties, Property{member.name, s.of(member)})
		if !member.omit {
			object.Required = append(object.Required, member.name)
		}
	}
	if slices.Contains(s.writes, t) {
		object.Properties = append(object.Properties, s.extras()...)
	}
	return object
}

// nameOf is the name of a type's schema: its SchemaName if it has one;
// for a record its object and Out, such as PropertyOut; for a page what it lists and List, such as
// PropertyList; otherwise the name of the type.
func nameOf(t reflect.Type) string {
	if n, ok := reflect.TypeAssert[named](reflect.Zero(t)); ok {
		return n.SchemaName()
	}
	if t.Kind() != reflect.Struct {
		return t.Name()
	}
	if f, ok := t.FieldByName("Data"); ok && f.Type.Kind() == reflect.Slice {
		return strings.TrimSuffix(nameOf(f.Type.Elem()), "Out") + "List"
	}
	for f := range t.Fields() {
		if f.Anonymous && read(t, f).object != "" {
			return camel(read(t, f).object) + "Out"
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
	if f.fixed != "" {
		return constant(f)
	}
	s := &Schema{
		Description: f.doc,
		MinLength:   f.minLen,
		MaxLength:   f.maxLen,
		Minimum:     float(f.min),
		Maximum:     float(f.max),
	}
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

// constant is the schema of a text or a boolean that is always the same.
func constant(f field) *Schema {
	if f.typ.Kind() == reflect.Bool {
		return &Schema{Type: "boolean", Description: f.doc, Const: f.fixed == "true"}
	}
	return &Schema{Type: "string", Description: f.doc, Const: f.fixed}
}

func textual(f field, s *Schema) {
	s.Type = "string"
	switch {
	case f.format == "email" || f.format == "uri" || f.format == "password" || f.format == "binary":
		s.Format = f.format
	case isCursor(f):
		s.MaxLength, s.Pattern = new(longestCursor), cursorPattern(f)
	case f.format == "id" && f.prefix != "":
		s.Pattern = "^" + f.prefix + "_" + id.Pattern + "$"
	default:
		s.Pattern = formats[f.format]
	}
}

// isCursor tells a field that is the position in a list.
func isCursor(f field) bool {
	return f.format == "cursor" || f.format == "position" || f.format == "state-cursor"
}

// cursorPattern is the form of a cursor; an empty one is the beginning of its list.
func cursorPattern(f field) string {
	switch {
	case f.format == "state-cursor":
		return "^(" + strings.Join(contact.State("").Values(), "|") + ")?$"
	case f.format == "cursor" && f.prefix != "":
		return "^(" + f.prefix + "_" + id.Pattern + ")?$"
	}
	return "^" + printed + "*$"
}

func float(n *int) *float64 {
	if n == nil {
		return nil
	}
	return new(float64(*n))
}

// printable is what checkText takes of any text.
const printable = "^" + printed + "+$"

// printed is a character that is no control character and ends no line.
const printed = "[^\\x00-\\x1F\\x7F-\\x9F\u2028\u2029]"

// paramSchema is the schema of a parameter.
func paramSchema(f field) *Schema {
	f = f.direct()
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
