package docs

import (
	"fmt"
	"slices"
	"strings"

	views "portal/views/docs"
)

// deepest is how far objects within objects are told of.
const deepest = 2

// fields lists fields, those of objects within one below it.
func (p *markdown) fields(all []views.Field, indent string) {
	for _, f := range all {
		kind := strings.Replace(f.Kind, closedList, "string", 1)
		if f.Required {
			kind += ", required"
		}
		name := f.Name[strings.LastIndexByte(f.Name, '.')+1:]
		p.line("%s- **`%s`** %s. %s%s", indent, name, kind, views.InMarkdown(f.About), limitsOf(f))
		p.fields(f.Children, indent+"  ")
	}
}

// one is the schema that says most of what a value may be, and whether it may be null.
func (r *reference) one(s *apiSchema) (own *apiSchema, null bool) {
	s = r.schema(s)
	null = s.is("null")
	for _, alternative := range s.OneOf {
		a := r.schema(alternative)
		switch {
		case a.is("null"):
			null = true
		case own == nil:
			own = a
		}
	}
	if own == nil {
		own = s
	}
	return own, null
}

// is reports whether a value of the schema may be of a type.
func (s *apiSchema) is(kind string) bool {
	switch t := s.Type.(type) {
	case string:
		return t == kind
	case []any:
		return slices.Contains(t, any(kind))
	}
	return false
}

// kind is the type of a value, in a word or two.
func (r *reference) kind(s *apiSchema) string {
	if s.Items != nil {
		item, _ := r.one(s.Items)
		return "array of " + r.kind(item) + "s"
	}
	for _, t := range []string{"string", "integer", "number", "boolean", "object"} {
		if s.is(t) {
			switch s.Format {
			case "date":
				return "date"
			case "date-time":
				return "timestamp"
			case "email":
				return "email address"
			case "uri":
				return "URL"
			}
			return t
		}
	}
	return "any value"
}

// limitsOf says in Markdown what a value has to keep to.
func limitsOf(f views.Field) (said string) {
	values := "`" + strings.Join(f.Values, "`, `") + "`."
	switch {
	case strings.HasPrefix(f.Kind, closedList):
		said = " One of " + values
	case f.Values != nil:
		said = " Always " + values
	}
	for _, r := range f.Ranges {
		said += " " + r
	}
	if f.Default != "" {
		said += " `" + f.Default + "` when absent."
	}
	return said
}

// ranges says how great, how long and how many a value may be.
func ranges(s *apiSchema) (all []string) {
	switch {
	case s.Minimum != nil && s.Maximum != nil:
		all = append(all, fmt.Sprintf("%s to %s.", s.Minimum, s.Maximum))
	case s.Minimum != nil:
		all = append(all, fmt.Sprintf("At least %s.", s.Minimum))
	case s.Maximum != nil:
		all = append(all, fmt.Sprintf("At most %s.", s.Maximum))
	}
	switch {
	case s.MinLength != nil && s.MaxLength != nil:
		all = append(all, fmt.Sprintf("%d to %d characters.", *s.MinLength, *s.MaxLength))
	case s.MaxLength != nil:
		all = append(all, fmt.Sprintf("At most %d characters.", *s.MaxLength))
	}
	if s.MinItems != nil && s.MaxItems != nil {
		all = append(all, fmt.Sprintf("%d to %d entries.", *s.MinItems, *s.MaxItems))
	}
	return all
}

// whole lists the fields of a record. One that is of several variants, told apart by one of
// their fields, has those of the first; the field itself has the values of all.
func (r *reference) whole(p *markdown, s *apiSchema) {
	if s.Discriminator == nil {
		p.fields(r.fieldViews("", s, 0), "")
		return
	}
	by, variants := s.Discriminator.PropertyName, r.alternatives(s)
	first := variants[0]
	kind, _ := first.Properties.of(by)
	p.line("%s depends on `%s`; the fields shown are those of `%v`.\n", varying(variants, by), by, kind.Const)
	for _, f := range first.Properties {
		field := f.Value
		if f.Name == by {
			field = &apiSchema{Type: field.Type, Description: field.Description, Enum: values(variants, by)}
		}
		required := slices.Contains(first.Required, f.Name)
		p.fields([]views.Field{r.fieldView("", f.Name, field, field.Description, required, 0)}, "")
	}
}

// alternatives are the schemas of which a value fits one.
func (r *reference) alternatives(s *apiSchema) []*apiSchema {
	all := make([]*apiSchema, len(s.OneOf))
	for i, a := range s.OneOf {
		all[i] = r.schema(a)
	}
	return all
}

// values are the constants that a property has in the variants.
func values(variants []*apiSchema, name string) (all []any) {
	for _, v := range variants {
		property, _ := v.Properties.of(name)
		all = append(all, property.Const)
	}
	return all
}

// varying names, in Markdown, the properties that refer to another schema in each variant.
func varying(variants []*apiSchema, but string) string {
	var names []string
	for _, f := range variants[0].Properties {
		other, _ := variants[len(variants)-1].Properties.of(f.Name)
		if f.Name != but && (other == nil || other.Ref != f.Value.Ref) {
			names = append(names, fmt.Sprintf("`%s`", f.Name))
		}
	}
	return strings.Join(names, ", ")
}
