package operation

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// known is the closed set of tags. Another one, or a misspelt one, stops the
// program at its start.
var known = []string{
	"json", "in", "name", "doc", "min", "max", "minlen", "maxlen", "itemminlen", "itemmaxlen",
	"format", "default", "example", "const", "object", "prefix", "by", "secret",
}

// formats is the closed set of formats, with the pattern of those that JSON
// Schema has no name for.
var formats = map[string]string{
	"id":           "",
	"text":         "",         // of several lines
	"ascii":        `^[ -~]+$`, // which the input's Check holds
	"etag":         `^(\*|(W/)?"[1-9][0-9]{0,17}")$`,
	"ref":          "",
	"cursor":       "",
	"position":     "", // a cursor whose form the rule judges
	"state-cursor": "", // one that is the code of a state
	"email":        "",
	"uri":          "",
	"password":     "", // of an answer: a key or a signing secret, shown to who has just confirmed who they are
	"binary":       "", // a file of a body that is multipart/form-data
	"phone":        `^\+[1-9][0-9]{6,14}(;ext=[0-9]{1,7})?$`,
	"postal-code":  `^[0-9]{5}(-[0-9]{4})?$`,
	"search":       "^" + printed + "*[0-9A-Za-z\u00AA-\u2027\u2030-\U0010FFFF]" + printed + "*$",
}

// tags are the constraints of a field.
type tags struct {
	name     string // on the wire
	in       string // path, query or header, "" for a field of a body or an answer
	doc      string
	format   string
	prefix   string // of an identifier
	object   string
	by       string // who writes it, where that is nobody of the landlord's
	example  string
	initial  string // the default
	fixed    string // the const
	min      *int
	max      *int
	nextYear bool // max is the year after the present one
	minLen   *int
	maxLen   *int
	itemMin  *int // characters of each text of a list
	itemMax  *int
	omit     bool // may be absent from an answer
	secret   bool // opens something to anybody who has it, where it is not null
	hidden   bool // not on the wire
}

// nextYear is the max of a year that may lie one ahead. A schema says which one that is
// when it is made; the input's Check refuses what is later.
const nextYear = "next_year"

// eachValue is the maxlen of a list that has each value of its items once at most: as many as there are.
const eachValue = "values"

//go:generate go run ../../cmd/fielddocs

// read reads the tags of a field of a struct and panics where they are not of the set.
func read(owner reflect.Type, f reflect.StructField) tags {
	all := split(f)
	name, _, _ := strings.Cut(owner.Name(), "[") // without the arguments of a generic type
	comment := fieldDocs[strings.TrimPrefix(owner.PkgPath(), "portal/")+"."+name+"."+f.Name]
	t := tags{
		in:       all["in"],
		doc:      cmp.Or(comment, all["doc"]), // types of tests have no place in the table
		format:   all["format"],
		prefix:   all["prefix"],
		object:   all["object"],
		by:       all["by"],
		example:  all["example"],
		initial:  all["default"],
		fixed:    all["const"],
		name:     all["name"],
		secret:   all["secret"] == "true",
		min:      number(f, all, "min"),
		max:      number(f, all, "max"),
		nextYear: all["max"] == nextYear,
		minLen:   number(f, all, "minlen"),
		maxLen:   number(f, all, "maxlen"),
		itemMin:  number(f, all, "itemminlen"),
		itemMax:  number(f, all, "itemmaxlen"),
	}
	if all["maxlen"] == eachValue {
		t.maxLen = valuesIn(f)
	}
	if wire, has := all["json"]; has {
		name, options, _ := strings.Cut(wire, ",")
		t.name, t.omit, t.hidden = name, options == "omitempty", name == "-"
		if options != "" && !t.omit {
			panic(fmt.Sprintf("operation: field %s has the unknown option %q", f.Name, options))
		}
	}
	if _, ok := formats[t.format]; !ok && t.format != "" {
		panic(fmt.Sprintf("operation: field %s has the unknown format %q", f.Name, t.format))
	}
	if !f.Anonymous && !t.hidden && (t.name == "" || t.doc == "") {
		panic(fmt.Sprintf("operation: field %s needs a name and a comment above it", f.Name))
	}
	return t
}

func split(f reflect.StructField) map[string]string {
	all := map[string]string{}
	rest := strings.TrimSpace(string(f.Tag))
	for rest != "" {
		key, quoted, ok := strings.Cut(rest, ":")
		text, err := strconv.QuotedPrefix(quoted)
		if !ok || err != nil || !slices.Contains(known, key) {
			panic(fmt.Sprintf("operation: field %s has a tag that is not understood at %q", f.Name, rest))
		}
		if all[key], err = strconv.Unquote(text); err != nil {
			panic(err)
		}
		rest = strings.TrimSpace(quoted[len(text):])
	}
	return all
}

func number(f reflect.StructField, all map[string]string, key string) *int {
	text, has := all[key]
	if !has || key == "max" && text == nextYear || key == "maxlen" && text == eachValue {
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(fmt.Sprintf("operation: field %s: %s is not a number: %q", f.Name, key, text))
	}
	return &n
}

// valuesIn counts the values that the items of a list can have.
func valuesIn(f reflect.StructField) *int {
	t := f.Type
	if t.Kind() == reflect.Struct { // change.Field
		value, _ := t.FieldByName("Value")
		t = value.Type
	}
	items, is := reflect.TypeAssert[enumerated](reflect.Zero(t.Elem()))
	if !is {
		panic(fmt.Sprintf("operation: the items of the field %s have no values to count", f.Name))
	}
	return new(len(items.Values()))
}

// field is a field of a struct with those of embedded structs among its own.
type field struct {
	tags
	index  []int
	typ    reflect.Type
	owner  reflect.Type // the struct that declares it
	needed bool         // a body must have it
}

// direct is a field with the type of its value, which a pointer lets be absent.
func (f field) direct() field {
	for f.typ.Kind() == reflect.Pointer {
		f.typ = f.typ.Elem()
	}
	return f
}

// fieldsOf are the fields of a struct that are on the wire, in their order.
// A record's object and prefix stand on the struct that embeds it.
func fieldsOf(t reflect.Type) []field {
	all, known := fieldsKnown.Load(t)
	if !known {
		all, _ = fieldsKnown.LoadOrStore(t, readFields(t))
	}
	return slices.Clone(all.([]field))
}

// fieldsKnown are the fields of structs that were read: what is made of operations asks for those of each many times.
var fieldsKnown sync.Map // of reflect.Type: []field

func readFields(t reflect.Type) []field {
	var all []field
	for i := range t.NumField() {
		f := t.Field(i)
		own := read(t, f)
		if !f.IsExported() && !f.Anonymous || own.hidden {
			continue
		}
		if !f.Anonymous {
			all = append(all, field{tags: own, index: []int{i}, typ: f.Type, owner: t})
			continue
		}
		for _, inner := range fieldsOf(f.Type) {
			inner.index = append([]int{i}, inner.index...)
			if own.object != "" && inner.name == "id" {
				inner.prefix = own.prefix
			}
			if own.object != "" && inner.name == "object" {
				inner.fixed = own.object
			}
			all = append(all, inner)
		}
	}
	seen := map[string]bool{}
	for _, f := range all {
		if seen[f.name] {
			panic(fmt.Sprintf("operation: %s has %s twice", t, f.name))
		}
		seen[f.name] = true
	}
	return all
}
