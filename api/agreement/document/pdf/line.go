package pdf

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-text/typesetting/bidi"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/segmenter"
	direction "golang.org/x/text/unicode/bidi"
)

// run is a part of a line with one font and one direction.
type run struct {
	text  []rune // as it is read
	face  *face  // nil for the font of documents
	level bidi.Level
	at    int     // place in the line, as it is read
	x     float64 // where it is drawn
}

func (r *run) rightToLeft() bool { return r.level%2 == 1 }

// runs are those of a line from left to right. A line with a letter that is written from left to right is, as
// a document is, and one without is written from right to left where it has a letter that is.
func runs(s string) []run {
	text := []rune(s)
	base := bidi.LeftToRight
	if onlyRightToLeft(text) {
		base = bidi.RightToLeft
	}
	var p bidi.Paragraph
	var all []run
	parts := p.Segment(text, base)
	for i := range parts.NumRuns() {
		part := parts.Run(i)
		end := part.End
		if part.Level == 2 { // a number that belongs to what stands before it, and what follows
			end = part.Start + number(text[part.Start:part.End])
		}
		all = append(all, byFace(text[part.Start:end], part.Level)...)
		all = append(all, byFace(text[end:part.End], 0)...)
	}
	for i := range all {
		all[i].at = i
	}
	return visual(all)
}

// onlyRightToLeft reports whether no letter of a text is written from left to right, and some are from right to left.
func onlyRightToLeft(text []rune) (is bool) {
	for _, r := range text {
		p, _ := direction.LookupRune(r)
		switch p.Class() {
		case direction.L:
			return false
		case direction.R, direction.AL:
			is = true
		}
	}
	return is
}

// number is how many characters of a text are a number at its beginning.
func number(text []rune) int {
	n := 0
	for i, r := range text {
		if unicode.IsDigit(r) {
			n = i + 1
		} else if !strings.ContainsRune(".,:/-+", r) {
			break
		}
	}
	return n
}

func byFace(text []rune, level bidi.Level) (all []run) {
	for i, r := range text {
		f := faceFor(r)
		switch n := len(all); {
		case n > 0 && (all[n-1].face == f || joiner(r)):
			all[n-1].text = append(all[n-1].text, r)
		default:
			all = append(all, run{text: text[i : i+1 : i+1], face: f, level: level})
		}
	}
	return all
}

// visual orders runs as rule L2 of the bidirectional algorithm does (UAX 9).
func visual(all []run) []run {
	for level := bidi.Level(2); level > 0; level-- {
		for i := 0; i < len(all); i++ {
			j := i
			for j < len(all) && all[j].level >= level {
				j++
			}
			slices.Reverse(all[i:j])
			i = j
		}
	}
	return all
}

// shown is how a run of the font of documents is written.
func (r *run) shown() string {
	if r.rightToLeft() {
		return direction.ReverseString(string(r.text))
	}
	return string(r.text)
}

// width is that of a line in the font that is set.
func (w *writer) width(s string) (sum float64) {
	if !otherScript(s) {
		return w.GetStringWidth(s)
	}
	size, _ := w.GetFontSize()
	key := w.GetFontStyle() + s
	if em, ok := w.widths[key]; ok {
		return em * size
	}
	for _, r := range runs(s) {
		sum += w.runWidth(&r) / size
	}
	w.widths[key] = sum
	return sum * size
}

// wrap is a text of several fonts by the lines that it takes. It ends them where Unicode allows it (UAX 14), and
// within a word only where that alone is too long.
func (w *writer) wrap(s string, width float64) (all []string) {
	for part := range strings.SplitSeq(strings.TrimRight(s, "\n"), "\n") {
		line, used := "", 0.0
		end := func() {
			all = append(all, strings.TrimRightFunc(line, unicode.IsSpace))
			line, used = "", 0
		}
		for _, word := range words(part) {
			if line != "" && used+w.width(strings.TrimRightFunc(word, unicode.IsSpace)) > width {
				end()
			}
			for w.width(strings.TrimRightFunc(word, unicode.IsSpace)) > width {
				line = w.begin(word, width)
				word = word[len(line):]
				end()
			}
			line += word
			used += w.width(word)
		}
		end()
	}
	return all
}

// words are the parts of a text behind each of which a line may end.
func words(s string) (all []string) {
	var g segmenter.Segmenter
	g.Init([]rune(s))
	for i := g.LineIterator(); i.Next(); {
		all = append(all, string(i.Line().Text))
	}
	return all
}

// begin is as much of a word as a line has room for, and one character at least.
func (w *writer) begin(word string, width float64) string {
	var g segmenter.Segmenter
	g.Init([]rune(word))
	var ends []int
	for i := g.GraphemeIterator(); i.Next(); {
		c := i.Grapheme()
		ends = append(ends, c.OffsetInBytes+c.LengthInBytes)
	}
	low, high := 1, len(ends) // at least so many fit, and at most
	for low < high {
		middle := (low + high + 1) / 2
		if w.width(word[:ends[middle-1]]) > width {
			high = middle - 1
		} else {
			low = middle
		}
	}
	return word[:ends[low-1]]
}

// cell writes a text in one line. ln is where the next one begins: 0 to the right, 1 below at the margin.
func (w *writer) cell(width, height float64, s string, ln int) {
	w.tag()
	if otherScript(s) {
		x, y := w.GetXY()
		w.draw(x, y, height, s)
		w.SetXY(x, y)
		s = ""
	}
	w.CellFormat(width, height, s, "", ln, "L", false, 0, "")
}

// next writes a line of a text. Where more follow, it ends with a space, so that its last word and the first of the
// next line are read as two.
func (w *writer) next(width, height float64, line string, more bool) {
	last, _ := utf8.DecodeLastRuneInString(line)
	switch {
	case !more || unicode.In(last, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai): // written without
		w.cell(width, height, line, 1)
	case otherScript(line): // a space within it could move what is written from right to left
		x, y := w.GetXY()
		w.cell(width, height, line, 1)
		w.SetXY(x+w.width(line), y)
		w.cell(0, height, " ", 1)
	default:
		w.cell(width, height, line+" ", 1)
	}
}

// multi writes a text below the last one over the whole width.
func (w *writer) multi(height float64, s string) {
	all := w.split(s, textWidth)
	for i, line := range all {
		w.next(textWidth, height, line, i < len(all)-1)
	}
}

// draw writes a line of several fonts: its runs where they are seen, in the order in which they are read.
func (w *writer) draw(x, y, height float64, s string) {
	size, _ := w.GetFontSize()
	all := runs(s)
	for i := range all {
		all[i].x = x
		x += w.runWidth(&all[i])
	}
	slices.SortFunc(all, func(a, b run) int { return a.at - b.at })
	for i := range all {
		r := &all[i]
		if r.face != nil {
			w.outlines(r, pageHeight-(y+float64(.5*height)+float64(.3*size))) // the line that fpdf writes on
			continue
		}
		w.SetXY(r.x, y)
		if r.rightToLeft() {
			w.mirrored(r.text, height)
			continue
		}
		w.CellFormat(w.GetStringWidth(r.shown()), height, r.shown(), "", 0, "L", false, 0, "")
	}
}

// mirrored writes spaces and signs from right to left. A bracket looks like its counterpart then, and says what it is.
func (w *writer) mirrored(text []rune, height float64) {
	for _, c := range slices.Backward(text) {
		shown := direction.ReverseString(string(c))
		w.RawWriteStr("/Span <</ActualText <" + hex(utf16of([]rune{c})) + ">>> BDC")
		w.CellFormat(w.GetStringWidth(shown), height, shown, "", 0, "L", false, 0, "")
		w.RawWriteStr("EMC")
	}
}

// runWidth is the width of a run in the font that is set.
func (w *writer) runWidth(r *run) float64 {
	if r.face == nil {
		return w.GetStringWidth(r.shown())
	}
	size, _ := w.GetFontSize()
	var units float64
	for _, c := range r.face.shape(r.text, r.rightToLeft()) {
		units += float64(c.advance)
	}
	return units * size / r.face.open().em
}

// stroke is the width of the line around bold outlines, of the size of the font.
const stroke = 0.035

// outlines draws a run.
func (w *writer) outlines(r *run, y float64) {
	size, _ := w.GetFontSize()
	gray, _, _ := w.GetTextColor()
	em := r.face.open().em
	scale, space := size/em, w.GetStringWidth(" ")
	var b strings.Builder
	fmt.Fprintf(&b, "q %.3f g", float64(gray)/255)
	paint := "f"
	if strings.Contains(w.GetFontStyle(), "B") {
		fmt.Fprintf(&b, " %.3f G 1 j %.1f w", float64(gray)/255, stroke*em)
		paint = "B"
	}
	var units float64
	for _, c := range r.face.shape(r.text, r.rightToLeft()) {
		left := r.x + units*size/em
		r.says(&b, c.text, left, y, float64(c.advance)*size/em, space)
		for _, g := range c.glyphs {
			if outline := r.face.outline(g.id); len(outline) > 0 {
				fmt.Fprintf(&b, "\nq %.6f 0 0 %.6f %.2f %.2f cm%s %s Q", scale, scale,
					left+float64(g.x)*size/em, y+float64(g.y)*size/em, path(outline), paint)
			}
		}
		units += float64(c.advance)
	}
	b.WriteString("\nQ")
	w.RawWriteStr(b.String())
}

// says writes what a cluster means to those who copy it or have it read (ActualText), around a space of its width
// that is not painted, because programs look for letters. Of a cluster from right to left each character has a
// part, since some programs would take several for ones from left to right.
func (r *run) says(b *strings.Builder, text []rune, x, y, width, space float64) {
	parts := [][]rune{text}
	if r.rightToLeft() {
		parts = slices.Collect(slices.Chunk(text, 1))
		slices.Reverse(parts)
	}
	width /= float64(len(parts))
	for i, part := range parts {
		fmt.Fprintf(b, "\n/Span <</ActualText <%s>>> BDC q 3 Tr %.2f Tz BT %.2f %.2f Td <0020> Tj ET Q EMC",
			hex(utf16of(part)), max(1, width/space*100), x+float64(float64(i)*width), y)
	}
}

func hex(units []uint16) string {
	var b strings.Builder
	for _, u := range units {
		fmt.Fprintf(&b, "%04X", u)
	}
	return b.String()
}

// path is an outline in operators of PDF, which has cubic curves alone.
func path(outline []font.Segment) string {
	var b []byte
	var at opentype.SegmentPoint
	put := func(operator string, points ...[2]float64) {
		for _, p := range points {
			for _, v := range p {
				b = append(b, ' ')
				b = strconv.AppendFloat(b, math.Round(v*10)/10, 'f', -1, 64)
			}
		}
		b = append(append(b, ' '), operator...)
	}
	for i, s := range outline {
		a := s.Args
		switch s.Op {
		case opentype.SegmentOpMoveTo:
			if i > 0 {
				b = append(b, " h"...)
			}
			put("m", point(a[0]))
			at = a[0]
		case opentype.SegmentOpLineTo:
			put("l", point(a[0]))
			at = a[0]
		case opentype.SegmentOpQuadTo:
			put("c", third(at, a[0]), third(a[1], a[0]), point(a[1]))
			at = a[1]
		case opentype.SegmentOpCubeTo:
			put("c", point(a[0]), point(a[1]), point(a[2]))
			at = a[2]
		}
	}
	return string(append(b, " h"...))
}

func point(p opentype.SegmentPoint) [2]float64 { return [2]float64{float64(p.X), float64(p.Y)} }

// third is the point two thirds of the way from an end of a quadratic curve to its control point.
func third(end, control opentype.SegmentPoint) [2]float64 {
	return [2]float64{
		(float64(end.X) + 2*float64(control.X)) / 3,
		(float64(end.Y) + 2*float64(control.Y)) / 3,
	}
}
