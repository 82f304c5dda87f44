package tenantportal

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"portal/api/clock"
	"portal/api/portfolio"
)

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
		return "hasta el " + spanishMoment(end.Std().In(zone))
	case end == nil:
		return spanishMoment(start.Std().In(zone))
	}
	from, to := start.Std().In(zone), end.Std().In(zone)
	if clock.DateOf(from, zone) == clock.DateOf(to, zone) {
		return spanishMoment(from) + " a " + spanishHour(to)
	}
	return spanishMoment(from) + " a " + spanishMoment(to)
}

func spanishMoment(at time.Time) string {
	day, month := spanishDays[at.Weekday()], spanishMonths[at.Month()-1]
	return fmt.Sprintf("%s %d de %s, %s", day, at.Day(), month, spanishHour(at))
}

func spanishHour(at time.Time) string {
	if at.Hour() < 12 {
		return at.Format("3:04") + " a. m."
	}
	return at.Format("3:04") + " p. m."
}

var (
	spanishDays   = [...]string{"domingo", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado"}
	spanishMonths = [...]string{
		"enero", "febrero", "marzo", "abril", "mayo", "junio",
		"julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre",
	}
)
