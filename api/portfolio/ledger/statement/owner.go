package statement

import (
	"fmt"
	"time"

	"portal/api/agreement/document"
	"portal/api/agreement/document/pdf"
	"portal/api/language"
	"portal/api/portfolio/ledger/report"
)

// mostOwnerRows is how many rows the PDF of an owner's statement has at most.
const mostOwnerRows = 1000

// Owner is an owner's statement as PDF, made at a moment. One of more units than it has room for has a row for each
// property, and one of more properties has the totals alone.
func Owner(o *report.OwnerStatement, made time.Time) ([]byte, error) {
	w := words{language.English}
	of := "All properties"
	if o.Property != nil {
		of = o.Property.StreetAddress + ", " + o.Property.City
	}
	d := &document.Document{
		Title:    "Owner’s statement",
		About:    pdf.Printable(of),
		Number:   w.period(o.From, o.Until),
		Language: "en-US",
		Author:   pdf.Printable(o.Landlord),
		Words:    &document.Words{Terms: "Statement", Charges: "Totals", Page: "Page %d of %d"},
		Note: "Rent and other charges are those that are due in the period, and collected is what is paid of them by " +
			"today. What is void or was refunded is left out. Deposits are held apart from rent. Overdue is what is unpaid " +
			"today after its due date.",
		Terms: []document.Row{
			{Name: "Landlord", Value: pdf.Printable(o.Landlord)},
			{Name: "Properties", Value: pdf.Printable(of)},
			{Name: "Period", Value: w.period(o.From, o.Until)},
			{Name: "Made on", Value: w.day(o.Today)},
		},
		Totals: []document.Row{
			{Name: "Rent due", Value: exact(o.Total.RentDue)},
			{Name: "Rent collected", Value: exact(o.Total.RentCollected)},
			{Name: "Other charges", Value: exact(o.Total.FeesDue)},
			{Name: "Other collected", Value: exact(o.Total.FeesCollected)},
			{Name: "Deposits held", Value: exact(o.Total.DepositsHeld)},
			{Name: "Overdue today", Value: exact(o.Total.Overdue)},
		},
	}
	properties := byProperty(o.Units)
	switch {
	case len(o.Units)+len(properties) <= mostOwnerRows:
		for _, p := range properties {
			t := ownerTable("Unit")
			var sum report.OwnerSums
			for i := range p {
				t.Rows, sum = append(t.Rows, ownerRow(p[i].Unit, &p[i].OwnerSums)), added(sum, p[i].OwnerSums)
			}
			t.Rows = append(t.Rows, ownerRow("Total", &sum))
			d.Sections = append(d.Sections, document.Section{
				Title: pdf.Printable(p[0].Property), Blocks: []document.Block{{Table: t}},
			})
		}
	case len(properties) <= mostOwnerRows:
		t := ownerTable("Property")
		for _, p := range properties {
			var sum report.OwnerSums
			for i := range p {
				sum = added(sum, p[i].OwnerSums)
			}
			t.Rows = append(t.Rows, ownerRow(p[0].Property, &sum))
		}
		d.Note += fmt.Sprintf(" The statement as CSV has the %d units.", len(o.Units))
		d.Sections = []document.Section{{Title: "Properties", Blocks: []document.Block{{Table: t}}}}
	default:
		d.Note += fmt.Sprintf(" The statement as CSV has the %d units of %d properties.", len(o.Units), len(properties))
	}
	return pdf.Render(d, made)
}

func added(a, b report.OwnerSums) report.OwnerSums {
	a.Add(b)
	return a
}

// byProperty are units that come property by property.
func byProperty(units []report.UnitStatement) (all [][]report.UnitStatement) {
	for first := 0; first < len(units); {
		last := first
		for last < len(units) && units[last].PropertyID == units[first].PropertyID {
			last++
		}
		all, first = append(all, units[first:last]), last
	}
	return all
}

func ownerTable(first string) *document.Table {
	return &document.Table{Amounts: 5, Head: []string{
		first, "Rent due", "Collected", "Other due", "Deposits held", "Overdue",
	}}
}

func ownerRow(name string, s *report.OwnerSums) []string {
	return []string{
		pdf.Printable(
			name,
		),
		exact(s.RentDue),
		exact(s.RentCollected),
		exact(s.FeesDue),
		exact(s.DepositsHeld),
		exact(s.Overdue),
	}
}

// OwnerCells are the names of the columns and the values of a row of an owner's statement.
func OwnerCells(u *report.UnitStatement) []any {
	return []any{
		"Property", u.Property, "Unit", u.Unit, "Rent due", u.RentDue, "Rent collected", u.RentCollected,
		"Other charges", u.FeesDue, "Other charges collected", u.FeesCollected, "Deposits held today", u.DepositsHeld,
		"Overdue today", u.Overdue, "Property ID", u.PropertyID, "Unit ID", u.UnitID,
	}
}
