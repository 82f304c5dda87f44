package tenantportal

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"portal/api/clock"
	"portal/api/language"
	"portal/api/mail"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger/statement"
)

// RentMailPath is where a tenant stops emails about rent, after the address of their page.
const RentMailPath = "/mail/rent/stop"

// rentEmail is what an email about rent says.
type rentEmail struct {
	Name, Landlord, Address string
	Items                   []rentLine
	Balance, Credit         string // Credit is "" for none
	Link, Stop              string
}

// rentLine is what has happened, with the address of the receipt of a payment, "" for none.
type rentLine struct {
	event
	Receipt string
}

// mailRent emails a tenant about rent.
func (s *Service) mailRent(ctx context.Context, v *Visit, n *rentNotice) error {
	page, err := s.address(ctx, v)
	if err != nil {
		return err
	}
	reads, stop := v.Link.Language, page+RentMailPath
	e := rentEmail{
		Name:     line(v.Tenant.FirstName),
		Landlord: line(v.Landlord.Name),
		Address:  line(v.Home().RentalAddress),
		Balance:  n.balance.Dollars(),
		Link:     reads.Link(page + "/payments"),
		Stop:     reads.Link(stop),
	}
	if n.credit > 0 {
		e.Credit = n.credit.Dollars()
	}
	for i := range n.items {
		line := rentLine{event: n.items[i].words(v)}
		if n.items[i].kind == paymentReceived {
			line.Receipt = reads.Link(page + ReceiptPath(n.items[i].row.ID, n.items[i].of.ID))
		}
		e.Items = append(e.Items, line)
	}
	m, err := templates.Fill(reads.Template("rent"), &mail.Message{
		AccountID:   v.Landlord.AccountID,
		Portfolio:   v.By.Portfolio,
		About:       v.Tenant.ID,
		To:          v.email(),
		Subject:     n.subject(reads),
		Unsubscribe: stop,
	}, e)
	if err != nil {
		return err
	}
	return s.Send(ctx, m)
}

// subject names the most important of what an email tells, with what all of that kind come to.
func (n *rentNotice) subject(reads language.Language) string {
	first, sum, several := &n.items[0], money.Cents(0), 0
	for i := range n.items {
		if n.items[i].kind == first.kind {
			sum += n.items[i].amount()
			several++
		}
	}
	amount := sum.Dollars()
	if first.kind == paymentReturned || first.kind == paymentFailed || first.kind == feeCharged {
		amount = first.amount().Dollars() // of each the email tells
	}
	switch first.kind {
	case paymentReturned:
		return reads.Say("A payment of "+amount+" was returned", "Se devolvió un pago de "+amount)
	case paymentFailed:
		return reads.Say("A payment of "+amount+" failed", "Falló un pago de "+amount)
	case feeCharged:
		return reads.Say("Late fee of "+amount, "Recargo por atraso de "+amount)
	case paymentReceived:
		return reads.Say("Payment received: "+amount, "Pago recibido: "+amount)
	case chargeDueToday:
		what := dueName(first.row, several)
		return reads.Say(what[0]+" of "+amount+" is due today", what[1]+" de "+amount+" vence hoy")
	case chargeDueSoon:
	}
	what, day := dueName(first.row, several), first.row.DueDate
	return reads.Say(what[0]+" of "+amount+" is due on "+englishDate(day),
		what[1]+" de "+amount+" vence el "+language.Date(day))
}

// dueName is what is due, in both languages.
func dueName(row *portfolio.Payment, several int) [2]string {
	switch {
	case several > 1:
		return [2]string{"A total", "Un total"}
	case row.Type == portfolio.PaymentRent:
		return [2]string{"Rent", "La renta"}
	case row.Type == portfolio.PaymentDeposit:
		return [2]string{"A deposit", "Un depósito"}
	}
	return [2]string{"A charge", "Un cargo"}
}

// words are an item in both languages.
func (i *rentItem) words(v *Visit) event {
	amount := i.amount().Dollars()
	of, de := statement.ChargeName(i.row, language.English), statement.ChargeName(i.row, language.Spanish)
	on, el := englishDate(i.row.DueDate), language.Date(i.row.DueDate)
	switch i.kind {
	case paymentReturned:
		return event{
			English: fmt.Sprintf("The bank returned a payment of %s for %s. It counts as unpaid.", amount, of),
			Spanish: fmt.Sprintf("El banco devolvió un pago de %s por %s. Cuenta como no pagado.", amount, de),
		}
	case paymentFailed:
		why, porque := i.reason()
		return event{
			English: fmt.Sprintf("A payment of %s for %s failed.%s", amount, of, why),
			Spanish: fmt.Sprintf("Falló un pago de %s por %s.%s", amount, de, porque),
		}
	case feeCharged:
		return event{
			English: fmt.Sprintf("A late fee of %s was charged (%s). It is due on %s.", amount, of, on),
			Spanish: fmt.Sprintf("Se cobró un recargo por atraso de %s. Vence el %s.", amount, el),
		}
	case paymentReceived:
		day := clock.DateOf(i.of.OccurredAt.Std(), v.Landlord.Zone)
		left, falta := "", ""
		if i.row.BalanceDue > 0 {
			left = fmt.Sprintf(" Still owed: %s.", i.row.BalanceDue.Dollars())
			falta = fmt.Sprintf(" Falta: %s.", i.row.BalanceDue.Dollars())
		}
		return event{
			English: fmt.Sprintf("%s for %s was received on %s.%s", amount, of, englishDate(day), left),
			Spanish: fmt.Sprintf("Se recibieron %s por %s el %s.%s", amount, de, language.Date(day), falta),
		}
	case chargeDueToday:
		return event{
			English: fmt.Sprintf("%s for %s is due today, %s.", amount, of, on),
			Spanish: fmt.Sprintf("%s por %s vence hoy, %s.", amount, de, el),
		}
	case chargeDueSoon:
	}
	return event{
		English: fmt.Sprintf("%s for %s is due in %d days, on %s.", amount, of, noticeDaysAhead, on),
		Spanish: fmt.Sprintf("%s por %s vence en %d días, el %s.", amount, de, noticeDaysAhead, el),
	}
}

// spanishReasons are why payments fail, by the processor's code.
var spanishReasons = map[string]string{
	"insufficient_funds":   "fondos insuficientes",
	"account_closed":       "la cuenta está cerrada",
	"no_account":           "no se encontró la cuenta",
	"card_declined":        "la tarjeta fue rechazada",
	"expired_card":         "la tarjeta venció",
	"debit_not_authorized": "el débito no fue autorizado",
}

// reason says why a payment failed, in both languages, "" where that is not known.
func (i *rentItem) reason() (english, spanish string) {
	return reason(i.of.FailureCode, i.of.FailureMessage)
}

// reason is a sentence about why a payment failed, in both languages, "" where that is not known.
func reason(failureCode, failureMessage *string) (english, spanish string) {
	var code, words string
	if failureCode != nil {
		code = *failureCode
	}
	if words = lowercase(code); failureMessage != nil {
		words = *failureMessage
	}
	words = strings.TrimSuffix(line(words), ".")
	if words == "" {
		return "", ""
	}
	return " Reason: " + words + ".", " Motivo: " + cmp.Or(spanishReasons[code], words) + "."
}

func englishDate(d clock.Date) string { return d.Std().Format("January 2, 2006") }
