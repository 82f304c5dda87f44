package foreign

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"unicode/utf8"
)

// mark is a field or a comment as it is drawn.
type mark struct {
	source value  // reference to its appearance in the file
	form   []byte // reference to the copy of that
	matrix [6]float64
}

// Flags of annotations (ISO 32000-1, 12.5.3) and fields.
const (
	hidden   = 1 << 1
	noView   = 1 << 5
	password = 1 << 13
)

// needed are comments that readers draw themselves where the file doesn't say how.
var needed = map[string]bool{
	"FreeText": true, "StrikeOut": true, "Underline": true, "Squiggly": true, "Highlight": true, "Ink": true,
	"Line": true, "Square": true, "Circle": true, "Polygon": true, "PolyLine": true, "Stamp": true, "Caret": true,
	"Redact": true,
}

// marks finds the fields and comments of a page that are visible. Links, and what has no appearance, are left out.
func (w *rewriter) marks(p page, form value, count *int) (all []mark, err error) {
	list, err := w.get(p.value, "Annots")
	if err != nil {
		return nil, err
	}
	for _, item := range list.items() {
		if *count++; *count > mostMarks {
			return nil, TooComplex
		}
		v, err := w.resolve(item)
		if err != nil {
			return nil, err
		}
		m, visible, err := w.mark(v, form)
		if err != nil {
			return nil, err
		}
		if visible {
			all = append(all, m)
		}
	}
	return all, nil
}

func (w *rewriter) mark(v, form value) (m mark, visible bool, err error) {
	kind, err := w.get(v, "Subtype")
	if err != nil {
		return m, false, err
	}
	flags, err := w.get(v, "F")
	if err != nil {
		return m, false, err
	}
	n, _ := flags.int()
	if v.kind != dict || n&(hidden|noView) != 0 || kind.isName("Link") || kind.isName("Popup") {
		return m, false, nil
	}
	if err = w.checkLayer(v); err != nil {
		return m, false, err
	}
	m.source, err = w.appearance(v)
	if err != nil {
		return m, false, err
	}
	if kind.isName("Widget") {
		if shown, err := w.showsValue(v, m.source); err != nil {
			return m, false, err
		} else if !shown {
			return w.filled(v, form)
		}
	}
	if m.source.kind == null {
		if kind.kind == name && needed[decoded(kind.raw)] {
			return m, false, Undrawn
		}
		return m, false, nil
	}
	look, err := w.resolve(m.source)
	if err != nil {
		return m, false, err
	}
	if m.matrix, visible, err = w.placed(v, look); err != nil || !visible {
		return m, false, err
	}
	m.form, err = w.formOf(m.source, look, form)
	return m, true, err
}

// appearance is the reference to the normal appearance in the state of an annotation, null where there is none.
func (w *rewriter) appearance(v value) (value, error) {
	looks, err := w.get(v, "AP")
	if err != nil {
		return value{}, err
	}
	r := looks.at("N")
	normal, err := w.resolve(r)
	if err != nil || normal.kind == stream {
		return r, err
	}
	state, err := w.get(v, "AS")
	if err == nil && state.kind != name {
		state, err = w.field(v, "V")
	}
	if err != nil || state.kind != name {
		return value{}, err
	}
	r = normal.at(decoded(state.raw))
	normal, err = w.resolve(r)
	if err != nil || normal.kind != stream || r.kind != reference {
		return value{}, err
	}
	return r, nil
}

// field is an entry of a field, which it may have from those above it.
func (w *rewriter) field(v value, key string) (value, error) {
	for range mostNested {
		found, err := w.get(v, key)
		if err != nil || found.kind != null {
			return found, err
		}
		if v, err = w.get(v, "Parent"); err != nil || v.kind != dict {
			return value{}, err
		}
	}
	return value{}, Damaged
}

// showsValue reports whether the look of a field shows the text that was filled in, where there is one.
func (w *rewriter) showsValue(v, source value) (bool, error) {
	kind, err := w.field(v, "FT")
	if err != nil {
		return false, err
	}
	if !kind.isName("Tx") && !kind.isName("Ch") {
		return true, nil
	}
	filled, err := w.field(v, "V")
	if err != nil || empty(filled) {
		return true, err
	}
	look, err := w.resolve(source)
	if err != nil || look.kind != stream {
		return false, err
	}
	d, err := w.draw(io.Discard, look)
	return d.text || len(d.draws) > 0, err
}

// empty is whether a field has nothing to show.
func empty(v value) bool {
	switch v.kind {
	case text:
		shown := bytes.TrimPrefix(unescaped(v.raw), []byte("\xfe\xff"))
		return !bytes.ContainsFunc(shown, func(r rune) bool {
			return r == utf8.RuneError || !space(byte(min(r,
				0xff)))
		})
	case array:
		return len(v.parts.items) == 0
	}
	return v.kind != stream
}

// unescaped is what a text stands for.
func unescaped(raw []byte) []byte {
	inner := raw[1 : len(raw)-1]
	if raw[0] == '<' {
		var b bytes.Buffer
		_, _ = b.ReadFrom(&hexReader{from: bufio.NewReader(bytes.NewReader(inner))}) // a text has digits alone
		return b.Bytes()
	}
	out := make([]byte, 0, len(inner))
	for i := 0; i < len(inner); i++ {
		c := inner[i]
		if c == '\\' && i+1 < len(inner) {
			i++
			switch c = inner[i]; {
			case c == 'n':
				c = '\n'
			case c == 'r':
				c = '\r'
			case c == 't' || c == 'b' || c == 'f':
				c = ' '
			case c == '\n' || c == '\r': // the text goes on in the next line of the file
				if c == '\r' && i+1 < len(inner) && inner[i+1] == '\n' {
					i++
				}
				continue
			case '0' <= c && c <= '7':
				n := 0
				end := min(i+3, len(inner))
				for ; i < end && '0' <= inner[i] && inner[i] <= '7'; i++ {
					n = n*8 + int(inner[i]-'0')
				}
				i--
				c = byte(n)
			}
		}
		out = append(out, c)
	}
	return out
}

// placed is where the appearance of an annotation is drawn (ISO 32000-1, 12.5.5, algorithm 8.1).
func (w *rewriter) placed(v, look value) (m [6]float64, visible bool, err error) {
	rect, ok, err := w.box(v.at("Rect"))
	if err != nil || !ok {
		return m, false, err
	}
	bounds, ok, err := w.box(look.at("BBox"))
	if err != nil || !ok {
		return m, false, err
	}
	own := [6]float64{1, 0, 0, 1, 0, 0}
	matrix, err := w.get(look, "Matrix")
	if err != nil {
		return m, false, err
	}
	if len(matrix.items()) == 6 {
		for i := range own {
			n, err := w.resolve(matrix.items()[i])
			if err != nil {
				return m, false, err
			}
			own[i] = n.float()
		}
	}
	turned := box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, corner := range [][2]float64{
		{bounds[0], bounds[1]}, {bounds[2], bounds[1]}, {bounds[0], bounds[3]}, {bounds[2], bounds[3]},
	} {
		x := own[0]*corner[0] + own[2]*corner[1] + own[4]
		y := own[1]*corner[0] + own[3]*corner[1] + own[5]
		turned = box{min(turned[0], x), min(turned[1], y), max(turned[2], x), max(turned[3], y)}
	}
	if turned.width() < 1e-6 || turned.height() < 1e-6 {
		return m, false, nil
	}
	sx, sy := rect.width()/turned.width(), rect.height()/turned.height()
	if sx > 1e6 || sy > 1e6 {
		return m, false, nil
	}
	return [6]float64{sx, 0, 0, sy, rect[0] - sx*turned[0], rect[1] - sy*turned[1]}, true, nil
}

// formOf appends a reference to an appearance as a form. One that doesn't say that it is one is copied as one.
func (w *rewriter) formOf(source, look, form value) ([]byte, error) {
	if look.at("Resources").kind == null && form.at("DR").kind != null {
		return w.formWith(source, look, form.at("DR"))
	}
	if look.at("Subtype").kind == null {
		return w.formWith(source, look, look.at("Resources"))
	}
	return w.copy(nil, source, w.form, 0)
}

// formWith writes an appearance with resources that it has from elsewhere.
func (w *rewriter) formWith(source, look, resources value) ([]byte, error) {
	n := w.begin()
	entries, err := w.entries([]byte("/Type/XObject/Subtype/Form"), value{kind: dict, parts: &parts{
		keys:  []string{"BBox", "Group", "Matrix"},
		items: []value{look.at("BBox"), look.at("Group"), look.at("Matrix")},
	}}, w.form, 0)
	if err != nil {
		return nil, err
	}
	if entries, err = w.copyDict(append(entries, "/Resources "...), resources, w.resources); err != nil {
		return nil, err
	}
	if w.drawn[source.object], err = w.draw(io.Discard, look); err != nil {
		return nil, err
	}
	if entries, err = w.filtered(entries, look); err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "%d 0 R", n), w.writeStream(n, entries, look.raw)
}
