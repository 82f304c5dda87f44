package operation

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/strictjson"
)

// ToolSpec is what a tool says of itself.
type ToolSpec struct {
	Name        string // snake_case, as the operation's
	Title       string
	Description string
	Takes       []string // the arguments in their order; every field of the input where none is named
	About       string   // the argument that names the record the tool is about, "" where none does
}

// Tool is an entry of the contract as an assistant calls it: the arguments are one JSON
// object, in which filters, identifiers and fields stand side by side.
type Tool struct {
	*Operation
	Title string

	about     string
	args      []slot
	pages     []*sheet // of the answers that are possible
	update    bool     // some of the arguments change the record, and one must be given
	clearable []string // arguments of an update that may be null
}

// Asks makes the entry of a tool that reads.
func Asks[I, O any](s ToolSpec, call func(context.Context, access.Actor, I) (*O, error)) *Tool {
	return toolOf(s, access.Read, []reflect.Type{reflect.TypeFor[O]()}, call)
}

// AsksOneOf makes the entry of a tool whose answer is one of several types, a pointer to
// which the call returns.
func AsksOneOf[I any](
	s ToolSpec, answers []reflect.Type, call func(context.Context, access.Actor, I) (any, error),
) *Tool {
	return toolOf(s, access.Read, answers, call)
}

// Does makes the entry of a tool that changes something.
func Does[I, T any](s ToolSpec, call func(context.Context, access.Actor, I) (*change.Result[T], error)) *Tool {
	t := toolOf(s, access.Write, []reflect.Type{reflect.TypeFor[T]()}, call)
	t.Changes, t.differ, t.Secrets = true, differOf(t.Output), secretsOf(true, t.Output)
	return t
}

func toolOf[I, O any](
	s ToolSpec, scope access.Scope, answers []reflect.Type, call func(context.Context, access.Actor, I) (O, error),
) *Tool {
	in := reflect.TypeFor[I]()
	noun, _ := recordOf(answers[0])
	t := &Tool{
		Operation: &Operation{
			Spec:    Spec{Name: s.Name, Description: s.Description, Scope: scope},
			Output:  answers[0],
			Secrets: secretsOf(false, answers...),
			input:   &input{typ: in, noun: spaced(noun)},
			encode:  encoderOf(answers[0]),
			call: func(ctx context.Context, in any) (any, error) {
				return call(ctx, access.From(ctx), *in.(*I))
			},
		},
		Title: s.Title,
		about: s.About,
		args:  argumentsOf(fieldsOf(in), answers[0], s.Takes),
	}
	for _, a := range t.args {
		if isUpdate(a.field) {
			t.update = true
			if settled(a.field).typ.Kind() == reflect.Pointer {
				t.clearable = append(t.clearable, a.name)
			}
		}
	}
	for _, a := range answers {
		t.pages = append(t.pages, sheetOf(a))
	}
	return t
}

// argumentsOf are the fields of an input as arguments. A parameter is one too, with its
// JSON type.
func argumentsOf(fields []field, out reflect.Type, takes []string) []slot {
	var all []slot
	_, prefix := recordOf(out)
	for _, f := range fields {
		switch {
		case f.in == "":
			all = append(all, slotsOf([]field{f})...)
			continue
		case f.in != "query":
			panic(fmt.Sprintf("operation: %s stands in the %s, where a tool has none", f.name, f.in))
		case f.format == "cursor" && f.prefix == "":
			f.prefix = prefix
		}
		s := slot{field: f, read: readOption(f)}
		if f.initial != "" {
			s.initial = defaultOf(f)
		}
		all = append(all, s)
	}
	if takes == nil {
		return all
	}
	chosen := make([]slot, len(takes))
	for i, name := range takes {
		at := slices.IndexFunc(all, func(s slot) bool { return s.name == name })
		if at < 0 {
			panic("operation: a tool takes the unknown argument " + name)
		}
		chosen[i] = all[at]
	}
	return chosen
}

// readOption reads an argument that may be left out, but is not null.
func readOption(f field) reader {
	if f.typ.Kind() != reflect.Pointer {
		return readScalar(f)
	}
	f.typ = f.typ.Elem()
	read := readScalar(f)
	return func(r *reading, v reflect.Value, j *strictjson.Value, path string) {
		v.Set(reflect.New(f.typ))
		read(r, v.Elem(), j, path)
	}
}

// Decode reads the arguments of a call, nil where none were sent.
func (t *Tool) Decode(given *strictjson.Value, today clock.Date) (any, error) {
	if given == nil {
		given = &strictjson.Value{Kind: strictjson.Object}
	}
	v := reflect.New(t.input.typ)
	var r reading
	if t.Changes {
		given = t.cleared(&r, given)
	} else {
		given = t.meant(given)
	}
	r.fields(v.Elem(), given, t.args, "", t.input.shown)
	if wrong := t.judged(v.Interface(), today, r.wrong); len(wrong) > 0 {
		sorted := input{body: append(slices.Clone(t.args), slot{field: field{tags: tags{name: clearing}}})}
		return nil, fault.Invalid(sorted.sorted(wrong))
	}
	if t.update &&
		!slices.ContainsFunc(t.args, func(a slot) bool { return isUpdate(a.field) && given.Member(a.name) != nil }) {
		return nil, fault.Of(fault.EmptyUpdate)
	}
	return v.Interface(), nil
}

// meant are the arguments of a tool that only reads as its caller means them: many clients fill in
// null or "" for what they leave out, write numbers as text, and send something to a tool that takes
// nothing.
func (t *Tool) meant(given *strictjson.Value) *strictjson.Value {
	asked := &strictjson.Value{Kind: strictjson.Object}
	for _, m := range given.Members {
		i := slices.IndexFunc(t.args, func(a slot) bool { return a.name == m.Name })
		switch {
		case len(t.args) == 0:
			continue
		case i < 0: // is refused, whatever it is
		case m.Value.Kind == strictjson.Null, m.Value.Kind == strictjson.Text && m.Value.Text == "":
			continue
		case m.Value.Kind == strictjson.Text && !strings.ContainsAny(m.Value.Text, " \t\r\n"):
			want := wanted(t.args[i].field.direct())
			said, err := strictjson.Parse([]byte(m.Value.Text))
			if err == nil && want != strictjson.Text && said.Kind == want {
				m.Value = said
			}
		}
		asked.Members = append(asked.Members, m)
	}
	return asked
}

// clearing is the argument of an update that names fields to empty, for clients whose schemas have one
// type a field and that send no null therefore.
const clearing = "clear"

// cleared are the arguments of an update with null for each field that it names under clearing.
func (t *Tool) cleared(r *reading, given *strictjson.Value) *strictjson.Value {
	names := given.Member(clearing)
	if names == nil || len(t.clearable) == 0 {
		return given
	}
	all := &strictjson.Value{Kind: strictjson.Object}
	for _, m := range given.Members {
		if m.Name != clearing {
			all.Members = append(all.Members, m)
		}
	}
	if names.Kind == strictjson.Null || !r.is(names, strictjson.Array, clearing) {
		return all
	}
	for i, n := range names.Items {
		path := fmt.Sprintf("%s.%d", clearing, i)
		value := all.Member(n.Text)
		switch {
		case !r.is(&n, strictjson.Text, path):
		case !slices.Contains(t.clearable, n.Text):
			r.say(
				path,
				fault.InvalidField,
				"must be one of %s; not %s.",
				strings.Join(t.clearable, ", "),
				quote(n.Text),
			)
		case slices.ContainsFunc(names.Items[:i], n.Equal):
			r.say(path, fault.InvalidField, "repeats %s; name each field once.", n.Text)
		case value != nil && value.Kind != strictjson.Null:
			r.say(path, fault.InvalidField, "names %s, which is given a value too; do one of both.", n.Text)
		case value == nil:
			all.Members = append(all.Members, strictjson.Member{
				Name: n.Text, Value: strictjson.Value{Kind: strictjson.Null},
			})
		}
	}
	return all
}

// Blame says of a record that was not found which argument named it.
func (t *Tool) Blame(err error) error {
	if f := fault.From(err); f.Code == fault.NoRecord && f.Param == "" && t.about != "" {
		return f.At(t.about)
	}
	return err
}
