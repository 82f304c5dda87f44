package ticket

import (
	"cmp"
	"slices"

	"portal/api/list"
	"portal/api/portfolio"
	"portal/web/csvexport"
	"portal/web/page"
	"portal/web/related"
)

// exportTickets answers with the tickets that the address asks for as a file.
func (p *Section) exportTickets(v *page.Request) error {
	f, err := p.ticketFilter(v)
	switch {
	case err != nil:
		return err
	case related.Note(f.Named) != "":
		return related.TooWide(v, "/tickets")
	}
	var names map[string]string
	return csvexport.Serve(v, p.Portfolio, csvexport.Table[portfolio.Ticket]{
		Name:  "tickets",
		Query: f.Query,
		Page: func(q list.Query) (*list.Page[portfolio.Ticket], error) {
			f.Query = q
			return p.Portfolio.Tickets.Tickets(v.Ctx(), v.Actor(), f)
		},
		Row: p.Portfolio.Tickets.Ticket,
		Load: func(rows []portfolio.Ticket) (err error) {
			var ids []string
			for i := range rows {
				t := &rows[i]
				ids = append(ids, t.PropertyID, page.OrEmpty(t.UnitID), page.OrEmpty(t.TenantID))
			}
			names, err = p.Portfolio.Finder.Called(v.Ctx(), v.Actor(), ids...)
			return err
		},
		Cells: func(t *portfolio.Ticket) csvexport.Cells { return ticketColumns(t, names) },
	})
}

func ticketColumns(t *portfolio.Ticket, names map[string]string) csvexport.Cells {
	vendor := cmp.Or(t.Vendor, &portfolio.Vendor{})
	return slices.Concat(csvexport.Cells{
		"Ticket ID", t.ID, "Number", t.Number, "Title", t.Title, "Description", t.Description,
		"Status", t.Status, "Priority", t.Priority, "Category", t.Category,
		"Street address", names[t.PropertyID], "Unit", names[page.OrEmpty(t.UnitID)],
		"Tenant", names[page.OrEmpty(t.TenantID)], "Source", t.Source,
		"Permission to enter", t.EntryPermission, "Entry notes", t.EntryNotes,
		"Vendor", vendor.Name, "Vendor phone", page.Phone(vendor.Phone), "Vendor email", vendor.Email,
		"Scheduled start (UTC)", t.ScheduledStart, "Scheduled end (UTC)", t.ScheduledEnd,
		"Due date", t.DueDate, "Estimated cost", t.EstimatedCost, "Cost limit", t.CostLimit,
		"Actual cost", t.ActualCost, "Completed (UTC)", t.CompletedAt, "Canceled (UTC)", t.CancelledAt,
		"Age in days", t.AgeDays, "Property ID", t.PropertyID, "Unit ID", t.UnitID,
		"Tenant ID", t.TenantID, "Lease ID", t.LeaseID,
	}, csvexport.RecordCells(&t.Record))
}
