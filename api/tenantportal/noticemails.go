package tenantportal

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

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
func (s *Service) mailTenant(
	ctx context.Context, v *Visit, t *portfolio.Ticket, all []portfolio.TicketActivity,
) error {
	page, err := s.address(ctx, v)
	if err != nil {
		return err
	}
	e := v.ticketEmail(t, all, v.toldTenant)
	e.Name, e.Link = line(v.Tenant.FirstName), page+"/tickets/"+t.ID
	stop := page + "/mail/stop"
	m, err := templates.Fill("ticket_tenant", &mail.Message{
		AccountID:   v.Landlord.AccountID,
		Portfolio:   v.By.Portfolio,
		About:       t.ID,
		To:          v.email(),
		Subject:     "Update on " + t.Number + ": " + clipped(t.Title),
		Unsubscribe: stop,
	}, struct {
		ticketEmail
		Stop string
	}{e, stop})
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
