// Package ticket is the pages of maintenance tickets.
//
// It knows no other section and no SQL.
package ticket

import (
	"portal/api/change"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/records"
	"portal/views/kit"
	"portal/web/listing"
	"portal/web/page"
	"portal/web/related"
)

// Config is what the pages of maintenance tickets need.
type Config struct {
	Portfolio *records.Service
}

// Section is the pages of maintenance tickets.
type Section struct {
	*page.Shell
	Config
}

// New makes the section on the shell of all pages.
func New(shell *page.Shell, c Config) *Section {
	return &Section{shell, c}
}

// Routes are the pages of the section.
func (p *Section) Routes() []page.Route {
	of := page.With(id.Ticket, p.Portfolio.Tickets.Ticket)
	return []page.Route{
		page.Get("/{mode}/tickets", page.Member, p.tickets),
		page.Get("/{mode}/tickets.csv", page.Member, p.exportTickets),
		page.Get("/{mode}/tickets/new", page.Member, p.newTicket),
		page.Post("/{mode}/tickets/new", page.Member, p.openTicket).Once(),
		page.Get("/{mode}/tickets/:id", page.Member, of(p.ticket)),
		page.Get("/{mode}/tickets/:id/edit", page.Member, of(p.editTicket)),
		page.Post("/{mode}/tickets/:id/edit", page.Member, of(p.editTicket)),
		page.Post("/{mode}/tickets/:id/status", page.Member, of(p.moveTicket)),
		page.Get("/{mode}/tickets/:id/photos/:photo", page.Member, p.photo(false)),
		page.Get("/{mode}/tickets/:id/photos/:photo/thumbnail", page.Member, p.photo(true)),
		page.Get("/{mode}/tickets/:id/comments", page.Member, of(p.backToTicket)),
		page.Post("/{mode}/tickets/:id/comments", page.Member, of(p.reply)).Once(),
		page.Get("/{mode}/tickets/:id/visit", page.Member, of(p.backToTicket)),
		page.Post("/{mode}/tickets/:id/visit", page.Member, of(p.planVisit)),
	}
}

// ticketFilter is what the address asks for of the list.
func (p *Section) ticketFilter(v *page.Request) (portfolio.TicketFilter, error) {
	f := v.Form()
	named, err := related.NamedTickets(v, p.Portfolio.Finder)
	return portfolio.TicketFilter{
		Named:      named,
		Query:      listing.Query(v, id.Ticket, portfolio.TicketSorts()),
		Status:     portfolio.TicketStatus(f.Among("status", portfolio.TicketStatus("").Values())),
		Priority:   portfolio.Priority(f.Among("priority", portfolio.Priority("").Values())),
		Category:   portfolio.Category(f.Among("category", portfolio.Category("").Values())),
		PropertyID: f.ID("property_id", id.Property),
		UnitID:     f.ID("unit_id", id.Unit),
		TenantID:   f.ID("tenant_id", id.Tenant),
	}, err
}

// ticketParts are the tabs of the list.
var ticketParts = []listing.Part{
	{Name: "Open", Status: string(portfolio.TicketOpen)},
	{Name: "In progress", Status: string(portfolio.TicketInProgress)},
	{Name: "Scheduled", Status: string(portfolio.TicketScheduled)},
	{Name: "On hold", Status: string(portfolio.TicketOnHold)},
	{Name: "Completed", Status: string(portfolio.TicketCompleted)},
}

func (p *Section) tickets(v *page.Request) error {
	filter, err := p.ticketFilter(v)
	if err != nil {
		return err
	}
	found, err := p.Portfolio.Tickets.Tickets(v.Ctx(), v.Actor(), filter)
	if err != nil {
		return err
	}
	counts, err := related.Counts(filter.Named, func() (list.Counts[portfolio.TicketStatus], error) {
		return p.Portfolio.Tickets.TicketCounts(v.Ctx(), v.Actor(), filter)
	})
	if err != nil {
		return err
	}
	fields, err := p.ticketFields(v, filter)
	if err != nil {
		return err
	}
	view := listing.List{
		Title: "Tickets", Path: "/tickets", Ask: "Filter the tickets", Fields: fields, Orders: portfolio.TicketSorts(),
	}.View(v)
	view.Primary = kit.Action{Name: "Open ticket", Path: v.In("/tickets/new" + about(filter)), Icon: "plus"}
	if view.Note = related.Note(filter.Named); view.Note != "" {
		view.Export = ""
	}
	view.Tabs = listing.Tabs(v, view.Filters, ticketParts, counts)
	if view.Grid, err = p.ticketGrid(v, ticketTable(&view), found.Data); err != nil {
		return err
	}
	view.Grid.Pages = listing.Pages(v, found.NextCursor, len(found.Data), counts)
	return v.Show(kit.ListingPage(view))
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

func (p *Section) ticketFields(v *page.Request, filter portfolio.TicketFilter) ([]kit.Field, error) {
	given, err := related.Given(v, p.Portfolio.Finder, filter.PropertyID, filter.UnitID, filter.TenantID)
	return append([]kit.Field{
		{Name: "search", Label: "Title, number, tenant, address, or ID", Kind: "search"},
		listing.Status(v, ticketParts, portfolio.TicketStatus("").Values()),
		listing.Choice[portfolio.Priority]("priority", "Priority"),
		listing.Choice[portfolio.Category]("category", "Category"),
	}, given...), err
}

func ticketTable(l *kit.Listing) kit.Table {
	return kit.Table{
		Caption: "Tickets",
		Columns: []kit.Column{
			{Name: "Ticket"},
			{Name: "Place", Card: kit.CardDetail},
			{Name: "Status", Width: kit.Short},
			{Name: "Priority", Width: kit.Short, Card: kit.CardHidden},
			{Name: "Category", Width: kit.Short, Card: kit.CardHidden},
			{Name: "Age", Right: true, Width: kit.Narrow, Card: kit.CardAmount},
		},
		Empty: listing.Empty(l.Filters, "tickets", kit.Empty{
			Title:  "No tickets yet",
			Words:  "Tenants report repairs on their page. You can open tickets here or over the API.",
			Action: kit.Link{Name: l.Primary.Name, Path: l.Primary.Path},
		}),
	}
}

// ticketGrid is tickets with the names of their places.
func (p *Section) ticketGrid(v *page.Request, table kit.Table, tickets []portfolio.Ticket) (kit.Grid, error) {
	var ids []string
	for i := range tickets {
		ids = append(ids, tickets[i].PropertyID, page.OrEmpty(tickets[i].UnitID))
	}
	names, err := p.Portfolio.Finder.Called(v.Ctx(), v.Actor(), ids...)
	return kit.GridOf(table, tickets, func(t *portfolio.Ticket) []kit.Cell {
		place := kit.Cell{}
		place.Text, place.Tail = related.Cut(siteOf(t, names))
		title := kit.Cell{Text: t.Title, Path: v.In("/tickets/" + t.ID), Number: t.Number}
		if t.New() {
			title.Mark = kit.Status{Tone: kit.Waiting, Text: "Unread"}
		}
		return []kit.Cell{
			title,
			place,
			{Status: page.TicketStatuses[t.Status]},
			urgency(t.Priority),
			{Text: page.Label(t.Category)},
			{Text: age(t.AgeDays)},
		}
	}), err
}

// urgency is a priority in a list: what is more than normal stands out.
func urgency(p portfolio.Priority) kit.Cell {
	if s := priority(p); s.Tone != kit.Idle {
		return kit.Cell{Status: s}
	}
	return kit.Cell{Text: page.Label(p)}
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
	tone := kit.Idle
	switch p {
	case portfolio.PriorityEmergency:
		tone = kit.Failed
	case portfolio.PriorityHigh:
		tone = kit.Warned
	}
	return kit.Status{Tone: tone, Text: page.Label(p)}
}

func (p *Section) moveTicket(v *page.Request, t *portfolio.Ticket) error {
	f, at := v.Form(), v.In("/tickets/"+t.ID)
	u := ticketUpdate.Bind(v, f, "status")
	if f.Rejected() {
		return v.RefuseAt(at, "Choose one of the statuses shown.")
	}
	made, err := p.Portfolio.Tickets.UpdateTicket(v.Ctx(), v.Actor(), change.Target{ID: t.ID, Version: f.Version()}, u)
	if f.Stale(err, "") {
		return v.RefuseAt(at, page.ConflictMessage+" The page shows the current values.")
	}
	if f.Refused(err) {
		return v.RefuseAt(
			at,
			"A ticket that’s "+page.Lowercase(t.Status)+" can’t become "+page.Lowercase(u.Status.Value)+
				"; open it again first.",
		)
	}
	if err != nil {
		return err
	}
	return v.Done(at, "The ticket is "+page.Lowercase(made.After.Status)+" now.")
}
