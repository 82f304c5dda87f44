package dbtest

import (
	"fmt"
	"math/rand/v2"
	"reflect"

	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
)

// Filler gives every field of a record a value.
type Filler struct {
	*rand.Rand
	Nulls float64 // how many of the nullable fields stay null: 0 none, 1 all
}

// NewFiller fills with what comes by chance; nulls is how many of the nullable fields stay null.
func NewFiller(chance *rand.Rand, nulls float64) *Filler { return &Filler{chance, nulls} }

// Enum is a type of a few texts.
type Enum interface{ Values() []string }

// Fill fills what a pointer points to.
func (f *Filler) Fill(record any) { f.Value(reflect.ValueOf(record).Elem()) }

// Value fills a value.
func (f *Filler) Value(v reflect.Value) {
	if e, ok := v.Interface().(Enum); ok && v.Kind() == reflect.String {
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
	f.Kind(v)
}

// Kind fills a value by its kind.
func (f *Filler) Kind(v reflect.Value) {
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
		if f.Float64() >= f.Nulls {
			v.Set(reflect.New(v.Type().Elem()))
			f.Value(v.Elem())
		}
	case reflect.Slice:
		if v.Len() == 0 {
			v.Set(reflect.MakeSlice(v.Type(), f.IntN(3), 3))
		}
		for i := range v.Len() {
			f.Value(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f.Value(v.Field(i))
		}
	default:
		panic("dbtest: no value is known for a " + v.Type().String())
	}
}
