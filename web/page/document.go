package page

import (
	"portal/api/agreement/document"
	"portal/views/kit"
)

// DocumentView is a document as a page shows it.
func DocumentView(d *document.Document) kit.Document {
	charges := documentTable(d.Charges)
	charges.Caption = "What is paid, and when"
	return kit.Document{
		Title:    d.Title,
		About:    d.About,
		Number:   d.Number,
		Front:    documentSections(d.Front),
		Terms:    documentRows(d.Terms),
		Charges:  charges,
		Totals:   documentRows(d.Totals),
		Fees:     document.NoOtherFee,
		Note:     d.Note,
		Sections: documentSections(d.Sections),
	}
}

func documentSections(sections []document.Section) (all []kit.DocumentSection) {
	for i := range sections {
		s := &sections[i]
		shown := kit.DocumentSection{Heading: s.Heading()}
		for j := range s.Blocks {
			shown.Blocks = append(shown.Blocks, documentBlock(s.Title, &s.Blocks[j]))
		}
		all = append(all, shown)
	}
	return all
}

func documentBlock(section string, b *document.Block) (shown kit.DocumentBlock) {
	switch {
	case b.Paragraph != nil:
		shown.Number, shown.Text = b.Paragraph.Number, b.Paragraph.Text
	case b.Points != nil:
		shown.Points = b.Points
	case b.Table != nil:
		shown.Table = new(documentTable(*b.Table))
		shown.Table.Caption = section
	case b.Signature != nil:
		s := b.Signature
		shown.Signature = &kit.DocumentSignature{
			Confirms: s.Confirms,
			Name:     s.Name,
			Role:     s.Signer(),
			Typed:    s.Typed,
			At:       s.At,
		}
	}
	return shown
}

func documentRows(rows []document.Row) (all []kit.DocumentRow) {
	for _, r := range rows {
		all = append(all, kit.DocumentRow{Name: r.Name, Value: r.Value})
	}
	return all
}

func documentTable(t document.Table) kit.DocumentTable {
	return kit.DocumentTable{Head: t.Head, Rows: t.Rows}
}
