// Package operation is the contract layer: one typed entry an operation, from
// which come its route, its strict decoding, its OpenAPI description and its
// schemas.
//
// A contract that cannot be kept (an unknown tag, a type without a schema) panics
// when the entry is made, at the start of the program.
//
// It does not know what an operation does.
package operation

import (
	"context"
	"reflect"

	"portal/api/access"
	"portal/api/change"
	"portal/api/fault"
)

// Spec is what an operation says of itself.
type Spec struct {
	Name        string // snake_case, the same on every surface
	Method      string
	Path        string // behind /api/v1/external, path parameters as {id}
	Tag         string
	Summary     string
	Description string
	Scope       access.Scope
	Status      int          // of success
	Fails       []fault.Code // what it answers beyond InputFails and what every operation does
	Media       []string     // types of the answer; none is JSON of the output's type
	File        *File        // of a body that is multipart/form-data; nil: it is JSON
	TestKeys    bool         // a live key is refused
	MakesRoom   bool         // a demo portfolio that is full takes it
}

// File is what an operation takes as the part "file" of its body. The other fields of the body are JSON, each in a part
// of its name.
type File struct {
	Largest int64  // bytes
	Advice  string // what to do with a larger one: a sentence
	Example string // name of one
}

// Operation is an entry of the contract.
type Operation struct {
	Spec
	Output  reflect.Type
	Changes bool     // it writes: calls answer a change.Outcome
	Secrets *Secrets // which answers hold one; nil: none does
	// Judge finds what is wrong with an input that neither a tag nor its Check says,
	// before anything is looked up; nil where there is nothing of that kind.
	Judge func(in any) []fault.Detail
	// Before looks for what a write needs before its transaction, in which nobody else writes, and gives it along
	// in the context; nil where there is nothing to look for. What it does not find the write looks for itself.
	Before func(ctx context.Context, in any) context.Context

	input  *input
	encode encoder
	differ differ
	call   func(ctx context.Context, in any) (any, error)
}

// Define makes the entry of an operation with input I and output O.
func Define[I, O any](s Spec, call func(context.Context, *I) (*O, error)) *Operation {
	return define(s, false, reflect.TypeFor[O](), call)
}

// Write makes the entry of an operation that changes something. Its calls answer a
// change.Outcome of T.
func Write[I, T any](s Spec, call func(context.Context, *I) (*change.Result[T], error)) *Operation {
	o := define(s, true, reflect.TypeFor[T](), call)
	o.differ = differOf(o.Output)
	return o
}

func define[I, R any](s Spec, changes bool, out reflect.Type, call func(context.Context, *I) (*R, error)) *Operation {
	return &Operation{
		Spec:    s,
		Output:  out,
		Changes: changes,
		Secrets: secretsOf(changes, out),
		input:   compile(reflect.TypeFor[I](), out),
		encode:  encoderOf(out),
		call: func(ctx context.Context, in any) (any, error) {
			return call(ctx, in.(*I))
		},
	}
}

// Call runs the operation on an input that Decode has made. The types are lost on the way: to
// go on reading, look for the entry of the operation, which names its function (in api/rest
// and api/mcp, one file a resource).
func (o *Operation) Call(ctx context.Context, in any) (any, error) { return o.call(ctx, in) }

// Append appends the JSON of an output.
func (o *Operation) Append(b []byte, out any) []byte {
	return o.encode(b, reflect.ValueOf(out).Elem())
}

// Nothing is the input of an operation that takes none.
type Nothing struct{}

// Versioned is a record whose version is its ETag.
type Versioned interface{ Revision() int64 }

// Paged is a page of a list.
type Paged interface {
	Next() (cursor string, more bool)
}

// Single reports whether the operation answers one record with a version.
func (o *Operation) Single() bool {
	return reflect.PointerTo(o.Output).Implements(reflect.TypeFor[Versioned]())
}

// List reports whether the operation reads a page of a list.
func (o *Operation) List() bool {
	return !o.Changes && reflect.PointerTo(o.Output).Implements(reflect.TypeFor[Paged]())
}

// Parameters are the parameters of the operation in the order of their schema.
func (o *Operation) Parameters() []Parameter { return o.input.params }

// recordOf finds the object and the prefix of the record that a type is or lists: from the
// tags of an embedded struct, or of its own fields id and object.
func recordOf(t reflect.Type) (object, prefix string) {
	if f, ok := t.FieldByName("Data"); ok && f.Type.Kind() == reflect.Slice {
		t = f.Type.Elem()
	}
	if t.Kind() != reflect.Struct {
		return "", ""
	}
	for f := range t.Fields() {
		own := read(t, f)
		switch {
		case own.name == "id" && own.object != "":
			return own.object, own.prefix
		case own.name == "id":
			prefix = own.prefix
			continue
		case own.name == "object" && own.fixed != "list":
			return own.fixed, prefix
		case !f.Anonymous:
			continue
		case own.object != "":
			return own.object, own.prefix
		}
		if object, prefix = recordOf(f.Type); object != "" {
			return object, prefix
		}
	}
	return "", ""
}
