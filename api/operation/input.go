package operation

import (
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"portal/api/fault"
	"portal/api/id"
)

// Parameter is a parameter of a path or a query.
type Parameter struct {
	Name     string
	In       string
	Doc      string
	Required bool
	Schema   *Schema

	field field
	set   setter
}

// input is the compiled form of an input struct.
type input struct {
	typ    reflect.Type
	params []Parameter
	noun   string // of the record that the operation is about
}

func compile(t, out reflect.Type) *input {
	object, prefix := recordOf(out)
	in := &input{typ: t, noun: strings.ReplaceAll(object, "_", " ")}
	for _, f := range fieldsOf(t) {
		if f.in != "path" && f.in != "query" {
			panic(fmt.Sprintf("operation: input %s: %s must be in path or query", t, f.name))
		}
		if f.format == "cursor" || f.in == "path" {
			f.prefix = prefix
		}
		p := Parameter{Name: f.name, In: f.in, Doc: f.doc, Required: f.in == "path",
			Schema: paramSchema(f), field: f, set: setterOf(f)}
		if f.initial != "" && p.set(reflect.New(f.typ).Elem(), f.initial) != nil {
			panic(fmt.Sprintf("operation: input %s: the default of %s is not one of its values", t, f.name))
		}
		in.params = append(in.params, p)
	}
	return in
}

// Decode reads the parameters of a request. Every fault of the query is found;
// the first in the order of the schema leads. An identifier in the path that
// cannot exist is fault.NotFound.
func (o *Operation) Decode(path func(name string) string, rawQuery string) (any, error) {
	in := o.input
	v := reflect.New(in.typ)
	given, wrong := in.split(rawQuery)
	var missing error
	for i := range in.params {
		p := &in.params[i]
		raw, has := p.field.initial, p.field.initial != ""
		if p.In == "path" {
			raw, has = path(p.Name), true
			if !id.Valid(p.field.prefix, raw) {
				missing = fault.NotFound(in.noun)
			}
		} else if given != nil && given[i] != nil {
			raw, has = *given[i], true
		}
		if !has {
			continue
		}
		if d := p.set(v.Elem().FieldByIndex(p.field.index), raw); d != nil {
			wrong = append(wrong, *d)
		}
	}
	if len(wrong) > 0 {
		return nil, fault.Invalid(in.sorted(wrong))
	}
	return v.Interface(), missing
}

// mostFaults bounds what is said of a query, so that a short one full of rubbish is
// not answered with megabytes.
const mostFaults = 100

// split takes a query apart: the value of each parameter by its place, and what
// is wrong with the query itself.
func (in *input) split(query string) (given []*string, wrong []fault.Detail) {
	if query == "" {
		return nil, nil
	}
	given = make([]*string, len(in.params))
	say := func(d fault.Detail) {
		if !slices.Contains(wrong, d) {
			wrong = append(wrong, d)
		}
	}
	for pair := range strings.SplitSeq(query, "&") {
		if pair == "" || len(wrong) == mostFaults {
			continue
		}
		rawName, rawValue, _ := strings.Cut(pair, "=")
		name, err1 := url.QueryUnescape(rawName)
		value, err2 := url.QueryUnescape(rawValue)
		i := slices.IndexFunc(in.params, func(p Parameter) bool { return p.In == "query" && p.Name == name })
		switch {
		case err1 != nil || i < 0:
			say(in.unknown(name, rawName))
		case err2 != nil:
			say(fault.Detail{Param: name, Code: fault.InvalidField, Message: name + " is not percent-encoded rightly."})
		case given[i] != nil:
			say(fault.Detail{Param: name, Code: fault.InvalidField, Message: name + " is given more than once; send it once."})
		default:
			given[i] = &value
		}
	}
	return given, wrong
}

// unknown says that a parameter is not known, and which one is nearest.
func (in *input) unknown(name, raw string) fault.Detail {
	if name == "" {
		name = raw
	}
	name = clip(strings.ToValidUTF8(name, "�"))
	var names []string
	for _, p := range in.params {
		if p.In == "query" {
			names = append(names, p.Name)
		}
	}
	d := fault.Detail{Param: name, Code: fault.UnknownParameter}
	switch near := nearest(name, names); {
	case near != "":
		d.Message = fmt.Sprintf("%s is not a parameter here; did you mean %s?", quote(name), near)
	case len(names) == 0:
		d.Message = fmt.Sprintf("%s is not a parameter here; this operation takes none.", quote(name))
	default:
		d.Message = fmt.Sprintf("%s is not a parameter here; the parameters are %s.", quote(name), strings.Join(names, ", "))
	}
	return d
}

// sorted puts faults in the order of the schema, unknown parameters last.
func (in *input) sorted(wrong []fault.Detail) []fault.Detail {
	place := func(d fault.Detail) int {
		i := slices.IndexFunc(in.params, func(p Parameter) bool { return p.Name == d.Param })
		if i < 0 || d.Code == fault.UnknownParameter {
			return len(in.params)
		}
		return i
	}
	slices.SortStableFunc(wrong, func(a, b fault.Detail) int { return place(a) - place(b) })
	return wrong
}
