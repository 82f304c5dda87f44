package operation

import "reflect"

// Discriminator names the property by whose value the alternatives of a schema are told
// apart, and the reference that each value stands for.
type Discriminator struct {
	PropertyName string            `json:"propertyName"`
	Mapping      map[string]string `json:"mapping"`
}

// union is JSON that is one of several records: a Raw with a name of its own, which says
// what it can be. The records are told apart by their object.
type union interface {
	appender
	Records() []reflect.Type
}

func isUnion(t reflect.Type) bool {
	return t.Kind() != reflect.Pointer && t.Implements(reflect.TypeFor[union]())
}

func (s *Schemas) union(f field) *Schema {
	anyOf := s.oneOf(recordsOf(f.typ), "object")
	anyOf.Description = f.doc
	return anyOf
}

func recordsOf(t reflect.Type) []reflect.Type {
	return reflect.Zero(t).Interface().(union).Records()
}

// variants is a struct whose schema is that of several others, which have the same fields:
// in each, the named one has a constant of its own.
type variants interface {
	Variants() (field string, types []reflect.Type)
}

// constants are the values of those fields of a struct that are the same in all of its
// values, where no tag can say so: of a generic struct, they differ with its argument.
type constants interface{ Constants() map[string]string }

// answered are the fields of a struct as its schema shows them.
func answered(t reflect.Type) []field {
	all := fieldsOf(t)
	c, has := reflect.TypeAssert[constants](reflect.Zero(t))
	if !has {
		return all
	}
	fixed := c.Constants()
	for i := range all {
		if value, is := fixed[all[i].name]; is {
			all[i].fixed = value
		}
	}
	return all
}

// oneOf is the schema of a value of one of several structs, told apart by the constant
// that a field of theirs has. It panics where one has none, or two have the same.
func (s *Schemas) oneOf(types []reflect.Type, by string) *Schema {
	all := &Schema{Discriminator: &Discriminator{PropertyName: by, Mapping: map[string]string{}}}
	mapping := all.Discriminator.Mapping
	for _, t := range types {
		ref := s.refer(field{typ: t})
		value := ""
		for _, f := range answered(t) {
			if f.name == by {
				value = f.fixed
			}
		}
		if _, has := mapping[value]; has || value == "" {
			panic("operation: " + t.String() + " is not told apart by " + by)
		}
		all.OneOf, mapping[value] = append(all.OneOf, ref), ref.Ref
	}
	return all
}
