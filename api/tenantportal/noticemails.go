package tenantportal

import (
	"cmp"
	"context"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"portal/api/clock"
	"portal/api/language"
	"portal/api/mail"
	"portal/api/portfolio"
)

// mostTold is how much of what has happened to a ticket an email tells: the latest.
const mostTold = 30

// longestTitle is how much of the title of a ticket is in a subject, in runes.
const longestTitle = 80

// ticketEmail is what all emails about a ticket say.
type ticketEmail struct {
	Name, Landlord, Address string // of the tenant, of the landlord, of the home
	Title                   string // with the number
	Link                    string
	Earlier                 int // how much more has happened before
	News                    []event
}

// event is something that happened to a ticket, in words.
type event struct {
	English string
	Quote   string // words of a person, "" for none
	Spanish string // without these words; "" in an email to the landlord
}

// mailTenant emails a tenant what the landlord has done about their ticket.
func (s *Service) mailTenant(ctx context.Context, v *Visit, t *portfolio.Ticket, all []portfolio.TicketActivity) error {
	page, err := s.address(ctx, v)
	if err != nil {
		return err
	}
	e := v.ticketEmail(t, all, v.toldTenant)
	e.Name, e.Link = line(v.Tenant.FirstName), page+"/tickets/"+t.ID
	reads, stop := v.Link.Language, page+"/mail/stop"
	e.Link = reads.Link(e.Link)
	m, err := templates.Fill(reads.Template("ticket_tenant"), &mail.Message{
		AccountID:   v.Landlord.AccountID,
		Portfolio:   v.By.Portfolio,
		About:       t.ID,
		To:          v.email(),
		Subject:     reads.Say("Update on ", "Novedades de la solicitud ") + t.Number + ": " + clipped(t.Title),
		Unsubscribe: stop,
	}, struct {
		ticketEmail
		Stop string
	}{e, reads.Link(stop)})
	if err != nil {
		return err
	}
	return s.Send(ctx, m)
}

// mailLandlord emails those of a landlord's account who want to know it that a tenant has submitted a ticket, or what
// else they have done about it. It reports whether there are any.
func (s *Service) mailLandlord(
	ctx context.Context, v *Visit, t *portfolio.Ticket, all []portfolio.TicketActivity,
) (sent bool, err error) {
	readers := v.Landlord.Recipients(portfolio.TicketNotice)
	if len(readers) == 0 {
		return false, nil
	}
	e := v.ticketEmail(t, all, v.toldLandlord)
	e.Name, e.Link = line(v.Tenant.Name), s.BaseURL+"/"+string(v.By.Portfolio.Mode)+"/tickets/"+t.ID
	var safety []string
	if t.Triage != nil {
		safety = t.Triage.SafetyFlags
	}
	m, err := templates.Fill("ticket_landlord", &mail.Message{
		AccountID: v.Landlord.AccountID,
		Portfolio: v.By.Portfolio,
		About:     t.ID,
		Subject:   landlordSubject(t, len(all) == 0),
	}, struct {
		ticketEmail
		Created                    bool
		Priority, Category, Safety string
		Description                string
		Photos                     int
	}{
		ticketEmail: e,
		Created:     len(all) == 0,
		Priority:    label(string(t.Priority)),
		Category:    label(string(t.Category)),
		Safety:      lowercase(strings.Join(safety, ", ")),
		Description: t.Description,
		Photos:      len(t.Photos),
	})
	for i := 0; i < len(readers) && err == nil; i++ {
		own := *m
		own.To = readers[i]
		err = s.Send(ctx, &own)
	}
	return true, err
}

// landlordSubject says what an email to the landlord is about, and how urgent it is.
func landlordSubject(t *portfolio.Ticket, created bool) string {
	subject := "Update on " + t.Number
	if created {
		subject = "New ticket " + t.Number
		if t.Priority == portfolio.PriorityHigh || t.Priority == portfolio.PriorityEmergency {
			subject += " (" + string(t.Priority) + ")"
		}
	}
	return subject + ": " + clipped(t.Title)
}

// ticketEmail is what an email says of a ticket whatever its reader.
func (v *Visit) ticketEmail(
	t *portfolio.Ticket, all []portfolio.TicketActivity, told func(*portfolio.TicketActivity) event,
) ticketEmail {
	e := ticketEmail{
		Landlord: line(v.Landlord.Name),
		Address:  line(v.addressOf(t)),
		Title:    t.Number + ": " + line(t.Title),
		Earlier:  max(len(all)-mostTold, 0),
	}
	for i := range all[e.Earlier:] {
		e.News = append(e.News, told(&all[e.Earlier+i]))
	}
	return e
}

// addressOf is where the work of a ticket is, "" where that is not known.
func (v *Visit) addressOf(t *portfolio.Ticket) string {
	if len(v.Leases) == 0 {
		return ""
	}
	if t.LeaseID != nil {
		if l, err := v.Lease(*t.LeaseID); err == nil {
			return l.RentalAddress
		}
	}
	return v.Home().RentalAddress
}

// line is a text in one line, so that it is not taken for several.
func line(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
}

// clipped is the title of a ticket as a subject has room for it.
func clipped(title string) string {
	title = line(title)
	if utf8.RuneCountInString(title) <= longestTitle {
		return title
	}
	return strings.TrimSpace(string([]rune(title)[:longestTitle-1])) + "…"
}

// toldTenant says to a tenant what the landlord has done about a ticket.
func (v *Visit) toldTenant(a *portfolio.TicketActivity) event {
	author := line(cmp.Or(a.Author, v.Landlord.Name))
	switch a.Kind {
	case portfolio.ActivityComment:
		return event{author + " wrote:", a.Words, author + " le escribió un mensaje."}
	case portfolio.ActivityPhotos:
		n := line(a.Words)
		return event{author + " added " + photos(n) + ".", "", author + " agregó fotos: " + n + "."}
	case portfolio.ActivityVisit:
		if a.Start == nil && a.End == nil {
			return event{"The visit was canceled.", "", "La visita se canceló."}
		}
		return event{
			"A visit is planned: " + englishSpan(a.Start, a.End, v.Landlord.Zone) + ".", "",
			"Hay una visita programada: " + spanishSpan(a.Start, a.End, v.Landlord.Zone) + ".",
		}
	}
	return event{
		"The status is now " + label(string(a.Status)) + ".", "",
		"El estado ahora es: " + spanishStatus[a.Status] + ".",
	}
}

// toldLandlord says to a landlord what the tenant has done about a ticket.
func (v *Visit) toldLandlord(a *portfolio.TicketActivity) event {
	author := line(cmp.Or(a.Author, v.Tenant.Name))
	switch {
	case a.Kind == portfolio.ActivityComment:
		return event{English: author + " wrote:", Quote: a.Words}
	case a.Kind == portfolio.ActivityPhotos:
		return event{English: author + " added " + photos(line(a.Words)) + "."}
	case a.Kind == portfolio.ActivityVisit:
		return event{English: author + " changed the time of the visit."}
	case a.Status == portfolio.TicketCancelled:
		return event{English: author + " canceled the ticket."}
	case a.Status == portfolio.TicketOpen:
		return event{English: author + " reopened the ticket."}
	}
	return event{English: author + " set the status to " + label(string(a.Status)) + "."}
}

// photos are so many, in words.
func photos(n string) string {
	if n == "1" {
		return "1 photo"
	}
	return n + " photos"
}

// label is a name of a field's value as people write it: on_hold is On hold.
func label(name string) string {
	switch name {
	case "hvac":
		return "HVAC"
	case "locks_security":
		return "Locks and security"
	case "mold_moisture":
		return "Mold and moisture"
	case string(portfolio.TicketCancelled):
		return "Canceled"
	}
	s := lowercase(name)
	return strings.ToUpper(s[:min(len(s), 1)]) + s[min(len(s), 1):]
}

// lowercase is a name of a field's value within a sentence.
func lowercase(name string) string { return strings.ReplaceAll(name, "_", " ") }

var spanishStatus = map[portfolio.TicketStatus]string{
	portfolio.TicketOpen:       "abierta",
	portfolio.TicketInProgress: "en curso",
	portfolio.TicketScheduled:  "programada",
	portfolio.TicketOnHold:     "en espera",
	portfolio.TicketCompleted:  "terminada",
	portfolio.TicketCancelled:  "cancelada",
}

// englishSpan is when a visit is planned, where the landlord is. Either end may be nil, but not both.
func englishSpan(start, end *clock.Time, zone *time.Location) string {
	const day, hour = "Monday, January 2", "3:04 PM"
	switch {
	case start == nil:
		return "until " + end.Std().In(zone).Format(day+", "+hour)
	case end == nil:
		return start.Std().In(zone).Format(day + ", " + hour)
	}
	from, to := start.Std().In(zone), end.Std().In(zone)
	if clock.DateOf(from, zone) == clock.DateOf(to, zone) {
		return from.Format(day+", "+hour) + " to " + to.Format(hour)
	}
	return from.Format(day+", "+hour) + " to " + to.Format(day+", "+hour)
}

// spanishSpan is englishSpan in Spanish.
func spanishSpan(start, end *clock.Time, zone *time.Location) string {
	switch {
	case start == nil:
		return "hasta el " + language.Moment(end.Std().In(zone))
	case end == nil:
		return language.Moment(start.Std().In(zone))
	}
	from, to := start.Std().In(zone), end.Std().In(zone)
	if clock.DateOf(from, zone) == clock.DateOf(to, zone) {
		return language.Moment(from) + " a " + language.Hour(to)
	}
	return language.Moment(from) + " a " + language.Moment(to)
}
