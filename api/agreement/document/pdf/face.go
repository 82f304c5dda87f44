package pdf

import (
	"bytes"
	"io"
	"slices"
	"sync"
	"unicode"
	"unicode/utf16"

	"github.com/andybalholm/brotli"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/harfbuzz"
	"github.com/go-text/typesetting/language"
)

// face is a font for scripts that the font of documents does not have. Its glyphs are shaped, and drawn as
// outlines, because fpdf can neither join letters nor place marks.
type face struct {
	blocks [][2]rune // first and last characters, none of which the font of documents has
	joins  bool      // whether a joiner or a non-joiner between two letters changes how they look
	open   func() *opened
}

// opened is the font of a face. The lock is held during a call, since shaping fills caches.
type opened struct {
	sync.Mutex
	font *harfbuzz.Font
	em   float64 // units of a font in its size
}

// faces are read when the first text needs them: that of Chinese, Japanese and Korean takes 11 MB, the others 2 MB.
var faces = []*face{
	{open: opener("GreekCyrillic"), blocks: [][2]rune{{0x370, 0x3ff}, {0x400, 0x52f}, {0x1f00, 0x1fff}}},
	{open: opener("Hebrew"), blocks: [][2]rune{{0x590, 0x5ff}}},
	{open: opener("Arabic"), blocks: [][2]rune{{0x600, 0x6ff}, {0x750, 0x77f}, {0x8a0, 0x8ff}}, joins: true},
	{open: opener("Devanagari"), blocks: [][2]rune{{0x900, 0x97f}, {0xa8e0, 0xa8ff}}, joins: true},
	{open: opener("Thai"), blocks: [][2]rune{{0xe00, 0xe7f}}},
	{open: opener("CJK"), blocks: [][2]rune{
		{0x3000, 0x30ff}, {0x3100, 0x318f}, {0x31a0, 0x31bf}, {0x31f0, 0x31ff}, {0x3400, 0x4dbf}, {0x4e00, 0x9fff},
		{0xac00, 0xd7a3}, {0xf900, 0xfaff}, {0xff01, 0xffef}, {0x20000, 0x3ffff},
	}},
}

// firstForeign is the first character of any face.
const firstForeign = 0x370

// faceFor is the face of a character, nil for the font of documents.
func faceFor(r rune) *face {
	if r < firstForeign {
		return nil
	}
	for _, f := range faces {
		for _, b := range f.blocks {
			if b[0] <= r && r <= b[1] {
				return f
			}
		}
	}
	return nil
}

// otherScript reports whether a text has characters of a face.
func otherScript(s string) bool {
	for _, r := range s {
		if faceFor(r) != nil {
			return true
		}
	}
	return false
}

// joiner reports whether a character asks its neighbors to join, or not to.
func joiner(r rune) bool { return r == '\u200c' || r == '\u200d' }

// has reports whether a face has a glyph for a character that can be seen.
func (f *face) has(r rune) bool {
	if harfbuzz.IsDefaultIgnorable(r) || unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point) {
		return false
	}
	o := f.open()
	_, ok := o.font.Face().Font.NominalGlyph(r) // that of the font is safe without the lock
	return ok
}

func opener(name string) func() *opened {
	return sync.OnceValue(func() *opened {
		b, err := io.ReadAll(brotli.NewReader(bytes.NewReader(mustRead(name + ".br"))))
		if err != nil {
			panic(err) // a file of our own
		}
		f, err := font.ParseTTF(bytes.NewReader(b))
		if err != nil {
			panic(err) // a file of our own
		}
		return &opened{font: harfbuzz.NewFont(f), em: float64(f.Upem())}
	})
}

// cluster is what stands for one or more characters that belong together.
type cluster struct {
	text    []rune
	advance harfbuzz.Position
	glyphs  []glyph
}

type glyph struct {
	x, y harfbuzz.Position // from where the cluster begins
	id   font.GID
}

// shape makes clusters of a text, from left to right.
func (f *face) shape(text []rune, rightToLeft bool) (all []cluster) {
	o := f.open()
	o.Lock()
	defer o.Unlock()
	b := harfbuzz.NewBuffer()
	b.AddRunes(text, 0, len(text))
	b.Props = harfbuzz.SegmentProperties{Script: script(text), Direction: harfbuzz.LeftToRight, Language: "en"}
	if rightToLeft {
		b.Props.Direction = harfbuzz.RightToLeft
	}
	b.Shape(o.font, nil)
	starts := make([]int, 0, len(b.Info)+1)
	for i := range b.Info {
		starts = append(starts, b.Info[i].Cluster)
	}
	starts = append(starts, len(text))
	slices.Sort(starts)
	starts = slices.Compact(starts)
	last := -1
	for i, g := range b.Info {
		if g.Cluster != last {
			last = g.Cluster
			n, _ := slices.BinarySearch(starts, last)
			all = append(all, cluster{text: text[last:starts[n+1]]})
		}
		c, p := &all[len(all)-1], b.Pos[i]
		c.glyphs = append(c.glyphs, glyph{x: c.advance + p.XOffset, y: p.YOffset, id: g.Glyph})
		c.advance += p.XAdvance
	}
	return all
}

// outline is that of a glyph in units of the font.
func (f *face) outline(id font.GID) []font.Segment {
	o := f.open()
	o.Lock()
	defer o.Unlock()
	outline, _ := o.font.Face().GlyphDataOutline(id)
	return outline.Segments
}

// script is that of the first letter.
func script(text []rune) language.Script {
	for _, r := range text {
		if s := language.LookupScript(r); s != language.Common && s != language.Inherited && s != language.Unknown {
			return s
		}
	}
	return language.Common
}

// utf16of is a text as the units of UTF-16 that PDF has in a text string.
func utf16of(text []rune) []uint16 { return utf16.Encode(append([]rune{'\ufeff'}, text...)) }
