package resident

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"portal/api/attachment"
	"portal/api/fault"
	"portal/api/portfolio"
	"portal/api/tenantportal"
	"portal/views/kit"
	views "portal/views/resident"
	"portal/web/page"
)

var (
	tenantReport  = page.InputOf[tenantportal.Report]("report")
	tenantComment = page.InputOf[tenantportal.Comment]("comment")
)

// photoForm is how much a form with photos has at most, in bytes.
const photoForm = portfolio.MostPhotos*attachment.MostBytes + page.FormSize

// reportForm is the form that reports something, with what was typed.
func (t *tenantRequest) reportForm(frame views.Tenant, f *page.Form) views.ReportForm {
	r := views.ReportForm{
		Tenant: frame,
		Action: t.at("/tickets") + langQuery(t.Request),
		Title:  t.say("Report a problem", "Reportar un problema"),
		Once:   rand.Text(),
		Note: t.say(
			"Gas smell, fire, or carbon monoxide? Leave and call",
			"¿Olor a gas, fuego o monóxido de carbono? Salga y llame al",
		),
	}
	if !t.Resides() {
		r.Closed = t.say(
			"Reports are for people who live there today. To reach "+t.Landlord.Name+", call or write to them.",
			"Esto es para quienes viven ahí hoy. Para comunicarse con "+t.Landlord.Name+", llame o escriba.",
		)
	}
	if t.preview {
		r.Closed = t.say(
			"Tenants report here what needs repair.",
			"Aquí los inquilinos reportan lo que hay que reparar.",
		)
	}
	r.Form = f.Fill(kit.Form{
		Submit: t.say("Send report", "Enviar reporte"),
		Failed: t.say("Not sent yet", "Aún no se envió"),
		Groups: []kit.FieldGroup{{Fields: []kit.Field{
			{
				Name:  "description",
				Label: t.say("What's wrong?", "¿Qué sucede?"),
				Hint: t.say(
					"Where it is, and since when. At most 10,000 characters.",
					"Dónde y desde cuándo. Como máximo 10,000 caracteres.",
				),
				Lines:   4,
				Longest: 10_000,
			},
			{
				Name:    "entry_permission",
				Label:   t.say("Can we come in if you're out?", "¿Podemos entrar si no está?"),
				Kind:    "radios",
				Choices: t.entryChoices(f.Text("entry_permission")),
			},
			{
				Name:     "entry_notes",
				Label:    t.say("What to know before coming in (optional)", "Qué saber antes de entrar (opcional)"),
				Hint:     t.say("A pet, a code, when you're home.", "Una mascota, un código, cuándo está en casa."),
				Lines:    2,
				Longest:  1000,
				Unmarked: true,
			},
		}}},
	})
	return r
}

// entryChoices are whether the home may be entered, with the one that was chosen.
func (t *tenantRequest) entryChoices(chosen string) []kit.Choice {
	all := []kit.Choice{
		{Value: "call_first", Label: t.say("Call first", "Llamar antes")},
		{Value: "granted", Label: t.say("Yes", "Sí")},
		{Value: "denied", Label: "No"},
	}
	if chosen == "" {
		chosen = all[0].Value
	}
	for i := range all {
		all[i].Chosen = all[i].Value == chosen
	}
	return all
}

// reportErrors are those of the fields of a tenant, in Spanish.
var reportErrors = map[string]string{
	"description": "Escriba qué sucede, en 10,000 caracteres como máximo.",
	"entry_notes": "Escriba como máximo 1,000 caracteres.",
	"words":       "Escriba un mensaje de 5,000 caracteres como máximo, o agregue fotos.",
	"photos": "Una solicitud tiene 5 fotos como máximo. Si falta alguna de las que envió, agréguela de " +
		"nuevo.",
	"entry_permission": "Elija una de las opciones.",
}

// translateErrors has the errors of a form speak the language of the page.
func (t *tenantRequest) translateErrors(f *page.Form) {
	if t.header.Spanish {
		translate(f, reportErrors, "No se envió nada. Revise lo que escribió y envíelo de nuevo.")
	}
}

// readReport reads a form with photos; oversized reports whether they were too large together.
func (t *tenantRequest) readReport() (f *page.Form, oversized bool, err error) {
	status, err := t.ReadFiles(t.By.Portfolio, t.Link.ID)
	switch {
	case fault.Is(err, fault.Unavailable):
		t.Response().Header().Set("Retry-After", strconv.Itoa(fault.From(err).Retry))
		return nil, false, page.Refusal{
			Status: http.StatusServiceUnavailable,
			Title:  t.say("Others are sending photos", "Otras personas están enviando fotos"),
			Words: t.say("Nothing was sent. Go back and send it again in a moment. In an emergency, call.",
				"No se envió nada. Regrese y envíelo de nuevo en unos minutos. En una emergencia, llame."),
			Translated: true,
		}
	case err != nil:
		return nil, false, err
	case status == http.StatusRequestEntityTooLarge && t.sentForm(t.Request.Form()) != nil:
		return t.Request.Form(), true, nil
	case status != http.StatusOK:
		return nil, false, page.Unread(status, photoForm)
	}
	f = t.Request.Form()
	if t.sentForm(f) == nil {
		return nil, false, page.Unread(http.StatusBadRequest, photoForm)
	}
	return f, false, nil
}

// tenantSubmit takes a report. An emergency is sent without whatever is wrong with its photos and notes: the page that
// follows says first what to do, and what was left out.
func tenantSubmit(t *tenantRequest) error {
	f, oversized, err := t.readReport()
	if err != nil {
		return err
	}
	if to, err := t.takenBefore(f); err != nil || to != "" {
		return t.seeOr(to, err)
	}
	if !t.Resides() { // no form was shown to them, and none of their photos is kept
		f.Status, f.Problem = http.StatusConflict, t.say("Nothing was sent.", "No se envió nada.")
		return t.reportAgain(f, sentPhotos{})
	}
	report := t.bindReport(f)
	photos, err := t.photosOf(f, oversized)
	if err != nil {
		return err
	}
	urgent := f.FieldErrors["description"] == "" && t.section.Tenants.Urgent(f.Text("description"))
	switch wrong := f.Rejected() || len(photos.refused) > 0; {
	case wrong && urgent:
		return t.submitWithout(f, photos)
	case wrong:
		return t.reportAgain(f, photos)
	case urgent: // its photos may be more than a day takes
		return t.once(f, photos, t.submit(report, ""), t.submitWithout)
	}
	return t.once(f, photos, t.submit(report, ""), t.reportAgain)
}

// bindReport is what a form reports.
func (t *tenantRequest) bindReport(f *page.Form) tenantportal.Report {
	return tenantReport.BindOn(t.Visit.Today, t.By.Zone, f, "description", "entry_permission", "entry_notes")
}

// What an emergency was sent without.
const (
	withoutPhotos = "photos"
	withoutNotes  = "notes"
)

// submitWithout sends an emergency without what is wrong with it.
func (t *tenantRequest) submitWithout(f *page.Form, photos sentPhotos) error {
	plain := page.Blank(maps.Clone(f.Values))
	var left []string
	for _, name := range []string{"entry_permission", "entry_notes"} {
		if f.FieldErrors[name] != "" {
			plain.Values.Del(name)
			left = []string{withoutNotes}
		}
	}
	if len(photos.refused) > 0 || len(left) == 0 {
		photos = sentPhotos{kept: photos.kept, made: nil, refused: nil}
		left = append(left, withoutPhotos)
	}
	return t.once(plain, photos, t.submit(t.bindReport(plain), strings.Join(left, " ")), t.reportAgain)
}

// submit is how a report is sent; left is what it is sent without.
func (t *tenantRequest) submit(
	report tenantportal.Report, left string,
) func(ctx context.Context, photos []string) (to string, err error) {
	return func(ctx context.Context, photos []string) (string, error) {
		report.Photos = photos
		made, err := t.section.Tenants.Submit(ctx, t.Visit, report)
		if err != nil {
			return "", err
		}
		t.sent = strings.TrimSpace(made.ID + " " + left)
		return t.at("/tickets/"+made.ID) + langQuery(t.Request), nil
	}
}

// reportAgain shows the page of tickets with a report that was refused.
func (t *tenantRequest) reportAgain(f *page.Form, photos sentPhotos) error {
	view, err := t.ticketsView(f)
	if err != nil {
		return err
	}
	return t.tryAgain(
		f,
		photos,
		&view.Report,
		func() error { return t.ShowAs(f.Status, views.TenantTicketsPage(view)) },
	)
}

// takenBefore is where the answer to a form led to that was taken before, "" for one that was not.
func (t *tenantRequest) takenBefore(f *page.Form) (to string, err error) {
	err = t.Shell.Forms.Exclusively(t.Ctx(), t.By.Portfolio, func(ctx context.Context) error {
		first, earlier, _, err := t.sentForm(f).Claim(ctx)
		if to = earlier; err != nil || !first {
			return err
		}
		return errNotTaken
	})
	if errors.Is(err, errNotTaken) {
		return "", nil
	}
	return to, err
}

// errNotTaken takes back the claim of a form that was only looked at.
var errNotTaken = errors.New("the form was not taken")

// seeOr leads to where a form that was taken before led to.
func (t *tenantRequest) seeOr(to string, err error) error {
	if err != nil {
		return err
	}
	return t.SeeOther(to)
}

// sentForm is the form that was sent by this link, nil where it does not say which one it is.
func (t *tenantRequest) sentForm(f *page.Form) *page.SentForm {
	return t.SentForm(t.Link.ID, f.Text("form"))
}

// tryAgain shows a form again: nothing that was sent is lost, photos neither.
func (t *tenantRequest) tryAgain(
	f *page.Form, photos sentPhotos, form *views.ReportForm, show func() error,
) error {
	if len(photos.refused) > 0 && !f.Rejected() {
		f.Status = http.StatusUnprocessableEntity
	}
	ids := make([]string, 0, portfolio.MostPhotos)
	for _, p := range photos.kept {
		ids = append(ids, p.ID)
	}
	if len(photos.made) > 0 {
		kept, err := t.section.Tenants.KeepPhotos(t.Ctx(), t.Visit, photos.made)
		if fault.Is(err, fault.RateLimited) {
			photos.refused, err = append(photos.refused, t.tooMany(err)), nil
		}
		if fault.Is(err, fault.NoRecord) {
			return t.NoLink(err)
		}
		if err != nil {
			return err
		}
		ids = append(ids, kept...)
	}
	for i, id := range ids {
		form.Kept = append(form.Kept, views.KeptPhoto{ID: id, Name: fmt.Sprintf(t.say("Photo %d", "Foto %d"), i+1)})
	}
	if form.Refused = photos.refused; form.Form.Trouble == "" {
		form.Form.Trouble = strings.Join(photos.refused, " ") // above the form, where the browser goes first
	}
	return show()
}

// tooMany says how much a day takes.
func (t *tenantRequest) tooMany(err error) string {
	switch fault.From(err).Param {
	case "photos", "files":
		return t.say(
			"You can send 20 photos a day. Try again tomorrow.",
			"Puede enviar 20 fotos al día. Intente mañana.",
		)
	case "tickets":
		return t.say("You can send 10 tickets a day. In an emergency, call.",
			"Puede enviar 10 solicitudes al día. En una emergencia, llame.")
	}
	return t.say("That is enough for today. Call instead.", "Es suficiente por hoy. Mejor llame.")
}

// once does what a form asks for in one transaction with its photos and the note that it was taken: sent twice it
// is done once. again shows the form with what was refused.
func (t *tenantRequest) once(
	f *page.Form, photos sentPhotos,
	do func(ctx context.Context, ids []string) (to string, err error),
	again func(f *page.Form, photos sentPhotos) error,
) error {
	form := t.sentForm(f)
	var to string
	err := t.Shell.Forms.Exclusively(t.Ctx(), t.By.Portfolio, func(ctx context.Context) error {
		first, earlier, _, err := form.Claim(ctx)
		if err != nil {
			return err
		}
		if to = earlier; !first {
			return nil
		}
		ids, err := t.section.Tenants.KeepPhotos(ctx, t.Visit, photos.made)
		if err != nil {
			return err
		}
		var all []string
		for _, p := range photos.kept {
			all = append(all, p.ID)
		}
		if to, err = do(ctx, slices.Concat(all, ids)); err != nil {
			return err
		}
		return form.Keep(ctx, to, "")
	})
	switch {
	case err == nil:
		t.keepSent()
		return t.SeeOther(to)
	case fault.Is(err, fault.RateLimited):
		f.Status, f.Problem = http.StatusTooManyRequests, t.tooMany(err)
	case fault.Is(err, fault.InvalidTransition):
		f.Status, f.Problem = http.StatusConflict, t.say(fault.From(err).Message,
			"Ya no se puede hacer. Llame o escriba a "+t.Landlord.Name+".")
	case fault.Is(err, fault.NoRecord):
		return t.NoLink(err)
	case !f.Refused(err):
		return err
	case f.Problem != "" && t.header.Spanish:
		f.Problem = "No se envió nada. Llame o escriba a " + t.Landlord.Name + "."
	}
	return again(f, photos)
}

// blankReport is the form before anything was typed.
func blankReport() *page.Form { return page.Blank(url.Values{}) }
