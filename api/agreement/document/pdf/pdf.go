// Package pdf renders a lease, or a statement, to PDF. The same document always makes the same bytes.
//
// It knows nothing of where a document comes from.
package pdf

import (
	"bytes"
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/text/unicode/norm"

	"portal/api/agreement/document"
)

// Sizes in points.
const (
	margin     = 60.0
	pageWidth  = 612.0 // US Letter
	pageHeight = 792.0
	textWidth  = pageWidth - 2*margin
	textSize   = 9.5
	smallSize  = 8.0
	indent     = 30.0 // of a paragraph behind its number
	foot       = 54.0 // what the foot of a page takes
)

// Gray levels of texts and lines, from 0 for black.
const (
	ink   = 26
	soft  = 96
	faint = 205
)

// writer writes one document.
type writer struct {
	*fpdf.Fpdf
	d      *document.Document
	pages  int     // how many there are, 0 while that is counted
	bare   bool    // whether the page that begins has no head
	signed bool    // whether the last block is a signature
	line   float64 // height of a line

	tree structure

	attached []*attached

	emptiest float64 // most that was left free above where a section begins a page

	widths map[string]float64 // of texts of several fonts in the size 1, by the style and the text
}

// Render makes the PDF of a document that was made at a moment, with attachments behind it. It fails where a character
// has no glyph: see Missing.
func Render(d *document.Document, made time.Time, attachments ...Attachment) ([]byte, error) {
	if wrong := missing(d); len(wrong) > 0 {
		return nil, fmt.Errorf("pdf: no glyph for %q", string(wrong))
	}
	behind, err := open(attachments)
	if err != nil {
		return nil, err
	}
	w, err := fill(d, made, behind, int(usualPages.Load()))
	if err != nil {
		return nil, err
	}
	if pages := w.PageCount(); pages != w.pages {
		usualPages.Store(int64(pages))
		if w, err = write(d, made, behind, w.line, pages); err != nil {
			return nil, err
		}
	}
	var b bytes.Buffer
	if err := w.Output(&b); err != nil {
		return nil, fmt.Errorf("pdf: %w", err)
	}
	return w.tagged(b.Bytes())
}

// usualPages is how many pages the latest document has. Each page of a document says how many there are, which is known
// when all is written: where it is as many as it was thought, nothing is written again.
var usualPages atomic.Int64

func missing(d *document.Document) (all []rune) {
	d.Texts(func(s string) { all = append(all, Missing(s)...) })
	return all
}

// lineHeights are tried one after the other. Each is a multiple of 1/4, so that sums of them are exact.
var lineHeights = []float64{13.5, 13.25, 13, 13.75, 14, 12.75, 14.25, 12.5, 14.5, 14.75}

// fill finds the height of a line at which no page is half empty because a section begins the next one, as
// far as there is one. What is written says that it is of so many pages.
func fill(d *document.Document, made time.Time, behind []*attached, pages int) (best *writer, err error) {
	for _, line := range lineHeights {
		w, err := write(d, made, behind, line, pages)
		if err != nil {
			return nil, err
		}
		if best == nil || w.emptiest < best.emptiest {
			best = w
		}
		if w.emptiest < (pageHeight-foot-margin)/2 {
			return w, nil
		}
	}
	return best, nil
}

// write writes a document of so many pages with lines of a height.
func write(
	d *document.Document, made time.Time, behind []*attached, line float64, pages int,
) (*writer, error) {
	w := &writer{
		Fpdf:  fpdf.New("P", "pt", "Letter", ""),
		d:     d,
		pages: pages,
		line:  line,

		widths: map[string]float64{},
	}
	w.tree.root = &element{kind: whole}
	w.tree.at = w.tree.root
	w.SetCatalogSort(true)
	w.SetCreationDate(made.UTC())
	w.SetModificationDate(made.UTC())
	w.SetLang(d.Language)
	w.SetTitle(d.Title+": "+d.About, true)
	w.SetAuthor(d.Author, true)
	w.SetSubject(d.Number, true)
	w.SetProducer("portal", true)
	about, err := xmp(d, made)
	if err != nil {
		return nil, err
	}
	w.SetXmpMetadata(about)
	w.SetDisplayMode("fullwidth", "continuous")
	// Copies, because the library writes to the bytes of a font while it reduces it (getMetrics).
	w.AddUTF8FontFromBytes("Noto", "", bytes.Clone(regular()))
	w.AddUTF8FontFromBytes("Noto", "B", bytes.Clone(bold()))
	w.SetMargins(margin, margin, margin)
	w.SetAutoPageBreak(true, foot)
	w.SetCellMargin(0)
	w.SetHeaderFunc(func() { w.artifact(w.head) })
	w.SetFooterFunc(func() { w.artifact(w.foot) })
	for i := range d.Front {
		w.front(&d.Front[i])
	}
	w.cover()
	w.attached = behind
	first := w.PageCount()
	if w.attachAll(true); w.PageCount() > first {
		w.AddPage()
	}
	for i := range d.Sections {
		w.part(&d.Sections[i], 2)
	}
	w.attachAll(false)
	return w, w.Error()
}

func (w *writer) font(style string, size float64, gray int) {
	w.SetFont("Noto", style, size)
	w.SetTextColor(gray, gray, gray)
}

// head stands above every page but the one of the key terms.
func (w *writer) head() {
	if w.bare {
		return
	}
	w.SetY(margin - 26)
	w.font("", smallSize, soft)
	w.fit(margin, margin-31, textWidth, w.d.Title+" · "+w.d.About)
	w.SetY(margin)
}

// foot stands below every page.
func (w *writer) foot() {
	w.SetY(pageHeight - foot + 14)
	w.font("", smallSize, soft)
	w.CellFormat(textWidth/2, 10, w.d.Number, "", 0, "L", false, 0, "")
	w.CellFormat(textWidth/2, 10, fmt.Sprintf(w.d.OwnWords().Page, w.PageNo(), w.pages), "", 0, "R", false, 0, "")
}

// files are Noto Sans in two weights, with the characters of Latin scripts alone (fonts/NOTO-LICENSE.txt).
//
// Other scripts have outlines of other fonts, compressed (face.go).
//
//go:embed fonts/*.ttf fonts/*.br
var files embed.FS

func mustRead(name string) []byte {
	b, err := files.ReadFile("fonts/" + name)
	if err != nil {
		panic(err) // a file of our own
	}
	return b
}

var (
	regular = sync.OnceValue(func() []byte { return mustRead("NotoSans-Regular.ttf") })
	bold    = sync.OnceValue(func() []byte { return mustRead("NotoSans-Bold.ttf") })
	glyphs  = sync.OnceValue(func() *sfnt.Font {
		f, err := sfnt.Parse(regular())
		if err != nil {
			panic(err) // a file of our own
		}
		return f
	})
)

// Printable is a text in which a question mark stands for each character that a document cannot show.
func Printable(s string) string {
	missing := Missing(s)
	if len(missing) == 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if slices.Contains(missing, r) {
			return '?'
		}
		return r
	}, s)
}

// Missing are the characters of a text that a document cannot show, each once. A letter and its accent
// count as the one character that Unicode has for both. Those that only change how others are written, or
// where, are missing too, but for joiners between letters that join.
func Missing(s string) (all []rune) {
	var b sfnt.Buffer
	var before *face
	seen := map[rune]bool{'\n': true, '\r': true, '\t': true, ' ': true}
	for _, r := range norm.NFC.String(s) {
		if joiner(r) && before != nil && before.joins {
			continue
		}
		before = faceFor(r)
		if seen[r] {
			continue
		}
		seen[r] = true
		if before != nil {
			if !before.has(r) {
				all = append(all, r)
			}
			continue
		}
		if i, err := glyphs().GlyphIndex(&b, r); err != nil || i == 0 {
			all = append(all, r)
		}
	}
	return all
}
