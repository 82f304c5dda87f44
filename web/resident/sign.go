package resident

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"portal/api/agreement"
	"portal/api/agreement/ceremony"
	"portal/api/agreement/document"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/language"
	"portal/api/texts"
	"portal/views/kit"
	views "portal/views/resident"
	"portal/web/page"
)

// signRoutes are the pages on which a lease is signed.
func (p *Section) signRoutes() []page.Route {
	if p.Signing == nil {
		return nil
	}
	return []page.Route{
		page.Get("/sign/:token", page.LinkHolder, p.sign),
		page.Post("/sign/:token", page.LinkHolder, p.signLease),
		page.Post("/sign/:token/review", page.LinkHolder, p.reviewLease),
		page.Post("/sign/:token/code", page.LinkHolder, p.sendSignCode),
		page.Get("/sign/:token/decline", page.LinkHolder, p.askDecline),
		page.Post("/sign/:token/decline", page.LinkHolder, p.declineLease),
		page.Get("/sign/:token/lease.pdf", page.LinkHolder, p.signedPDF),
		page.Get("/sign/:token/attachments/:attachment", page.LinkHolder, p.signAttachment),
		page.Get("/sign/:token"+ceremony.SummaryPath, page.LinkHolder, p.leaseSummary),
	}
}

// signAt is the address of the page of the signer whose link was opened.
func signAt(v *page.Request) string { return "/sign/" + url.PathEscape(v.Param("token")) }

// spanish reports whether the reader wants the page in Spanish.
func spanish(v *page.Request) bool { return v.Reads() == language.Spanish }

// langQuery keeps the language of the page at the addresses that it leads to.
func langQuery(v *page.Request) string {
	if spanish(v) {
		return "?lang=es"
	}
	return "?lang=en"
}

// signHeader is the header of a page of the ceremony, in the language of its reader.
func signHeader(v *page.Request, landlord string) kit.GuestHeader {
	return bilingualHeader(v, landlord, signAt(v))
}

// bilingualHeader is the header of a page in the language of its reader, with the way to the other one.
func bilingualHeader(v *page.Request, landlord, at string) kit.GuestHeader {
	return v.BilingualHeader([2]string{}, landlord, at)
}

// signNotice says one thing to a signer, in their language.
func signNotice(v *page.Request, status int, landlord string, title, words [2]string) error {
	return notice(v, status, signHeader(v, landlord), title, words)
}

// notice says one thing, in the language of a header.
func notice(v *page.Request, status int, h kit.GuestHeader, title, words [2]string) error {
	h.Title = h.Say(title[0], title[1])
	n := kit.GuestNotice{GuestHeader: h, Title: h.Title, Words: []string{h.Say(words[0], words[1])}}
	return v.ShowAs(status, kit.NoticePage(n))
}

// signer is where the reader is.
func signer(v *page.Request) ceremony.Client {
	at := v.From()
	return ceremony.Client{Address: at.IP(), Browser: at.Agent(), Language: v.Reads()}
}

// sign shows the lease with the next step. It records nothing: mail programs look behind links too.
func (p *Section) sign(v *page.Request) error { return p.signPage(v, page.Blank(url.Values{})) }

// signing is what the link of a signer shows, in the language that they chose.
func (p *Section) signing(v *page.Request) (*ceremony.Page, error) {
	s, err := p.Signing.Page(v.Ctx(), v.Param("token"))
	if err == nil {
		v.ChoseBefore(s.Language)
	}
	return s, err
}

func (p *Section) signPage(v *page.Request, f *page.Form) error {
	s, err := p.signing(v)
	if err != nil {
		return v.NoLink(err)
	}
	switch s.Standing {
	case ceremony.ToReview, ceremony.ToSign:
		return v.ShowAs(f.Status, views.SignPage(signView(v, s, f)))
	case ceremony.Signed, ceremony.Executed, ceremony.Declined, ceremony.Voided, ceremony.Expired:
	}
	return signEnd(v, s)
}

func signView(v *page.Request, s *ceremony.Page, f *page.Form) views.Sign {
	at := signAt(v)
	h := signHeader(v, s.Landlord)
	h.Title = h.Say("Sign the lease for ", "Firmar el contrato de ") + s.Address
	if f.Rejected() {
		h.Title = h.Say("Not signed yet: ", "Aún sin firmar: ") + h.Title
	}
	view := views.Sign{
		GuestHeader: h,
		Address:     s.Address,
		Path:        at,
		Query:       langQuery(v),
		PDF:         at + "/lease.pdf",
		Until:       day(h, s.Until),
		Changes:     s.Changes,
		Version:     strconv.Itoa(s.Version),
		Parties:     parties(h, s),
	}
	if who := named(s.All, func(status agreement.SignerStatus) bool { return status == agreement.Signed }); who != "" {
		view.Who = h.Say("signed already by ", "ya firmado por ") + who
	}
	view.Facts = rowFacts(s.Document.Terms[:min(len(s.Document.Terms), mostFacts)])
	if h.Spanish && len(s.Summary) > 0 {
		view.Facts, view.Summary = rowFacts(s.Summary), at+ceremony.SummaryPath
	}
	for _, a := range s.Document.Attachments {
		about := h.Say(texts.Counted(a.Pages, "page"), language.Counted(a.Pages, "página", "páginas"))
		if a.Lease {
			about += h.Say(" · the text of the lease", " · el texto del contrato")
		}
		if a.Initials {
			about += h.Say(" · asks for your initials", " · pide sus iniciales")
		}
		view.Attachments = append(view.Attachments, views.Attachment{
			Name: a.Name, Path: at + "/attachments/" + a.ID, About: about,
		})
	}
	step := 0
	if s.Standing == ceremony.ToSign {
		step, view.Document, view.Contract = 1, new(page.DocumentView(s.Document)), true
		view.Code = said(h, f.Fill(codeForm(h, at+"/code"+view.Query, s.Consented)))
		if s.Consented {
			step, view.Sent = 2, s.Email
			view.Sign = said(h, f.Fill(signForm(h, at+view.Query, s)))
		}
	}
	for i, name := range []string{h.Say("Review", "Revisar"), h.Say("Agree", "Aceptar"), h.Say("Sign", "Firmar")} {
		view.Steps = append(view.Steps, views.SignStep{Name: name, Done: i < step, Now: i == step})
	}
	return view
}

// rowFacts are rows of a document as a page shows them.
func rowFacts(rows []document.Row) (all []kit.Fact) {
	for _, r := range rows {
		all = append(all, kit.Fact{Name: r.Name, Value: r.Value})
	}
	return all
}

// leaseSummary is the Spanish summary of a lease. It is a page of its own, whatever language the others are in: the
// document was made, and may be signed, before anybody chose Spanish.
func (p *Section) leaseSummary(v *page.Request) error {
	s, err := p.signing(v)
	if err != nil {
		return v.NoLink(err)
	}
	v.ChoseBefore(language.Spanish)
	if len(s.Summary) == 0 {
		return signEnd(v, s)
	}
	h := signHeader(v, s.Landlord)
	h.Spanish, h.Title = true, "Resumen del contrato de "+s.Address
	h.Other = kit.Link{Name: "English", Path: signAt(v) + "?lang=en"}
	return v.Show(views.SummaryPage(views.Summary{
		GuestHeader: h,
		Address:     s.Address,
		Path:        signAt(v) + language.InSpanish,
		PDF:         signAt(v) + "/lease.pdf",
		Version:     strconv.Itoa(s.Version),
		Facts:       rowFacts(s.Summary),
	}))
}

// said is a form whose summary of errors speaks the language of the page.
func said(h kit.GuestHeader, form kit.Form) kit.Form {
	form.Failed = h.Say("Not signed yet", "Aún sin firmar")
	return form
}

// day is a day in words.
func day(h kit.GuestHeader, d clock.Date) string { return h.Say(d.Words(), language.Date(d)) }

// mostFacts is how many key terms stand above a lease.
const mostFacts = 6

// eSignDisclosure is what a signer agrees to (15 U.S.C. 7001(c)).
const (
	eSignDisclosure = "You can sign here or on paper: ask the landlord for a paper copy at any time, at no charge. " +
		"Agreeing covers this lease only. You can withdraw it before you sign by declining, and tell the landlord if " +
		"your email address changes. You need a device with a current browser that shows PDF files, an email " +
		"address, " +
		"and a way to print or keep what you sign."
	eSignDisclosureSpanish = "Puede firmar aquí o en papel: pida al arrendador una copia en papel cuando quiera, " +
		"sin costo. " +
		"Su consentimiento vale solo para este contrato. Puede retirarlo antes de firmar si rechaza la firma, y " +
		"avise al " +
		"arrendador si cambia su correo electrónico. Necesita un dispositivo con un navegador actual que muestre " +
		"archivos " +
		"PDF, un correo electrónico y una manera de imprimir o guardar lo que firma."
)

// codeForm asks for consent, and sends a code, or another one.
func codeForm(h kit.GuestHeader, action string, consented bool) kit.Form {
	form := kit.Form{
		Action: action,
		Submit: h.Say("Send me a code", "Enviarme un código"),
		Groups: []kit.FieldGroup{{About: h.Say(eSignDisclosure, eSignDisclosureSpanish), Fields: []kit.Field{{
			Name: "consent",
			Label: h.Say("I agree to use electronic records and signatures",
				"Acepto usar documentos y firmas electrónicos"),
			Kind:    "checkbox",
			Checked: consented,
		}}}},
	}
	if consented {
		form.Submit = h.Say("Send a new code", "Enviar otro código")
		form.Groups = []kit.FieldGroup{
			{
				About: h.Say("Look in your spam folder, or get a new code.",
					"Busque en la carpeta de correo no deseado, o pida otro código."),
				Fields: []kit.Field{{Name: "consent", Kind: "hidden", Value: "on"}},
			},
			{
				Title:  h.Say("What you agreed to", "Lo que aceptó"),
				About:  h.Say(eSignDisclosure, eSignDisclosureSpanish),
				Folded: true,
			},
		}
	}
	return form
}

// signForm asks for the code, initials and the name.
func signForm(h kit.GuestHeader, action string, s *ceremony.Page) kit.Form {
	fields := []kit.Field{
		{Name: "version", Kind: "hidden", Value: strconv.Itoa(s.Version)},
		codeField(h, s.Email),
	}
	for _, a := range s.Document.Attachments {
		if a.Initials {
			fields = append(fields, kit.Field{
				Name:  ceremony.InitialsField(a.ID),
				Label: h.Say("Your initials for ", "Sus iniciales para ") + a.Name,
				Short: true,
			})
		}
	}
	fields = append(fields, kit.Field{
		Name:     "name",
		Label:    h.Say("Type your full name", "Escriba su nombre completo"),
		Complete: "name",
		Hint:     h.Say("As the lease has it: ", "Como está en el contrato: ") + s.Signer.Name + ".",
	})
	about := h.Say("By selecting Sign the lease, you agree to its terms. We record the time, your IP address and "+
		"browser, and the fingerprint of the document.", "Al seleccionar Firmar el contrato, acepta sus términos. "+
		"Registramos la hora, su dirección IP y navegador, y la huella del documento.")
	return kit.Form{
		Action: action,
		Submit: h.Say("Sign the lease", "Firmar el contrato"),
		Groups: []kit.FieldGroup{{Fields: fields, About: about}},
	}
}

func (p *Section) reviewLease(v *page.Request) error {
	return p.stepped(v, "", func(ctx context.Context, _ *page.Form) error {
		return p.Signing.Review(ctx, v.Param("token"), signer(v))
	})
}

func (p *Section) sendSignCode(v *page.Request) error {
	return p.stepped(v, "#sign", func(ctx context.Context, f *page.Form) error {
		if f.Text("consent") == "" {
			f.Reject("consent", consentFirst[0])
			return nil
		}
		return p.Signing.SendCode(ctx, v.Param("token"), signer(v))
	})
}

func (p *Section) signLease(v *page.Request) error {
	return p.stepped(v, "", func(ctx context.Context, f *page.Form) error {
		version, _ := strconv.Atoi(f.Text("version"))
		return p.Signing.Sign(ctx, v.Param("token"), ceremony.Signature{
			Version: version,
			Code:    f.Text("code"),
			Name:    f.Printable("name"),

			Initials: f.Named(ceremony.InitialsField("")),
		}, signer(v))
	})
}

func (p *Section) askDecline(v *page.Request) error {
	return p.declinePage(v, page.Blank(url.Values{}))
}

func (p *Section) declinePage(v *page.Request, f *page.Form) error {
	s, err := p.signing(v)
	if err != nil {
		return v.NoLink(err)
	}
	if s.Standing != ceremony.ToReview && s.Standing != ceremony.ToSign {
		return signEnd(v, s)
	}
	at, h := signAt(v), signHeader(v, s.Landlord)
	h.Title, h.Other = h.Say("Decline to sign?", "¿Rechazar la firma?"), kit.Link{}
	return v.ShowAs(f.Status, views.DeclinePage(views.Decline{
		GuestHeader: h,
		Address:     s.Address,
		Path:        at + langQuery(v),
		Form: said(h, f.Fill(kit.Form{
			Action: at + "/decline" + langQuery(v),
			Submit: h.Say("Decline to sign", "Rechazar la firma"),
			Danger: true,
			Groups: []kit.FieldGroup{{Fields: []kit.Field{
				{
					Name:  "reason",
					Label: h.Say("Reason (optional)", "Motivo (opcional)"),
					Lines: 3,
					Hint: h.Say("At most 500 characters. ", "Como máximo 500 caracteres. ") + s.Landlord +
						h.Say(" reads it.", " lo lee."),
				},
			}}},
		})),
	}))
}

func (p *Section) declineLease(v *page.Request) error {
	if status := v.ReadForm(); status != http.StatusOK {
		return page.Unread(status, page.FormSize)
	}
	f := v.Form()
	reason := page.Lines(f, "reason")
	if len([]rune(reason)) > mostReason {
		f.Reject("reason", signHeader(v, "").Say("Use at most 500 characters.", "Use como máximo 500 caracteres."))
		return p.declinePage(v, f)
	}
	err := p.Signing.Decline(v.Request().Context(), v.Param("token"), strings.TrimSpace(reason), signer(v))
	if fault.Is(err, fault.NoRecord) {
		return v.NoLink(err)
	}
	if err != nil && !fault.Is(err, fault.InvalidTransition) {
		return err
	}
	return v.SeeOther(signAt(v) + langQuery(v))
}

// mostReason is how many characters a reason to decline has at most.
const mostReason = 500

// signedPDF answers with the PDF of the version that can be signed, or with the one that all have signed.
func (p *Section) signedPDF(v *page.Request) error {
	content, s, err := p.Signing.PDF(v.Request().Context(), v.Param("token"))
	if err != nil {
		return v.NoLink(err)
	}
	if content == nil {
		v.ChoseBefore(s.Language)
		return signEnd(v, s)
	}
	return v.Send.OwnPDF("lease", content)
}

// signAttachment answers with the PDF of an attachment of the lease that can be signed.
func (p *Section) signAttachment(v *page.Request) error {
	content, err := p.Signing.OpenAttachment(v.Request().Context(), v.Param("token"), v.Param("attachment"), signer(v))
	if err != nil {
		return v.NoLink(err)
	}
	return v.Send.OwnPDF("attachment", content)
}

// consentFirst is said to a signer who has not agreed to electronic records.
var consentFirst = bilingual{
	"Agree to sign online, or ask for the lease on paper.",
	"Acepte firmar en línea, o pida el contrato en papel.",
}

// inSpanish are the errors of the ceremony, by the field that they are about.
var inSpanish = map[string]string{
	"consent": consentFirst[1],
	"code": "Ese no es el código, o ya no sirve. Un código sirve durante 10 minutos y 5 intentos; pida otro si " +
		"lo necesita.",
	"name":     "Escriba el nombre como está en el contrato.",
	"initials": "Escriba sus iniciales: la primera letra de cada nombre.",
}

// stepped is a step of signing: what is wrong with it stands beside its field.
// Otherwise the page is shown from the part whose address in it is next.
func (p *Section) stepped(v *page.Request, next string, step func(ctx context.Context, f *page.Form) error) error {
	if status := v.ReadForm(); status != http.StatusOK {
		return page.Unread(status, page.FormSize)
	}
	f := v.Form()
	err := step(v.Request().Context(), f)
	switch {
	case err == nil && !f.Rejected():
		return v.SeeOther(signAt(v) + langQuery(v) + next)
	case fault.Is(err, fault.NoRecord):
		return v.NoLink(err)
	case fault.Is(err, fault.StaleWrite), fault.Is(err, fault.InvalidTransition):
		return v.SeeOther(signAt(v) + langQuery(v)) // which says what has changed, or why it is over
	case fault.Is(err, fault.RateLimited): // the codes that were sent: the field for the latest one is shown
		f.Reject("code", tooManyCodes(v, err))
		return p.signPage(v, f)
	case err != nil && !f.Refused(err):
		return err
	}
	if err != nil {
		if err := p.blocked(v, f, fault.From(err)); err != nil {
			return err
		}
	}
	if spanish(v) && f.Problem == "" {
		translate(f, inSpanish, "El contrato no se puede firmar así. Hable con el arrendador.")
	}
	return p.signPage(v, f)
}

// tooManyCodes says that no code is sent for now.
func tooManyCodes(v *page.Request, err error) string {
	if spanish(v) {
		return "Se enviaron 3 códigos en una hora, el máximo. Use el último, o espere."
	}
	return fault.From(err).Message
}

// translate says what is wrong in Spanish: with fields by the field, and above the form what is wrong otherwise.
func translate(f *page.Form, words map[string]string, otherwise string) {
	for field := range f.FieldErrors {
		kind, _, _ := strings.Cut(field, ".") // initials of an attachment
		other, known := words[kind]
		if !known {
			delete(f.FieldErrors, field)
			f.Problem = otherwise
			continue
		}
		f.FieldErrors[field] = other
	}
}

// codeField asks for a code that was sent to an address.
func codeField(h kit.GuestHeader, email string) kit.Field {
	return kit.Field{
		Name:     "code",
		Label:    h.Say("6-digit code", "Código de 6 dígitos"),
		Mode:     "numeric",
		Complete: "one-time-code",
		Short:    true,
		Hint: h.Say("We sent it to "+email+". It works for 10 minutes.",
			"Lo enviamos a "+email+". Sirve durante 10 minutos."),
	}
}

// blocked says to a tenant what is wrong with a lease that nobody can sign as it is. The rule itself speaks to
// the landlord, who alone can mend it.
func (p *Section) blocked(v *page.Request, f *page.Form, said *fault.Error) error {
	s, err := p.Signing.Page(v.Ctx(), v.Param("token"))
	if err != nil {
		return err
	}
	words, known := blocks[said.Code]
	switch landlord := s.Signer.TenantID == nil; {
	case !spanish(v):
		if known && !landlord {
			f.FieldErrors, f.Problem = nil, words[0]+" Ask the landlord."
		}
	case landlord && known:
		f.FieldErrors, f.Problem = nil, words[1]+" Corríjalo en el panel."
	case known:
		f.FieldErrors, f.Problem = nil, words[1]+" Hable con el arrendador."
	case f.Problem != "":
		f.Problem = "El contrato no se puede firmar así. Hable con el arrendador."
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
	fault.OwnDocumentMissing: {
		"The landlord has not added the text of the lease yet.",
		"El arrendador aún no ha agregado el texto del contrato.",
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
