package statement

import (
	"fmt"
	"strings"
	"time"

	"portal/api/agreement/document"
	"portal/api/agreement/document/pdf"
	"portal/api/clock"
	"portal/api/language"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
)

// Account is the statement of leases as PDF, in a language, made at a moment.
func Account(a *ledger.AccountStatement, reads language.Language, made time.Time) ([]byte, error) {
	w := words{reads}
	d := &document.Document{
		Title:    w.Say("Statement of account", "Estado de cuenta"),
		About:    pdf.Printable(homes(a)),
		Number:   pdf.Printable(w.period(a.From, a.Until)),
		Language: w.Say("en-US", "es-US"),
		Author:   pdf.Printable(a.Landlord),
		Words: &document.Words{
			Terms:   w.Say("Account", "Cuenta"),
			Charges: w.Say("Summary", "Resumen"),
			Page:    w.Say("Page %d of %d", "Página %d de %d"),
		},
		Note: w.Say(
			"What is paid before it is due counts from the due date on. The security deposit is held apart from rent and "+
				"fees.",
			"Lo que se paga antes de vencer cuenta desde el día en que vence. El depósito de garantía se guarda aparte de "+
				"la renta y los cargos.",
		),
	}
	d.Terms = []document.Row{
		{Name: w.Say("Landlord", "Arrendador"), Value: pdf.Printable(a.Landlord)},
		{Name: w.Say("Tenants", "Inquilinos"), Value: pdf.Printable(tenants(a))},
		{Name: w.Say("Home", "Vivienda"), Value: pdf.Printable(homes(a))},
		{Name: w.Say("Period", "Período"), Value: w.period(a.From, a.Until)},
	}
	for i := range a.Leases {
		d.Totals = append(d.Totals, w.leaseTotals(a, &a.Leases[i])...)
		d.Sections = append(d.Sections, w.leaseSections(a, &a.Leases[i])...)
	}
	return pdf.Render(d, made)
}

// homes are the addresses of the leases of a statement, each once.
func homes(a *ledger.AccountStatement) string {
	var all []string
	for i := range a.Leases {
		all = append(all, a.Leases[i].Lease.RentalAddress)
	}
	return strings.Join(distinct(all), "; ")
}

// tenants are those of the leases of a statement, each once.
func tenants(a *ledger.AccountStatement) string {
	var all []string
	for i := range a.Leases {
		for _, t := range a.Leases[i].Lease.Tenants {
			all = append(all, t.Name)
		}
	}
	return strings.Join(distinct(all), ", ")
}

func distinct(all []string) (kept []string) {
	seen := map[string]bool{}
	for _, s := range all {
		if s != "" && !seen[s] {
			seen[s], kept = true, append(kept, s)
		}
	}
	return kept
}

func (w words) period(from, until clock.Date) string {
	return w.day(from) + w.Say(" to ", " al ") + w.day(until)
}

// term is the first and the last day of a lease, which tells leases of one home apart.
func (w words) term(l *ledger.LeaseStatement) string {
	if l.Lease.EndDate == nil {
		return w.Say("from ", "desde el ") + w.day(l.Lease.StartDate)
	}
	return w.period(l.Lease.StartDate, *l.Lease.EndDate)
}

// leaseTotals are what the parts of a lease come to.
func (w words) leaseTotals(a *ledger.AccountStatement, l *ledger.LeaseStatement) (all []document.Row) {
	add := func(english, spanish string, amount money.Cents) {
		all = append(all, document.Row{Name: w.Say(english, spanish), Value: exact(amount)})
	}
	if len(a.Leases) > 1 {
		all = append(all, document.Row{
			Name: w.Say("Lease", "Contrato"), Value: pdf.Printable(l.Lease.RentalAddress + ", " + w.term(l)),
		})
	}
	add("Balance before", "Saldo anterior", l.Rent.Opening)
	add("Rent and fees", "Renta y cargos", l.Rent.Charged)
	add("Payments", "Pagos", -l.Rent.Paid)
	add("Balance due", "Saldo por pagar", l.Rent.Closing)
	if l.Deposit.Closing != 0 || len(l.Deposit.Lines) > 0 {
		add("Deposit held, apart", "Depósito, aparte", l.Deposit.Closing)
	}
	return all
}

// leaseSections are the lines of a lease.
func (w words) leaseSections(a *ledger.AccountStatement, l *ledger.LeaseStatement) (all []document.Section) {
	of := ""
	if len(a.Leases) > 1 {
		of = ": " + pdf.Printable(l.Lease.RentalAddress+", "+w.term(l))
	}
	add := func(title string, t *document.Table) {
		all = append(all, document.Section{Title: title + of, Blocks: []document.Block{{Table: t}}})
	}
	add(
		w.Say("Rent and fees", "Renta y cargos"),
		w.part(a, &l.Rent, w.Say("Payments", "Pagos"), w.Say("Balance", "Saldo")),
	)
	if l.Deposit.Opening != 0 || len(l.Deposit.Lines) > 0 {
		add(w.Say("Security deposit", "Depósito de garantía"),
			w.part(a, &l.Deposit, w.Say("Received", "Recibido"), w.Say("Held", "Retenido")))
	}
	if len(l.Ahead) > 0 {
		t := &document.Table{Amounts: 1, Head: []string{
			w.Say("Received", "Recibido"), w.Say("Due", "Vence"), w.Say("Description", "Descripción"),
			w.Say("Amount", "Monto"),
		}}
		for i := range l.Ahead {
			line := l.Ahead[i]
			t.Rows = append(t.Rows, []string{
				w.short(line.MovedOn), w.short(line.Day), pdf.Printable(LineText(&line, w.Language)), exact(line.Paid),
			})
		}
		add(w.ahead(), t)
	}
	return all
}

// part is a table of lines between the balances before and after them.
func (w words) part(a *ledger.AccountStatement, p *ledger.StatementPart, paid, balance string) *document.Table {
	t := &document.Table{
		Amounts: 3,
		Head: []string{
			w.Say("Date", "Fecha"), w.Say("Description", "Descripción"), w.Say("Charges", "Cargos"), paid, balance,
		},
		Rows: [][]string{{w.short(a.From), w.forward(), "", "", exact(p.Opening)}},
	}
	for i := range p.Lines {
		line := &p.Lines[i]
		t.Rows = append(t.Rows, []string{
			w.short(line.Day), pdf.Printable(LineText(line, w.Language)), some(line.Charged), some(line.Paid),
			exact(line.Balance),
		})
	}
	t.Rows = append(t.Rows, []string{
		w.short(a.Until), w.Say("Total", "Total"), exact(p.Charged), exact(p.Paid), exact(p.Closing),
	})
	return t
}

// short is a day in the first column of a table.
func (w words) short(d clock.Date) string {
	return w.Say(d.Std().Format("Jan 2, 2006"), language.ShortDate(d))
}

// some is an amount, "" for none.
func some(c money.Cents) string {
	if c == 0 {
		return ""
	}
	return exact(c)
}

// AccountRow is a row of a statement in a file: a balance before or after a part, or a line.
type AccountRow struct {
	Day                    clock.Date
	Part, Text             string
	Charged, Paid, Balance *money.Cents
	MovedOn                *clock.Date
	ChargeID               string
	TransactionID          string
	Lease                  *portfolio.Lease
}

// AccountRows are the rows of a statement: the opening balance of each part, its lines, and what they come to.
func AccountRows(a *ledger.AccountStatement, reads language.Language) (all []AccountRow) {
	w := words{reads}
	for i := range a.Leases {
		l := &a.Leases[i]
		for _, p := range []struct {
			name string
			part *ledger.StatementPart
		}{
			{w.Say("Rent and fees", "Renta y cargos"), &l.Rent},
			{w.Say("Security deposit", "Depósito de garantía"), &l.Deposit},
		} {
			all = append(all, AccountRow{
				Day: a.From, Part: p.name, Text: w.forward(), Balance: &p.part.Opening, Lease: l.Lease,
			})
			for j := range p.part.Lines {
				row := rowOf(l, &p.part.Lines[j], p.name, reads)
				row.Balance = &p.part.Lines[j].Balance
				all = append(all, row)
			}
			all = append(all, AccountRow{
				Day: a.Until, Part: p.name, Text: "Total", Charged: &p.part.Charged, Paid: &p.part.Paid,
				Balance: &p.part.Closing, Lease: l.Lease,
			})
		}
		for j := range l.Ahead {
			all = append(all, rowOf(l, &l.Ahead[j], w.ahead(), reads))
		}
	}
	return all
}

func rowOf(l *ledger.LeaseStatement, line *ledger.StatementLine, part string, reads language.Language) AccountRow {
	row := AccountRow{
		Day: line.Day, Part: part, Text: LineText(line, reads), ChargeID: line.Payment.ID, Lease: l.Lease,
	}
	if line.Kind == ledger.LineMoved || line.Kind == ledger.LineUnderWay {
		row.Paid, row.MovedOn = &line.Paid, &line.MovedOn
	} else if row.Charged = &line.Charged; line.Paid != 0 {
		row.Charged, row.Paid = nil, &line.Paid
	}
	if line.Transaction != nil {
		row.TransactionID = line.Transaction.ID
	}
	return row
}

// Cells are the names of the columns and the values of a row, one after the other. A row that is empty has the names.
func (r *AccountRow) Cells(reads language.Language) []any {
	l := r.Lease
	if l == nil {
		l = &portfolio.Lease{}
	}
	return []any{
		reads.Say("Date", "Fecha"), r.Day,
		reads.Say("Account", "Cuenta"), r.Part,
		reads.Say("Description", "Descripción"), r.Text,
		reads.Say("Charges", "Cargos"), r.Charged,
		reads.Say("Payments", "Pagos"), r.Paid,
		reads.Say("Balance", "Saldo"), r.Balance,
		reads.Say("Moved on", "Fecha del movimiento"), r.MovedOn,
		reads.Say("Charge ID", "ID del cargo"), r.ChargeID,
		reads.Say("Transaction ID", "ID de la transacción"), r.TransactionID,
		reads.Say("Rental address", "Vivienda"), l.RentalAddress,
		reads.Say("Lease ID", "ID del contrato"), l.ID,
	}
}

// forward names the balance before the first line.
func (w words) forward() string { return w.Say("Brought forward", "Saldo anterior") }

// ahead names what was paid for charges that fall due after the last day.
func (w words) ahead() string { return w.Say("Paid before it is due", "Pagado antes de vencer") }

// FileName is the name of a statement's file, without what follows the last dot.
func FileName(a *ledger.AccountStatement) string {
	return fmt.Sprintf("statement-%s-%s", a.From.Std().Format("2006-01"), a.Until.Std().Format("2006-01"))
}
