package resident

import (
	"portal/api/language"
	"portal/api/portfolio/ledger"
	"portal/api/portfolio/ledger/statement"
	"portal/views/kit"
	views "portal/views/resident"
	"portal/web/csvexport"
	"portal/web/page"
)

// reads is the language of the page.
func (t *tenantRequest) reads() language.Language {
	if t.header.Spanish {
		return language.Spanish
	}
	return language.English
}

// tenantStatement asks for the months of a statement.
func tenantStatement(t *tenantRequest) error {
	f := t.Request.Form()
	f.Months(t.Visit.Today, t.say)
	return t.statementForm(f)
}

func (t *tenantRequest) statementForm(f *page.Form) error {
	title := t.say("Statement of account", "Estado de cuenta")
	if f.Rejected() {
		title = t.say("Not made yet: ", "Aún no está hecho: ") + title
	}
	view := views.TenantStatement{Tenant: t.frame(title, "/payments"), CSV: t.at("/statement.csv")}
	view.Form = f.Fill(kit.Form{
		Action: t.at("/statement.pdf"),
		Failed: t.say("Not made yet", "Aún no está hecho"),
		Groups: []kit.FieldGroup{{Fields: page.MonthFields(t.Visit.Today, t.say)}},
	})
	return t.ShowAs(f.Status, views.TenantStatementPage(view))
}

// statement is the one that the address asks for, nil where that is answered otherwise.
func (t *tenantRequest) statement() (*ledger.AccountStatement, error) {
	f := t.Request.Form()
	from, until, ok := f.Months(t.Visit.Today, t.say)
	if !ok {
		return nil, t.statementForm(f)
	}
	a, err := t.section.Tenants.Statement(t.Ctx(), t.Visit, from, until)
	if f.Refused(err) {
		if t.header.Spanish {
			f.FieldErrors["to"] = "Estos meses tienen demasiados movimientos. Elija menos meses."
		}
		return nil, t.statementForm(f)
	}
	return a, err
}

func tenantStatementPDF(t *tenantRequest) error {
	a, err := t.statement()
	if a == nil || err != nil {
		return err
	}
	content, err := statement.Account(a, t.reads(), t.Shell.Now())
	if err != nil {
		return err
	}
	return t.Send.OwnPDF(statement.FileName(a), content)
}

func tenantStatementCSV(t *tenantRequest) error {
	a, err := t.statement()
	if a == nil || err != nil {
		return err
	}
	var rows []csvexport.Cells
	for _, row := range statement.AccountRows(a, t.reads()) {
		rows = append(rows, row.Cells(t.reads()))
	}
	return csvexport.Send(t.Request, statement.FileName(a), rows)
}

// receipts are the payments that have cleared, with their receipts.
func (t *tenantRequest) receipts() (all []views.Receipt, err error) {
	found, err := t.section.Tenants.Receipts(t.Ctx(), t.Visit)
	for i := range found {
		all = append(all, t.receiptLine(&found[i]))
	}
	return all, err
}

// tenantReceipt is the receipt of a payment, in the language of the page.
func tenantReceipt(t *tenantRequest) error {
	r, err := t.section.Tenants.Receipt(t.Ctx(), t.Visit, t.Param("id"), t.Param("transaction"))
	if err != nil {
		return t.NoLink(err)
	}
	content, err := statement.Receipt(r, t.reads(), t.Shell.Now())
	if err != nil {
		return err
	}
	return t.Send.OwnPDF("receipt", content)
}
