package operation

import (
	"reflect"
	"strconv"
	"strings"

	"portal/api/clock"
	"portal/api/fault"
	"portal/api/strictjson"
)

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
