package resident

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"portal/api/clock"
	"portal/api/fault"
	"portal/api/language"
	"portal/api/portfolio/lease/application"
	"portal/api/texts"
	"portal/views/kit"
	views "portal/views/resident"
	"portal/web/page"
)

// Guests is what people with a link and no account can do.
type Guests interface {
	Lead(ctx context.Context, token string) (*application.Lead, error)
	ApplyPage(ctx context.Context, token string) (*application.Lead, error)
	Apply(ctx context.Context, token string, c application.Create) error
}

// apply shows what the link of an invitation opens. Only a reader's GET opens it; a
// HEAD looks whether it is there.
func (p *Section) apply(v *page.Request) error {
	look := p.Guests.ApplyPage
	if v.Request().Method == http.MethodHead {
		look = p.Guests.Lead
	}
	lead, err := look(v.Request().Context(), v.Param("token"))
	if err != nil {
		return v.NoLink(err)
	}
	if lead.Invitation.Status == application.InvitationApplied && v.QueryParams().Has("sent") {
		return notice(v, http.StatusOK, applyHeader(v, lead),
			[2]string{"Application sent", "Solicitud enviada"},
			[2]string{
				lead.Landlord.Name + " has it now and will contact you about " + lead.Street() +
					". You can close this page.",
				lead.Landlord.Name + " ya la tiene y se comunicará con usted sobre " + lead.Street() +
					". Puede cerrar esta página.",
			})
	}
	return p.showLead(v, lead, page.Blank(known(lead)))
}

// applyAt is the address of the form that was opened.
func applyAt(v *page.Request) string { return "/apply/" + url.PathEscape(v.Param("token")) }

// applyHeader is the header of an application, in the language of its reader.
func applyHeader(v *page.Request, l *application.Lead) kit.GuestHeader {
	h := bilingualHeader(v, l.Landlord.Name, applyAt(v))
	if v.Request().Method == http.MethodPost { // what was typed would be lost
		h.Other = kit.Link{}
	}
	return h
}

// keptLang keeps the language that the address of a page says, "" where it says none.
func keptLang(v *page.Request) string {
	if v.QueryParam("lang") == "" {
		return ""
	}
	return langQuery(v)
}

// unsubscribeAt is where invitations are stopped.
func unsubscribeAt(v *page.Request) string {
	return "/mail/unsubscribe/" + url.PathEscape(v.Param("token"))
}

func unsubscribeHeader(v *page.Request, landlord string) kit.GuestHeader {
	return bilingualHeader(v, landlord, unsubscribeAt(v))
}

// showLead shows the form with what was typed, or why there is none.
func (p *Section) showLead(v *page.Request, l *application.Lead, f *page.Form) error {
	landlord, h := l.Landlord.Name, applyHeader(v, l)
	switch l.Invitation.Status {
	case application.InvitationApplied:
		return notice(v, f.Status, h,
			[2]string{"You already sent this application", "Ya envió esta solicitud"},
			[2]string{
				landlord + " has it. To change something in it, contact " + landlord + ".",
				landlord + " ya la tiene. Para cambiar algo, comuníquese con " + landlord + ".",
			})
	case application.InvitationExpired:
		return notice(v, http.StatusGone, h,
			[2]string{"This link has expired", "Este enlace ha vencido"},
			[2]string{
				"It worked until " + l.LastDay().Words() + ". Ask " + landlord +
					" for a new one if you still want to apply for " + l.Street() + ".",
				"Sirvió hasta el " + language.Date(l.LastDay()) + ". Si aún quiere solicitar " + l.Street() +
					", pida uno nuevo a " + landlord + ".",
			})
	case application.InvitationCancelled:
		return notice(v, http.StatusGone, h,
			[2]string{"This invitation was withdrawn", "Esta invitación fue retirada"},
			[2]string{
				landlord + " no longer accepts an application for " + l.Street() + " with this link.",
				landlord + " ya no acepta con este enlace una solicitud para " + l.Street() + ".",
			})
	}
	if h.Spanish {
		translate(f, applyErrors, "No se envió nada. Revise lo que escribió y envíelo de nuevo.")
	}
	return v.ShowAs(f.Status, views.ApplyPage(applyView(v, h, l, f)))
}

// sendApplication takes the form. What is wrong with it is shown beside the fields; a
// second one finds that the first was sent.
func (p *Section) sendApplication(v *page.Request) error {
	token := v.Param("token")
	if status := v.ReadForm(); status != http.StatusOK {
		return page.Unread(status, page.FormSize)
	}
	f := v.Form()
	lead, err := p.Guests.Lead(v.Request().Context(), token)
	if err != nil {
		return p.notTaken(v, token, f, err)
	}
	if lead.Invitation.Status == application.InvitationApplied {
		f.Status = http.StatusConflict
		return p.showLead(v, lead, f)
	}
	c := applicationCreate.BindOn(
		lead.Today,
		v.Zone(),
		f,
		"first_name",
		"last_name",
		"email",
		"phone",
		"move_in_date",
		"adults",
		"children",
		"pets",
		"monthly_income",
		"notes",
	)
	if f.Rejected() {
		return p.showLead(v, lead, f)
	}
	err = p.Guests.Apply(v.Request().Context(), token, c)
	switch {
	case err == nil:
		if kept := keptLang(v); kept != "" {
			return v.SeeOther(applyAt(v) + kept + "&sent")
		}
		return v.SeeOther(applyAt(v) + "?sent")
	case !f.Refused(err):
		return p.notTaken(v, token, f, err)
	}
	if lead, err = p.Guests.Lead(v.Request().Context(), token); err != nil { // as it is by now
		return v.NoLink(err)
	}
	return p.showLead(v, lead, f)
}

// notTaken shows the form as it was typed, where it is not its fault that nothing was
// sent. The error is returned, too, for the log.
func (p *Section) notTaken(v *page.Request, token string, f *page.Form, failed error) error {
	// The request's own context may have ended.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(v.Request().Context()), 5*time.Second)
	defer cancel()
	lead, err := p.Guests.Lead(ctx, token)
	if err != nil {
		return v.NoLink(err)
	}
	h := applyHeader(v, lead)
	view := applyView(v, h, lead, f)
	view.Trouble = h.Say("What you typed is still here. Send it again in a moment.",
		"Lo que escribió sigue aquí. Envíelo de nuevo en unos minutos.")
	return errors.Join(failed, v.ShowAs(fault.From(failed).Code.Entry().Status, views.ApplyPage(view)))
}

// unsubscribe asks first: mail programs follow links to look what is behind them.
func (p *Section) unsubscribe(v *page.Request) error {
	landlord, stopped, err := p.Emails.Unsubscribing(v.Request().Context(), v.Param("token"))
	if err != nil {
		return v.NoLink(err)
	}
	if stopped {
		return p.unsubscribed(v, landlord)
	}
	h := unsubscribeHeader(v, landlord)
	h.Title = h.Say("Stop invitations from "+landlord+"?", "¿Dejar de recibir invitaciones de "+landlord+"?")
	return v.ShowAs(http.StatusOK, kit.NoticePage(kit.GuestNotice{
		GuestHeader: h,
		Title:       h.Title,
		Button:      h.Say("Stop invitations", "No recibir más"),
		Action:      unsubscribeAt(v) + keptLang(v),
		Words: []string{h.Say(
			"You won’t get any more invitations to apply. Applications you sent aren’t affected.",
			"Ya no recibirá invitaciones para presentar una solicitud. Las que envió siguen igual.",
		)},
	}))
}

// stopInvitations is posted by the page, and by mail programs whose reader presses
// their own button (RFC 8058). What the body says is no matter.
func (p *Section) stopInvitations(v *page.Request) error {
	if err := p.Emails.Unsubscribe(v.Request().Context(), v.Param("token")); err != nil {
		return v.NoLink(err)
	}
	landlord, _, err := p.Emails.Unsubscribing(v.Request().Context(), v.Param("token"))
	if err != nil {
		return v.NoLink(err)
	}
	return p.unsubscribed(v, landlord)
}

func (p *Section) unsubscribed(v *page.Request, landlord string) error {
	return notice(v, http.StatusOK, unsubscribeHeader(v, landlord),
		[2]string{
			"You won’t get any more invitations from " + landlord,
			"Ya no recibirá invitaciones de " + landlord,
		},
		[2]string{
			"If you change your mind, tell " + landlord + ": they can still hand you a link themselves.",
			"Si cambia de opinión, dígaselo a " + landlord + ": todavía le puede dar un enlace.",
		})
}

var applicationCreate = page.InputOf[application.Create]("apply")

// known is what the invitation knows of the form's fields.
func known(l *application.Lead) url.Values {
	i := &l.Invitation
	values := url.Values{
		"email":      {i.Email},
		"first_name": {page.OrEmpty(i.FirstName)},
		"last_name":  {page.OrEmpty(i.LastName)},
		"phone":      {page.OrEmpty(i.Phone)},
		"adults":     {"1"},
	}
	if i.DesiredMoveInDate != nil {
		values.Set("move_in_date", i.DesiredMoveInDate.String())
	}
	return values
}

// applyErrors are the errors of the fields in Spanish.
var applyErrors = map[string]string{
	"first_name":     "Escriba su nombre, en 127 letras como máximo.",
	"last_name":      "Escriba su apellido, en 127 letras como máximo.",
	"email":          "Escriba una dirección de correo, como ana@example.com.",
	"phone":          "Escriba un número de teléfono, como (512) 555-0142.",
	"move_in_date":   "Elija un día a partir de hoy, dentro de 24 meses como máximo.",
	"adults":         "Escriba un número de 1 a 20.",
	"children":       "Escriba un número de 0 a 20, o nada.",
	"pets":           "Escriba como máximo 300 caracteres.",
	"monthly_income": "Escriba un monto en dólares, como 4,500.",
	"notes":          "Escriba como máximo 2,000 caracteres.",
}

// applyView is the form with what was typed and what is wrong with it, by field.
func applyView(v *page.Request, h kit.GuestHeader, l *application.Lead, f *page.Form) views.Apply {
	h.Title = h.Say("Apply for ", "Solicitud para ") + l.Street()
	if len(f.FieldErrors) > 0 {
		h.Title = h.Say("Check your answers: ", "Revise sus respuestas: ") + h.Title
	}
	form := f.Fill(applicationCreate.Form(kit.Form{Groups: []kit.FieldGroup{
		{Title: h.Say("About you", "Sobre usted"), Fields: aboutApplicant(h)},
		{Title: h.Say("Your move", "Su mudanza"), Fields: []kit.Field{dayField(h, f.Text("move_in_date"), l.Today)}},
		{Title: h.Say("Your household", "Su hogar"), Fields: aboutHousehold(h)},
		{Title: h.Say("Anything else", "Algo más"), Fields: []kit.Field{
			{
				Name:     "notes",
				Label:    h.Say("Notes (optional)", "Notas (opcional)"),
				Unmarked: true,
				Lines:    6,
				Hint:     "What the landlord should know. Leave out your social security number and date of birth.",
			},
		}},
	}}))
	if notes := &form.Groups[len(form.Groups)-1].Fields[0]; h.Spanish {
		notes.Hint = "Lo que el arrendador debe saber, en 2,000 caracteres como máximo. No escriba su número de " +
			"seguro social ni su fecha de nacimiento."
	}
	return views.Apply{
		GuestHeader: h,
		Address:     l.Address(),
		Facts:       facts(h, l),
		Until:       day(h, l.LastDay()),
		Action:      applyAt(v) + keptLang(v),
		Groups:      form.Groups,
		Trouble:     form.Trouble,
	}
}

// aboutApplicant asks who applies and how to reach them.
func aboutApplicant(h kit.GuestHeader) []kit.Field {
	return []kit.Field{
		{Name: "first_name", Label: h.Say("First name", "Nombre"), Complete: "given-name"},
		{Name: "last_name", Label: h.Say("Last name", "Apellido"), Complete: "family-name"},
		{
			Name:     "email",
			Label:    h.Say("Email address", "Correo electrónico"),
			Kind:     "email",
			Mode:     "email",
			Complete: "email",
		},
		{
			Name:     "phone",
			Label:    h.Say("Phone number", "Teléfono"),
			Kind:     "tel",
			Mode:     "tel",
			Complete: "tel",
			Hint: h.Say("For example (512) 555-0142. Start with + for a number outside the US.",
				"Por ejemplo (512) 555-0142. Un número de fuera de Estados Unidos empieza con +."),
		},
	}
}

// aboutHousehold asks who would live there, and of what income.
func aboutHousehold(h kit.GuestHeader) []kit.Field {
	return []kit.Field{
		{
			Name:     "adults",
			Label:    h.Say("Adults", "Adultos"),
			Mode:     "numeric",
			Complete: "off",
			Short:    true,
			Hint: h.Say("Everybody aged 18 or over who will live there, you included.",
				"Quienes tienen 18 años o más y van a vivir ahí, usted también."),
		},
		{
			Name:     "children",
			Label:    h.Say("Children (optional)", "Niños (opcional)"),
			Unmarked: true,
			Mode:     "numeric",
			Complete: "off",
			Short:    true,
		},
		{
			Name:     "pets",
			Label:    h.Say("Pets (optional)", "Mascotas (opcional)"),
			Unmarked: true,
			Complete: "off",
			Hint:     h.Say("Which, how many and how large.", "Cuáles, cuántas y de qué tamaño."),
		},
		{
			Name:     "monthly_income",
			Label:    h.Say("Monthly income of the household", "Ingreso mensual del hogar"),
			Mode:     "decimal",
			Complete: "off",
			Hint: h.Say("In dollars, before taxes. For example 4,500.",
				"En dólares, antes de impuestos. Por ejemplo 4,500."),
		},
	}
}

// dayField is a calendar, unless something was typed that a calendar cannot show.
func dayField(h kit.GuestHeader, typed string, first clock.Date) kit.Field {
	f := kit.Field{
		Name:     "move_in_date",
		Label:    h.Say("Move-in date", "Fecha de mudanza"),
		Complete: "off",
		Kind:     "date",
		Least:    first.String(),
		Most:     first.AddMonths(24).String(),
		Hint:     h.Say("The day you would like to move in.", "El día en que quiere mudarse."),
	}
	if _, err := clock.ParseDate(typed); typed != "" && err != nil {
		f.Kind, f.Least, f.Most = "text", "", ""
	}
	return f
}

// facts are what is known of the home.
func facts(h kit.GuestHeader, l *application.Lead) []kit.Fact {
	var all []kit.Fact
	add := func(english, spanish, value string) {
		all = append(all, kit.Fact{Name: h.Say(english, spanish), Value: value})
	}
	switch {
	case l.Invitation.OfferedRent != nil:
		add("Monthly rent", "Renta mensual", l.Invitation.OfferedRent.Dollars())
	case l.Unit.MarketRent != nil:
		add("Monthly rent", "Renta mensual", l.Unit.MarketRent.Dollars())
	}
	switch b := l.Unit.Bedrooms; {
	case b == nil:
	case *b == 0:
		add("Bedrooms", "Recámaras", h.Say("Studio", "Estudio"))
	default:
		add("Bedrooms", "Recámaras", strconv.Itoa(*b))
	}
	if b := l.Unit.Bathrooms; b != nil {
		add("Bathrooms", "Baños", string(b.AppendJSON(nil)))
	}
	if f := l.Unit.SquareFeet; f != nil {
		add("Square feet", "Pies cuadrados", texts.Number(*f))
	}
	return all
}
