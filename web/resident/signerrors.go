package resident

import (
	"context"
	"net/http"

	"portal/api/fault"
	"portal/web/page"
)

// inSpanish are the errors of the ceremony, by the field that they are about.
var inSpanish = map[string]string{
	"consent": "Acepte firmar en línea, o pida el contrato en papel. Se envían como máximo 3 códigos por hora.",
	"code":    "Ese no es el código, o ya no sirve. Un código sirve durante 10 minutos y 5 intentos; pida otro si lo necesita.",
	"name":    "Escriba el nombre como está en el contrato.",
}

// stepped is a step of signing: what is wrong with it stands beside its field.
func (p *Section) stepped(v *page.Request, step func(ctx context.Context, f *page.Form) error) error {
	if status := v.ReadForm(); status != http.StatusOK {
		return page.Unread(status, page.FormSize)
	}
	f := v.Form()
	err := step(v.Request().Context(), f)
	switch {
	case err == nil && !f.Rejected():
		return v.SeeOther(signAt(v) + langQuery(v))
	case fault.Is(err, fault.NoRecord):
		return v.NoLink(err)
	case fault.Is(err, fault.StaleWrite), fault.Is(err, fault.InvalidTransition):
		return v.SeeOther(signAt(v) + langQuery(v)) // which says what has changed, or why it is over
	case fault.Is(err, fault.RateLimited):
		f.Reject("consent", fault.From(err).Message)
	case err != nil && !f.Refused(err):
		return err
	}
	if err != nil {
		if err := p.blocked(v, f, fault.From(err)); err != nil {
			return err
		}
	}
	if spanish(v) {
		for field := range f.FieldErrors {
			if words, known := inSpanish[field]; known {
				f.FieldErrors[field] = words
			}
		}
	}
	return p.signPage(v, f)
}

// blocked says to a tenant what is wrong with a lease that nobody can sign as it is. The rule itself speaks to
// the landlord, who alone can mend it.
func (p *Section) blocked(v *page.Request, f *page.Form, said *fault.Error) error {
	words, known := blocks[said.Code]
	if !known {
		return nil
	}
	s, err := p.Signing.Page(v.Request().Context(), v.Param("token"))
	if err != nil || s.Signer.TenantID == nil {
		return err
	}
	f.FieldErrors, f.Problem = nil, words[0]+" Ask the landlord."
	if spanish(v) {
		f.Problem = words[1] + " Hable con el arrendador."
	}
	return nil
}

// blocks is why nobody can sign a lease as it is, in English and Spanish.
var blocks = map[fault.Code][2]string{
	fault.LeaseDatesOverlap: {
		"The home has another lease in these dates.",
		"La vivienda tiene otro contrato en estas fechas.",
	},
	fault.LeadPaintUnanswered: {
		"The landlord has not stated yet what is known about lead-based paint.",
		"El arrendador aún no ha declarado lo que sabe sobre pintura con plomo.",
	},
	fault.DepositAboveMaximum: {
		"The deposit is higher than the law allows.",
		"El depósito supera lo que permite la ley.",
	},
	fault.LateFeeAboveMaximum: {
		"The late fee is higher than the law allows.",
		"El recargo por atraso supera lo que permite la ley.",
	},
}
