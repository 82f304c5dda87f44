package resident

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/attachment"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/language"
	"portal/api/portfolio"
	"portal/api/tenantportal"
	"portal/views/kit"
	views "portal/views/resident"
	"portal/web/page"
)

// tenantTickets is the tickets of a tenant, with the form that reports another one.
func tenantTickets(t *tenantRequest) error {
	view, err := t.ticketsView(blankReport())
	if err != nil {
		return err
	}
	return t.Show(views.TenantTicketsPage(view))
}

func (t *tenantRequest) ticketsView(f *page.Form) (views.TenantTickets, error) {
	title := t.say("Repairs", "Reparaciones")
	t.translateErrors(f)
	if f.Rejected() {
		title = t.say("Not sent yet: ", "Aún no se envió: ") + title
	}
	frame := t.frame(title, "/tickets")
	view := views.TenantTickets{Tenant: frame, Report: t.reportForm(frame, f)}
	lines, err := t.ticketLines(false)
	view.Lines = lines
	return view, err
}

// ticketLines are the tickets of the tenant, those that are open alone where so asked.
func (t *tenantRequest) ticketLines(open bool) (all []views.TicketLine, err error) {
	tickets, err := t.section.Tenants.Tickets(t.Ctx(), t.Visit)
	for i := range tickets {
		x := &tickets[i]
		if open && x.Status.Final() {
			continue
		}
		all = append(all, views.TicketLine{
			Path:   t.at("/tickets/"+x.ID) + langQuery(t.Request),
			Title:  x.Title,
			About:  x.Number + " · " + t.day(clock.DateOf(x.CreatedAt.Std(), t.By.Zone)),
			Status: t.ticketNow(x),
		})
	}
	return all, err
}

var ticketStatuses = map[portfolio.TicketStatus]tag{
	portfolio.TicketOpen:       {kit.Waiting, bilingual{"Sent", "Enviada"}},
	portfolio.TicketInProgress: {kit.Waiting, bilingual{"In progress", "En curso"}},
	portfolio.TicketScheduled:  {kit.Waiting, bilingual{"Scheduled", "Programada"}},
	portfolio.TicketOnHold:     {kit.Idle, bilingual{"On hold", "En espera"}},
	portfolio.TicketCompleted:  {kit.Done, bilingual{"Fixed", "Resuelta"}},
	portfolio.TicketCancelled:  {kit.Idle, bilingual{"Canceled", "Cancelada"}},
}

// ticketNow is the status of a ticket; one that somebody at the landlord's has opened is reviewed.
func (t *tenantRequest) ticketNow(x *portfolio.Ticket) kit.Status {
	s := t.ticketStatus(x.Status)
	if x.Status == portfolio.TicketOpen && x.SeenAt != nil {
		s.Text = t.say("Reviewed", "Revisada")
	}
	return s
}

func (t *tenantRequest) ticketStatus(s portfolio.TicketStatus) kit.Status {
	return ticketStatuses[s].in(t.header)
}

// tenantTicket is a ticket as its tenant follows it.
func tenantTicket(t *tenantRequest) error { return t.ticketPage(blankReport(), sentPhotos{}) }

func (t *tenantRequest) ticketPage(f *page.Form, photos sentPhotos) error {
	x, err := t.section.Tenants.Ticket(t.Ctx(), t.Visit, t.Param("id"))
	if err != nil {
		return t.NoLink(err)
	}
	happened, err := t.section.Tenants.Activities(t.Ctx(), t.Visit, x.ID)
	if err != nil {
		return err
	}
	t.translateErrors(f)
	frame := t.frame(x.Number, "/tickets")
	frame.Said = t.saidOf(x)
	view := views.TenantTicket{
		Tenant:      frame,
		Number:      x.Number,
		Name:        x.Title,
		Status:      t.ticketNow(x),
		Steps:       t.ticketSteps(x),
		Description: x.Description,
		Events:      t.ticketEvents(x, happened),
		Add:         t.addForm(frame, x, f),
	}
	if x.ScheduledStart != nil && !x.Status.Final() {
		view.Visit, view.VisitBy = t.visit(*x.ScheduledStart, x.ScheduledEnd), t.visitBy(x)
	}
	for i, p := range x.Photos {
		at := t.at("/tickets/" + x.ID + "/photos/" + p.ID)
		view.Photos = append(view.Photos, views.ShownPhoto{
			Path:      at,
			Thumbnail: at + "/thumbnail",
			Alt: fmt.Sprintf(
				t.say("Photo %d of %d: %s", "Foto %d de %d: %s"),
				i+1,
				len(x.Photos),
				page.Clip(x.Title, mostAlt),
			),
		})
	}
	if tenantportal.Cancellable(x) && !t.preview {
		view.Cancel = t.at("/tickets/"+x.ID+"/cancel") + langQuery(t.Request)
	}
	if x.Priority == portfolio.PriorityEmergency && x.Status == portfolio.TicketOpen && x.Triage != nil {
		if view.Tenant.Advice, err = t.advice(x.Triage.SafetyFlags); err != nil {
			return err
		}
	}
	return t.tryAgain(f, photos, &view.Add, func() error { return t.ShowAs(f.Status, views.TenantTicketPage(view)) })
}

// sentCookie keeps, for the page that follows, which ticket this browser has just sent and what it was sent without.
func sentCookie(v *tenantportal.Visit) string { return "sent_" + v.Link.ID }

// keepSent has the browser keep for a minute what was sent: whoever loads the page again is not told again.
func (t *tenantRequest) keepSent() {
	if t.sent != "" {
		t.KeepGuestCookie(sentCookie(t.Visit), strings.ReplaceAll(t.sent, " ", "."), 60)
	}
}

// saidOf says once that a ticket was sent.
func (t *tenantRequest) saidOf(x *portfolio.Ticket) (said kit.Toast) {
	ticket, left, _ := strings.Cut(t.GuestCookie(sentCookie(t.Visit)), ".")
	if ticket != x.ID {
		return said
	}
	t.KeepGuestCookie(sentCookie(t.Visit), "", -1)
	said.Tone = kit.Done
	said.Text = fmt.Sprintf(t.say("Ticket %s sent to %s.", "Solicitud %s enviada a %s."), x.Number, t.Landlord.Name)
	if strings.Contains(left, withoutPhotos) {
		said.Tone = kit.Waiting
		said.Text += t.say(" Some photos were not sent with it: add them below.",
			" Algunas fotos no se enviaron: agréguelas abajo.")
	}
	if strings.Contains(left, withoutNotes) {
		said.Tone = kit.Waiting
		said.Text += t.say(" It does not say whether somebody may come in: write that below.",
			" No dice si se puede entrar: escríbalo abajo.")
	}
	return said
}

// mostAlt is how many characters of a tenant's words the text of a photo has.
const mostAlt = 80

// addForm adds words and photos to a ticket.
func (t *tenantRequest) addForm(frame views.Tenant, x *portfolio.Ticket, f *page.Form) views.ReportForm {
	closed := ""
	if t.preview {
		closed = t.say("Tenants write here.", "Aquí escriben los inquilinos.")
	}
	return views.ReportForm{
		Tenant: frame,
		Closed: closed,
		Action: t.at("/tickets/"+x.ID+"/comments") + langQuery(t.Request),
		Title:  t.say("Send a message", "Enviar un mensaje"),
		Once:   rand.Text(),
		Form: f.Fill(kit.Form{
			Submit: t.say("Send message", "Enviar mensaje"),
			Failed: t.say("Not sent yet", "Aún no se envió"),
			Groups: []kit.FieldGroup{{Fields: []kit.Field{{
				Name:     "words",
				Label:    t.say("Message to ", "Mensaje para ") + t.Landlord.Name,
				Hint:     t.say("At most 5,000 characters.", "Como máximo 5,000 caracteres."),
				Lines:    3,
				Longest:  5000,
				Unmarked: true, // photos alone are a message, too
			}}}},
		}),
	}
}

// The last steps of a ticket.
const (
	stepVisit = 2
	stepFixed = 3
)

// ticketSteps are how far a ticket has come, none where it was canceled.
func (t *tenantRequest) ticketSteps(x *portfolio.Ticket) []views.SignStep {
	reached := 0
	switch {
	case x.Status == portfolio.TicketCancelled:
		return nil
	case x.Status == portfolio.TicketCompleted:
		reached = stepFixed
	case x.Status == portfolio.TicketScheduled, x.ScheduledStart != nil && !x.Status.Final():
		reached = stepVisit
	case x.SeenAt != nil, x.Status != portfolio.TicketOpen:
		reached = 1
	}
	var all []views.SignStep
	for i, name := range []bilingual{
		{"Sent", "Enviada"}, {"Reviewed", "Revisada"}, {"Scheduled", "Programada"}, {"Fixed", "Resuelta"},
	} {
		if i == stepVisit && reached == stepFixed && x.ScheduledStart == nil {
			continue // it was fixed without a visit
		}
		all = append(all, views.SignStep{
			Name: name.in(t.header),
			Done: i < reached || i == 0 || reached == stepFixed,
			Now:  i == reached && 0 < i && i < stepFixed,
		})
	}
	return all
}

// visit is when somebody comes: the day, and from when to when.
func (t *tenantRequest) visit(start clock.Time, end *clock.Time) string {
	from := start.Std().In(t.By.Zone)
	words := t.say(
		from.Format("Monday, January 2, 3:04 PM"),
		language.Moment(from),
	)
	if end == nil {
		return words
	}
	to := end.Std().In(t.By.Zone)
	if clock.DateOf(from, t.By.Zone) != clock.DateOf(to, t.By.Zone) {
		return words
	}
	return words + t.say(" to "+to.Format("3:04 PM"), " a "+language.Hour(to))
}

// visitBy says who comes, and whether they call first.
func (t *tenantRequest) visitBy(x *portfolio.Ticket) string {
	who := t.Landlord.Name
	if x.Vendor != nil {
		who = x.Vendor.Name
	}
	if x.EntryPermission == "call_first" {
		return fmt.Sprintf(t.say("%s comes, and calls before coming in.", "Viene %s y llama antes de entrar."), who)
	}
	return fmt.Sprintf(t.say("%s comes.", "Viene %s."), who)
}

// ticketEvents are what happened to a ticket, the newest first.
func (t *tenantRequest) ticketEvents(x *portfolio.Ticket, happened []portfolio.TicketActivity) []views.TicketEvent {
	all := []views.TicketEvent{{
		Icon:  "check",
		Tone:  "ok",
		Title: t.say("You sent ticket "+x.Number, "Usted envió la solicitud "+x.Number),
		When:  t.moment(x.CreatedAt),
	}}
	for i := range happened {
		all = append(all, t.ticketEvent(&happened[i]))
	}
	slices.Reverse(all)
	return all
}

func (t *tenantRequest) ticketEvent(a *portfolio.TicketActivity) views.TicketEvent {
	e := views.TicketEvent{When: t.moment(a.CreatedAt), Icon: "clock", Tone: "info"}
	who := t.Landlord.Name
	if a.ByTenant {
		who = t.say("You", "Usted")
	}
	switch a.Kind {
	case portfolio.ActivityComment:
		e.Icon, e.Tone, e.Words = "mail", "", a.Words
		e.Title = fmt.Sprintf(t.say("%s wrote", "%s escribió"), who)
	case portfolio.ActivityPhotos:
		e.Icon, e.Tone = "camera", ""
		e.Title = fmt.Sprintf(t.say("%s added photos", "%s agregó fotos"), who)
	case portfolio.ActivityVisit:
		if e.Title = t.say("The visit was canceled", "Se canceló la visita"); a.Start != nil {
			e.Title = t.say("Visit: ", "Visita: ") + t.visit(*a.Start, a.End)
		}
	case portfolio.ActivityStatus:
		e.Title = t.ticketStatus(a.Status).Text
		if a.Status == portfolio.TicketCompleted {
			e.Icon, e.Tone = "check", "ok"
		}
	}
	return e
}

// moment is a time as the page shows it.
func (t *tenantRequest) moment(at clock.Time) kit.Time {
	m := page.Moment(at.Std(), t.Shell.Now(), t.By.Zone)
	local := at.Std().In(t.By.Zone)
	m.Text = t.say(local.Format("Jan 2, 3:04 PM"), language.ShortMoment(local))
	return m
}

// tenantAdd adds words and photos to a ticket.
func tenantAdd(t *tenantRequest) error {
	if _, err := t.section.Tenants.Ticket(t.Ctx(), t.Visit, t.Param("id")); err != nil {
		return t.NoLink(err)
	}
	f, oversized, err := t.readReport()
	if err != nil {
		return err
	}
	if to, err := t.takenBefore(f); err != nil || to != "" {
		return t.seeOr(to, err)
	}
	photos, err := t.photosOf(f, oversized)
	if err != nil {
		return err
	}
	var c tenantportal.Comment
	if f.Text("words") != "" || len(photos.made)+len(photos.kept) == 0 && len(photos.refused) == 0 {
		c = tenantComment.BindOn(t.Visit.Today, t.By.Zone, f, "words")
	}
	if f.Rejected() || len(photos.refused) > 0 {
		return t.ticketPage(f, photos)
	}
	return t.once(f, photos, func(ctx context.Context, ids []string) (string, error) {
		err := t.section.Tenants.Add(ctx, t.Visit, t.Param("id"), c.Words, ids)
		return t.at("/tickets/"+t.Param("id")) + langQuery(t.Request), err
	}, t.ticketPage)
}

// tenantCancel cancels a ticket that nobody has begun.
func tenantCancel(t *tenantRequest) error {
	err := t.section.Tenants.Cancel(t.Ctx(), t.Visit, t.Param("id"))
	if fault.Is(err, fault.InvalidTransition) {
		f := blankReport()
		f.Status = http.StatusConflict
		f.Problem = t.say(
			"Work on it has started. Send a message instead.",
			"Ya empezaron a trabajar. Mejor envíe un mensaje.",
		)
		return t.ticketPage(f, sentPhotos{})
	}
	if err != nil {
		return t.NoLink(err)
	}
	return t.SeeOther(t.at("/tickets/"+t.Param("id")) + langQuery(t.Request))
}

// tenantPhoto is a photo of a ticket of the tenant.
func tenantPhoto(t *tenantRequest) error { return t.photo(false) }

// tenantThumbnail is the thumbnail of one.
func tenantThumbnail(t *tenantRequest) error { return t.photo(true) }

func (t *tenantRequest) photo(thumbnail bool) error {
	content, err := t.section.Tenants.Photo(t.Ctx(), t.Visit, t.Param("id"), t.Param("photo"), thumbnail)
	if err != nil {
		return t.NoLink(err)
	}
	return t.Send.Photo(content)
}

// linkedPhoto is a photo whose signed link somebody has, for an hour.
func (p *Section) linkedPhoto(v *page.Request) error {
	content, err := p.Tenants.LinkedPhoto(v.Ctx(), v.Param("token"))
	if err != nil {
		return v.NoLink(err)
	}
	return v.Send.Photo(content)
}

// sentPhotos are the photos of a form: those that were kept with an earlier try, those that came with this one, and
// what is wrong with others.
type sentPhotos struct {
	kept    portfolio.Photos
	made    []attachment.Photo
	refused []string
}

// readPhotos converts the photos of a form, one after the other.
func (t *tenantRequest) readPhotos(f *page.Form) (all sentPhotos, err error) {
	if all.kept, err = t.section.Tenants.Waiting(t.Ctx(), t.Visit, f.All("kept")); err != nil {
		return all, err
	}
	files := t.Upload.Files()
	if len(files)+len(all.kept) > portfolio.MostPhotos {
		all.refused = append(all.refused, t.say("Send up to 5 photos in all.", "Envíe hasta 5 fotos en total."))
		files = nil
	}
	if err = t.section.Tenants.Receive(t.Ctx(), t.Visit, len(files)); fault.Is(err, fault.RateLimited) {
		all.refused, files = append(all.refused, t.tooMany(err)), nil
	} else if err != nil {
		return all, err
	}
	convert := t.section.Photos.Convert
	if t.By.Portfolio.Mode == access.Test {
		convert = t.section.Photos.ConvertLast
	}
	for i, file := range files {
		photo, err := convert(t.Ctx(), file)
		number := fmt.Sprintf(t.say("Photo %d: ", "Foto %d: "), i+1)
		if why, is := attachment.RefusalOf(err); is {
			all.refused = append(all.refused, number+why.Say(t.header.Spanish))
			continue
		}
		if fault.Is(err, fault.Unavailable) { // what was typed is not lost for that
			all.refused = append(all.refused, number+t.say("There are many photos just now. Add it again in a moment.",
				"Ahora hay muchas fotos. Espere un poco y agréguela de nuevo."))
			continue
		}
		if err != nil {
			return all, err
		}
		all.made = append(all.made, photo)
	}
	return all, nil
}

// photosOf are the photos of a form that was read, or too large.
func (t *tenantRequest) photosOf(f *page.Form, oversized bool) (sentPhotos, error) {
	if !oversized {
		return t.readPhotos(f)
	}
	kept, err := t.section.Tenants.Waiting(t.Ctx(), t.Visit, f.All("kept"))
	return sentPhotos{
		kept: kept,
		refused: []string{t.say("The photos are larger than 10 MB each. Send fewer, or smaller ones.",
			"Las fotos pesan más de 10 MB cada una. Envíe menos, o más pequeñas.")},
	}, err
}
