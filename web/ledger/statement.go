package ledger

import (
	"net/url"

	"portal/api/fault"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger/report"
	"portal/api/portfolio/ledger/statement"
	"portal/views/kit"
	"portal/web/csvexport"
	"portal/web/page"
)

// ownerStatementAt is the address of the form of an owner's statement, of one property where its id is not "".
func ownerStatementAt(v *page.Request, propertyID string) string {
	at := v.In("/ledger/statement")
	if propertyID != "" {
		at += "?property_id=" + url.QueryEscape(propertyID)
	}
	return at
}

// askStatement asks for the months of an owner's statement.
func (p *Section) askStatement(v *page.Request) error {
	f := v.Form()
	property, err := p.statementProperty(v, f)
	if err != nil {
		return err
	}
	if f.Text("from") != "" || f.Text("to") != "" {
		f.Months(v.Today(), page.InEnglish)
	}
	return p.statementForm(v, f, property)
}

// statementProperty is the property that the address asks for, nil for all.
func (p *Section) statementProperty(v *page.Request, f *page.Form) (property *portfolio.Property, err error) {
	switch of := f.Text("property_id"); {
	case of == "":
	case !id.Valid(id.Property, of):
		err = fault.NotFound("property")
	default:
		var found *portfolio.PropertyWithUnits
		if found, err = p.Portfolio.Properties.Property(v.Ctx(), v.Actor(), of); err == nil {
			property = &found.Property
		}
	}
	return property, err
}

func (p *Section) statementForm(v *page.Request, f *page.Form, property *portfolio.Property) error {
	about, fields := "All properties", page.MonthFields(v.Today(), page.InEnglish)
	if property != nil {
		about = property.StreetAddress + ", " + property.City
		fields = append(fields, kit.Field{Name: "property_id", Kind: "hidden", Value: property.ID})
	}
	return v.ShowAs(f.Status, kit.DownloadPage(kit.Download{
		Frame: v.Frame("Owner’s statement"),
		Heading: kit.Heading{
			Title: "Owner’s statement",
			About: about,
			Back:  kit.Link{Name: "Ledger", Path: v.In("/ledger")},
		},
		Words: []string{"Rent due and collected, other charges, deposits held, and what is overdue, for each unit."},
		CSV:   v.In("/ledger/statement.csv"),
		Form: f.Fill(kit.Form{
			Action: v.In("/ledger/statement.pdf"),
			Failed: "Not made yet",
			Groups: []kit.FieldGroup{{Fields: fields}},
		}),
	}))
}

// ownerStatement is the statement that the address asks for, nil where that is answered with the form.
func (p *Section) ownerStatement(v *page.Request) (*report.OwnerStatement, error) {
	f := v.Form()
	property, err := p.statementProperty(v, f)
	if err != nil {
		return nil, err
	}
	from, until, ok := f.Months(v.Today(), page.InEnglish)
	if !ok {
		return nil, p.statementForm(v, f, property)
	}
	return p.Reports.OwnerStatement(v.Ctx(), v.Actor(), property, from, until)
}

func (p *Section) statementPDF(v *page.Request) error {
	o, err := p.ownerStatement(v)
	if o == nil || err != nil {
		return err
	}
	content, err := statement.Owner(o, v.Shell.Now())
	if err != nil {
		return err
	}
	return v.Send.OwnPDF("owner-statement", content)
}

func (p *Section) statementCSV(v *page.Request) error {
	o, err := p.ownerStatement(v)
	if o == nil || err != nil {
		return err
	}
	rows := o.Units
	if len(rows) > 0 {
		rows = append(rows, report.UnitStatement{Property: "Total", OwnerSums: o.Total})
	}
	return csvexport.ServeAll(v, p.Portfolio, "owner-statement", rows,
		func(u *report.UnitStatement) csvexport.Cells { return statement.OwnerCells(u) })
}
