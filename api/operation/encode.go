package operation

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"

	"portal/api/clock"
	"portal/api/money"
	"portal/api/strictjson"
)

// encoder appends a value as JSON. It is compiled once a type, which makes a page
// of records cost a third of what encoding/json takes for it.
type encoder func(b []byte, v reflect.Value) []byte

// appender is a type that writes its own JSON.
type appender interface{ AppendJSON([]byte) []byte }

func encoderOf(t reflect.Type) encoder {
	switch t {
	case reflect.TypeFor[clock.Time]():
		return func(b []byte, v reflect.Value) []byte { return clock.Time(v.Int()).AppendJSON(b) }
	case reflect.TypeFor[clock.Date]():
		return func(b []byte, v reflect.Value) []byte { return clock.Date(v.Int()).AppendJSON(b) }
	case reflect.TypeFor[money.Cents]():
		return func(b []byte, v reflect.Value) []byte { return money.Cents(v.Int()).AppendJSON(b) }
	case reflect.TypeFor[Raw]():
		return func(b []byte, v reflect.Value) []byte { return Raw(v.Bytes()).AppendJSON(b) }
	}
	if t.Implements(reflect.TypeFor[appender]()) && t.Kind() != reflect.Pointer {
		return func(b []byte, v reflect.Value) []byte { return v.Addr().Interface().(appender).AppendJSON(b) }
	}
	switch t.Kind() {
	case reflect.String:
		return func(b []byte, v reflect.Value) []byte { return strictjson.AppendString(b, v.String()) }
	case reflect.Bool:
		return func(b []byte, v reflect.Value) []byte { return strconv.AppendBool(b, v.Bool()) }
	case reflect.Int, reflect.Int64:
		return func(b []byte, v reflect.Value) []byte { return strconv.AppendInt(b, v.Int(), 10) }
	case reflect.Float64:
		return appendFloat
	case reflect.Pointer:
		return encodePointer(encoderOf(t.Elem()))
	case reflect.Slice:
		return encodeSlice(encoderOf(t.Elem()))
	case reflect.Map:
		return encodeMap(t)
	case reflect.Struct:
		return encodeMembers(t, func(f field) encoder { return encoderOf(f.typ) })
	default:
		panic(fmt.Sprintf("operation: %s has no JSON", t))
	}
}

func appendFloat(b []byte, v reflect.Value) []byte {
	f := v.Float()
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return append(b, "null"...)
	}
	return strconv.AppendFloat(b, f, 'f', -1, 64)
}

func encodePointer(inner encoder) encoder {
	return func(b []byte, v reflect.Value) []byte {
		if v.IsNil() {
			return append(b, "null"...)
		}
		return inner(b, v.Elem())
	}
}

func encodeSlice(inner encoder) encoder {
	return func(b []byte, v reflect.Value) []byte {
		b = append(b, '[')
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			b = inner(b, v.Index(i))
		}
		return append(b, ']')
	}
}

// encodeMap writes the members of a map in the order of their names; one that is nil is
// null.
func encodeMap(t reflect.Type) encoder {
	if t.Key().Kind() != reflect.String {
		panic(fmt.Sprintf("operation: %s has no JSON", t))
	}
	inner := encoderOf(t.Elem())
	return func(b []byte, v reflect.Value) []byte {
		if v.IsNil() {
			return append(b, "null"...)
		}
		names := v.MapKeys()
		slices.SortFunc(names, func(a, b reflect.Value) int { return cmp.Compare(a.String(), b.String()) })
		b = append(b, '{')
		for i, name := range names {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(strictjson.AppendString(b, name.String()), ':')
			b = inner(b, v.MapIndex(name))
		}
		return append(b, '}')
	}
}

// encodeMembers writes a struct, each member by the encoder that is chosen for it.
func encodeMembers(t reflect.Type, choose func(field) encoder) encoder {
	type member struct {
		key   string // with its colon and the comma before it
		index []int
		omit  bool
		value encoder
	}
	var members []member
	for i, f := range fieldsOf(t) {
		key := strconv.Quote(f.name) + ":"
		if i > 0 {
			key = "," + key
		}
		if i == 0 && f.omit {
			panic(fmt.Sprintf("operation: the first field of %s must always be there", t))
		}
		members = append(members, member{key, f.index, f.omit, choose(f)})
	}
	return func(b []byte, v reflect.Value) []byte {
		b = append(b, '{')
		for i := range members {
			m := &members[i]
			x := v
			for _, n := range m.index {
				x = x.Field(n)
			}
			if m.omit && x.IsZero() {
				continue
			}
			b = append(b, m.key...)
			b = m.value(b, x)
		}
		return append(b, '}')
	}
}

// Encoder is a compiled encoder of a type, which appends its JSON.
func Encoder[T any]() func(b []byte, v *T) []byte {
	encode := encoderOf(reflect.TypeFor[T]())
	return func(b []byte, v *T) []byte { return encode(b, reflect.ValueOf(v).Elem()) }
}
