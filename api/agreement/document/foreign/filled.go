package foreign

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf16"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/text/encoding/charmap"
)

// Flags of fields (ISO 32000-1, 12.7.4).
const (
	severalLines = 1 << 12
	dropDown     = 1 << 17
	evenlySpaced = 1 << 24
)

// Sizes of what is drawn into a field, in points.
const (
	inset        = 2.0  // between the edge of the field and its text
	usualText    = 12.0 // where the file leaves the size to readers
	smallestText = 4.0
	lineSpacing  = 1.15 // of a line, by the size of its text
	above        = 0.22 // of the baseline over the middle line's lower edge, by the size
)

// filled draws the value of a field whose look the file leaves to readers, in Helvetica, as large as the file says or
// smaller, so that all of it is visible. What can't be drawn like that is Undrawn.
func (w *rewriter) filled(v, form value) (m mark, visible bool, err error) {
	rect, ok, err := w.box(v.at("Rect"))
	if err != nil || !ok || rect.width() < 1 || rect.height() < 1 {
		return m, false, err
	}
	said, err := w.value(v)
	if err != nil {
		return m, false, err
	}
	how, err := w.fillingOf(v, form)
	if err != nil {
		return m, false, err
	}
	how.width, how.height = rect.width(), rect.height()
	if err := w.spent.spend(256 * len(said)); err != nil {
		return m, false, err
	}
	contents, err := how.draw(said)
	if err != nil {
		return m, false, err
	}
	n := w.begin()
	entries := append([]byte("/Type/XObject/Subtype/Form/BBox["), appendNumbers(nil, 0, 0, how.width, how.height)...)
	entries = append(entries, "]/Resources<</Font<</Helv<</Type/Font/Subtype/Type1/BaseFont/Helvetica"+
		"/Encoding/WinAnsiEncoding>>>>>>"...)
	m.form, m.matrix = fmt.Appendf(nil, "%d 0 R", n), [6]float64{1, 0, 0, 1, rect[0], rect[1]}
	return m, true, w.writeStream(n, entries, contents)
}

// value is what a field says, in Windows-1252.
func (w *rewriter) value(v value) (string, error) {
	said, err := w.field(v, "V")
	if err != nil {
		return "", err
	}
	kind, err := w.field(v, "FT")
	if err != nil {
		return "", err
	}
	if kind.isName("Ch") {
		if said, err = w.chosen(v, said); err != nil {
			return "", err
		}
	}
	if said.kind != text {
		return "", Undrawn
	}
	plain, err := charmap.Windows1252.NewEncoder().String(decodedText(unescaped(said.raw)))
	if err != nil {
		return "", Undrawn
	}
	return plain, nil
}

// chosen is the text of what was chosen from a list that drops down. Of other lists readers show what was not chosen
// as well.
func (w *rewriter) chosen(v, said value) (value, error) {
	flags, err := w.field(v, "Ff")
	if err != nil {
		return value{}, err
	}
	if n, _ := flags.int(); n&dropDown == 0 {
		return value{}, Undrawn
	}
	if said.kind == array && len(said.items()) == 1 {
		if said, err = w.resolve(said.items()[0]); err != nil {
			return value{}, err
		}
	}
	if said.kind != text {
		return value{}, Undrawn
	}
	options, err := w.field(v, "Opt")
	if err != nil {
		return value{}, err
	}
	for _, item := range options.items() {
		option, err := w.resolve(item)
		if err != nil {
			return value{}, err
		}
		if len(option.items()) != 2 {
			continue
		}
		exported, err := w.resolve(option.items()[0])
		if err != nil {
			return value{}, err
		}
		if exported.kind == text && bytes.Equal(unescaped(exported.raw), unescaped(said.raw)) {
			return w.resolve(option.items()[1])
		}
	}
	return said, nil
}

// filling is how the value of a field is drawn.
type filling struct {
	width, height float64
	size          float64 // of the text, 0 where readers choose it
	color         string  // the operator that sets it, with its numbers
	aligned       int     // 0 to the left, 1 in the middle, 2 to the right
	several       bool    // it may have several lines
	cells         int     // in which each character stands by itself, 0 for none
}

func (w *rewriter) fillingOf(v, form value) (how filling, err error) {
	entry := func(key string) value {
		found := value{}
		if err == nil {
			found, err = w.field(v, key)
		}
		if err == nil && found.kind == null {
			found, err = w.resolve(form.at(key))
		}
		return found
	}
	flags, _ := entry("Ff").int()
	how.aligned, _ = entry("Q").int()
	cells, _ := entry("MaxLen").int()
	look, turned := entry("DA"), value{}
	if err == nil {
		var own value
		if own, err = w.get(v, "MK"); err == nil {
			turned, err = w.get(own, "R")
		}
	}
	if err != nil {
		return how, err
	}
	if n, _ := turned.int(); n%360 != 0 || flags&password != 0 {
		return how, Undrawn
	}
	if how.several = flags&severalLines != 0; flags&evenlySpaced != 0 && !how.several {
		how.cells = max(0, cells)
	}
	how.color = "0 g"
	if look.kind == text {
		how.look(string(unescaped(look.raw)))
	}
	return how, nil
}

// look reads the size and the color of the text (ISO 32000-1, 12.7.3.3).
func (how *filling) look(operators string) {
	var before []string
	for word := range strings.FieldsSeq(operators) {
		need, sets := map[string]int{"Tf": 1, "g": 1, "rg": 3, "k": 4}[word]
		if !sets {
			before = append(before, word)
			continue
		}
		if len(before) < need {
			return
		}
		last := before[len(before)-need:]
		if slices.ContainsFunc(last, func(n string) bool { return !numeric([]byte(n)) }) {
			return
		}
		if word == "Tf" {
			how.size = math.Abs(value{kind: number, raw: []byte(last[0])}.float())
		} else {
			how.color = strings.Join(last, " ") + " " + word
		}
		before = nil
	}
}

// draw is the contents of the form that shows a value.
func (how *filling) draw(said string) ([]byte, error) {
	if len(said) > mostFilled {
		return nil, Undrawn
	}
	said = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\t", " ").Replace(said)
	if !how.several {
		said = strings.TrimSpace(strings.ReplaceAll(said, "\n", " "))
	}
	if strings.ContainsFunc(said, func(r rune) bool { return r < ' ' && r != '\n' }) {
		return nil, Undrawn
	}
	size, lines := how.fit(said)
	if lines == nil {
		return nil, Undrawn
	}
	b := fmt.Appendf(nil, "/Tx BMC q ")
	b = append(appendNumbers(b, 0, 0, how.width, how.height), " re W n BT "...)
	b = append(append(b, how.color...), " /Helv "...)
	b = append(appendNumbers(b, size), " Tf\n"...)
	y := (how.height-size)/2 + size*above
	if how.several {
		y = how.height - inset - size
	}
	for _, line := range lines {
		if how.cells > 0 {
			for i := range len(line) {
				cell := how.width / float64(how.cells)
				x := (float64(i)+0.5)*cell - widthOf(line[i:i+1])*size/2
				b = how.show(b, x, y, line[i:i+1])
			}
			continue
		}
		x := inset
		switch free := how.width - 2*inset - widthOf(line)*size; how.aligned {
		case 1:
			x += free / 2
		case 2:
			x += free
		}
		b = how.show(b, x, y, line)
		y -= size * lineSpacing
	}
	return append(b, "ET Q EMC"...), nil
}

// mostFilled is of how many characters the value of a field is at most.
const mostFilled = 10_000

// show appends a text at a place.
func (how *filling) show(b []byte, x, y float64, text string) []byte {
	b = append(b, "1 0 0 1 "...)
	b = append(appendNumbers(b, x, y), fmt.Sprintf(" Tm <%x> Tj\n", text)...)
	return b
}

// fit finds the largest size at which all of a value is visible, and its lines; nil where there is none.
func (how *filling) fit(said string) (size float64, lines []string) {
	size = how.size
	if size == 0 {
		size = usualText
		if !how.several {
			size = min(size, how.height*0.75)
		}
	}
	size = min(size, how.height)
	for least := min(size, smallestText); size >= least; size *= 0.95 {
		if lines = how.linesOf(said, size); lines != nil {
			return size, lines
		}
	}
	return 0, nil
}

// linesOf are the lines of a value at a size, nil where they don't fit.
func (how *filling) linesOf(said string, size float64) (lines []string) {
	room := (how.width - 2*inset) / size
	switch {
	case how.cells > 0:
		if len(said) > how.cells {
			return nil
		}
		return []string{said}
	case !how.several:
		if widthOf(said) > room {
			return nil
		}
		return []string{said}
	}
	for paragraph := range strings.SplitSeq(said, "\n") {
		line := ""
		for word := range strings.SplitSeq(paragraph, " ") {
			longer := word
			if line != "" {
				longer = line + " " + word
			}
			if widthOf(longer) <= room {
				line = longer
				continue
			}
			if widthOf(word) > room {
				return nil
			}
			lines, line = append(lines, line), word
		}
		lines = append(lines, line)
	}
	if float64(len(lines))*size*lineSpacing > how.height-2*inset {
		return nil
	}
	return lines
}

// helvetica are the widths of its characters in Windows-1252, at a size of 1.
var helvetica = sync.OnceValue(func() (all [256]float64) {
	f := fpdf.New("P", "pt", "Letter", "")
	f.SetFont("Helvetica", "", 1)
	for c := range all {
		all[c] = f.GetStringWidth(string([]byte{byte(c)}))
	}
	return all
})

// widthOf is the width of a text in Windows-1252 at a size of 1.
func widthOf(s string) (width float64) {
	all := helvetica()
	for i := range len(s) {
		width += all[s[i]]
	}
	return width
}

// decodedText is a text string (ISO 32000-1, 7.9.2.2).
func decodedText(raw []byte) string {
	switch {
	case bytes.HasPrefix(raw, []byte{0xfe, 0xff}):
		var units []uint16
		for i := 2; i+1 < len(raw); i += 2 {
			units = append(units, uint16(raw[i])<<8|uint16(raw[i+1]))
		}
		return string(utf16.Decode(units))
	case bytes.HasPrefix(raw, []byte{0xef, 0xbb, 0xbf}):
		return string(raw[3:])
	}
	var b strings.Builder
	for _, c := range raw {
		switch {
		case 0x18 <= c && c < 0x20:
			b.WriteRune([]rune("˘ˇˆ˙˝˛˚˜")[c-0x18])
		case 0x80 <= c && c < 0x9f:
			b.WriteRune([]rune("•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž")[c-0x80])
		case c == 0xa0:
			b.WriteRune('€')
		case c == 0x7f || c == 0x9f || c == 0xad:
			b.WriteRune(unicode.ReplacementChar)
		default:
			b.WriteRune(rune(c))
		}
	}
	return b.String()
}
