package statement

import (
	"cmp"
	"fmt"
	"strings"
	"time"
	"unicode"

	"portal/api/language"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
)

// ChargeName is what a ledger row charges for. What the landlord has written stays as it is.
func ChargeName(p *portfolio.Payment, reads language.Language) string {
	description := ""
	if p.Description != nil {
		description = oneLine(*p.Description)
	}
	if reads != language.Spanish {
		if description == "" && p.FeeType != nil && *p.FeeType != portfolio.OtherFee {
			return label(string(*p.FeeType)) + " fee"
		}
		return cmp.Or(description, label(string(p.Type)))
	}
	switch {
	case p.SettlesDeposit() && description == portfolio.DepositBack:
		return "Depósito devuelto"
	case p.SettlesDeposit() && description == portfolio.DepositReleased:
		return "Depósito que ya no se debe"
	case p.SettlesDeposit():
		return "Del depósito: " + strings.TrimPrefix(description, portfolio.DepositTaken)
	case p.Forgiven() && description != "":
		return "Condonado: " + description
	case p.Amount < 0 && p.Type == portfolio.PaymentRent && p.PeriodStart != nil:
		at := p.PeriodStart.Std()
		return fmt.Sprintf("Crédito: renta de %s de %d", language.Month(at.Month()), at.Year())
	case p.Amount < 0 && description != "":
		return "Crédito: " + strings.TrimPrefix(description, "Credit: ")
	case p.Type == portfolio.PaymentRent && p.PeriodStart != nil:
		at := p.PeriodStart.Std()
		return fmt.Sprintf("Renta de %s de %d", language.Month(at.Month()), at.Year())
	case p.Type == portfolio.PaymentRent:
		return "Renta"
	case p.Type == portfolio.PaymentDeposit:
		return "Depósito"
	case p.FeeType != nil && *p.FeeType == portfolio.LateFee:
		return "Recargo por atraso" + lateMonth(description)
	}
	return cmp.Or(description, "Cargo")
}

// lateMonth is the month of the rent that a late fee of the ledger is for, "" where a person has described the fee.
func lateMonth(description string) string {
	month, ok := strings.CutPrefix(description, "Late fee for ")
	at, err := time.Parse("January 2006", strings.TrimPrefix(month, "the rent of "))
	if !ok || err != nil {
		return ""
	}
	return fmt.Sprintf(" de %s de %d", language.Month(at.Month()), at.Year())
}

// oneLine is a text without breaks and control characters.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
}

// label is a word of the API as people write it at the beginning of a line.
func label(name string) string {
	s := strings.ReplaceAll(name, "_", " ")
	return strings.ToUpper(s[:min(len(s), 1)]) + s[min(len(s), 1):]
}

// LineText is what a line of a statement says in a language.
func LineText(l *ledger.StatementLine, reads language.Language) string {
	name := ChargeName(l.Payment, reads)
	switch l.Kind {
	case ledger.LineMoved:
		return moveText(l, reads)
	case ledger.LineCanceled:
		return reads.Say("Charge canceled: ", "Cargo anulado: ") + name
	case ledger.LineUnderWay:
		words := reads.Say("Payment under way", "Pago en proceso")
		if l.Payment.Method != nil {
			words += ", " + Method(*l.Payment.Method, reads)
		}
		return words + ": " + name
	case ledger.LineAdjusted:
		return reads.Say("Adjustment: ", "Ajuste: ") + name
	case ledger.LineCharged:
		if l.Payment.Forgiven() && !l.Payment.SettlesDeposit() && reads != language.Spanish {
			return "Forgiven: " + name
		}
	}
	return name
}

// moveText says what money has moved.
func moveText(l *ledger.StatementLine, reads language.Language) string {
	t, name := l.Transaction, ChargeName(l.Payment, reads)
	words := reads.Say("Payment", "Pago")
	switch {
	case l.Payment.SettlesDeposit():
		words, name = name, ""
	case t.Kind == portfolio.TransactionRefund:
		words = reads.Say("Refund", "Reembolso")
	case t.Kind == portfolio.TransactionReturn:
		words = reads.Say("Payment returned by the bank", "Pago devuelto por el banco")
	case t.Kind == portfolio.TransactionDispute && t.Amount > 0:
		words = reads.Say("Dispute won, paid again", "Disputa ganada, pagado de nuevo")
	case t.Kind == portfolio.TransactionDispute:
		words = reads.Say("Payment disputed", "Pago disputado")
	case t.Kind != portfolio.TransactionCorrection:
	case t.Corrects != nil:
		words = reads.Say("Payment recorded in error, taken back", "Pago registrado por error, retirado")
	case t.ByCredit() && t.Amount < 0:
		words = reads.Say("Credit used", "Crédito usado")
	case t.ByCredit():
		words = reads.Say("Paid by a credit", "Pagado con un crédito")
	case t.Reason != nil:
		return reads.Say("Forgiven: ", "Condonado: ") + oneLine(*t.Reason) + " (" + name + ")"
	default:
		words = reads.Say("Paid from the deposit", "Pagado con el depósito")
	}
	if t.Method != nil {
		words += ", " + Method(*t.Method, reads)
	}
	if t.Reference != nil && !t.ByCredit() {
		words += ", " + oneLine(*t.Reference)
	}
	if l.MovedOn != l.Day {
		words += reads.Say(", received ", ", recibido el ") + dayIn(l.MovedOn, reads)
	}
	if name == "" {
		return words
	}
	return words + ": " + name
}
