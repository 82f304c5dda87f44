package operation

import (
	"reflect"
	"slices"

	"portal/api/change"
	"portal/api/strictjson"
)

// What an assistant is sent at most, in bytes (docs/assistants.md): a list of up to twenty
// records, as JSON and as text with its marks, each on its own; and the whole answer, which
// holds both.
const (
	fullPage     = 20
	largestPage  = 24 << 10
	largestWhole = 64<<10 - 1024 // less what stands around it
)

// cuttable is a list of which only the first records are shown.
type cuttable interface{ Cut(n int) }

// trimmable is a record of whose parts only the first are shown.
type trimmable interface {
	Trim(n int) (field string, have int)
}

// Render appends the answer of a tool that reads, as large as an assistant should get it.
func (t *Tool) Render(b []byte, out any) []byte {
	s := t.sheet(out)
	if s.items == nil {
		return s.single(b, out)
	}
	return s.list(b, out)
}

// sheet is the one of an answer's type.
func (t *Tool) sheet(out any) *sheet {
	typ := reflect.TypeOf(out).Elem()
	for _, s := range t.pages {
		if s.typ == typ {
			return s
		}
	}
	panic("operation: " + t.Name + " answers a type that it does not name: " + typ.String())
}

// list shows as many records as there is room for, and of the first one, where it alone has
// none, as many of its parts.
func (s *sheet) list(b []byte, out any) []byte {
	v, start := reflect.ValueOf(out).Elem(), len(b)
	count := v.FieldByName("Data").Len()
	for n := count; ; {
		b = s.marked(b[:start], func(b []byte) []byte { return s.items(b, v) })
		size, most := s.measure(b[start:], count)
		switch {
		case size <= most || n == 0:
			return b
		case n == 1:
			return s.first(b[:start], v, count)
		}
		n = max(min(n*most/size, n-1), 1)
		out.(cuttable).Cut(n)
	}
}

// first shows a list of one record, of whose longest parts only the first are shown.
func (s *sheet) first(b []byte, v reflect.Value, count int) []byte {
	start, record := len(b), v.FieldByName("Data").Index(0)
	whole := reflect.New(record.Type()).Elem()
	whole.Set(record)
	n := 0
	for _, f := range partsOf(whole.Type()) {
		n = max(n, whole.FieldByIndex(f.index).Len())
	}
	for {
		record.Set(whole)
		names := cutParts(record, n)
		page := encodePage(s.typ, func(t reflect.Type) encoder { return encodeShort(t, names...) })
		b = s.marked(b[:start], func(b []byte) []byte { return page(b, v) })
		size, most := s.measure(b[start:], count)
		if size <= most || n == 0 {
			return b
		}
		n = min(n*most/size, n-1)
	}
}

// measure tells how large a list is and how large it may be, by the tighter of the two
// bounds.
func (s *sheet) measure(list []byte, count int) (size, most int) {
	if text := len(list) + s.marks(list, nil); count <= fullPage && text > largestPage {
		return text, largestPage
	}
	return s.twice(list, nil), largestWhole
}

// marks is how much longer an answer is as a text, in which the words of people outside the
// account are marked and the first line names the marks. It is never less.
func (s *sheet) marks(answer []byte, p *Preview) int {
	if len(s.words) == 0 {
		return 0
	}
	n := p.outsiders()
	for l := range literals(answer, p) {
		if names(s.words, l.name) {
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return fenceLength + n*marksLength
}

// twice is how much room an answer takes as JSON and as a text within JSON, with its marks.
// It is never less.
func (s *sheet) twice(b []byte, p *Preview) int {
	n := len(b)*2 + s.marks(b, p)
	for _, c := range b {
		if c == '"' || c == '\\' {
			n++
		}
	}
	return n
}

// single shows one record whole, or with its long texts shortened where it is too large.
func (s *sheet) single(b []byte, out any) []byte {
	v, start := reflect.ValueOf(out).Elem(), len(b)
	whole := func(b []byte) []byte { return s.encode(b, v) }
	if b = s.marked(b, whole); s.twice(b[start:], nil) <= largestWhole {
		return b
	}
	var names []string
	if s.shorten != nil {
		names = s.shorten(v, "", nil)
	}
	b = s.marked(b[:start], func(b []byte) []byte { return appendTruncated(whole(b), names) })
	if parts, is := out.(trimmable); is {
		return s.trimmed(b, start, parts, names)
	}
	return s.parted(b, start, v, names)
}

// parted leaves the first elements of the longest lists until there is room for the rest.
func (s *sheet) parted(b []byte, start int, v reflect.Value, names []string) []byte {
	n := 0
	for _, f := range partsOf(s.typ) {
		n = max(n, v.FieldByIndex(f.index).Len())
	}
	var cut []string
	for size := s.twice(b[start:], nil); size > largestWhole && n > 0; size = s.twice(b[start:], nil) {
		n = min(n*largestWhole/size, n-1)
		for _, name := range cutParts(v, n) {
			if !slices.Contains(cut, name) {
				cut = append(cut, name)
			}
		}
		b = s.marked(b[:start], func(b []byte) []byte {
			return appendTruncated(s.encode(b, v), slices.Concat(names, cut))
		})
	}
	return b
}

// trimmed leaves out parts until there is room for the rest.
func (s *sheet) trimmed(b []byte, start int, parts trimmable, names []string) []byte {
	field, n := parts.Trim(-1)
	names = append(names, field)
	for size := s.twice(b[start:], nil); size > largestWhole && n > 0; size = s.twice(b[start:], nil) {
		n = min(n*largestWhole/size, n-1)
		parts.Trim(n)
		b = s.marked(
			b[:start],
			func(b []byte) []byte { return appendTruncated(s.encode(b, reflect.ValueOf(parts).Elem()), names) },
		)
	}
	return b
}

// marked appends an object, with the notice before its members.
func (s *sheet) marked(b []byte, object func([]byte) []byte) []byte {
	if s.notice == "" {
		return object(b)
	}
	b = append(b, s.head()...)
	begins := len(b)
	b = object(b)
	b[begins] = ',' // where its brace was
	return b
}

// head is what an answer with a notice begins with.
func (s *sheet) head() []byte { return strictjson.AppendString([]byte(`{"notice":`), s.notice) }

// How much of a text a preview shows that has too many long ones, and one that has even more.
const (
	brief    = 80
	briefest = 40
)

// RenderWrite appends the answer of a tool that writes, with a preview where there is one,
// of which the long texts are shortened if the answer is too large.
func (t *Tool) RenderWrite(b []byte, w change.Outcome, p *Preview) []byte {
	s, start := t.sheet(w.Shown()), len(b)
	b = s.marked(b, func(b []byte) []byte { return t.AppendWrite(b, w, p) })
	if s.twice(b[start:], p) <= largestWhole || s.shorten == nil {
		return b
	}
	v := reflect.ValueOf(w.Shown()).Elem()
	own := reflect.New(s.typ) // what the caller holds stays whole
	own.Elem().Set(v)
	names := s.shorten(own.Elem(), "", nil)
	for _, most := range []int{shortest, brief, briefest} {
		cut := names
		if p.shortened(most) {
			cut = append(slices.Clone(names), "preview.changes")
		}
		if p != nil {
			p.summarize(t.input.noun, w, most)
		}
		b = s.marked(b[:start], func(b []byte) []byte {
			return appendTruncated(t.appendWrite(b, own.Interface(), w.Notes(), p), cut)
		})
		if s.twice(b[start:], p) <= largestWhole {
			break
		}
	}
	return b
}

// shortened cuts the long texts of a preview, and reports whether there is one.
func (p *Preview) shortened(most int) (cut bool) {
	if p == nil {
		return false
	}
	for i, c := range p.Changes {
		short := Change{c.Field, c.From.short(most), c.To.short(most), c.outside}
		cut = cut || len(short.From) < len(c.From) || len(short.To) < len(c.To)
		p.Changes[i] = short
	}
	return cut
}

// short is a JSON string cut to so many characters; anything else stays.
func (r Raw) short(most int) Raw {
	j, err := strictjson.Parse(r)
	if err != nil || j.Kind != strictjson.Text {
		return r
	}
	text := clipTo(most, j.Text)
	if len(text) == len(j.Text) {
		return r
	}
	return strictjson.AppendString(nil, text)
}
