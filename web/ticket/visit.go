package ticket

import (
	"strconv"
	"time"

	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio"
	"portal/api/portfolio/ticket"
	"portal/views/kit"
	views "portal/views/ticket"
	"portal/web/page"
)

// visitYears is how many years ahead a visit is planned at most.
const visitYears = 10

// visitOf is the visit of a ticket and the form that plans it. Work that is over has no visit to plan.
func visitOf(v *page.Request, t *portfolio.Ticket, f *page.Form) views.Visit {
	return views.Visit{
		Planned: visitPlan(v, t.ScheduledStart, t.ScheduledEnd),
		Over:    t.Status.Final(),
		Form:    f.Fill(visitForm(v, t)),
	}
}

// visitForm asks on which day and from when to when a visit is, with what is planned now.
func visitForm(v *page.Request, t *portfolio.Ticket) kit.Form {
	const clockTime = "15:04"
	day := kit.Field{Name: "visit_date", Label: "Date", Kind: "date", Complete: "off", Least: v.Today().String()}
	from := kit.Field{Name: "visit_from", Label: "From", Kind: "time", Complete: "off"}
	to := kit.Field{Name: "visit_to", Label: "To", Kind: "time", Complete: "off", Optional: true}
	start, end := t.ScheduledStart, t.ScheduledEnd
	if start != nil {
		day.Value, from.Value = dayOf(v, *start).String(), start.Std().In(v.Zone()).Format(clockTime)
	}
	switch {
	case end == nil:
	case start == nil, dayOf(v, *start) == dayOf(v, *end):
		day.Value, to.Value = dayOf(v, *end).String(), end.Std().In(v.Zone()).Format(clockTime)
	default:
		to.Hint = "Now on another day. To keep that, edit the ticket."
	}
	form := kit.Form{
		Action: v.In("/tickets/" + t.ID + "/visit"),
		Submit: "Schedule visit",
		Groups: []kit.FieldGroup{{Fields: append(page.VersionField(&t.Record).Fields, day, from, to)}},
	}
	if start != nil || end != nil {
		form.Submit = "Change visit"
	}
	return form
}

func dayOf(v *page.Request, at clock.Time) clock.Date { return clock.DateOf(at.Std(), v.Zone()) }

// planVisit plans the visit of a ticket, or removes it. A ticket that nobody has scheduled is scheduled then, and one
// whose visit is removed is open again.
func (p *Section) planVisit(v *page.Request, t *portfolio.Ticket) error {
	f, at := v.Form(), v.In("/tickets/"+t.ID)
	if t.Status.Final() {
		return v.RefuseAt(at, "The ticket is "+page.Lowercase(t.Status)+". Reopen it to schedule a visit.")
	}
	u, said := visitRemoval(t), "Visit removed."
	if !f.Checked("remove") {
		u, said = visitTyped(v, f, t), "Visit scheduled."
	}
	if f.Rejected() {
		return p.showTicket(v, t, sentForms{visit: f})
	}
	made, err := p.Portfolio.Tickets.UpdateTicket(v.Ctx(), v.Actor(), change.Target{ID: t.ID, Version: f.Version()}, u)
	if f.Conflict(err, strconv.FormatInt(t.Version, 10)) || f.Refused(err) {
		f.Move("scheduled_start", "visit_from")
		f.Move("scheduled_end", "visit_to")
		return p.showTicket(v, t, sentForms{visit: f})
	}
	if err != nil {
		return err
	}
	if made.Before.Version == made.After.Version {
		said = page.Unchanged
	}
	return v.Done(at, said)
}

func visitRemoval(t *portfolio.Ticket) ticket.Update {
	u := ticket.Update{
		ScheduledStart: change.To[*clock.Time](nil),
		ScheduledEnd:   change.To[*clock.Time](nil),
	}
	if t.Status == portfolio.TicketScheduled {
		u.Status = change.To(portfolio.TicketOpen)
	}
	return u
}

// visitTyped is a visit as it was typed, in the account's zone.
func visitTyped(v *page.Request, f *page.Form, t *portfolio.Ticket) ticket.Update {
	day := f.Day("visit_date")
	switch today := v.Today(); {
	case day == nil:
		f.Reject("visit_date", "Enter a date.")
	case *day < today && (t.ScheduledStart == nil || *day != dayOf(v, *t.ScheduledStart)):
		f.Reject("visit_date", "Choose today or a later day.")
	case *day > today.AddMonths(12*visitYears):
		f.Reject("visit_date", "Choose a day within "+strconv.Itoa(visitYears)+" years.")
	}
	from, to := visitTime(f, "visit_from"), visitTime(f, "visit_to")
	if from == nil {
		f.Reject("visit_from", "Enter a time.")
	}
	if from != nil && to != nil && !to.After(*from) {
		f.Reject("visit_to", "Enter a time after the start.")
	}
	if f.Rejected() {
		return ticket.Update{}
	}
	u := ticket.Update{
		ScheduledStart: change.To(visitMoment(v, *day, from, t.ScheduledStart)),
		ScheduledEnd:   change.To(visitMoment(v, *day, to, t.ScheduledEnd)),
	}
	if t.Status == portfolio.TicketOpen || t.Status == portfolio.TicketInProgress {
		u.Status = change.To(portfolio.TicketScheduled)
	}
	return u
}

// visitTime is a time of the day, nil where none was typed. Browsers send 24 hours, people without one type what they
// are used to.
func visitTime(f *page.Form, name string) *time.Time {
	return page.Parsed(f, name, "Enter a time, such as 2:30 PM.", func(s string) (time.Time, error) {
		for _, form := range []string{"15:04", "15:04:05", "3:04 PM", "3:04PM", "3 PM", "3PM"} {
			if at, err := time.Parse(form, s); err == nil {
				return at, nil
			}
		}
		return time.Time{}, fault.Of(fault.InvalidField)
	})
}

// visitMoment is the time of a day. Where it was planned to the minute already, the seconds stay.
func visitMoment(v *page.Request, day clock.Date, at *time.Time, planned *clock.Time) *clock.Time {
	if at == nil {
		return nil
	}
	year, month, date := day.Std().Date()
	moment := time.Date(year, month, date, at.Hour(), at.Minute(), 0, 0, v.Zone())
	if planned != nil && planned.Std().Truncate(time.Minute).Equal(moment) {
		return planned
	}
	return new(clock.At(moment))
}
