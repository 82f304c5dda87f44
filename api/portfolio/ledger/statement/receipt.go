package statement

import (
	"strings"
	"time"

	"portal/api/agreement/document"
	"portal/api/agreement/document/pdf"
	"portal/api/language"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
)

// Receipt is the receipt of a payment as PDF, in a language, made at a moment.
func Receipt(r *ledger.Receipt, reads language.Language, made time.Time) ([]byte, error) {
	w := words{reads}
	var names []string
	for _, t := range r.Lease.Tenants {
		names = append(names, t.Name)
	}
	d := &document.Document{
		Title:    w.Say("Receipt", "Recibo"),
		About:    pdf.Printable(r.Lease.RentalAddress),
		Number:   r.Transaction.ID,
		Language: w.Say("en-US", "es-US"),
		Author:   pdf.Printable(r.Landlord),
		Words: &document.Words{
			Terms:   w.Say("Payment", "Pago"),
			Charges: w.Say("The charge today", "El cargo hoy"),
			Page:    w.Say("Page %d of %d", "Página %d de %d"),
		},
		Note: w.Say("Made on ", "Hecho el ") + w.day(r.Today) + ".",
	}
	add := func(english, spanish, value string) {
		if value != "" {
			d.Terms = append(d.Terms, document.Row{Name: w.Say(english, spanish), Value: pdf.Printable(value)})
		}
	}
	add("Landlord", "Arrendador", r.Landlord)
	add("Received from", "Recibido de", strings.Join(names, ", "))
	add("Home", "Vivienda", r.Lease.RentalAddress)
	add("For", "Por", ChargeName(&r.Charge, reads))
	add("Received on", "Recibido el", w.day(r.PaidOn))
	add("Amount", "Monto", exact(r.Transaction.Amount))
	if r.Transaction.Method != nil {
		add("Method", "Medio", capital(Method(*r.Transaction.Method, reads)))
	}
	if r.Transaction.Reference != nil {
		add("Reference", "Referencia", oneLine(*r.Transaction.Reference))
	}
	for i := range r.Later {
		add("Since then", "Desde entonces", w.later(r, &r.Later[i]))
	}
	d.Totals = []document.Row{
		{Name: w.Say("Due on", "Vence el"), Value: w.day(r.Charge.DueDate)},
		{Name: w.Say("Charged", "Cobrado"), Value: exact(r.Charge.Amount)},
		{Name: w.Say("Paid or credited", "Pagado o acreditado"), Value: exact(r.Charge.AmountPaid)},
		{Name: w.Say("Still owed", "Falta por pagar"), Value: exact(r.Charge.BalanceDue)},
	}
	return pdf.Render(d, made)
}

// later says what took a payment back.
func (w words) later(r *ledger.Receipt, t *portfolio.Transaction) string {
	on, amount := w.day(r.Day(t)), exact(-t.Amount)
	switch {
	case t.Kind == portfolio.TransactionReturn && t.Corrects != nil:
		return w.Say("The bank returned this payment on "+on+". It no longer counts.",
			"El banco devolvió este pago el "+on+". Ya no cuenta.")
	case t.Kind == portfolio.TransactionCorrection:
		return w.Say("This payment was recorded in error. It was taken back on "+on+", and no longer counts.",
			"Este pago se registró por error. Se retiró el "+on+" y ya no cuenta.")
	case t.Kind == portfolio.TransactionReturn:
		return w.Say("The bank returned "+amount+" of the charge on "+on+".",
			"El banco devolvió "+amount+" del cargo el "+on+".")
	case t.Kind == portfolio.TransactionDispute && t.Amount > 0:
		return w.Say("The dispute was won on "+on+", and the payment counts again.",
			"La disputa se ganó el "+on+", y el pago cuenta de nuevo.")
	case t.Kind == portfolio.TransactionDispute:
		return w.Say(amount+" of the charge was disputed on "+on+".", "Se disputaron "+amount+" del cargo el "+on+".")
	}
	return w.Say(amount+" of the charge was refunded on "+on+".", "Se reembolsaron "+amount+" del cargo el "+on+".")
}

// capital is a text that begins with a capital letter.
func capital(s string) string { return strings.ToUpper(s[:min(len(s), 1)]) + s[min(len(s), 1):] }
