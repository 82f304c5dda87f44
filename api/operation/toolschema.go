package operation

import (
	"slices"
	"strings"
)

// InputSchema is the schema of the arguments in a year: plain draft 2020-12, nothing
// referred to.
func (t *Tool) InputSchema(year int) *Schema {
	s := &Schemas{Prefix: inlined, Year: year}
	// Some clients fail without properties, so they are there even if empty.
	object := &Schema{Type: "object", Properties: Properties{}}
	if len(t.args) > 0 { // a tool without arguments ignores what it is given
		object.Additional = new(false)
	}
	for _, a := range t.args {
		if len(t.clearable) > 0 && a.in != "" && property(object, clearing) == nil { // behind the fields
			object.Properties = append(object.Properties, Property{clearing, t.clearSchema()})
		}
		object.Properties = append(object.Properties, Property{a.name, s.argument(a)})
		if a.required {
			object.Required = append(object.Required, a.name)
		}
	}
	return s.plain(object, true)
}

// clearSchema is that of the argument that names fields to empty.
func (t *Tool) clearSchema() *Schema {
	names := &Schema{Type: "string"}
	for _, name := range t.clearable {
		names.Enum = append(names.Enum, name)
	}
	return &Schema{
		Type:        "array",
		Description: "Names of fields to empty, as null does, which some clients can't send.",
		Items:       names,
		Unique:      true,
	}
}

// OutputSchema is the schema of the structured answer in a year, whose root is an object.
func (t *Tool) OutputSchema(year int) *Schema {
	s := &Schemas{Prefix: inlined, Year: year}
	var all []*Schema
	for _, p := range t.pages {
		all = append(all, s.page(p))
	}
	object := all[0]
	if len(all) > 1 {
		object = oneList(all)
	}
	object.Properties = append(object.Properties, s.beside(t)...)
	return object
}

// inlined is what references begin with before they are replaced.
const inlined = "#/"

func (s *Schemas) argument(a slot) *Schema {
	f := a.field
	if f.in == "" {
		return s.slot(f)
	}
	f = f.direct()
	f.doc, _, _ = strings.Cut(f.doc, ". ")
	return readable(f)
}

// page is the schema of one kind of answer.
func (s *Schemas) page(p *sheet) *Schema {
	answer := s.plain(s.Of(p.typ), false)
	data, isList := p.typ.FieldByName("Data")
	if isList && (p.shorten != nil || len(partsOf(data.Type.Elem())) > 0) {
		record := property(answer, "data").Items
		record.Properties = append(record.Properties, Property{"truncated", textNames()})
	}
	return answer
}

func textNames() *Schema { return &Schema{Type: "array", Items: &Schema{Type: "string"}} }

// oneList is the schema of lists whose records are of one of several kinds.
func oneList(lists []*Schema) *Schema {
	whole := *lists[0]
	whole.Properties = slices.Clone(whole.Properties)
	var kinds []*Schema
	for _, l := range lists {
		kinds = append(kinds, property(l, "data").Items)
	}
	for i, p := range whole.Properties {
		if p.Name == "data" {
			whole.Properties[i].Schema = &Schema{Type: "array", Items: &Schema{AnyOf: kinds}}
		}
	}
	return &whole
}

func property(s *Schema, name string) *Schema {
	for _, p := range s.Properties {
		if p.Name == name {
			return p.Schema
		}
	}
	return nil
}

// beside are the members that may stand in an answer beside those of the record.
func (s *Schemas) beside(t *Tool) (all []Property) {
	var marked, short bool
	for _, p := range t.pages {
		cut := p.shorten != nil || len(partsOf(p.typ)) > 0
		marked, short = marked || p.notice != "", short || p.items == nil && cut
	}
	if marked {
		all = append(all, Property{"notice", &Schema{Type: "string"}})
	}
	if short {
		all = append(all, Property{"truncated", textNames()})
	}
	if t.Changes {
		for _, p := range s.extras() {
			all = append(all, Property{p.Name, s.plain(p.Schema, false)})
		}
	}
	return all
}

// plain puts in the place of each reference what it refers to. What is asked for, which has words, has
// one type a field: some clients refuse a schema with several. Null and a shorthand are taken all
// the same.
func (s *Schemas) plain(from *Schema, words bool) *Schema {
	if from == nil {
		return nil
	}
	if words && from.OneOf != nil {
		to := *s.plain(from.OneOf[0], words)
		to.Description = from.Description
		to.slim(words)
		return &to
	}
	to := *from
	if name, is := strings.CutPrefix(from.Ref, inlined); is {
		to = *s.plain(s.named(name), words)
		to.Description = from.Description
	}
	if of := from.OneOf; len(of) == 2 && of[1].Type == "null" && of[0].Ref != "" { // an object or null
		to = *s.plain(of[0], words)
		to.Description, to.Type = from.Description, []string{"object", "null"}
	}
	to.slim(words)
	s.within(&to, words)
	return &to
}

// slim leaves out what costs more than it tells: in an answer, which nobody has to write,
// words, lengths, patterns and long lists of values. What is asked for keeps all that the
// server enforces, and says as a pattern what a format alone leaves open.
func (s *Schema) slim(words bool) {
	if s.Format == "int64" {
		s.Format = ""
	}
	if kinds, is := s.Type.([]string); is && words && kinds[len(kinds)-1] == "null" && len(kinds) == 2 {
		s.Type = kinds[0]
		s.Enum = slices.DeleteFunc(slices.Clone(s.Enum), func(v any) bool { return v == nil })
	}
	if words {
		if form, has := written[s.Format]; has {
			s.Pattern = form
		}
		if len(s.Description) < telling || strings.HasPrefix(s.Description, "Only ") {
			s.Description = ""
		}
		return
	}
	s.MinLength, s.MaxLength, s.Pattern, s.Description = nil, nil, "", ""
	if s.Maximum != nil && *s.Maximum > mostDollars {
		s.Maximum = nil
	}
	if len(s.Enum) > mostValues {
		s.Enum = nil
	}
}

// written is how values of a format read, for validators that do not look at formats.
var written = map[string]string{
	"email": `^\s*` + mailboxWord + `+(\.` + mailboxWord + `+)*@(` + domainLabel + `\.)+` + domainLabel + `\s*$`,
	"date":  `^` + dayFrom("(1[6-9]|[2-9][0-9])[0-9]{2}") + `$`,
	"date-time": `^` + dayFrom("(19[7-9][0-9]|[2-9][0-9]{3})") +
		`T([01][0-9]|2[0-3])(:[0-5][0-9]){2}(\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$`,
}

const (
	mailboxWord = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]"
	domainLabel = `[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?`
)

// dayFrom is the form of a day in one of some years.
func dayFrom(years string) string { return years + `-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])` }

// mostValues is how long a list of values is that an answer's schema repeats.
const mostValues = 20

// telling is how long a description is that says more than the argument's name does.
const telling = 48

// mostDollars is more than anybody asks for; what is too much is refused with words.
const mostDollars = 100_000_000

func (s *Schemas) named(name string) *Schema {
	for _, n := range s.Named {
		if n.Name == name {
			return n.Schema
		}
	}
	panic("operation: no schema " + name)
}

// within makes the schemas plain that a schema consists of.
func (s *Schemas) within(of *Schema, words bool) {
	of.Items = s.plain(of.Items, words)
	of.Properties = slices.Clone(of.Properties) // nil stays nil
	for i := range of.Properties {
		of.Properties[i].Schema = s.plain(of.Properties[i].Schema, words)
	}
	of.OneOf = slices.Clone(of.OneOf)
	for i := range of.OneOf {
		of.OneOf[i] = s.plain(of.OneOf[i], words)
	}
	if of.Properties == nil && of.Type == nil && of.OneOf == nil && of.AnyOf == nil {
		of.Type = everything
	}
}

// everything is any type of JSON.
var everything = []string{"string", "number", "boolean", "object", "array", "null"}
