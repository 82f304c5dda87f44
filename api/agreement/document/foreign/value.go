package foreign

import (
	"bytes"
	"context"
	"slices"
	"sort"
	"strconv"
)

// Bounds of what is read at a time.
const (
	mostValues = 200_000 // of one object
	mostNested = 64      // arrays and dictionaries within each other
)

// budget is how much may be done for one file. A unit is about what it takes to unpack a byte. It does not depend on
// how busy the machine is, so a file that is refused is always refused.
type budget struct {
	ctx      context.Context
	done     int
	look     int // when ctx is asked again
	unpacked int // bytes
}

const (
	mostWork     = 400 << 20
	mostUnpacked = 256 << 20
	lexing       = 8 // units that it takes to read a byte as a value
)

func (b *budget) spend(units int) error {
	if b.done += units; b.done > mostWork {
		return TooComplex
	}
	if b.done >= b.look {
		b.look = b.done + 1<<20
		return b.ctx.Err()
	}
	return nil
}

type kind byte

const (
	null kind = iota
	boolean
	number
	text // with its delimiters
	name // with its slash
	array
	dict
	stream
	reference
	keyword
)

// value is a value of PDF (ISO 32000-1, 7.3).
type value struct {
	kind   kind
	object int32  // number of the object that a reference is to
	raw    []byte // of what has no parts, as it stands in the file; of a stream, its data as they are stored
	parts  *parts
}

// parts are those of an array or of a dictionary.
type parts struct {
	items []value
	keys  []string // of a dictionary, sorted, each once; nil for an array
}

// at is the value of a key, null where there is none.
func (v value) at(key string) value {
	if v.parts == nil {
		return value{}
	}
	if i, found := slices.BinarySearch(v.parts.keys, key); found {
		return v.parts.items[i]
	}
	return value{}
}

// or is the value of a key, and another one where there is none.
func (v value) or(key string, other value) value {
	if own := v.at(key); own.kind != null {
		return own
	}
	return other
}

func (v value) items() []value {
	if v.kind != array {
		return nil
	}
	return v.parts.items
}

// isName is whether a value is a name.
func (v value) isName(s string) bool { return v.kind == name && decoded(v.raw) == s }

// float is the number, 0 for what is none.
func (v value) float() float64 {
	if v.kind != number {
		return 0
	}
	f, err := strconv.ParseFloat(string(v.raw), 64)
	if err != nil {
		return 0
	}
	return f
}

// int is the whole number.
func (v value) int() (int, bool) {
	if v.kind != number {
		return 0, false
	}
	n, err := strconv.Atoi(string(v.raw))
	return n, err == nil
}

// decoded is a name without its slash and its escapes.
func decoded(raw []byte) string {
	raw = raw[1:]
	if bytes.IndexByte(raw, '#') < 0 {
		return string(raw)
	}
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] == '#' && i+2 < len(raw) {
			if n, err := strconv.ParseUint(string(raw[i+1:i+3]), 16, 8); err == nil {
				out = append(out, byte(n))
				i += 2
				continue
			}
		}
		out = append(out, raw[i])
	}
	return string(out)
}

// parser reads values.
type parser struct {
	data  []byte
	at    int
	spent *budget
	left  int // values that may still come
}

func (f *file) parser(data []byte, at int) *parser {
	return &parser{data: data, at: at, spent: f.spent, left: mostValues}
}

func space(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

func delimiter(c byte) bool {
	switch c {
	case '(', ')', '<', '>', '[', ']', '{', '}', '/', '%':
		return true
	}
	return false
}

// skip goes to what is neither space nor a comment.
func (p *parser) skip() {
	for p.at < len(p.data) {
		c := p.data[p.at]
		switch {
		case space(c):
			p.at++
		case c == '%':
			for p.at < len(p.data) && p.data[p.at] != '\n' && p.data[p.at] != '\r' {
				p.at++
			}
		default:
			return
		}
	}
}

// word reads on to the end of a token without delimiters.
func (p *parser) word() []byte {
	from := p.at
	for p.at < len(p.data) && !space(p.data[p.at]) && !delimiter(p.data[p.at]) {
		p.at++
	}
	return p.data[from:p.at]
}

// value reads the next value. A keyword is one, so that the end of an array is found.
func (p *parser) value() (value, error) {
	from := p.at
	v, err := p.nested(0)
	if over := p.spent.spend(lexing * (p.at - from + 1)); over != nil {
		return value{}, over
	}
	return v, err
}

func (p *parser) nested(depth int) (value, error) {
	p.skip()
	if p.left--; p.left < 0 {
		return value{}, TooComplex
	}
	if p.at >= len(p.data) || depth > mostNested {
		return value{}, Damaged
	}
	from := p.at
	switch c := p.data[p.at]; {
	case c == '/':
		p.at++
		p.word()
		return value{kind: name, raw: p.data[from:p.at]}, nil
	case c == '(':
		return p.text()
	case c == '[':
		p.at++
		return p.array(depth)
	case c == '<' && p.at+1 < len(p.data) && p.data[p.at+1] == '<':
		p.at += 2
		return p.dict(depth)
	case c == '<':
		return p.hex()
	case c == ']' || c == '}' || c == '{' || c == ')':
		p.at++
		return value{kind: keyword, raw: p.data[from:p.at]}, nil
	case c == '>':
		p.at = min(p.at+2, len(p.data))
		return value{kind: keyword, raw: p.data[from:p.at]}, nil
	}
	return p.plain(), nil
}

// plain reads a number, a reference, or a keyword.
func (p *parser) plain() value {
	w := p.word()
	switch string(w) {
	case "null":
		return value{}
	case "true", "false":
		return value{kind: boolean, raw: w}
	}
	if !numeric(w) {
		if len(w) > 0 && bytes.IndexByte(numerals, w[0]) >= 0 {
			return value{kind: number, raw: zero} // readers take it for one
		}
		return value{kind: keyword, raw: w}
	}
	v := value{kind: number, raw: w}
	if n, ok := v.int(); ok && n > 0 && n <= mostNumber {
		if p.generation() {
			return value{kind: reference, object: int32(n)}
		}
	}
	return v
}

var numerals, zero = []byte("+-.0123456789"), []byte("0")

// generation reads the rest of a reference, and nothing where there is none.
func (p *parser) generation() bool {
	q := parser{data: p.data[:min(p.at+40, len(p.data))], at: p.at}
	q.skip()
	digits := q.word()
	if len(digits) == 0 || len(digits) > 5 || bytes.ContainsFunc(digits,
		func(r rune) bool { return r < '0' || r > '9' }) {
		return false
	}
	q.skip()
	if string(q.word()) != "R" {
		return false
	}
	p.at = q.at
	return true
}

// numeric is whether a word is a number as the standard has it: digits with a sign and a point.
func numeric(w []byte) bool {
	if len(w) > 0 && (w[0] == '+' || w[0] == '-') {
		w = w[1:]
	}
	points, digits := 0, 0
	for _, c := range w {
		switch {
		case c == '.':
			points++
		case '0' <= c && c <= '9':
			digits++
		default:
			return false
		}
	}
	return points <= 1 && digits > 0 && digits <= 60
}

func (p *parser) text() (value, error) {
	from, open := p.at, 0
	for ; p.at < len(p.data); p.at++ {
		switch p.data[p.at] {
		case '\\':
			p.at++
		case '(':
			open++
		case ')':
			if open--; open == 0 {
				p.at++
				return value{kind: text, raw: p.data[from:p.at]}, nil
			}
		}
	}
	p.at = len(p.data)
	return value{}, Damaged
}

func (p *parser) hex() (value, error) {
	from := p.at
	for p.at++; p.at < len(p.data); p.at++ {
		switch c := p.data[p.at]; {
		case c == '>':
			p.at++
			return value{kind: text, raw: p.data[from:p.at]}, nil
		case space(c), '0' <= c && c <= '9', 'a' <= c|0x20 && c|0x20 <= 'f':
		default:
			return value{}, Damaged
		}
	}
	return value{}, Damaged
}

func (p *parser) array(depth int) (value, error) {
	v := value{kind: array, parts: &parts{}}
	for {
		item, err := p.nested(depth + 1)
		if err != nil {
			return v, err
		}
		if item.kind == keyword {
			if string(item.raw) == "]" {
				return v, nil
			}
			return v, Damaged
		}
		v.parts.items = append(v.parts.items, item)
	}
}

func (p *parser) dict(depth int) (value, error) {
	d := &parts{keys: []string{}}
	for {
		key, err := p.nested(depth + 1)
		if err != nil {
			return value{}, err
		}
		if key.kind == keyword && string(key.raw) == ">>" {
			break
		}
		if key.kind != name {
			return value{}, Damaged
		}
		item, err := p.nested(depth + 1)
		if err != nil {
			return value{}, err
		}
		if item.kind == keyword {
			return value{}, Damaged
		}
		d.keys, d.items = append(d.keys, decoded(key.raw)), append(d.items, item)
	}
	d.sort()
	return value{kind: dict, parts: d}, nil
}

// sort puts the keys in order. The last value of a key that comes twice is taken.
func (d *parts) sort() {
	sort.Stable(byKey{d})
	n := 0
	for i, key := range d.keys {
		if i+1 < len(d.keys) && d.keys[i+1] == key {
			continue
		}
		d.keys[n], d.items[n] = key, d.items[i]
		n++
	}
	d.keys, d.items = d.keys[:n], d.items[:n]
}

type byKey struct{ *parts }

func (d byKey) Len() int           { return len(d.keys) }
func (d byKey) Less(i, j int) bool { return d.keys[i] < d.keys[j] }
func (d byKey) Swap(i, j int) {
	d.keys[i], d.keys[j] = d.keys[j], d.keys[i]
	d.items[i], d.items[j] = d.items[j], d.items[i]
}
