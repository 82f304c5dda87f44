package ticket

import (
	"portal/api/change"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/views/kit"
	views "portal/views/ticket"
	"portal/web/page"
)

// ticketPages is the pages of maintenance tickets.
type ticketPages struct{ *Section }

func (p *ticketPages) routes() []page.Route {
	return []page.Route{
		page.Get("/{mode}/tickets", page.Member, p.tickets),
		page.Get("/{mode}/tickets/new", page.Member, p.newTicket),
		page.Post("/{mode}/tickets/new", page.Member, p.openTicket).Once(),
		page.Get("/{mode}/tickets/:id", page.Member, p.ticket),
		page.Get("/{mode}/tickets/:id/edit", page.Member, p.editTicket),
		page.Post("/{mode}/tickets/:id/edit", page.Member, p.changeTicket),
		page.Post("/{mode}/tickets/:id/status", page.Member, p.moveTicket),
		page.Get("/{mode}/tickets/:id/photos/:photo", page.Member, p.photo(false)),
		page.Get("/{mode}/tickets/:id/photos/:photo/thumbnail", page.Member, p.photo(true)),
		page.Get("/{mode}/tickets/:id/comments", page.Member, p.backToTicket),
		page.Post("/{mode}/tickets/:id/comments", page.Member, p.reply).Once(),
		page.Get("/{mode}/tickets/:id/visit", page.Member, p.backToTicket),
		page.Post("/{mode}/tickets/:id/visit", page.Member, p.planVisit),
	}
}

func (p *ticketPages) tickets(v *page.Request) error {
	t, f := v.Cursor(), v.Form()
	filter := portfolio.TicketFilter{
		Query:      page.NewestFirst(t, id.Ticket),
		Status:     portfolio.TicketStatus(f.Among("status", portfolio.TicketStatus("").Values())),
		Priority:   portfolio.Priority(f.Among("priority", portfolio.Priority("").Values())),
		Category:   portfolio.Category(f.Among("category", portfolio.Category("").Values())),
		PropertyID: f.ID("property_id", id.Property),
		UnitID:     f.ID("unit_id", id.Unit),
		TenantID:   f.ID("tenant_id", id.Tenant),
	}
	found, err := p.Portfolio.Tickets.Tickets(v.Ctx(), v.Actor(), filter)
	if err != nil {
		return err
	}
	of, err := page.Narrowed(v, p.Portfolio.Finder, filter.PropertyID, filter.UnitID, filter.TenantID)
	if err != nil {
		return err
	}
	view := views.Tickets{
		Frame:   v.Frame("Tickets"),
		Of:      of,
		New:     v.In("/tickets/new" + about(filter)),
		Pages:   t.Pages(page.OrEmpty(found.NextCursor)),
		Filters: v.Filters("Filter the tickets", "/tickets", ticketFields(f)),
	}
	view.Tickets, err = p.ticketLines(v, found.Data)
	if err != nil {
		return err
	}
	return v.Show(views.TicketsPage(view))
}

// about leads a new ticket to the place whose tickets are listed.
func about(f portfolio.TicketFilter) string {
	switch {
	case f.UnitID != "":
		return "?unit_id=" + f.UnitID
	case f.TenantID != "":
		return "?tenant_id=" + f.TenantID
	case f.PropertyID != "":
		return "?property_id=" + f.PropertyID
	}
	return ""
}

func ticketFields(f *page.Form) []kit.Field {
	return append([]kit.Field{
		{
			Name:    "status",
			Label:   "Status",
			Kind:    "select",
			Choices: page.Choices(portfolio.TicketStatus("").Values(), "", "All"),
		},
		{
			Name:    "priority",
			Label:   "Priority",
			Kind:    "select",
			Choices: page.Choices(portfolio.Priority("").Values(), "", "All"),
		},
		{
			Name:    "category",
			Label:   "Category",
			Kind:    "select",
			Choices: page.Choices(portfolio.Category("").Values(), "", "All"),
		},
	}, page.RefFields(f, "property_id", "unit_id", "tenant_id")...)
}

// ticketLines are tickets with the names of their places.
func (p *ticketPages) ticketLines(v *page.Request, tickets []portfolio.Ticket) (all []views.Line, err error) {
	var ids []string
	for i := range tickets {
		ids = append(ids, tickets[i].PropertyID, page.OrEmpty(tickets[i].UnitID))
	}
	names, err := p.Portfolio.Finder.Called(v.Ctx(), v.Actor(), ids...)
	for i := range tickets {
		t := &tickets[i]
		all = append(all, views.Line{
			Path:     v.In("/tickets/" + t.ID),
			Number:   t.Number,
			Title:    t.Title,
			New:      t.New(),
			Status:   page.TicketStatus(t.Status),
			Priority: priority(t.Priority),
			Category: page.Label(t.Category),
			Site:     siteOf(t, names),
			Age:      age(t.AgeDays),
		})
	}
	return all, err
}

func siteOf(t *portfolio.Ticket, names map[string]string) string {
	if t.UnitID == nil {
		return page.Called(names, t.PropertyID)
	}
	return page.Called(names, t.PropertyID) + ", " + page.UnitName(page.Called(names, *t.UnitID))
}

func age(days int) string {
	if days == 0 {
		return "today"
	}
	return page.Counted(days, "day")
}

func after(days int) string {
	if days == 0 {
		return "within a day"
	}
	return "after " + page.Counted(days, "day")
}

// priority is how urgent something is; what is more than normal stands out.
func priority(p portfolio.Priority) kit.Status {
	switch p {
	case portfolio.PriorityEmergency:
		return kit.Status{Tone: kit.Failed, Text: page.Label(p)}
	case portfolio.PriorityHigh:
		return kit.Status{Tone: kit.Warned, Text: page.Label(p)}
	}
	return kit.Status{Tone: kit.Idle, Text: page.Label(p)}
}

// ticketHere is the ticket of the address.
func (p *ticketPages) ticketHere(v *page.Request) (*portfolio.Ticket, error) {
	name, err := v.PathID(id.Ticket)
	if err != nil {
		return nil, err
	}
	return p.Portfolio.Tickets.Ticket(v.Ctx(), v.Actor(), name)
}

func (p *ticketPages) moveTicket(v *page.Request) error {
	t, err := p.ticketHere(v)
	if err != nil {
		return err
	}
	f, at := v.Form(), v.In("/tickets/"+t.ID)
	u := ticketUpdate.Bind(v, f, "status").Update
	if f.Rejected() {
		v.Say(kit.Failed, "Choose a status of those that are shown.")
		return v.SeeOther(at)
	}
	made, err := p.Portfolio.Tickets.UpdateTicket(v.Ctx(), v.Actor(), change.Target{ID: t.ID, Version: f.Version()}, u)
	if f.Stale(err, "") {
		v.Say(kit.Failed, page.ConflictMessage+" This is how it stands now.")
		return v.SeeOther(at)
	}
	if f.Refused(err) {
		v.Say(
			kit.Failed,
			"A ticket that is "+page.Lowercase(t.Status)+" cannot become "+page.Lowercase(u.Status.Value)+
				"; open it again first.",
		)
		return v.SeeOther(at)
	}
	if err != nil {
		return err
	}
	return v.Done(at, "The ticket is "+page.Lowercase(made.After.Status)+" now.")
}
