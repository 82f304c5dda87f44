package operation

import (
	"bytes"
	"reflect"
	"slices"
)

// Secrets tells which answers of an operation hold a secret, by the fields of its records
// that are tagged so. An answer that does is never compressed (docs/decisions/0025).
type Secrets struct {
	members [][]byte // a member's name with its colon, also as it stands in a text within JSON
	always  bool     // of a write: a preview shows under other names what a member was, too
}

// secretsOf is nil where no record of the types has a secret.
func secretsOf(writes bool, types ...reflect.Type) *Secrets {
	names := map[string]bool{}
	for _, t := range types {
		collectSecrets(t, names)
	}
	if len(names) == 0 {
		return nil
	}
	s := &Secrets{always: writes}
	for name := range names {
		s.members = append(s.members, []byte(`"`+name+`":`), []byte(`\"`+name+`\":`))
	}
	return s
}

// collectSecrets finds the names of what is tagged in a type and all that it is made of.
func collectSecrets(t reflect.Type, names map[string]bool) {
	if isUnion(t) {
		for _, record := range recordsOf(t) {
			collectSecrets(record, names)
		}
		return
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		collectSecrets(t.Elem(), names)
	case reflect.Struct:
		for _, f := range fieldsOf(t) {
			if f.secret {
				names[f.name] = true
			}
			collectSecrets(f.typ, names)
		}
	}
}

// In reports whether a body holds one.
func (s *Secrets) In(body []byte) bool {
	return s.always || slices.ContainsFunc(s.members, func(member []byte) bool { return holds(body, member) })
}

// holds reports whether a body has a member, somewhere, that is not null.
func holds(body, member []byte) bool {
	for {
		_, behind, found := bytes.Cut(body, member)
		if !found || !bytes.HasPrefix(behind, []byte("null")) {
			return found
		}
		body = behind
	}
}
