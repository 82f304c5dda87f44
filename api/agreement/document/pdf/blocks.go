package pdf

import (
	"golang.org/x/text/unicode/norm"

	"portal/api/agreement/document"
)

// split is a text by the lines that it takes, in the font that is set.
func (w *writer) split(s string, width float64) []string {
	s = norm.NFC.String(s)
	if otherScript(s) {
		return w.wrap(s, width)
	}
	return w.SplitText(s, width)
}

// first is how many lines of a text stand together at its beginning: two, or all of three.
func first(lines int) float64 {
	if lines <= 3 {
		return float64(lines)
	}
	return 2
}

// lines writes a text from x on over as many lines as it takes. Of one that continues on another page, at
// least two stand on each.
func (w *writer) lines(x, width float64, s string) {
	all := w.split(s, width)
	for i, line := range all {
		switch {
		case i == 0:
			w.keep(first(len(all)) * w.line)
		case i == len(all)-2:
			w.keep(2 * w.line)
		default:
			w.keep(w.line)
		}
		w.SetX(x)
		w.next(width, w.line, line, i < len(all)-1)
	}
}

// front is a page before the one of the key terms.
func (w *writer) front(s *document.Section) {
	w.AddPage()
	w.part(s, 1)
}

// cover is the page of the key terms and of everything that is charged.
func (w *writer) cover() {
	w.bare = true
	w.AddPage()
	w.bare = false
	w.Bookmark(w.d.Title, 0, 0)
	w.in(heading(1), func() {
		w.font("B", 22, ink)
		w.multi(28, w.d.Title)
	})
	w.in(paragraph, func() {
		w.font("", 12, soft)
		w.multi(17, norm.NFC.String(w.d.About))
	})
	words := w.d.OwnWords()
	w.Ln(12)
	w.title(words.Terms, 1, 2, 2*w.line)
	w.terms(w.d.Terms)
	w.Ln(14)
	w.title(words.Charges, 1, 2, w.opening(document.Block{Table: &w.d.Charges}))
	if len(w.d.Charges.Rows) > 0 {
		w.table(w.d.Charges)
		w.SetY(w.GetY() - 8)
	}
	w.terms(w.d.Totals)
	w.rule()
	w.Ln(8)
	if words.Below != "" {
		w.in(paragraph, func() {
			w.font("", textSize, ink)
			w.lines(margin, textWidth, words.Below)
		})
		w.Ln(8)
	}
	w.in(paragraph, func() {
		w.font("", smallSize, soft)
		w.keep(float64(len(w.split(w.d.Note, textWidth))) * 11.5)
		w.multi(11.5, norm.NFC.String(w.d.Note))
	})
}

// title is a heading within a page, with its entry among the bookmarks at a level from 0 on. It stands on the page of
// what follows, as far as that has the height.
func (w *writer) title(s string, bookmark, level int, next float64) {
	w.keep(21 + next)
	w.Bookmark(s, bookmark, -1)
	w.in(heading(level), func() {
		w.font("B", 12.5, ink)
		w.multi(18, s)
	})
	w.Ln(3)
}

// keep begins a page where less than a height is left, and reports whether it did.
func (w *writer) keep(height float64) bool {
	is := w.GetY()+height > pageHeight-foot
	if is {
		w.AddPage()
	}
	return is
}

// rule is a thin line across the page.
func (w *writer) rule() {
	w.artifact(func() {
		w.SetDrawColor(faint, faint, faint)
		w.SetLineWidth(0.6)
		w.Line(margin, w.GetY(), pageWidth-margin, w.GetY())
	})
}

const termName = 120.0 // width of the name of a key term

// terms are a table of names and values.
func (w *writer) terms(all []document.Row) {
	w.in(table, func() {
		for _, r := range all {
			w.in(row, func() { w.term(r) })
		}
	})
}

func (w *writer) term(r document.Row) {
	w.font("B", textSize, ink)
	w.keep(float64(len(w.split(r.Value, textWidth-termName)))*w.line + 8)
	w.rule()
	y := w.GetY() + 4
	w.in(rowHead, func() {
		w.SetXY(margin, y)
		w.font("", textSize, soft)
		w.cell(termName, w.line, r.Name, 0)
	})
	w.in(cell, func() {
		w.font("B", textSize, ink)
		w.SetY(y)
		w.lines(margin+termName, textWidth-termName, r.Value)
	})
	w.SetY(w.GetY() + 4)
}

// part is a section with a heading of a level.
func (w *writer) part(s *document.Section, level int) {
	w.in(part, func() { w.section(s, level) })
}

func (w *writer) section(s *document.Section, level int) {
	switch {
	case s.NewPage:
		if !w.signed { // so that a certificate behind the signatures moves nothing
			w.emptiest = max(w.emptiest, pageHeight-foot-w.GetY())
		}
		w.AddPage()
	case s.Number != "" || w.d.Words != nil:
		w.Ln(9)
	}
	w.title(s.Heading(), 0, level, w.together(s.Blocks))
	for i := range s.Blocks {
		if w.introduces(s.Blocks[i:]) {
			w.keep(w.together(s.Blocks[i:]))
		}
		w.block(&s.Blocks[i])
	}
}

// introduces reports whether the first of some blocks is a paragraph about the one that follows.
func (w *writer) introduces(blocks []document.Block) bool {
	return len(blocks) > 1 && blocks[0].Paragraph != nil && blocks[1].Paragraph == nil
}

// together is the height of what stands on one page at the beginning of some blocks.
func (w *writer) together(blocks []document.Block) float64 {
	switch {
	case len(blocks) == 0:
		return 0
	case w.introduces(blocks):
		return w.height(blocks[0].Paragraph) + w.opening(blocks[1])
	}
	return w.opening(blocks[0])
}

// opening is the height of what stands on one page at the beginning of a block.
func (w *writer) opening(b document.Block) float64 {
	w.font("", textSize, ink)
	switch {
	case b.Paragraph != nil:
		return first(len(w.split(b.Paragraph.Text, textWidth-inset(b.Paragraph)))) * w.line
	case b.Table != nil && len(b.Table.Rows) > 0:
		return w.rowHeight(b.Table.Head) + w.rowHeight(b.Table.Rows[0])
	case b.Signature != nil:
		return w.signatureHeight(b.Signature)
	}
	return 2 * w.line
}

func (w *writer) block(b *document.Block) {
	w.signed = b.Signature != nil
	switch {
	case b.Paragraph != nil:
		w.in(paragraph, func() { w.paragraph(b.Paragraph) })
	case b.Points != nil:
		w.in(list, func() { w.points(b.Points) })
	case b.Table != nil:
		w.table(*b.Table)
	case b.Signature != nil:
		w.signature(b.Signature)
	}
}

// height is that of a paragraph on one page, with what is left free below it.
func (w *writer) height(p *document.Paragraph) float64 {
	w.font("", textSize, ink)
	return float64(len(w.split(p.Text, textWidth-inset(p))))*w.line + 4
}

// inset is how far a paragraph stands from the margin.
func inset(p *document.Paragraph) float64 {
	if p.Number == "" {
		return 0
	}
	return indent
}

func (w *writer) paragraph(p *document.Paragraph) {
	w.font("", textSize, soft)
	w.keep(first(len(w.split(p.Text, textWidth-inset(p)))) * w.line)
	y := w.GetY()
	if p.Number != "" {
		w.cell(indent, w.line, p.Number+" ", 0)
	}
	w.font("", textSize, ink)
	w.SetY(y)
	w.lines(margin+inset(p), textWidth-inset(p), p.Text)
	w.Ln(4)
}

func (w *writer) points(all document.Points) {
	for _, p := range all {
		w.font("", textSize, ink)
		w.keep(first(len(w.split(p, textWidth-indent-12))) * w.line)
		w.in(listItem, func() {
			y := w.GetY()
			w.in(label, func() {
				w.SetX(margin + indent)
				w.cell(12, w.line, "•", 0)
			})
			w.in(itemBody, func() {
				w.SetY(y)
				w.lines(margin+indent+12, textWidth-indent-12, p)
			})
		})
	}
	w.Ln(4)
}

// columns are the shares of the width that the columns of a table take, by their number.
var columns = map[int][]float64{
	2: {.27, .73}, 3: {.27, .39, .34}, 4: {.22, .17, .43, .18}, 5: {.15, .4, .15, .15, .15},
	6: {.25, .15, .15, .15, .15, .15},
}

// table repeats its head where it continues on another page.
func (w *writer) table(t document.Table) {
	head := func() { w.tableRow(t.Head, t.Amounts, columnHead, "B", soft) }
	w.in(table, func() {
		w.in(row, head)
		for _, cells := range t.Rows {
			w.font("", textSize, ink)
			if w.keep(w.rowHeight(cells)) {
				w.artifact(head)
			}
			w.in(row, func() { w.tableRow(cells, t.Amounts, cell, "", ink) })
		}
	})
	w.rule()
	w.Ln(8)
}

// tableRow is never torn over two pages. The last cells, the amounts, stand at the right of their columns.
func (w *writer) tableRow(cells []string, amounts int, of kind, style string, gray int) {
	w.font(style, textSize, gray)
	widths, height := columns[len(cells)], w.rowHeight(cells)
	w.keep(height)
	w.rule()
	x, y := margin, w.GetY()+4
	for i, text := range cells {
		w.SetY(y)
		at, width := x, widths[i]*textWidth-8
		if left := width - w.width(text); i >= len(cells)-amounts && left > 0 {
			at, width = x+left, width-left+1 // no word of it goes to another line
		}
		w.in(of, func() { w.lines(at, width, text) })
		x += widths[i] * textWidth
	}
	w.SetY(y + height - 4)
}

// rowHeight is the height of a row in the font that is set, with what is left free around it.
func (w *writer) rowHeight(cells []string) float64 {
	widths, most := columns[len(cells)], 0
	for i, cell := range cells {
		most = max(most, len(w.split(cell, widths[i]*textWidth-8)))
	}
	return float64(most)*w.line + 8
}

// fit writes a text in one line, smaller where it is too wide.
func (w *writer) fit(x, y, width float64, s string) {
	s = norm.NFC.String(s)
	if wide := w.width(s); wide > width {
		size, _ := w.GetFontSize()
		w.SetFontSize(size * width / wide)
	}
	w.SetXY(x, y)
	w.cell(width, 20, s, 0)
}

// Sizes of what is signed, in points.
const (
	signHeight = 74.0  // without what is confirmed, with a name and a role of a line each
	signWidth  = 300.0 // of the line
	dateAt     = 330.0 // where the line of the date begins
)

// signatureHeight is that of what a party signs.
func (w *writer) signatureHeight(s *document.Signature) float64 {
	w.font("B", textSize, ink)
	lines := len(w.split(s.Name, signWidth))
	w.font("", textSize, ink)
	lines += len(w.split(s.Signer(), signWidth+20))
	height := signHeight + float64(max(0, lines-2))*w.line
	if s.Confirms != "" {
		height += 6 + float64(len(w.split(s.Confirms, textWidth)))*w.line
	}
	return height
}

// signature is a line to sign on, with who signs below it and what that confirms above it. All of it
// stands on one page.
func (w *writer) signature(s *document.Signature) {
	w.keep(w.signatureHeight(s))
	if s.Confirms != "" {
		w.Ln(6)
		w.font("", textSize, ink)
		w.in(paragraph, func() { w.lines(margin, textWidth, s.Confirms) })
	}
	top := w.GetY()
	y := top + 34
	if s.Typed != "" {
		w.in(paragraph, func() {
			w.font("B", 15, ink)
			w.fit(margin, top+12, signWidth, s.Typed)
		})
		w.in(paragraph, func() {
			w.font("", textSize, ink)
			w.fit(margin+dateAt, top+14, textWidth-dateAt, s.At)
		})
	}
	w.artifact(func() {
		w.SetDrawColor(ink, ink, ink)
		w.SetLineWidth(0.6)
		w.Line(margin, y, margin+signWidth, y)
		w.Line(margin+dateAt, y, pageWidth-margin, y)
	})
	w.SetY(y + 3)
	w.signer(s)
}

// signer is who signs, below the line.
func (w *writer) signer(s *document.Signature) {
	y := w.GetY()
	w.font("", textSize, soft)
	w.in(paragraph, func() {
		w.SetX(margin + dateAt)
		w.cell(textWidth-dateAt, w.line, "Date", 0)
	})
	w.in(paragraph, func() {
		w.font("B", textSize, ink)
		w.SetY(y)
		w.lines(margin, signWidth, s.Name)
	})
	w.in(paragraph, func() {
		w.font("", textSize, soft)
		w.lines(margin, signWidth+20, s.Signer())
	})
	w.SetY(w.GetY() + 8)
}
