package operation

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"portal/api/fault"
	"portal/api/strictjson"
	"portal/api/texts"
)

// optional is change.Field: a field of an update, absent or given.
type optional interface{ Absent() bool }

// shorthand is a struct that may be written as a plain string: the value of the
// field that it names.
type shorthand interface{ Shorthand() string }

// reader puts a JSON value into a Go value and notes what is wrong with it.
type reader func(r *reading, v reflect.Value, j *strictjson.Value, path string)

// reading is what is wrong with a body so far.
type reading struct{ wrong []fault.Detail }

func (r *reading) say(path string, code fault.Code, format string, args ...any) {
	if len(r.wrong) < mostFaults {
		r.wrong = append(r.wrong, fault.Detail{
			Param:   path,
			Code:    code,
			Message: path + " " + fmt.Sprintf(format, args...),
		})
	}
}

// slot is a field of a body's struct.
type slot struct {
	field
	read     reader
	required bool
	initial  *strictjson.Value // the default
}

// slotsOf are the fields of a struct that come from a body.
func slotsOf(fields []field) []slot {
	var all []slot
	for _, f := range fields {
		if f.in != "" {
			continue
		}
		// Nothing else can say "not given".
		f.needed = !isUpdate(f) && f.typ.Kind() != reflect.Pointer && f.typ.Kind() != reflect.Map &&
			f.initial == "" && f.fixed == ""
		s := slot{field: f, read: readerOf(f), required: f.needed}
		if f.initial != "" {
			s.initial = defaultOf(f)
		}
		all = append(all, s)
	}
	return all
}

// isUpdate tells a field that may be absent.
func isUpdate(f field) bool {
	_, is := reflect.TypeAssert[optional](reflect.Zero(f.typ))
	return is
}

// settled is a field with the type of its value, which an update may leave out.
func settled(f field) field {
	if isUpdate(f) {
		value, _ := f.typ.FieldByName("Value")
		f.typ = value.Type
	}
	return f
}

// defaultOf is the default of a field as if it had been sent.
func defaultOf(f field) *strictjson.Value {
	one := strictjson.Value{Kind: strictjson.Text, Text: f.initial}
	switch kind := f.typ.Kind(); {
	case kind == reflect.Slice:
		return &strictjson.Value{Kind: strictjson.Array, Items: []strictjson.Value{one}}
	case kind == reflect.Bool:
		one.Kind = strictjson.Boolean
	case scalar(f).Type != "string":
		one.Kind = strictjson.Number
	}
	return &one
}

// readerOf is the reader of a field's type; its tags hold for the innermost value.
func readerOf(f field) reader {
	inner := f
	if isUpdate(f) {
		value, _ := f.typ.FieldByName("Value")
		given, _ := f.typ.FieldByName("Given")
		inner.typ = value.Type
		read := readerOf(inner)
		return func(r *reading, v reflect.Value, j *strictjson.Value, path string) {
			v.FieldByIndex(given.Index).SetBool(true)
			read(r, v.FieldByIndex(value.Index), j, path)
		}
	}
	switch f.typ.Kind() {
	case reflect.Pointer:
		inner.typ = f.typ.Elem()
		return readPointer(inner.typ, readerOf(inner))
	case reflect.Slice:
		inner.typ, inner.minLen, inner.maxLen, inner.needed = f.typ.Elem(), f.itemMin, f.itemMax, false
		return readSlice(f, readerOf(inner))
	case reflect.Map:
		return readTexts(f)
	case reflect.Struct:
		return readStruct(f.typ)
	}
	return readScalar(f)
}

func readPointer(elem reflect.Type, read reader) reader {
	return func(r *reading, v reflect.Value, j *strictjson.Value, path string) {
		if j.Kind == strictjson.Null {
			v.SetZero()
			return
		}
		v.Set(reflect.New(elem))
		read(r, v.Elem(), j, path)
	}
}

func readSlice(f field, read reader) reader {
	return func(r *reading, v reflect.Value, j *strictjson.Value, path string) {
		if !r.is(j, strictjson.Array, path) {
			return
		}
		n := len(j.Items)
		if f.minLen != nil && n < *f.minLen || f.maxLen != nil && n > *f.maxLen {
			r.say(path, fault.InvalidField, "%s", fault.Items(n, f.minLen, f.maxLen))
			return
		}
		v.Set(reflect.MakeSlice(f.typ, n, n))
		for i := range n {
			if first := slices.IndexFunc(j.Items[:i], j.Items[i].Equal); first >= 0 {
				r.say(fmt.Sprintf("%s.%d", path, i), fault.InvalidField, "repeats item %d; name each one once.", first)
				continue
			}
			read(r, v.Index(i), &j.Items[i], fmt.Sprintf("%s.%d", path, i))
		}
	}
}

// readTexts reads an object whose members have names of the caller's own, and texts or null as values.
func readTexts(f field) reader {
	return func(r *reading, v reflect.Value, j *strictjson.Value, path string) {
		if !r.is(j, strictjson.Object, path) {
			return
		}
		if n := len(j.Members); f.maxLen != nil && n > *f.maxLen {
			r.say(path, fault.InvalidField, "must have at most %d members, not %d.", *f.maxLen, n)
			return
		}
		all := make(map[string]*string, len(j.Members))
		for i := range j.Members {
			switch m := &j.Members[i]; m.Kind {
			case strictjson.Text:
				all[m.Name] = &m.Text
			case strictjson.Null:
				all[m.Name] = nil
			default:
				r.say(path+"."+clip(m.Name), fault.InvalidField, "must be text or null, not %s.", m.Kind)
			}
		}
		v.Set(reflect.ValueOf(all))
	}
}

// is reports whether a value is of a kind, and says so if not.
func (r *reading) is(j *strictjson.Value, want strictjson.Kind, path string) bool {
	switch j.Kind {
	case want:
		return true
	case strictjson.Null:
		r.say(path, fault.InvalidField, "must not be null; leave it out or give it a value.")
	default:
		r.say(path, fault.InvalidField, "must be %s, not %s.", want, j.Kind)
	}
	return false
}

// readStruct reads an object, or the plain string that stands for one.
func readStruct(t reflect.Type) reader {
	slots := slotsOf(fieldsOf(t))
	short, _ := reflect.TypeAssert[shorthand](reflect.Zero(t))
	return func(r *reading, v reflect.Value, j *strictjson.Value, path string) {
		if short != nil && j.Kind == strictjson.Text {
			j = &strictjson.Value{
				Kind:    strictjson.Object,
				Members: []strictjson.Member{{Name: short.Shorthand(), Value: *j}},
			}
		}
		if r.is(j, strictjson.Object, path) {
			r.fields(v, j, slots, path+".", nil)
		}
	}
}

// fields reads the members of an object in the order of the schema; what no field
// has the name of comes last.
func (r *reading) fields(v reflect.Value, j *strictjson.Value, slots []slot, prefix string, shown []string) {
	for i := range slots {
		s := &slots[i]
		given := j.Member(s.name)
		if given == nil {
			given = s.initial
		}
		switch {
		case given != nil:
			s.read(r, v.FieldByIndex(s.index), given, prefix+s.name)
		case s.required:
			r.say(prefix+s.name, fault.MissingField, fault.Required)
		}
	}
	for i := range j.Members {
		name := j.Members[i].Name
		if !slices.ContainsFunc(slots, func(s slot) bool { return s.name == name }) {
			r.unknown(name, slots, prefix, shown)
		}
	}
}

// unknown says that a field is not known, and which one is nearest.
func (r *reading) unknown(name string, slots []slot, prefix string, shown []string) {
	if len(r.wrong) == mostFaults {
		return
	}
	names := make([]string, len(slots))
	for i := range slots {
		names[i] = slots[i].name
	}
	d := fault.Detail{Param: prefix + clip(name), Code: fault.UnknownField}
	switch near := Nearest(name, names); {
	case len(names) == 0:
		d.Message = fmt.Sprintf("%s is not a field here; this operation takes none.", quote(prefix+name))
	case slices.Contains(shown, name) && ending(name, names) != "":
		d.Message = fmt.Sprintf("%s cannot be set here; did you mean %s?", quote(prefix+name), ending(name, names))
	case slices.Contains(shown, name):
		d.Message = fmt.Sprintf("%s cannot be set here; the fields are %s.", quote(prefix+name),
			strings.Join(names, ", "))
	case near != "":
		d.Message = fmt.Sprintf("%s is not a field here; did you mean %s?", quote(prefix+name), near)
	default:
		d.Message = fmt.Sprintf("%s is not a field here; the fields are %s.", quote(prefix+name),
			strings.Join(names, ", "))
	}
	r.wrong = append(r.wrong, d)
}

// wanted is the kind of JSON value that a scalar is written as.
func wanted(f field) strictjson.Kind {
	switch scalar(f).Type {
	case "string":
		return strictjson.Text
	case "boolean":
		return strictjson.Boolean
	}
	return strictjson.Number
}

func readScalar(f field) reader {
	want, set := wanted(f), setterOf(f)
	return func(r *reading, v reflect.Value, j *strictjson.Value, path string) {
		if !r.is(j, want, path) {
			return
		}
		raw := j.Text
		if want == strictjson.Number {
			if plain, ok := strictjson.Decimal(raw); ok {
				raw = plain
			}
		}
		if d := set(v, raw); d != nil && len(r.wrong) < mostFaults {
			d.Message = path + strings.TrimPrefix(d.Message, d.Param)
			d.Param = path
			r.wrong = append(r.wrong, *d)
		}
	}
}

// longest is how much of a caller's value a message repeats.
const longest = 60

// clip shortens a value that a message repeats.
func clip(s string) string { return texts.Clip(s, longest) }

// quote is a caller's value for a message, with what is not printable escaped.
func quote(s string) string { return strconv.Quote(clip(s)) }

// Nearest is the word that a misspelt one was probably meant to be, "" where none
// is near: the one that ends with it or with all but its first word, as additional_tenant_ids does with
// tenant_ids and co_tenant_ids, or else within a third of its length in single edits.
func Nearest(word string, words []string) string {
	best, near := "", max(len(word)/3, 1)+1
	if len(word) > longest*4 {
		return ""
	}
	if w := ending(word, words); w != "" {
		return w
	}
	for _, w := range words {
		if d := texts.Distance(word, w); d < near {
			best, near = w, d
		}
	}
	return best
}

// ending is the word that ends with another one of several parts, or with all but the first of them, "" for none.
func ending(word string, words []string) string {
	_, tail, _ := strings.Cut(word, "_")
	for _, end := range []string{word, tail} {
		for _, w := range words {
			if strings.Contains(end, "_") && strings.HasSuffix(w, "_"+end) {
				return w
			}
		}
	}
	return ""
}

// spaced is a name in words.
func spaced(name string) string { return strings.ReplaceAll(name, "_", " ") }
