// Package pdf renders a lease to PDF. The same document always makes the same bytes.
package pdf

import (
	"bytes"
	"fmt"
	"time"

	"codeberg.org/go-pdf/fpdf"
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
	lineHeight = 13.5
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
	d     *document.Document
	pages int // how many there are, 0 while that is counted
}

// Render makes the PDF of a document that was made at a moment. It fails where a character has no glyph:
// see Missing.
func Render(d *document.Document, made time.Time) ([]byte, error) {
	if wrong := missing(d); len(wrong) > 0 {
		return nil, fmt.Errorf("pdf: no glyph for %q", string(wrong))
	}
	first, err := write(d, made, 0)
	if err != nil {
		return nil, err
	}
	w, err := write(d, made, first.PageCount())
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := w.Output(&b); err != nil {
		return nil, fmt.Errorf("pdf: %w", err)
	}
	return b.Bytes(), nil
}

func missing(d *document.Document) (all []rune) {
	d.Texts(func(s string) { all = append(all, Missing(s)...) })
	return all
}

// write writes a document of so many pages.
func write(d *document.Document, made time.Time, pages int) (*writer, error) {
	w := &writer{fpdf.New("P", "pt", "Letter", ""), d, pages}
	w.SetCatalogSort(true)
	w.SetCreationDate(made.UTC())
	w.SetModificationDate(made.UTC())
	w.SetLang(d.Language)
	w.SetTitle(d.Title+": "+d.About, true)
	w.SetAuthor(d.Author, true)
	w.SetSubject(d.Number, true)
	w.SetProducer("portal", true)
	w.SetDisplayMode("fullwidth", "continuous")
	// Copies, because the library writes to the bytes of a font while it reduces it (getMetrics).
	w.AddUTF8FontFromBytes("Noto", "", bytes.Clone(regular()))
	w.AddUTF8FontFromBytes("Noto", "B", bytes.Clone(bold()))
	w.SetMargins(margin, margin, margin)
	w.SetAutoPageBreak(true, foot)
	w.SetCellMargin(0)
	w.SetHeaderFunc(w.head)
	w.SetFooterFunc(w.foot)
	w.cover()
	for i := range d.Sections {
		w.section(&d.Sections[i])
	}
	return w, w.Error()
}

func (w *writer) font(style string, size float64, gray int) {
	w.SetFont("Noto", style, size)
	w.SetTextColor(gray, gray, gray)
}

// lines writes a text over as many lines as it takes, from x on.
func (w *writer) lines(x, width float64, s string) {
	w.SetX(x)
	w.MultiCell(width, lineHeight, norm.NFC.String(s), "", "L", false)
}

// head stands above every page but the first.
func (w *writer) head() {
	if w.PageNo() == 1 {
		return
	}
	w.SetY(margin - 26)
	w.font("", smallSize, soft)
	w.CellFormat(textWidth, 10, norm.NFC.String(w.d.Title+" · "+w.d.About), "", 1, "L", false, 0, "")
	w.SetY(margin)
}

// foot stands below every page.
func (w *writer) foot() {
	w.SetY(pageHeight - foot + 14)
	w.font("", smallSize, soft)
	w.CellFormat(textWidth/2, 10, w.d.Number, "", 0, "L", false, 0, "")
	w.CellFormat(textWidth/2, 10, fmt.Sprintf("Page %d of %d", w.PageNo(), w.pages), "", 0, "R", false, 0, "")
}

// cover is what the first page begins with: the key terms and everything that is charged.
func (w *writer) cover() {
	w.AddPage()
	w.Bookmark(w.d.Title, 0, 0)
	w.font("B", 22, ink)
	w.MultiCell(textWidth, 28, w.d.Title, "", "L", false)
	w.font("", 12, soft)
	w.MultiCell(textWidth, 17, norm.NFC.String(w.d.About), "", "L", false)
	w.Ln(12)
	w.title("Key terms", 1)
	for _, r := range w.d.Terms {
		w.term(r)
	}
	w.Ln(14)
	w.title("What the tenants pay", 1)
	w.table(w.d.Charges)
	w.font("", textSize, ink)
	w.lines(margin, textWidth, "No other fee or deposit is charged unless it is agreed in writing and the law allows it.")
	w.Ln(8)
	w.font("", smallSize, soft)
	w.MultiCell(textWidth, 11.5, norm.NFC.String(w.d.Note), "", "L", false)
}

// title is a heading within a page, with its entry among the bookmarks.
func (w *writer) title(s string, level int) {
	w.keep(70)
	w.Bookmark(s, level, -1)
	w.font("B", 12.5, ink)
	w.MultiCell(textWidth, 18, s, "", "L", false)
	w.Ln(3)
}

// keep begins a page where less than a height is left.
func (w *writer) keep(height float64) {
	if w.GetY()+height > pageHeight-foot {
		w.AddPage()
	}
}

// rule is a thin line across the page.
func (w *writer) rule() {
	w.SetDrawColor(faint, faint, faint)
	w.SetLineWidth(0.6)
	w.Line(margin, w.GetY(), pageWidth-margin, w.GetY())
}

const termName = 120.0 // width of the name of a key term

func (w *writer) term(r document.Row) {
	w.font("", textSize, ink)
	value := norm.NFC.String(r.Value)
	w.keep(float64(len(w.SplitText(value, textWidth-termName)))*lineHeight + 8)
	w.rule()
	y := w.GetY() + 4
	w.SetXY(margin, y)
	w.font("", textSize, soft)
	w.CellFormat(termName, lineHeight, r.Name, "", 0, "L", false, 0, "")
	w.font("B", textSize, ink)
	w.SetY(y)
	w.lines(margin+termName, textWidth-termName, value)
	w.SetY(w.GetY() + 4)
}

func (w *writer) section(s *document.Section) {
	if s.NewPage {
		w.AddPage()
	} else {
		w.Ln(9)
	}
	w.title(s.Number+". "+s.Title, 0)
	for _, b := range s.Blocks {
		w.block(b)
	}
}

func (w *writer) block(b document.Block) {
	switch {
	case b.Paragraph != nil:
		w.paragraph(*b.Paragraph)
	case b.Points != nil:
		w.points(b.Points)
	case b.Table != nil:
		w.table(*b.Table)
	case b.Signature != nil:
		w.signature(*b.Signature)
	}
}

// paragraph keeps its first two lines together.
func (w *writer) paragraph(p document.Paragraph) {
	w.keep(2 * lineHeight)
	w.font("", textSize, soft)
	y := w.GetY()
	w.CellFormat(indent, lineHeight, p.Number, "", 0, "L", false, 0, "")
	w.font("", textSize, ink)
	w.SetY(y)
	w.lines(margin+indent, textWidth-indent, p.Text)
	w.Ln(4)
}

func (w *writer) points(all document.Points) {
	w.font("", textSize, ink)
	for _, p := range all {
		w.keep(lineHeight)
		y := w.GetY()
		w.SetX(margin + indent)
		w.CellFormat(12, lineHeight, "•", "", 0, "L", false, 0, "")
		w.SetY(y)
		w.lines(margin+indent+12, textWidth-indent-12, p)
	}
	w.Ln(4)
}

// columns are the shares of the width that the columns of a table take, by their number.
var columns = map[int][]float64{3: {.3, .4, .3}, 4: {.2, .18, .42, .2}}

func (w *writer) table(t document.Table) {
	w.tableRow(t.Head, "B", soft)
	for _, row := range t.Rows {
		w.tableRow(row, "", ink)
	}
	w.rule()
	w.Ln(8)
}

// tableRow is never torn over two pages.
func (w *writer) tableRow(cells []string, style string, gray int) {
	w.font(style, textSize, gray)
	widths, height := columns[len(cells)], 0.0
	for i, cell := range cells {
		height = max(height, float64(len(w.SplitText(norm.NFC.String(cell), widths[i]*textWidth-8)))*lineHeight)
	}
	w.keep(height + 8)
	w.font(style, textSize, gray) // a new page has set its own
	w.rule()
	x, y := margin, w.GetY()+4
	for i, cell := range cells {
		w.SetY(y)
		w.lines(x, widths[i]*textWidth-8, cell)
		x += widths[i] * textWidth
	}
	w.SetY(y + height + 4)
}

// fit writes a text in one line, smaller where it is too wide.
func (w *writer) fit(x, y, width float64, s string) {
	s = norm.NFC.String(s)
	if wide := w.GetStringWidth(s); wide > width {
		size, _ := w.GetFontSize()
		w.SetFontSize(size * width / wide)
	}
	w.SetXY(x, y)
	w.CellFormat(width, 20, s, "", 0, "L", false, 0, "")
}

// signature is a line to sign on, with who signs below it.
func (w *writer) signature(s document.Signature) {
	const height = 74.0
	w.keep(height)
	top := w.GetY()
	y := top + 34
	if s.Typed != "" {
		w.font("B", 15, ink)
		w.fit(margin, top+12, 300, s.Typed)
		w.font("", textSize, ink)
		w.fit(margin+330, top+14, textWidth-330, s.At)
	}
	w.SetDrawColor(ink, ink, ink)
	w.SetLineWidth(0.6)
	w.Line(margin, y, margin+300, y)
	w.Line(margin+330, y, pageWidth-margin, y)
	w.SetY(y + 3)
	w.font("B", textSize, ink)
	w.CellFormat(330, lineHeight, norm.NFC.String(s.Name), "", 0, "L", false, 0, "")
	w.font("", textSize, soft)
	w.CellFormat(textWidth-330, lineHeight, "Date", "", 1, "L", false, 0, "")
	role := s.Role
	if s.Title != "" {
		role += " (" + s.Title + ")"
	}
	w.lines(margin, 320, role)
	w.SetY(w.GetY() + 8)
}
