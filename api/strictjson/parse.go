// Package strictjson reads JSON as a careful receiver does: one value, valid UTF-8, no name
// twice in an object, bounded in depth, and numbers as they are written.
//
// It knows nothing of what a body should hold.
package strictjson

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"portal/api/fault"
)

// deepest is how many levels of arrays and objects a body may have (docs/site/records.md).
const deepest = 32

// mostValues is how many values a body may have, each of which takes some forty times the
// memory of the shortest one's text. A full batch of messages has hundreds.
const mostValues = 20_000

// Kind is what a JSON value is, in words for messages.
type Kind string

// The kinds.
const (
	Null    Kind = "null"
	Boolean Kind = "a boolean"
	Number  Kind = "a number"
	Text    Kind = "a string"
	Array   Kind = "an array"
	Object  Kind = "an object"
)

// Value is a JSON value as it stands in a body.
type Value struct {
	Kind    Kind
	Text    string // of a string what it says, of a number or a boolean what is written
	Members []Member
	Items   []Value
}

// Member is a named value of an object.
type Member struct {
	Name string
	Value
}

// Member finds a member of an object.
func (v *Value) Member(name string) *Value {
	for i := range v.Members {
		if v.Members[i].Name == name {
			return &v.Members[i].Value
		}
	}
	return nil
}

// Equal reports whether two scalars say the same.
func (v *Value) Equal(w Value) bool {
	return v.Kind == w.Kind && v.Text == w.Text && v.Items == nil && v.Members == nil
}

// Parse reads one JSON value and nothing else (RFC 8259): valid UTF-8, no key twice
// in an object, no surrogate without its other half, at most deepest levels and
// mostValues values.
func Parse(body []byte) (Value, error) {
	if !utf8.Valid(body) {
		return Value{}, fault.New(fault.InvalidJSON, "The body is not valid UTF-8.")
	}
	p := &parser{text: string(body)}
	v := p.value(0)
	p.space()
	if p.wrong == "" && p.at < len(p.text) {
		p.fail("more follows after the value")
	}
	if p.wrong != "" {
		return Value{}, fault.New(fault.InvalidJSON, "The body is not JSON: at byte %d %s.", p.at, p.wrong)
	}
	return v, nil
}

// parser walks through a text; after the first mistake it does nothing more.
type parser struct {
	text   string
	at     int
	values int
	wrong  string
}

func (p *parser) fail(format string, args ...any) {
	if p.wrong == "" {
		p.wrong = fmt.Sprintf(format, args...)
	}
}

func (p *parser) space() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

// next is the byte that comes after white space, 0 at the end.
func (p *parser) next() byte {
	p.space()
	if p.at == len(p.text) {
		return 0
	}
	return p.text[p.at]
}

func (p *parser) take(c byte) bool {
	if p.wrong != "" || p.next() != c {
		return false
	}
	p.at++
	return true
}

func (p *parser) value(level int) Value {
	p.values++
	switch c := p.next(); {
	case p.wrong != "":
	case p.values > mostValues:
		p.fail("there are more than %d values", mostValues)
	case (c == '{' || c == '[') && level == deepest:
		p.fail("the value has more than %d levels", deepest)
	case c == '{':
		return p.object(level + 1)
	case c == '[':
		return p.array(level + 1)
	case c == '"':
		return Value{Kind: Text, Text: p.string()}
	case c == '-' || c >= '0' && c <= '9':
		return Value{Kind: Number, Text: p.number()}
	case c == 0:
		p.fail("it ends where a value should be")
	default:
		return p.literal()
	}
	return Value{}
}

func (p *parser) literal() Value {
	for _, l := range []Value{
		{Kind: Null, Text: "null"},
		{Kind: Boolean, Text: "true"},
		{Kind: Boolean, Text: "false"},
	} {
		if strings.HasPrefix(p.text[p.at:], l.Text) {
			p.at += len(l.Text)
			return l
		}
	}
	p.fail("there is no value")
	return Value{}
}

func (p *parser) object(level int) Value {
	p.at++
	v := Value{Kind: Object}
	if p.take('}') {
		return v
	}
	var seen names
	for p.wrong == "" {
		if p.next() != '"' {
			p.fail("a name in double quotes should be")
			break
		}
		start := p.at
		name := p.string()
		if seen.twice(&v, name) {
			p.at = start
			p.fail("the name %.60q is given twice", name)
		}
		if !p.take(':') {
			p.fail("a colon should be")
		}
		v.Members = append(v.Members, Member{name, p.value(level)})
		if p.take('}') {
			break
		}
		if !p.take(',') {
			p.fail("a comma or the end of the object should be")
		}
	}
	return v
}

// names are those of an object; a large one is not searched from its start each time.
type names map[string]bool

func (n *names) twice(v *Value, name string) bool {
	if len(v.Members) < 16 {
		return v.Member(name) != nil
	}
	if *n == nil {
		*n = names{}
		for _, m := range v.Members {
			(*n)[m.Name] = true
		}
	}
	was := (*n)[name]
	(*n)[name] = true
	return was
}

func (p *parser) array(level int) Value {
	p.at++
	v := Value{Kind: Array}
	if p.take(']') {
		return v
	}
	for p.wrong == "" {
		v.Items = append(v.Items, p.value(level))
		if p.take(']') {
			break
		}
		if !p.take(',') {
			p.fail("a comma or the end of the array should be")
		}
	}
	return v
}

// digits walks over digits and reports whether there was one.
func (p *parser) digits() bool {
	start := p.at
	for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
		p.at++
	}
	return p.at > start
}

func (p *parser) skip(one string) bool {
	if p.at < len(p.text) && strings.IndexByte(one, p.text[p.at]) >= 0 {
		p.at++
		return true
	}
	return false
}

func (p *parser) number() string {
	start := p.at
	p.skip("-")
	ok := p.skip("0") || p.digits()
	if ok && p.skip(".") {
		ok = p.digits()
	}
	if ok && p.skip("eE") {
		p.skip("+-")
		ok = p.digits()
	}
	if !ok {
		p.fail("the number is not finished")
	}
	return p.text[start:p.at]
}

func (p *parser) string() string {
	p.at++
	start := p.at
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == '"':
			p.at++
			return p.text[start : p.at-1]
		case c == '\\':
			return p.escaped(start)
		case c < ' ':
			p.fail("a control character stands unescaped in a string")
			return ""
		}
		p.at++
	}
	p.fail("the string has no end")
	return ""
}

// escaped reads the rest of a string that has an escape.
func (p *parser) escaped(start int) string {
	b := []byte(p.text[start:p.at])
	for p.at < len(p.text) && p.wrong == "" {
		c := p.text[p.at]
		p.at++
		switch {
		case c == '"':
			return string(b)
		case c == '\\':
			b = p.escape(b)
		case c < ' ':
			p.at--
			p.fail("a control character stands unescaped in a string")
		default:
			b = append(b, c)
		}
	}
	p.fail("the string has no end")
	return ""
}

const (
	escapes = `"\/bfnrt`
	meant   = "\"\\/\b\f\n\r\t"
)

func (p *parser) escape(b []byte) []byte {
	if p.at == len(p.text) {
		return b
	}
	c := p.text[p.at]
	if i := strings.IndexByte(escapes, c); i >= 0 {
		p.at++
		return append(b, meant[i])
	}
	r := p.unit()
	if utf16.IsSurrogate(r) {
		if !strings.HasPrefix(p.text[p.at:], `\`) {
			p.fail("a surrogate stands alone")
			return b
		}
		p.at++
		if r = utf16.DecodeRune(r, p.unit()); r == utf8.RuneError {
			p.fail("a surrogate stands alone")
		}
	}
	return utf8.AppendRune(b, r)
}

// unit reads uXXXX, behind its backslash.
func (p *parser) unit() rune {
	rest := p.text[p.at:]
	if len(rest) < 5 || rest[0] != 'u' {
		p.fail("there is an escape that JSON does not know")
		return 0
	}
	n, err := strconv.ParseUint(rest[1:5], 16, 16)
	if err != nil {
		p.fail("there is an escape that JSON does not know")
	}
	p.at += 5
	return rune(n)
}
