package docs

import (
	"fmt"
	"slices"
	"strings"
)

// whole lists the fields of a record. One that is of several variants, told apart by one of
// their fields, has those of the first; the field itself has the values of all.
func (r *reference) whole(p *markdown, s *apiSchema) {
	if s.Discriminator == nil {
		r.fields(p, s, 0)
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
		r.field(p, f.Name, field, field.Description, slices.Contains(first.Required, f.Name), 0)
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
