package ticket

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"portal/api/clock"
	"portal/api/portfolio"
	"portal/views/kit"
	views "portal/views/ticket"
	"portal/web/page"
)

func (p *Section) ticket(v *page.Request, t *portfolio.Ticket) error {
	if err := p.showTicket(v, t, sentForms{}); err != nil || v.Request().Method != http.MethodGet {
		return err
	}
	return p.Portfolio.Tickets.Look(context.WithoutCancel(v.Ctx()), v.Actor(), t) // it has been shown
}

// backToTicket leads who comes back to the address of a form to the page that has it.
func (p *Section) backToTicket(v *page.Request, t *portfolio.Ticket) error {
	return v.SeeOther(v.In("/tickets/" + t.ID))
}

// sentForms are the forms of a ticket's page that were sent and refused, nil where they were not.
type sentForms struct{ reply, visit *page.Form }

func (p *Section) showTicket(v *page.Request, t *portfolio.Ticket, sent sentForms) error {
	ids := []string{t.PropertyID, page.OrEmpty(t.UnitID), page.OrEmpty(t.TenantID), page.OrEmpty(t.LeaseID)}
	names, err := p.Portfolio.Finder.Called(v.Ctx(), v.Actor(), ids...)
	if err != nil {
		return err
	}
	empty := v.Blank(nil)
	view := views.Ticket{
		Record:      ticketRecord(v, t, names),
		Reported:    reportedBy(v, t, names),
		New:         t.New(),
		Description: t.Description,
		By:          writer(t),
		Photos:      photosOf(v, t),
		Triage:      triageOf(v, t),
		Priority:    priority(t.Priority),
		History:     ticketHistory(v, t),
		Visit:       visitOf(v, t, cmp.Or(sent.visit, empty)),
	}
	if view.Conversation, err = p.conversation(v, t, cmp.Or(sent.reply, empty)); err != nil {
		return err
	}
	return v.ShowAs(cmp.Or(sent.reply, sent.visit, empty).Status, views.TicketPage(view))
}

// reportedBy says from whom a ticket comes, and when it came.
func reportedBy(v *page.Request, t *portfolio.Ticket, names map[string]string) views.Reported {
	said := views.Reported{Time: v.Time(t.CreatedAt), How: map[portfolio.TicketSource]string{
		portfolio.FromTenant:    "Reported on a tenant page",
		portfolio.FromAPI:       "Opened over the API",
		portfolio.FromDashboard: "Opened in the dashboard",
		portfolio.FromAssistant: "Opened by an assistant",
	}[t.Source]}
	if t.Source == portfolio.FromTenant && t.TenantID != nil {
		said.By = kit.Link{Name: page.Called(names, *t.TenantID), Path: v.PathTo("tenants", t.TenantID)}
		said.How = "on their tenant page"
	}
	return said
}

// ticketRecord is what a ticket’s page says of it.
func ticketRecord(v *page.Request, t *portfolio.Ticket, names map[string]string) kit.Record {
	at := v.In("/tickets/" + t.ID)
	r := kit.Record{
		Frame: v.Frame(t.Number + " " + t.Title),
		Heading: kit.Heading{
			Title:  t.Title,
			About:  t.Number + " · " + page.Label(t.Category) + " · " + siteOf(t, names),
			Status: page.TicketStatuses[t.Status],
		},
		Edit:    at + "/edit",
		Notices: dangers(t),
		Facts:   ticketFacts(v, t, names),
	}
	for i, a := range nextSteps(t, at+"/status") {
		if i == 0 {
			r.Primary = a
		} else {
			r.Menu = append(r.Menu, a)
		}
	}
	return r
}

// nextSteps lead to the statuses that may follow, the likeliest first.
func nextSteps(t *portfolio.Ticket, at string) (all []kit.Action) {
	next := t.Status.Next()
	if i := slices.Index(next, likeliest(t.Status)); i > 0 {
		next = slices.Insert(slices.Delete(next, i, i+1), 0, likeliest(t.Status))
	}
	for _, s := range next {
		a := kit.Action{
			Name: steps[s],
			Path: at,
			How:  kit.Posts,
			Bad:  s == portfolio.TicketCancelled,
			With: []kit.Definition{
				{Name: "version", What: strconv.FormatInt(t.Version, 10)},
				{Name: "status", What: string(s)},
			},
		}
		if t.Status.Final() {
			a.Name = "Reopen ticket"
		}
		all = append(all, a)
	}
	return all
}

// likeliest is the status that mostly follows one.
func likeliest(s portfolio.TicketStatus) portfolio.TicketStatus {
	if s == portfolio.TicketInProgress {
		return portfolio.TicketCompleted
	}
	return portfolio.TicketInProgress
}

// steps are what the buttons say that take a ticket to a status.
var steps = map[portfolio.TicketStatus]string{
	portfolio.TicketOpen:       "Mark as open",
	portfolio.TicketInProgress: "Start work",
	portfolio.TicketScheduled:  "Mark as scheduled",
	portfolio.TicketOnHold:     "Put on hold",
	portfolio.TicketCompleted:  "Complete ticket",
	portfolio.TicketCancelled:  "Cancel ticket",
}

// writer says who wrote the text of a ticket.
func writer(t *portfolio.Ticket) string {
	return map[portfolio.TicketSource]string{
		portfolio.FromTenant:    "Written by the tenant",
		portfolio.FromAPI:       "Written over the API",
		portfolio.FromDashboard: "Written in the dashboard",
		portfolio.FromAssistant: "Written by an assistant",
	}[t.Source]
}

func ticketFacts(v *page.Request, t *portfolio.Ticket, names map[string]string) []kit.Facts {
	about := kit.Facts{Title: "About", Terms: []kit.Term{
		{Name: "Priority", Status: priority(t.Priority)},
		{Name: "Category", Text: page.Label(t.Category)},
		{Name: "Property", Text: page.Called(names, t.PropertyID), Path: v.PathTo("properties", &t.PropertyID)},
		{Name: "Unit", Text: names[page.OrEmpty(t.UnitID)], Path: v.PathTo("units", t.UnitID)},
		{Name: "Tenant", Text: names[page.OrEmpty(t.TenantID)], Path: v.PathTo("tenants", t.TenantID)},
		{Name: "Lease", Text: names[page.OrEmpty(t.LeaseID)], Path: v.PathTo("leases", t.LeaseID)},
	}}
	work := kit.Facts{Title: "Work", Terms: []kit.Term{
		{Name: "Permission to enter", Text: entries[t.EntryPermission]},
		{Name: "Before entering", Text: page.OrEmpty(t.EntryNotes)},
		vendorTerm(t.Vendor),
		{Name: "Scheduled", Text: visitPlan(v, t.ScheduledStart, t.ScheduledEnd)},
		{Name: "Due", Text: page.DateOr(t.DueDate)},
		{Name: "Estimate", Text: page.DollarsOr(t.EstimatedCost)},
		{Name: "Approval limit", Text: page.DollarsOr(t.CostLimit)},
		{Name: "Cost", Text: page.DollarsOr(t.ActualCost)},
	}}
	return []kit.Facts{about, work, page.RecordFacts(v, &t.Record)}
}

var entries = map[portfolio.EntryPermission]string{
	"granted":    "Yes",
	"denied":     "No",
	"call_first": "After a call",
	"unknown":    "Not known",
}

func vendorTerm(d *portfolio.Vendor) kit.Term {
	if d == nil {
		return kit.Term{Name: "Vendor"}
	}
	var more []string
	for _, s := range []*string{d.Trade, d.Phone, d.Email} {
		if s != nil {
			more = append(more, *s)
		}
	}
	return kit.Term{Name: "Vendor", Text: d.Name, Note: strings.Join(more, ", ")}
}

// visitPlan is when the work is planned, in the account's zone, "" for no plan. The day of a visit
// that ends on the day on which it starts is named once.
func visitPlan(v *page.Request, start, end *clock.Time) string {
	const day, minute, form = "Jan 2, 2006", "Jan 2, 2006, 3:04 PM", "Jan 2, 2006, 3:04 PM MST"
	switch {
	case start != nil && end != nil:
		from, to := start.Std().In(v.Zone()), end.Std().In(v.Zone())
		if from.Format(day+" MST") == to.Format(day+" MST") {
			return from.Format(minute) + " to " + to.Format("3:04 PM MST")
		}
		return from.Format(form) + " to " + to.Format(form)
	case start != nil:
		return "from " + start.Std().In(v.Zone()).Format(form)
	case end != nil:
		return "until " + end.Std().In(v.Zone()).Format(form)
	}
	return ""
}
