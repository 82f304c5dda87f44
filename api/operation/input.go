package operation

import (
	"fmt"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/strictjson"
)

// Parameter is a parameter of a path, a query or the header.
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
	noun   string   // of the record that the operation answers
	about  string   // noun of the record that the path names
	body   []slot   // none where the operation takes no body
	shown  []string // fields of the answer, to tell a caller what cannot be set
	update bool     // every field of the body may be left out, but not all of them
}

// Request is what an operation reads its input from.
type Request struct {
	Path   func(name string) string
	Query  string                     // as it stands in the URL
	Header func(name string) []string // every value of that name; may be nil
	Body   []byte                     // nil where none was sent
	Today  clock.Date                 // of the caller
}

// Decoded is an input that has been read.
type Decoded struct {
	Input   any
	Body    []byte // in the one form that equal bodies share, nil where the operation takes none
	Missing error  // an identifier of the path that cannot exist
}

func compile(t, out reflect.Type) *input {
	object, prefix := recordOf(out)
	in := &input{typ: t, noun: spaced(object), about: spaced(object)}
	fields := fieldsOf(t)
	in.body = slotsOf(fields)
	in.update = len(in.body) > 0 && !slices.ContainsFunc(in.body, func(s slot) bool { return !isUpdate(s.field) })
	if len(in.body) > 0 && out.Kind() == reflect.Struct {
		for _, f := range fieldsOf(out) {
			in.shown = append(in.shown, f.name)
		}
	}
	for _, f := range fields {
		if f.in == "" {
			continue
		}
		if !slices.Contains(sources, f.in) {
			panic(fmt.Sprintf("operation: input %s: %s must be in path, query or header", t, f.name))
		}
		switch {
		case f.in == "path" && f.object != "": // another record than the one that is answered
			in.about = spaced(f.object)
		case f.in == "path" || f.format == "cursor" && f.prefix == "":
			f.prefix = prefix
		}
		p := Parameter{
			Name:     f.name,
			In:       f.in,
			Doc:      f.doc,
			Required: f.in == "path",
			Schema:   paramSchema(f),
			field:    f,
			set:      setterOf(f),
		}
		if f.initial != "" && p.set(reflect.New(f.typ).Elem(), f.initial) != nil {
			panic(fmt.Sprintf("operation: input %s: the default of %s is not one of its values", t, f.name))
		}
		in.params = append(in.params, p)
	}
	return in
}

// sources are where a parameter can stand.
var sources = []string{"path", "query", "header"}

// Decode reads a request. Every fault of the query and the body is found; the first
// in the order of the schema leads. An identifier in the path that cannot exist is
// told apart, since it is judged later (docs/site/records.md).
func (o *Operation) Decode(from Request) (*Decoded, error) {
	in := o.input
	v := reflect.New(in.typ)
	d := &Decoded{Input: v.Interface()}
	wrong := in.parameters(v.Elem(), from, d)
	more, err := in.read(v.Elem(), from.Body, d)
	switch {
	case err != nil && len(wrong) == 0:
		return nil, err
	case err == nil:
		wrong = append(wrong, more...)
	}
	if err == nil && o.TakesBody() {
		wrong = o.judged(d.Input, from.Today, wrong)
	}
	if len(wrong) > 0 {
		return nil, fault.Invalid(in.sorted(wrong))
	}
	return d, nil
}

// checked is an input with rules that no tag says.
type checked interface {
	Check(today clock.Date) []fault.Detail
}

// judged adds what no tag finds, but nothing more of a field that is at fault already.
func (o *Operation) judged(input any, today clock.Date, wrong []fault.Detail) []fault.Detail {
	var more []fault.Detail
	if c, is := input.(checked); is {
		more = c.Check(today)
	}
	if o.Judge != nil {
		more = append(more, o.Judge(input)...)
	}
	found := len(wrong)
	for _, d := range more {
		if !slices.ContainsFunc(wrong[:found], func(w fault.Detail) bool {
			return w.Param == d.Param ||
				strings.HasPrefix(w.Param, d.Param+".")
		}) {
			wrong = append(wrong, d)
		}
	}
	return wrong
}

// BodyFields are the names of the fields of the body, in the order of their schema.
func (o *Operation) BodyFields() (names []string) {
	for _, f := range o.input.body {
		names = append(names, f.name)
	}
	return names
}

// TakesBody reports whether the operation reads a body.
func (o *Operation) TakesBody() bool { return len(o.input.body) > 0 }

// BodyRequired reports whether a body must be sent.
func (o *Operation) BodyRequired() bool {
	return o.input.update || slices.ContainsFunc(o.input.body, func(s slot) bool { return s.required })
}

// read reads a body; where every field has a default, or there is no field, it may be absent.
func (in *input) read(v reflect.Value, body []byte, d *Decoded) ([]fault.Detail, error) {
	j := strictjson.Value{Kind: strictjson.Object}
	if len(body) > 0 {
		var err error
		if j, err = strictjson.Parse(body); err != nil {
			return nil, err
		}
	}
	switch {
	case j.Kind != strictjson.Object:
		return nil, fault.New(fault.InvalidJSON, "The body must be a JSON object, not %s.", j.Kind)
	case in.update && len(j.Members) == 0:
		return nil, fault.Of(fault.EmptyUpdate)
	}
	var r reading
	r.fields(v, &j, in.body, "", in.shown)
	if len(in.body) > 0 {
		d.Body = j.Canonical(nil)
	}
	return r.wrong, nil
}

// aWord is what nobody takes for an id: a path that somebody has guessed.
var aWord = regexp.MustCompile(`^[a-z]{5,40}$`)

// parameters reads what stands in the path, the query and the header.
func (in *input) parameters(v reflect.Value, from Request, decoded *Decoded) []fault.Detail {
	given, wrong := in.split(from.Query)
	for i := range in.params {
		p := &in.params[i]
		raw, has := p.field.initial, p.field.initial != ""
		var all []string
		if p.In == "header" && from.Header != nil {
			all = from.Header(p.Name)
		}
		switch {
		case p.In == "path":
			raw := from.Path(p.Name)
			switch named := p.names(v, raw); {
			case named:
			case p.field.format == "id" && aWord.MatchString(raw):
				decoded.Missing = fault.New(fault.NoRecord,
					"%s is not the id of any %s, and no operation has this path. Such ids begin with %s_.",
					quote(raw), in.about, p.field.prefix)
			case p.field.format == "id":
				decoded.Missing = fault.NotFound(in.about)
			default:
				decoded.Missing = fault.New(fault.NoRecord,
					"No %s has this code. The API reference lists the codes.", in.about)
			}
			continue
		case len(all) > 1:
			wrong = append(wrong, *invalid(p.field, "is given more than once; send it once."))
		case len(all) == 1:
			raw, has = all[0], true
		case given != nil && given[i] != nil:
			raw, has = *given[i], true
		}
		if !has {
			continue
		}
		if d := p.set(v.FieldByIndex(p.field.index), raw); d != nil {
			wrong = append(wrong, *d)
		}
	}
	return wrong
}

// names sets a parameter of the path, and reports whether a record can have it: an identifier of
// the right form, or one of a closed list.
func (p *Parameter) names(v reflect.Value, raw string) bool {
	if p.field.format == "id" && !id.Valid(p.field.prefix, raw) {
		return false
	}
	return p.set(v.FieldByIndex(p.field.index), raw) == nil
}

// InputFails are the codes that reading the input can answer, and those that its parts
// bring with them: a path with an id can be of no record, If-Match can be stale.
func (o *Operation) InputFails() []fault.Code {
	codes := []fault.Code{fault.UnknownParameter, fault.UnknownField, fault.InvalidJSON}
	for _, p := range o.input.params {
		switch {
		case p.In == "path":
			codes = append(codes, fault.NoRecord)
			continue // whatever is not an id of ours is of no record
		case isCursor(p.field):
			codes = append(codes, fault.InvalidCursor)
		case p.field.format == "etag":
			codes = append(codes, fault.StaleWrite)
		}
		codes = append(codes, fault.InvalidField)
	}
	if o.TakesBody() {
		codes = append(append(codes, fault.InvalidField), bodyFails(o.input.body)...)
	}
	if o.input.update {
		codes = append(codes, fault.EmptyUpdate)
	}
	return codes
}

// bodyFails are the codes that fields of a body bring with them, those of objects within
// it too.
func bodyFails(body []slot) (codes []fault.Code) {
	for _, s := range body {
		if s.required {
			codes = append(codes, fault.MissingField)
		}
		if s.format == "ref" {
			codes = append(codes, fault.NoRecord)
		}
		t := settled(s.field).typ
		for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
			t = t.Elem()
		}
		if t.Kind() == reflect.Struct {
			codes = append(codes, bodyFails(slotsOf(fieldsOf(t)))...)
		}
	}
	return codes
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
			say(fault.Detail{
				Param:   name,
				Code:    fault.InvalidField,
				Message: name + " is not percent-encoded rightly.",
			})
		case given[i] != nil:
			say(fault.Detail{
				Param:   name,
				Code:    fault.InvalidField,
				Message: name + " is given more than once; send it once.",
			})
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
	switch near := Nearest(name, names); {
	case near != "":
		d.Message = fmt.Sprintf("%s is not a parameter here; did you mean %s?", quote(name), near)
	case len(names) == 0:
		d.Message = fmt.Sprintf("%s is not a parameter here; this operation takes none.", quote(name))
	default:
		d.Message = fmt.Sprintf("%s is not a parameter here; the parameters are %s.", quote(name),
			strings.Join(names, ", "))
	}
	return d
}

// sorted puts faults in the order of the schema: parameters, those that are unknown,
// fields, and those that are unknown.
func (in *input) sorted(wrong []fault.Detail) []fault.Detail {
	position := func(d fault.Detail) int {
		name, _, _ := strings.Cut(d.Param, ".")
		field := slices.IndexFunc(in.body, func(s slot) bool { return s.name == name })
		param := slices.IndexFunc(in.params, func(p Parameter) bool { return p.Name == d.Param })
		switch {
		case d.Code == fault.UnknownParameter:
			return len(in.params)
		case d.Code == fault.UnknownField && name == d.Param:
			return len(in.params) + 1 + len(in.body)
		case field >= 0:
			return len(in.params) + 1 + field
		case param >= 0:
			return param
		}
		return len(in.params)
	}
	slices.SortStableFunc(wrong, func(a, b fault.Detail) int { return position(a) - position(b) })
	return wrong
}

// DefineInput makes the contract of an input that no operation of the API takes, but a page or a
// command. Its fields are read and checked as those of a body.
func DefineInput[I any](name string) *Operation { return Define[I, Nothing](Spec{Name: name}, nil) }

// Check finds what is wrong with an input that was not decoded, by the rules of Decode. The input is
// a pointer; today is the day of the caller.
func (o *Operation) Check(input any, today clock.Date) error {
	body := strictjson.Value{Kind: strictjson.Object}
	given := reflect.ValueOf(input).Elem()
	for _, s := range o.input.body {
		if j := sent(given.FieldByIndex(s.index)); j.Kind != strictjson.Null {
			body.Members = append(body.Members, strictjson.Member{Name: s.name, Value: j})
		}
	}
	var r reading
	r.fields(reflect.New(o.input.typ).Elem(), &body, o.input.body, "", nil)
	return fault.Invalid(o.input.sorted(o.judged(input, today, r.wrong)))
}

// sent is a value as the body of a request would have it. Of a text it is exactly what it says: in
// JSON, bytes that are not UTF-8 would be lost.
func sent(v reflect.Value) strictjson.Value {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return strictjson.Value{Kind: strictjson.Null}
		}
		return sent(v.Elem())
	case reflect.Slice:
		list := strictjson.Value{Kind: strictjson.Array}
		for i := range v.Len() {
			list.Items = append(list.Items, sent(v.Index(i)))
		}
		return list
	case reflect.Struct:
		object := strictjson.Value{Kind: strictjson.Object}
		for _, f := range fieldsOf(v.Type()) {
			if j := sent(v.FieldByIndex(f.index)); j.Kind != strictjson.Null {
				object.Members = append(object.Members, strictjson.Member{Name: f.name, Value: j})
			}
		}
		return object
	case reflect.String:
		return strictjson.Value{Kind: strictjson.Text, Text: v.String()}
	case reflect.Bool:
		return strictjson.Value{Kind: strictjson.Boolean, Text: strconv.FormatBool(v.Bool())}
	}
	number := string(encoderOf(v.Type())(nil, v))
	if text := strings.Trim(number, `"`); text != number { // a day or a moment
		return strictjson.Value{Kind: strictjson.Text, Text: text}
	}
	return strictjson.Value{Kind: strictjson.Number, Text: number}
}
