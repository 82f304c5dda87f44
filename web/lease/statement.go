package lease

import (
	"portal/api/id"
	"portal/api/language"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
	"portal/api/portfolio/ledger/statement"
	"portal/views/kit"
	"portal/web/csvexport"
	"portal/web/page"
)

// statementRoutes are the statement of what was charged under a lease and paid.
func (p *leasePages) statementRoutes() []page.Route {
	of := page.With(id.Lease, p.Portfolio.Leases.Lease)
	return []page.Route{
		page.Get("/{mode}/leases/:id/statement", page.Member, of(p.askStatement)),
		page.Get("/{mode}/leases/:id/statement.pdf", page.Member, of(p.statementPDF)).Generates(),
		page.Get("/{mode}/leases/:id/statement.csv", page.Member, of(p.statementCSV)).Generates(),
	}
}

// askStatement asks for the months of a statement.
func (p *leasePages) askStatement(v *page.Request, l *portfolio.Lease) error {
	f := v.Form()
	f.Months(v.Today(), page.InEnglish)
	return p.statementForm(v, l, f)
}

func (p *leasePages) statementForm(v *page.Request, l *portfolio.Lease, f *page.Form) error {
	at := v.In("/leases/" + l.ID)
	return v.ShowAs(f.Status, kit.DownloadPage(kit.Download{
		Frame: v.Frame("Statement of account"),
		Heading: kit.Heading{
			Title: "Statement of account",
			About: l.RentalAddress,
			Back:  kit.Link{Name: "The lease", Path: at},
		},
		Words: []string{
			"Each charge and each movement of money in these months, with the balance after it. The deposit is " +
				"apart.",
		},
		CSV: at + "/statement.csv",
		Form: f.Fill(kit.Form{
			Action: at + "/statement.pdf",
			Failed: "Not made yet",
			Groups: []kit.FieldGroup{{Fields: page.MonthFields(v.Today(), page.InEnglish)}},
		}),
	}))
}

// statementOf is the statement that the address asks for, nil where that is answered with the form.
func (p *leasePages) statementOf(v *page.Request, l *portfolio.Lease) (*ledger.AccountStatement, error) {
	f := v.Form()
	from, until, ok := f.Months(v.Today(), page.InEnglish)
	if !ok {
		return nil, p.statementForm(v, l, f)
	}
	a, err := p.Portfolio.Ledger.AccountStatement(v.Ctx(), v.Actor(), []portfolio.Lease{*l}, from, until)
	if f.Refused(err) {
		return nil, p.statementForm(v, l, f)
	}
	return a, err
}

func (p *leasePages) statementPDF(v *page.Request, l *portfolio.Lease) error {
	a, err := p.statementOf(v, l)
	if a == nil || err != nil {
		return err
	}
	content, err := statement.Account(a, language.English, v.Shell.Now())
	if err != nil {
		return err
	}
	return v.Send.OwnPDF(statement.FileName(a), content)
}

func (p *leasePages) statementCSV(v *page.Request, l *portfolio.Lease) error {
	a, err := p.statementOf(v, l)
	if a == nil || err != nil {
		return err
	}
	return csvexport.ServeAll(v, p.Portfolio, "statement", statement.AccountRows(a, language.English),
		func(r *statement.AccountRow) csvexport.Cells { return r.Cells(language.English) })
}
