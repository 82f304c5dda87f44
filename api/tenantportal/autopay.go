package tenantportal

import (
	"context"
	"fmt"
	"strings"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/language"
	"portal/api/payment"
	"portal/api/portfolio"
)

// AutopayPath is the page of autopay, after the address of a tenant's page.
const AutopayPath = "/autopay"

// autopayEmail is what an email about autopay says.
type autopayEmail struct {
	Name, Landlord, Address string
	Lines                   []string
	Text                    []string // what the tenant has agreed to, nil where it is not repeated
	Link                    string   // "" where the tenant has no page any more
}

// Reaches is payment.Notices'.
func (s *Service) Reaches(ctx context.Context, by access.Actor, tenantID string) (bool, error) {
	v, found, err := s.live(ctx, by, tenantID)
	if fault.Is(err, fault.NoRecord) {
		return false, nil
	}
	return err == nil && found && v.open() && v.Tenant.Email != nil, err
}

// AutopayNotice is payment.Notices'. It leaves whether the account emails tenants about rent or not: they have agreed
// to be told.
func (s *Service) AutopayNotice(ctx context.Context, by access.Actor, p *payment.Autopay, n payment.Notice) error {
	v, found, err := s.live(ctx, by, p.TenantID)
	if err != nil || v.Tenant.Email == nil || len(v.Leases) == 0 {
		return err
	}
	v.Link.Language = p.Language
	home := v.Home().RentalAddress
	if l, err := v.Lease(p.LeaseID); err == nil {
		home = l.RentalAddress
	}
	e := autopayEmail{
		Name:     line(v.Tenant.FirstName),
		Landlord: line(v.Landlord.Name),
		Address:  line(home),
		Lines:    autopayLines(p, &n),
	}
	if found && v.open() && p.EndedWhy != payment.EndedClosed {
		page, err := s.address(ctx, v)
		if err != nil {
			return err
		}
		e.Link = p.Language.Link(page + AutopayPath)
	}
	if n.Kind == payment.NoticeStarted {
		e.Text = strings.Split(p.Text, "\n")
	}
	return s.mail(ctx, v, "autopay", autopaySubject(p.Language, &n), e)
}

// autopaySubject is what an email about autopay is about.
func autopaySubject(reads language.Language, n *payment.Notice) string {
	amount, on, el := n.Amount.Dollars(), englishDate(n.On), language.Date(n.On)
	switch n.Kind {
	case payment.NoticeAhead:
		return reads.Say("Autopay pays "+amount+" on "+on, "El pago automático paga "+amount+" el "+el)
	case payment.NoticeUnpaid:
		return reads.Say("Autopay couldn’t pay "+amount, "El pago automático no pudo pagar "+amount)
	case payment.NoticeStopped:
		return reads.Say("Autopay pays nothing on "+on, "El pago automático no paga nada el "+el)
	case payment.NoticeEnded:
		return reads.Say("Autopay has ended", "El pago automático terminó")
	case payment.NoticeStarted:
	}
	return reads.Say("Autopay is set up", "El pago automático está activado")
}

// autopayLines say what is told about autopay.
func autopayLines(p *payment.Autopay, n *payment.Notice) []string {
	reads, amount := p.Language, n.Amount.Dollars()
	on := reads.Say(englishDate(n.On), language.Date(n.On))
	how := autopayMethod(p)
	why := ""
	if n.FailureCode != nil {
		why = reads.Say(reason(n.FailureCode, n.FailureMessage))
	}
	switch n.Kind {
	case payment.NoticeAhead:
		return []string{
			fmt.Sprintf(reads.Say(
				"On %s, autopay pays %s for charges that are due by then, from your %s.",
				"El %s, el pago automático paga %s de los cargos que vencen hasta ese día, con su %s.",
			), on, amount, how),
			reads.Say("If you don’t want that, end autopay before that day.",
				"Si no lo desea, termine el pago automático antes de ese día."),
		}
	case payment.NoticeUnpaid:
		return []string{
			fmt.Sprintf(reads.Say("The payment of %s on %s didn’t go through.%s",
				"El pago de %s del %s no se realizó.%s"), amount, on, why),
			reads.Say(
				"The charges are still owed. Pay them on your page; autopay tries no charge again before next month.",
				"Los cargos siguen pendientes. Páguelos en su página; el pago automático no lo intenta antes del próximo mes.",
			),
		}
	case payment.NoticeStopped:
		return []string{fmt.Sprintf(reads.Say(
			"Your landlord takes no online payments for this lease right now, so autopay pays nothing on %s. What you owe stays owed.",
			"Su arrendador no recibe pagos en línea de este contrato por ahora: el %s el pago automático no paga nada. Lo que debe sigue pendiente.",
		), on)}
	case payment.NoticeEnded:
		return []string{
			endWords(p, why),
			reads.Say("Nothing more is paid automatically.", "No se paga nada más automáticamente."),
		}
	case payment.NoticeStarted:
	}
	return []string{
		fmt.Sprintf(
			reads.Say(
				"The first payment is on %s, from your %s. We email you the amount at least 3 days before each payment.",
				"El primer pago es el %s, con su %s. Le enviamos el monto por correo al menos 3 días antes de cada pago.",
			),
			on,
			how,
		),
		reads.Say("You agreed to this:", "Usted aceptó esto:"),
	}
}

// endWords say why autopay has ended.
func endWords(p *payment.Autopay, why string) string {
	reads := p.Language
	switch p.EndedWhy {
	case payment.EndedFailed:
		return reads.Say("Autopay has ended, because payments failed.",
			"El pago automático terminó porque los pagos fallaron.") + why
	case payment.EndedLease:
		return reads.Say("Autopay has ended with the lease.", "El pago automático terminó con el contrato.")
	case payment.EndedUnreachable:
		return reads.Say("Autopay has ended, because you have no tenant page anymore on which you could end it.",
			"El pago automático terminó porque usted ya no tiene una página para darlo por terminado.")
	case payment.EndedClosed:
		return reads.Say("Autopay has ended, because your landlord has closed their account with us.",
			"El pago automático terminó porque su arrendador cerró su cuenta con nosotros.")
	case payment.EndedByTenant, payment.EndedReplaced, payment.EndedUnfinished:
	}
	return reads.Say("You ended autopay.", "Usted terminó el pago automático.")
}

// autopayMethod is what autopay charges.
func autopayMethod(p *payment.Autopay) string {
	if p.Method != nil && *p.Method == portfolio.PayByCard {
		return p.Language.Say("card", "tarjeta")
	}
	return p.Language.Say("bank account", "cuenta bancaria")
}

// AutopayText is what a tenant agrees to, with the day and the limit that they chose.
func AutopayText(v *Visit, home string, reads language.Language) []string {
	return []string{
		fmt.Sprintf(reads.Say(
			"I authorize %s to charge the card or bank account that I give on the next page for what is due under my lease of %s and its renewals: once a month, on the day that I choose here, at most the amount that I choose here.",
			"Autorizo a %s a cobrar de la tarjeta o cuenta bancaria que indico en la página siguiente lo que se deba por mi contrato de %s y sus renovaciones: una vez al mes, el día que elijo aquí, como máximo el monto que elijo aquí.",
		), v.Landlord.Name, home),
		reads.Say(
			"I get an email with the amount at least 3 days before each payment. I can end this at any time before a payment, with one click on this page or by telling my landlord.",
			"Recibo un correo con el monto al menos 3 días antes de cada pago. Puedo terminar esto cuando quiera antes de un pago, con un clic en esta página o avisando a mi arrendador.",
		),
	}
}

// AgreedText is AutopayText with what the tenant chose.
func AgreedText(text []string, day int, most string, on clock.Date, reads language.Language) string {
	return strings.Join(append(text,
		fmt.Sprintf(reads.Say("Day of the month: %d", "Día del mes: %d"), day),
		fmt.Sprintf(reads.Say("At most each month: %s", "Como máximo al mes: %s"), most),
		reads.Say("Agreed on "+englishDate(on), "Aceptado el "+language.Date(on)),
	), "\n")
}
