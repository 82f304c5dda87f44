// Package contract is a document of a lease as pages show it.
package contract

import (
	"portal/api/agreement/document"
	"portal/views/kit"
)

// View is a document as a page shows it.
func View(d *document.Document) kit.Document {
	charges := tableOf(d.Charges)
	charges.Caption = "What is paid, and when"
	return kit.Document{
		Title:    d.Title,
		About:    d.About,
		Number:   d.Number,
		Front:    sectionsOf(d.Front),
		Terms:    rowsOf(d.Terms),
		Charges:  charges,
		Totals:   rowsOf(d.Totals),
		Fees:     document.NoOtherFee,
		Note:     d.Note,
		Sections: sectionsOf(d.Sections),
	}
}

func sectionsOf(sections []document.Section) (all []kit.DocumentSection) {
	for i := range sections {
		s := &sections[i]
		shown := kit.DocumentSection{Heading: s.Heading()}
		for j := range s.Blocks {
			shown.Blocks = append(shown.Blocks, blockOf(s.Title, &s.Blocks[j]))
		}
		all = append(all, shown)
	}
	return all
}

func blockOf(section string, b *document.Block) (shown kit.DocumentBlock) {
	switch {
	case b.Paragraph != nil:
		shown.Number, shown.Text = b.Paragraph.Number, b.Paragraph.Text
	case b.Points != nil:
		shown.Points = b.Points
	case b.Table != nil:
		shown.Table = new(tableOf(*b.Table))
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

func rowsOf(rows []document.Row) (all []kit.DocumentRow) {
	for _, r := range rows {
		all = append(all, kit.DocumentRow{Name: r.Name, Value: r.Value})
	}
	return all
}

func tableOf(t document.Table) kit.DocumentTable {
	return kit.DocumentTable{Head: t.Head, Rows: t.Rows}
}
