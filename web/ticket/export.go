package ticket

import (
	"slices"

	"portal/api/list"
	"portal/api/portfolio"
	"portal/web/csvexport"
	"portal/web/page"
	"portal/web/related"
)

// exportTickets answers with the tickets that the address asks for as a file.
func (p *ticketPages) exportTickets(v *page.Request) error {
	f, err := p.ticketFilter(v)
	switch {
	case err != nil:
		return err
	case related.Note(f.Named) != "":
		return related.TooWide(v, "/tickets")
	}
	return csvexport.Serve(v, p.Portfolio, csvexport.Table[portfolio.Ticket]{
		Name:  "tickets",
		Query: f.Query,
		Page: func(q list.Query) (*list.Page[portfolio.Ticket], error) {
			f.Query = q
			return p.Portfolio.Tickets.Tickets(v.Ctx(), v.Actor(), f)
		},
		Row: func(name string) (*portfolio.Ticket, error) {
			return p.Portfolio.Tickets.Ticket(v.Ctx(), v.Actor(), name)
		},
		Columns: func(rows []portfolio.Ticket) ([]csvexport.Column[portfolio.Ticket], error) {
			var ids []string
			for i := range rows {
				t := &rows[i]
				ids = append(ids, t.PropertyID, page.OrEmpty(t.UnitID), page.OrEmpty(t.TenantID))
			}
			names, err := p.Portfolio.Finder.Called(v.Ctx(), v.Actor(), ids...)
			return ticketColumns(names), err
		},
	})
}

func ticketColumns(names map[string]string) []csvexport.Column[portfolio.Ticket] {
	type row = portfolio.Ticket
	type value = csvexport.Value
	vendor := func(of func(*portfolio.Vendor) value) func(*row) value {
		return func(t *row) value {
			if t.Vendor == nil {
				return value{}
			}
			return of(t.Vendor)
		}
	}
	return slices.Concat([]csvexport.Column[row]{
		{Name: "Ticket ID", Of: func(t *row) value { return csvexport.Text(t.ID) }},
		{Name: "Number", Of: func(t *row) value { return csvexport.Text(t.Number) }},
		{Name: "Title", Of: func(t *row) value { return csvexport.Text(t.Title) }},
		{Name: "Description", Of: func(t *row) value { return csvexport.Text(t.Description) }},
		{Name: "Status", Of: func(t *row) value { return csvexport.Text(t.Status) }},
		{Name: "Priority", Of: func(t *row) value { return csvexport.Text(t.Priority) }},
		{Name: "Category", Of: func(t *row) value { return csvexport.Text(t.Category) }},
		{Name: "Street address", Of: func(t *row) value { return csvexport.Text(names[t.PropertyID]) }},
		{Name: "Unit", Of: func(t *row) value { return csvexport.Text(names[page.OrEmpty(t.UnitID)]) }},
		{Name: "Tenant", Of: func(t *row) value { return csvexport.Text(names[page.OrEmpty(t.TenantID)]) }},
		{Name: "Source", Of: func(t *row) value { return csvexport.Text(t.Source) }},
		{Name: "Permission to enter", Of: func(t *row) value { return csvexport.Text(t.EntryPermission) }},
		{Name: "Entry notes", Of: func(t *row) value { return csvexport.TextOr(t.EntryNotes) }},
		{Name: "Vendor", Of: vendor(func(x *portfolio.Vendor) value { return csvexport.Text(x.Name) })},
		{
			Name: "Vendor phone",
			Of:   vendor(func(x *portfolio.Vendor) value { return csvexport.Text(page.Phone(x.Phone)) }),
		},
		{Name: "Vendor email", Of: vendor(func(x *portfolio.Vendor) value { return csvexport.TextOr(x.Email) })},
		{Name: "Scheduled start (UTC)", Of: func(t *row) value { return csvexport.Or(t.ScheduledStart) }},
		{Name: "Scheduled end (UTC)", Of: func(t *row) value { return csvexport.Or(t.ScheduledEnd) }},
		{Name: "Due date", Of: func(t *row) value { return csvexport.Or(t.DueDate) }},
		{Name: "Estimated cost", Of: func(t *row) value { return csvexport.Or(t.EstimatedCost) }},
		{Name: "Cost limit", Of: func(t *row) value { return csvexport.Or(t.CostLimit) }},
		{Name: "Actual cost", Of: func(t *row) value { return csvexport.Or(t.ActualCost) }},
		{Name: "Completed (UTC)", Of: func(t *row) value { return csvexport.Or(t.CompletedAt) }},
		{Name: "Canceled (UTC)", Of: func(t *row) value { return csvexport.Or(t.CancelledAt) }},
		{Name: "Age in days", Of: func(t *row) value { return csvexport.Number(t.AgeDays) }},
		{Name: "Property ID", Of: func(t *row) value { return csvexport.Text(t.PropertyID) }},
		{Name: "Unit ID", Of: func(t *row) value { return csvexport.TextOr(t.UnitID) }},
		{Name: "Tenant ID", Of: func(t *row) value { return csvexport.TextOr(t.TenantID) }},
		{Name: "Lease ID", Of: func(t *row) value { return csvexport.TextOr(t.LeaseID) }},
	}, csvexport.RecordColumns(func(t *row) *portfolio.Record { return &t.Record }))
}
