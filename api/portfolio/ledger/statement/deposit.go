// Package statement renders what tenants are told of their money as PDF.
//
// It knows no store and no HTTP.
package statement

import (
	"strings"

	"portal/api/agreement/document"
	"portal/api/agreement/document/pdf"
	"portal/api/clock"
	"portal/api/language"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/texts"
)

// Deposit is the statement of a deposit as PDF, in a language.
func Deposit(s *portfolio.DepositStatement, reads language.Language) ([]byte, error) {
	w := words{reads}
	c := s.Content
	d := &document.Document{
		Title:    w.Say("Security deposit statement", "Estado de cuenta del depósito de garantía"),
		About:    pdf.Printable(c.Home),
		Number:   s.LeaseID,
		Language: w.Say("en-US", "es-US"),
		Author:   pdf.Printable(c.Landlord),
		Words: &document.Words{
			Terms:   w.Say("Tenancy", "Arrendamiento"),
			Charges: w.Say("What became of the deposit", "Qué pasó con el depósito"),
			Page:    w.Say("Page %d of %d", "Página %d de %d"),
		},
		Note: w.Say(
			"The deadline comes from a table of state rules. It is not legal advice. Other deadlines can hold in some "+
				"cases, and in some cities.",
			"El plazo viene de una tabla de reglas estatales. No es asesoría legal. En algunos casos, y en algunas "+
				"ciudades, pueden regir otros plazos.",
		),
	}
	deadline := w.deadline(s)
	if s.Deadline == 0 {
		d.Note = w.Say("This statement is not legal advice.", "Este estado de cuenta no es asesoría legal.")
	}
	d.Terms = []document.Row{
		{Name: w.Say("Landlord", "Arrendador"), Value: pdf.Printable(c.Landlord)},
		{Name: w.Say("Tenants", "Inquilinos"), Value: pdf.Printable(strings.Join(c.Tenants, ", "))},
		{Name: w.Say("Home", "Vivienda"), Value: pdf.Printable(c.Home)},
		{Name: w.Say("Tenancy ended", "Fin del arrendamiento"), Value: w.day(s.EndedOn)},
		{Name: w.Say("Deadline", "Plazo"), Value: pdf.Printable(deadline)},
	}
	if len(c.Lines) > 0 {
		d.Charges.Amounts = 1
		d.Charges.Head = []string{w.Say("Kind", "Tipo"), w.Say("For", "Por"), w.Say("Amount", "Monto")}
	}
	for _, line := range c.Lines {
		amount := line.Amount
		if line.Kind != portfolio.DepositCredit {
			amount = -amount
		}
		d.Charges.Rows = append(d.Charges.Rows, []string{
			w.kind(line.Kind), pdf.Printable(Line(line, reads)), exact(amount),
		})
	}
	d.Totals = append(w.totals(s), document.Row{
		Name: w.Say("Goes back", "Se devuelve"), Value: exact(s.Refunded) + pdf.Printable(w.way(s)),
	})
	if changes := s.Content.Changes; changes != nil && len(changes.Items) > 0 {
		d.Sections = append(d.Sections, w.condition(changes))
	}
	return pdf.Render(d, s.CreatedAt.Std())
}

// condition is what the reports of moving in and moving out say of the items that have changed, beside each other.
func (w words) condition(c *portfolio.ConditionChanges) document.Section {
	said := w.Say(
		"These items are in another condition than at moving in, by the landlord’s reports. Not all tenants have signed both.",
		"Según los informes del arrendador, estos elementos están en otro estado que al entrar. No todos los inquilinos "+
			"firmaron los dos informes.",
	)
	if c.Agreed {
		said = w.Say(
			"These items are in another condition than at moving in, by the reports that the landlord and all tenants have "+
				"signed.",
			"Según los informes que firmaron el arrendador y todos los inquilinos, estos elementos están en otro estado que "+
				"al entrar.",
		)
	}
	t := &document.Table{Head: []string{
		w.Say("Item", "Elemento"), w.Say("At moving in", "Al entrar"), w.Say("At moving out", "Al salir"),
	}}
	for _, i := range c.Items {
		t.Rows = append(t.Rows, []string{
			pdf.Printable(i.Room.In(w.Language) + ", " + i.Item.In(w.Language)),
			pdf.Printable(i.MovedIn.In(w.Language)), pdf.Printable(i.MovedOut.In(w.Language)),
		})
	}
	return document.Section{
		Title:  w.Say("Condition of the home", "Estado de la vivienda"),
		Blocks: []document.Block{{Paragraph: &document.Paragraph{Text: said}}, {Table: t}},
	}
}

// deadline is until when the state has the deposit returned, or why it has no such day.
func (w words) deadline(s *portfolio.DepositStatement) string {
	if s.Deadline == 0 {
		return w.Say(
			"None: state deadlines are for homes, and this property is commercial. The lease says when the deposit goes back.",
			"Ninguno: los plazos estatales son para viviendas, y este inmueble es comercial. El contrato dice cuándo se "+
				"devuelve el depósito.",
		)
	}
	deadline := w.day(s.Deadline) + ": " + w.Say(
		texts.Counted(s.Content.Days, "day")+" after the end of the tenancy",
		language.Counted(s.Content.Days, "día", "días")+" después del fin del arrendamiento",
	)
	if s.Content.Citation != "" {
		deadline += " (" + s.Content.Citation + ")"
	}
	return deadline
}

// words say a statement in a language.
type words struct{ language.Language }

func (w words) day(d clock.Date) string { return dayIn(d, w.Language) }

func dayIn(d clock.Date, reads language.Language) string {
	return reads.Say(d.Std().Format("January 2, 2006"), language.Date(d))
}

func (w words) kind(k portfolio.DepositLineKind) string {
	switch k {
	case portfolio.DepositCredit:
		return w.Say("Credit", "Crédito")
	case portfolio.DepositOwed:
		return w.Say("Owed", "Adeudado")
	case portfolio.DepositDeduction:
	}
	return w.Say("Deduction", "Deducción")
}

// totals are what was held, and what the lines come to.
func (w words) totals(s *portfolio.DepositStatement) []document.Row {
	all := []document.Row{{Name: w.Say("Deposit held", "Depósito retenido"), Value: exact(s.Held)}}
	for _, sum := range []struct {
		name  string
		value money.Cents
	}{
		{w.Say("Deductions", "Deducciones"), -s.Sum(portfolio.DepositDeduction)},
		{w.Say("Rent and fees owed", "Renta y cargos adeudados"), -s.Sum(portfolio.DepositOwed)},
		{w.Say("Credits", "Créditos"), s.Sum(portfolio.DepositCredit)},
	} {
		if sum.value != 0 {
			all = append(all, document.Row{Name: sum.name, Value: exact(sum.value)})
		}
	}
	return all
}

// way says how the rest went back, "" where nothing did.
func (w words) way(s *portfolio.DepositStatement) string {
	if s.Method == nil {
		return ""
	}
	said := ", " + w.day(s.PaidOn) + ", " + Method(*s.Method, w.Language)
	if s.Reference != nil {
		said += ", " + *s.Reference
	}
	return said
}

// Method is a way to pay within a sentence.
func Method(m portfolio.PaymentMethod, reads language.Language) string {
	switch m {
	case portfolio.PayByACH:
		return "ACH"
	case portfolio.PayByCard:
		return reads.Say("card", "tarjeta")
	}
	spanish := map[portfolio.PaymentMethod]string{
		"check": "cheque", "cash": "efectivo", "money_order": "giro postal", "bank_transfer": "transferencia bancaria",
	}[m]
	if spanish == "" {
		return reads.Say("another way", "otro medio")
	}
	return reads.Say(strings.ReplaceAll(string(m), "_", " "), spanish)
}

// Line is what a line of a statement is for. What the landlord has written stays as it is.
func Line(l portfolio.DepositLine, reads language.Language) string {
	if l.RentFor == nil {
		return l.Text
	}
	at := l.RentFor.Std()
	return reads.Say(l.Text, "Renta de "+language.Month(at.Month())+" de "+at.Format("2006"))
}

// exact is an amount with its cents.
func exact(c money.Cents) string {
	said := c.Words()
	if !strings.Contains(said, ".") {
		said += ".00"
	}
	return said
}
