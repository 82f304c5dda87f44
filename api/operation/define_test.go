package operation

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"portal/api/clock"
)

// refused is what the entry of an operation says before the program starts; ""
// where it is made.
func refused(in, out reflect.Type) (said string) {
	defer func() {
		if caught := recover(); caught != nil {
			said = fmt.Sprint(caught)
		}
	}()
	compile(in, out)
	encoderOf(out)
	(&Schemas{Prefix: "#/"}).Of(out)
	return ""
}

// with is a struct of one field more than it needs.
func with(t reflect.Type, tag reflect.StructTag) reflect.Type {
	return reflect.StructOf([]reflect.StructField{
		{
			Name: "ID",
			Type: reflect.TypeFor[string](),
			Tag:  `json:"id" in:"query" name:"id" doc:"Identifier."`,
		},
		{Name: "A", Type: t, Tag: tag},
	})
}

type Fine struct {
	ID string `json:"id" doc:"Identifier."`
}

func TestInvalidOutputTypePanicsAtStartup(t *testing.T) {
	t.Parallel()
	number, fine := reflect.TypeFor[int](), reflect.TypeFor[Fine]()
	nothing := reflect.TypeFor[Nothing]()
	if said := refused(nothing, with(number, `json:"a,omitempty" min:"1" max:"2" doc:"A."`)); said != "" {
		t.Errorf("a good one is refused: %s", said)
	}
	for want, out := range map[string]reflect.Type{
		`a tag that is not understood at "mni`:        with(number, `json:"a" mni:"1" doc:"A."`),
		`a tag that is not understood at "yaml`:       with(number, `json:"a" doc:"A." yaml:"a"`),
		`a tag that is not understood at "json:a`:     with(number, `json:a`),
		`a tag that is not understood at "json"`:      with(number, `json`),
		"field A needs a name and a comment above it": with(number, `json:"a"`),
		"field A needs a name and a":                  with(number, `doc:"A."`),
		`field A has the unknown format "date"`: with(
			reflect.TypeFor[string](),
			`json:"a" doc:"A." format:"date"`,
		),
		`field A: min is not a number: "one"`:                  with(number, `json:"a" doc:"A." min:"one"`),
		`field A has the unknown option "string"`:              with(number, `json:"a,string" doc:"A."`),
		`field A has the unknown option "omitzero"`:            with(number, `json:"a,omitzero" doc:"A."`),
		`field A has the unknown option "omitempty,omitempty"`: with(number, `json:"a,omitempty,omitempty" doc:"A."`),
		"map[int]string has no JSON": with(
			reflect.TypeFor[map[int]string](),
			`json:"a" doc:"A."`,
		),
		"interface {} has no JSON": with(reflect.TypeFor[any](), `json:"a" doc:"A."`),
		"float32 has no JSON":      with(reflect.TypeFor[float32](), `json:"a" doc:"A."`),
		"uint8 has no JSON":        with(reflect.TypeFor[[]byte](), `json:"a" doc:"A."`),
		"has id twice":             with(number, `json:"id" doc:"A."`),
		"has id twice ": reflect.StructOf([]reflect.StructField{
			{Name: "Fine", Type: fine, Anonymous: true},
			{Name: "A", Type: number, Tag: `json:"id" doc:"A."`}}),
		"the first field of": reflect.StructOf([]reflect.StructField{{
			Name: "A",
			Type: reflect.TypeFor[*int](),
			Tag:  `json:"a,omitempty" doc:"A."`,
		}}),
	} {
		if said := refused(nothing, out); !strings.Contains(said, strings.TrimSpace(want)) {
			t.Errorf("want a panic that says %q, got %q", want, said)
		}
	}
}

func TestInvalidInputTypePanicsAtStartup(t *testing.T) {
	t.Parallel()
	number, fine := reflect.TypeFor[int](), reflect.TypeFor[Fine]()
	for _, good := range []reflect.Type{
		with(number, `in:"query" name:"a" min:"1" default:"1" doc:"A."`),
		with(reflect.TypeFor[*clock.Date](), `in:"query" name:"a" default:"2026-11-02" doc:"A."`),
		with(reflect.TypeFor[*bool](), `in:"query" name:"a" doc:"A."`),
	} {
		if said := refused(good, fine); said != "" {
			t.Errorf("a good one is refused: %s", said)
		}
	}
	for want, in := range map[string]reflect.Type{
		"a must be in path, query or header": with(number, `in:"cookie" name:"a" doc:"A."`),
		"a cannot be read into float64":      with(reflect.TypeFor[float64](), `in:"query" name:"a" doc:"A."`),
		"b cannot be read into float64":      with(reflect.TypeFor[float64](), `json:"b" doc:"B."`),
		"a ([]string) has no schema":         with(reflect.TypeFor[[]string](), `in:"query" name:"a" doc:"A."`),
		"the default of a":                   with(number, `in:"query" name:"a" min:"5" default:"4" doc:"A."`),
		"the default of b": with(
			reflect.TypeFor[*clock.Date](),
			`in:"query" name:"b" default:"today" doc:"B."`,
		),
		"has id twice": with(number, `in:"query" name:"id" doc:"A."`),
	} {
		if said := refused(in, fine); !strings.Contains(said, want) {
			t.Errorf("want a panic that says %q, got %q", want, said)
		}
	}
}

func TestTypesWithSameNamePanic(t *testing.T) {
	t.Parallel()
	one := func() reflect.Type {
		type part struct {
			A string `json:"a" doc:"A."`
		}
		return reflect.TypeFor[part]()
	}()
	other := func() reflect.Type {
		type part struct {
			B string `json:"b" doc:"B."`
		}
		return reflect.TypeFor[part]()
	}()
	s := &Schemas{Prefix: "#/"}
	s.Of(one)
	s.Of(one)
	if len(s.Named) != 1 {
		t.Errorf("one type makes %d schemas", len(s.Named))
	}
	defer func() {
		if recover() == nil {
			t.Error("two types share a schema")
		}
	}()
	s.Of(other)
}
