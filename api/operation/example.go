package operation

import (
	"cmp"
	"encoding/json"
	"reflect"
	"strconv"

	"portal/api/clock"
	"portal/api/money"
)

// The part of an identifier behind its prefix, a moment and a day for examples.
const (
	exampleULID = "01KA5R2M7Q8D4E6F9G1H3J5K7M"
	exampleTime = "2026-11-02T16:20:11.482Z"
	exampleDate = "2026-11-01"
)

// Example is a value of an answer's type, made of the examples of its fields.
func Example(t reflect.Type) any { return example(field{typ: t}) }

// Example is a value of the parameter, nil where a description says enough.
func (p Parameter) Example() any {
	switch {
	case p.In == "path" && p.field.format == "id", p.field.format == "cursor", p.field.format == "ref":
		return p.field.prefix + "_" + exampleULID
	case p.field.initial != "":
		return p.Schema.Default
	}
	return example(p.field)
}

func example(f field) any {
	t := f.typ
	if t == reflect.TypeFor[Raw]() {
		return "Austin"
	}
	if isUnion(t) {
		return example(field{typ: recordsOf(t)[0]})
	}
	switch t.Kind() {
	case reflect.Map:
		if f.example != "" {
			return json.RawMessage(f.example)
		}
		return map[string]any{"Content-Type": []string{"application/json"}}
	case reflect.Pointer:
		return optionalExample(f)
	case reflect.Slice:
		inner := f
		inner.typ = t.Elem()
		return []any{example(inner)}
	case reflect.Struct:
		return object(fieldsOf(t))
	}
	switch zero := reflect.Zero(t).Interface().(type) {
	case clock.Time:
		return exampleTime
	case clock.Date:
		return cmp.Or(f.example, exampleDate)
	case money.Cents:
		return json.Number(cmp.Or(f.example, "1450.00"))
	case appender:
		return json.Number("1.5")
	case enumerated:
		if f.example == "" {
			return zero.Values()[0]
		}
	}
	return plain(f)
}

// optionalExample leaves what has no example of its own null, as most of it is.
func optionalExample(f field) any {
	inner := f
	inner.typ = f.typ.Elem()
	if f.example == "" && f.in == "" && inner.typ.Kind() == reflect.String && f.format != "id" {
		return nil
	}
	if f.name == "next_cursor" {
		return nil
	}
	return example(inner)
}

func plain(f field) any {
	switch f.typ.Kind() {
	case reflect.Bool:
		return f.fixed == "true"
	case reflect.Int, reflect.Int64, reflect.Float64:
		if f.example == "" {
			n := 0
			if f.min != nil {
				n = *f.min
			}
			return n
		}
		return json.Number(f.example)
	}
	switch {
	case f.fixed != "":
		return f.fixed
	case f.prefix != "":
		return f.prefix + "_" + exampleULID
	case f.example != "":
		return f.example
	}
	return "text"
}

// object is an example that keeps the order of its fields.
type object []field

// MarshalJSON writes the example of each field.
func (o object) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, f := range o {
		if f.omit {
			continue
		}
		if i > 0 {
			b = append(b, ',')
		}
		text, err := json.Marshal(example(f))
		if err != nil {
			return nil, err
		}
		b = append(append(b, strconv.Quote(f.name)+":"...), text...)
	}
	return append(b, '}'), nil
}
