package related

import (
	"portal/api/portfolio"
	"portal/views/kit"
	"portal/web/page"
)

// LeaseGrid is leases of a unit, or of a tenant or a property with where they are.
func LeaseGrid(v *page.Request, leases []portfolio.Lease, where bool) kit.Grid {
	g := kit.Grid{Table: kit.Table{
		Caption: "Leases",
		Rows:    len(leases),
		Columns: []kit.Column{
			{Name: "Lease"},
			{Name: "Tenants"},
			{Name: "Status"},
			{Name: "Rent / month", Right: true},
		},
		Empty: kit.Empty{Title: "No leases yet", Words: "Create one, or import a rent roll."},
	}}
	for i := range leases {
		l := &leases[i]
		named := kit.Cell{Text: page.TermOf(l), Path: v.PathTo("leases", &l.ID)}
		if where {
			named.Note = l.RentalAddress
		}
		g.Lines = append(g.Lines, []kit.Cell{
			named,
			{Links: PartyLinks(v, l.Tenants), None: "None"},
			{Status: page.LeaseStatus(l.Status)},
			{Text: l.MonthlyRent.Dollars()},
		})
	}
	return g
}

// PartyLinks lead to the tenants of a lease.
func PartyLinks(v *page.Request, parties []portfolio.Party) (all []kit.Link) {
	for i := range parties {
		all = append(all, kit.Link{Name: parties[i].Name, Path: v.PathTo("tenants", &parties[i].ID)})
	}
	return all
}

// TicketGrid is tickets of a record.
func TicketGrid(v *page.Request, tickets []portfolio.Ticket) kit.Grid {
	g := kit.Grid{Table: kit.Table{
		Caption: "Tickets",
		Rows:    len(tickets),
		Columns: kit.Columns("Ticket", "Priority", "Status", "Opened"),
		Empty:   kit.Empty{Title: "No tickets", Words: "Repairs that are asked for here are listed here."},
	}}
	for i := range tickets {
		t := &tickets[i]
		g.Lines = append(g.Lines, []kit.Cell{
			{Text: t.Number + " " + t.Title, Path: v.PathTo("tickets", &t.ID)},
			{Text: page.Label(t.Priority)},
			{Status: page.TicketStatus(t.Status)},
			{Text: v.Time(t.CreatedAt).Ago},
		})
	}
	return g
}

// ChargeGrid is rows of the ledger of a record.
func ChargeGrid(v *page.Request, rows []portfolio.Payment) kit.Grid {
	g := kit.Grid{Table: kit.Table{
		Caption: "Charges",
		Rows:    len(rows),
		Columns: []kit.Column{
			{Name: "Charge"},
			{Name: "Due"},
			{Name: "Status"},
			{Name: "Amount", Right: true},
			{Name: "Balance", Right: true},
		},
		Empty: kit.Empty{Title: "No charges yet", Words: "Rent, deposits and fees are listed here."},
	}}
	for i := range rows {
		c := &rows[i]
		g.Lines = append(g.Lines, []kit.Cell{
			{Text: page.ChargeName(c), Path: v.PathTo("ledger", &c.ID)},
			{Text: page.Date(c.DueDate)},
			{Status: page.ChargeStatus(c)},
			{Text: c.Amount.Dollars()},
			{Text: c.BalanceDue.Dollars()},
		})
	}
	return g
}
