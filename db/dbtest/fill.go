package dbtest

import (
	"fmt"
	"math/rand/v2"
	"reflect"

	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
)

// filler gives every field of a record a value.
type filler struct {
	*rand.Rand
	nulls float64 // how many of the nullable fields stay null: 0 none, 1 all
}

type enumeration interface{ Values() []string }

// fill fills what a pointer points to.
func (f *filler) fill(record any) { f.value(reflect.ValueOf(record).Elem()) }

func (f *filler) value(v reflect.Value) {
	if e, ok := v.Interface().(enumeration); ok && v.Kind() == reflect.String {
		v.SetString(e.Values()[f.IntN(len(e.Values()))])
		return
	}
	switch v.Interface().(type) {
	case clock.Time:
		v.SetInt(1_600_000_000_000 + f.Int64N(400_000_000_000))
		return
	case clock.Date:
		v.SetInt(18_000 + f.Int64N(4_000))
		return
	case money.Cents, portfolio.Half:
		v.SetInt(f.Int64N(1_000_000))
		return
	}
	f.kind(v)
}

func (f *filler) kind(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprintf("text %d", f.Uint32()))
	case reflect.Bool:
		v.SetBool(f.IntN(2) == 0)
	case reflect.Int, reflect.Int64:
		v.SetInt(f.Int64N(1_000_000))
	case reflect.Uint8:
		v.SetUint(uint64(f.IntN(256)))
	case reflect.Float64:
		v.SetFloat(f.Float64())
	case reflect.Pointer:
		if f.Float64() >= f.nulls {
			v.Set(reflect.New(v.Type().Elem()))
			f.value(v.Elem())
		}
	case reflect.Slice:
		if v.Len() == 0 {
			v.Set(reflect.MakeSlice(v.Type(), f.IntN(3), 3))
		}
		for i := range v.Len() {
			f.value(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f.value(v.Field(i))
		}
	default:
		panic("dbtest: no value is known for a " + v.Type().String())
	}
}
