package resident

import (
	"net/http"
	"net/url"

	"portal/api/agreement/ceremony"
	"portal/api/fault"
	"portal/views/kit"
	views "portal/views/resident"
	"portal/web/page"
)

// endingRoutes are the page on which a tenant answers whether a signed lease ends before it starts.
func (p *Section) endingRoutes() []page.Route {
	if p.Signing == nil {
		return nil
	}
	return []page.Route{
		page.Get("/ending/:token", page.LinkHolder, p.ending),
		page.Post("/ending/:token", page.LinkHolder, p.answerEnding),
		page.Post("/ending/:token/code", page.LinkHolder, p.sendEndingCode),
	}
}

// endingAt is the address of the page of the tenant whose link was opened.
func endingAt(v *page.Request) string { return "/ending/" + url.PathEscape(v.Param("token")) }

// ending shows what the tenant is asked. It records nothing: mail programs look behind links too.
func (p *Section) ending(v *page.Request) error { return p.endingPage(v, page.Blank(url.Values{})) }

func (p *Section) endingPage(v *page.Request, f *page.Form) error {
	s, err := p.Signing.EndingPage(v.Request().Context(), v.Param("token"))
	if err != nil {
		return v.NoLink(err)
	}
	v.ChoseBefore(s.Language)
	h := bilingualHeader(v, s.Landlord, endingAt(v))
	if s.Request.Status != ceremony.EndingOpen || s.Answer != nil {
		return endingClosed(v, h, s)
	}
	h.Title = h.Say("Do you agree that the lease ends?", "¿Acepta que el contrato termine?")
	if v.QueryParam("sent") != "" && !f.Rejected() {
		h.Title = h.Say("Code sent: ", "Código enviado: ") + h.Title
	}
	at := endingAt(v)
	return v.ShowAs(f.Status, views.EndingPage(views.Ending{
		GuestHeader: h,
		Sent:        v.QueryParam("sent") != "" || f.Rejected(),
		Words: []string{
			h.Say(s.Landlord+" asks you to agree that the lease you signed ends before it starts.",
				s.Landlord+" le pide que acepte que el contrato que usted firmó termine antes de empezar."),
			h.Say("You don’t have to agree. The lease stays as it is unless all tenants agree.",
				"No tiene que aceptarlo. El contrato sigue igual si no lo aceptan todos los inquilinos."),
		},
		Facts: []kit.Fact{
			{Name: h.Say("Lease for", "Contrato de"), Value: s.Address},
			{Name: h.Say("First day", "Primer día"), Value: day(h, s.Starts)},
			{Name: h.Say("Ends if all agree", "Termina si todos aceptan"), Value: day(h, s.Request.On) +
				h.Say(", or later, when the last tenant agrees", ", o después, cuando acepte el último inquilino")},
			{Name: h.Say("Reason", "Motivo"), Value: s.Request.Reason},
		},
		Code: kit.Form{
			Action: at + "/code" + langQuery(v),
			Submit: h.Say("Email me a code", "Enviarme un código"),
			Groups: []kit.FieldGroup{{About: h.Say("We send it to "+s.Email+".", "Lo enviamos a "+s.Email+".")}},
		},
		Reply: replyForm(h, f, at+langQuery(v), s),
	}))
}

// replyForm asks for the answer and the code.
func replyForm(h kit.GuestHeader, f *page.Form, action string, s *ceremony.EndingPage) kit.Form {
	code := codeField(h, s.Email)
	code.Hint = h.Say("From the email to "+s.Email+". It works for 10 minutes.",
		"Está en el correo a "+s.Email+". Sirve durante 10 minutos.")
	form := f.Fill(kit.Form{
		Action: action,
		Submit: h.Say("Send answer", "Enviar la respuesta"),
		Groups: []kit.FieldGroup{
			{
				Fields: []kit.Field{
					code,
					{
						Name:  "answer",
						Label: h.Say("Your answer", "Su respuesta"),
						Kind:  "radios",
						Choices: []kit.Choice{
							{
								Value: "agree",
								Label: h.Say("I agree that the lease ends", "Acepto que el contrato termine"),
							},
							{Value: "refuse", Label: h.Say("I do not agree", "No lo acepto")},
						},
					},
					{
						Name:     "name",
						Label:    h.Say("If you agree: type your full name", "Si acepta: escriba su nombre completo"),
						Complete: "name",
						Hint:     h.Say("As the lease has it: ", "Como está en el contrato: ") + s.Name + ".",
					},
					{
						Name:  "reason",
						Label: h.Say("If you don’t agree: why", "Si no acepta: por qué"),
						Lines: 3,
						Hint: h.Say("At most 500 characters. ", "Como máximo 500 caracteres. ") + s.Landlord +
							h.Say(" reads it.", " lo lee."),
					},
				},
				About: h.Say(
					"We record the time, your IP address and browser, and your answer in the log of the lease. An "+
						"answer can’t be changed.",
					"Registramos la hora, su dirección IP y navegador, y su respuesta en el "+
						"registro del contrato. La respuesta no se puede cambiar.",
				),
			},
		},
	})
	form.Failed = h.Say("Not answered yet", "Aún sin responder")
	return form
}

// endingClosed says what became of what the tenant was asked.
func endingClosed(v *page.Request, h kit.GuestHeader, s *ceremony.EndingPage) error {
	var title string
	status := http.StatusOK
	words := h.Say("It is the lease for "+s.Address+".", "Es el contrato de "+s.Address+".")
	switch {
	case s.Request.Status == ceremony.EndingAgreed:
		title = h.Say(
			"The lease ends, as all tenants agreed",
			"El contrato termina, como aceptaron todos los inquilinos",
		)
	case s.Answer != nil && s.Answer.Agreed && s.Request.Status == ceremony.EndingOpen:
		title = h.Say("You agreed that the lease ends", "Usted aceptó que el contrato termine")
		words += h.Say(" It ends once all tenants have agreed. We email you then.",
			" Termina cuando lo acepten todos los inquilinos. Le avisaremos por correo.")
	case s.Answer != nil && !s.Answer.Agreed:
		title = h.Say("You did not agree", "Usted no lo aceptó")
		words += h.Say(" The lease stays as it is. "+s.Landlord+" was told.", " El contrato sigue igual. Avisamos a "+
			s.Landlord+".")
	case s.Request.Status == ceremony.EndingRefused:
		status, title = http.StatusGone, h.Say("A tenant did not agree", "Un inquilino no lo aceptó")
		words += h.Say(" The lease stays as it is.", " El contrato sigue igual.")
	case s.Request.Status == ceremony.EndingWithdrawn:
		status, title = http.StatusGone, h.Say("You are no longer asked", "Ya no se le pide una respuesta")
		words += h.Say(" "+s.Landlord+" took the request back. The lease stays as it is.",
			" "+s.Landlord+" retiró la pregunta. El contrato sigue igual.")
	default:
		status, title = http.StatusGone, h.Say("It is too late to answer", "Ya no se puede responder")
		words += h.Say(" It has started, or has ended in another way.", " Ya empezó, o terminó de otra manera.")
	}
	h.Title = title
	n := kit.GuestNotice{GuestHeader: h, Title: title, Words: []string{words}}
	return v.ShowAs(status, kit.NoticePage(n))
}

// sendEndingCode sends the code with which the tenant answers.
func (p *Section) sendEndingCode(v *page.Request) error {
	return p.endingStep(v, "&sent=1#answer", func(*page.Form) error {
		return p.Signing.SendEndingCode(v.Request().Context(), v.Param("token"), signer(v))
	})
}

// answerEnding takes the answer of the tenant.
func (p *Section) answerEnding(v *page.Request) error {
	return p.endingStep(v, "", func(f *page.Form) error {
		answer := f.Text("answer")
		if answer != "agree" && answer != "refuse" {
			f.Reject("answer", "Choose your answer.")
			return nil
		}
		return p.Signing.AnswerEnding(v.Request().Context(), v.Param("token"), ceremony.EndingReply{
			Agree:  answer == "agree",
			Code:   f.Text("code"),
			Name:   f.Printable("name"),
			Reason: page.Lines(f, "reason"),
		}, signer(v))
	})
}

// endingInSpanish are the errors of an answer, by the field that they are about.
var endingInSpanish = map[string]string{
	"answer": "Elija su respuesta.",
	"code": "Ese no es el código, o ya no sirve. Un código sirve durante 10 minutos y 5 intentos; pida otro si " +
		"lo necesita.",
	"name":   "Escriba el nombre como está en el contrato.",
	"reason": "Diga por qué no acepta, en 500 caracteres como máximo.",
}

// endingStep is a step of an answer: what is wrong with it stands beside its field.
func (p *Section) endingStep(v *page.Request, query string, step func(f *page.Form) error) error {
	if status := v.ReadForm(); status != http.StatusOK {
		return page.Unread(status, page.FormSize)
	}
	f := v.Form()
	err := step(f)
	switch {
	case err == nil && !f.Rejected():
		return v.SeeOther(endingAt(v) + langQuery(v) + query)
	case fault.Is(err, fault.NoRecord):
		return v.NoLink(err)
	case fault.Is(err, fault.RateLimited):
		f.Reject("code", tooManyCodes(v, err))
		return p.endingPage(v, f)
	case err != nil && !f.Refused(err):
		return err
	case fault.Is(err, fault.InvalidTransition) && spanish(v):
		f.Problem = "Todos los inquilinos aceptan, pero el contrato aún no puede terminar: el arrendador tiene que " +
			"corregir algo antes, y ya se lo dijimos. Su respuesta no se guardó. Responda de nuevo más tarde."
	}
	if spanish(v) && f.Problem == "" {
		translate(f, endingInSpanish, "La respuesta no se puede enviar así. Hable con el arrendador.")
	}
	return p.endingPage(v, f)
}
