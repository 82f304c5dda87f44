package property

import (
	"strconv"
	"strings"

	"portal/api/id"
	"portal/api/portfolio"
	"portal/api/texts"
	"portal/views/kit"
	"portal/web/page"
)

// unitPages is the pages of units.
type unitPages struct{ *Section }

func (p *unitPages) routes() []page.Route {
	return []page.Route{
		page.Get("/{mode}/properties/:id/units/new", page.Member, p.newUnit),
		page.Post("/{mode}/properties/:id/units/new", page.Member, p.addUnit).Once(),
		page.Get("/{mode}/units", page.Member, p.allUnits),
		page.Get("/{mode}/units/:id", page.Member, p.unitLeases),
		page.Get("/{mode}/units/:id/tickets", page.Member, p.unitTickets),
		page.Get("/{mode}/units/:id/payments", page.Member, p.unitPayments),
		page.Get("/{mode}/units/:id/edit", page.Member, p.editUnit),
		page.Post("/{mode}/units/:id/edit", page.Member, p.changeUnit),
		page.Get("/{mode}/units/:id/off-market", page.Member, p.askOffMarket),
		page.Post("/{mode}/units/:id/off-market", page.Member, p.offMarket),
		page.Get("/{mode}/units/:id/on-market", page.Member, p.askOnMarket),
		page.Post("/{mode}/units/:id/on-market", page.Member, p.onMarket),
	}
}

// allUnits leads to where units are listed: by their properties.
func (p *unitPages) allUnits(v *page.Request) error { return v.SeeOther(v.In("/properties")) }

// unitGrid is units with the tenants who live in them.
func unitGrid(v *page.Request, units []portfolio.Unit, parties map[string][]portfolio.Party) kit.Grid {
	g := kit.Grid{
		Table: kit.Table{
			Rows: len(units),
			Columns: []kit.Column{
				{Name: "Unit"},
				{Name: "Size"},
				{Name: "Asking rent", Right: true},
				{Name: "Status"},
				{Name: "Tenants"},
				{Name: "Lease"},
			},
		},
	}
	for i := range units {
		u := &units[i]
		line := []kit.Cell{
			{Text: u.UnitNumber, Path: v.In("/units/" + u.ID)},
			{Text: sizeOf(u), None: "not known"},
			{Text: page.DollarsOr(u.MarketRent), None: "not set"},
			{Status: unitStatus(u.Status)},
			{None: "nobody"},
			{None: "none"},
		}
		if lease := u.CurrentLeaseID; lease != nil {
			line[4].Links = page.PartyLinks(v, parties[*lease])
			line[5].Links = []kit.Link{{Name: "The lease", Path: v.PathTo("leases", lease)}}
		}
		g.Lines = append(g.Lines, line)
	}
	return g
}

// sizeOf is how large a unit is, in words.
func sizeOf(u *portfolio.Unit) string {
	var all []string
	switch {
	case u.Bedrooms == nil:
	case *u.Bedrooms == 0:
		all = append(all, "studio")
	default:
		all = append(all, page.Counted(*u.Bedrooms, "bedroom"))
	}
	if u.Bathrooms != nil {
		all = append(all, bathrooms(*u.Bathrooms))
	}
	if u.SquareFeet != nil {
		all = append(all, texts.Number(*u.SquareFeet)+" sq ft")
	}
	return strings.Join(all, ", ")
}

func bathrooms(h portfolio.Half) string {
	if h == 2 {
		return "1 bathroom"
	}
	return halves(h) + " bathrooms"
}

// halves is a count in steps of a half, as one types it.
func halves(h portfolio.Half) string { return strconv.FormatFloat(float64(h)/2, 'f', -1, 64) }

// homeHere is the unit of the address.
func (p *unitPages) homeHere(v *page.Request) (*portfolio.Home, error) {
	name, err := v.PathID(id.Unit)
	if err != nil {
		return nil, err
	}
	return p.Portfolio.Homes.Home(v.Ctx(), v.Actor(), name)
}

// unitPage shows a unit with one kind of its history, the n-th.
func (p *unitPages) unitPage(v *page.Request, n int, history func(unitID string) (kit.Grid, *string, error)) error {
	h, err := p.homeHere(v)
	if err != nil {
		return err
	}
	grid, next, err := history(h.Unit.ID)
	if err != nil {
		return err
	}
	grid.Rows, grid.Pages = len(grid.Lines), v.Cursor().Pages(page.OrEmpty(next))
	at := v.In("/units/" + h.Unit.ID)
	tabs := []kit.NavItem{
		{Name: "Leases", Path: at},
		{Name: "Tickets", Path: at + "/tickets"},
		{Name: "Payments", Path: at + "/payments"},
	}
	tabs[n].Here = kit.HerePage
	return v.Show(kit.DetailPage(kit.Detail{
		Record: kit.Record{
			Frame: v.Frame(h.Street()),
			Heading: kit.Heading{
				Title: h.Street(),
				About: page.Town(&h.Property),
				Back:  kit.Link{Name: page.Street(&h.Property), Path: v.In("/properties/" + h.Property.ID)},
			},
			Edit:    at + "/edit",
			Actions: unitActions(at, &h.Unit),
			Terms:   unitTerms(v, h),
		},
		Lead: []kit.Link{
			{Name: "Open a ticket", Path: v.In("/tickets/new?unit_id=" + h.Unit.ID)},
			{Name: "Generate a lease", Path: v.In("/leases/generate?unit_id=" + h.Unit.ID)},
		},
		Parts: []kit.RelatedTable{{ID: "history", Title: "History", Grid: grid}},
		Tabs:  tabs,
	}))
}

func unitActions(at string, u *portfolio.Unit) []kit.Link {
	switch u.Status {
	case portfolio.UnitOffMarket:
		return []kit.Link{{Name: "Put back on the market", Path: at + "/on-market"}}
	case portfolio.UnitVacant:
		return []kit.Link{{Name: "Take off the market", Path: at + "/off-market"}}
	case portfolio.UnitOccupied, portfolio.UnitNotice:
	}
	return nil
}

func unitTerms(v *page.Request, h *portfolio.Home) []kit.Term {
	u := &h.Unit
	return append([]kit.Term{
		{Name: "Property", Text: page.Street(&h.Property), Path: v.In("/properties/" + h.Property.ID)},
		{Name: "Number", Text: u.UnitNumber},
		{Name: "Size", Text: sizeOf(u)},
		{Name: "Asking rent per month", Text: page.DollarsOr(u.MarketRent)},
		{Name: "Status", Status: unitStatus(u.Status)},
		{Name: "Lease", Text: page.OrEmpty(u.CurrentLeaseID), Path: v.PathTo("leases", u.CurrentLeaseID)},
	}, page.RecordTerms(v, &u.Record)...)
}

func (p *unitPages) unitLeases(v *page.Request) error {
	return p.unitPage(v, 0, func(unit string) (kit.Grid, *string, error) {
		view, err := p.Portfolio.Leases.Leases(v.Ctx(), v.Actor(), portfolio.LeaseFilter{
			Query:  page.NewestFirst(v.Cursor(), id.Lease),
			UnitID: unit,
		})
		if err != nil {
			return kit.Grid{}, nil, err
		}
		return page.LeaseGrid(v, view.Data, false), view.NextCursor, nil
	})
}

func (p *unitPages) unitTickets(v *page.Request) error {
	return p.unitPage(v, 1, func(unit string) (kit.Grid, *string, error) {
		view, err := p.Portfolio.Tickets.Tickets(v.Ctx(), v.Actor(), portfolio.TicketFilter{
			Query:  page.NewestFirst(v.Cursor(), id.Ticket),
			UnitID: unit,
		})
		g := kit.Grid{
			Table: kit.Table{
				Caption: "Tickets",
				Columns: kit.Columns("Ticket", "Category", "Priority", "Status", "Opened"),
				Empty:   kit.Empty{Title: "No tickets", Words: "Nobody has asked for a repair here yet."},
			},
		}
		if err != nil {
			return g, nil, err
		}
		for i := range view.Data {
			t := &view.Data[i]
			g.Lines = append(g.Lines, []kit.Cell{
				{Text: t.Number + " " + t.Title, Path: v.PathTo("tickets", &t.ID)},
				{Text: page.Label(t.Category)},
				{Text: page.Label(t.Priority)},
				{Status: page.TicketStatus(t.Status)},
				{Text: v.Time(t.CreatedAt).Ago},
			})
		}
		return g, view.NextCursor, nil
	})
}

func (p *unitPages) unitPayments(v *page.Request) error {
	return p.unitPage(v, 2, func(unit string) (kit.Grid, *string, error) {
		view, err := p.Portfolio.Ledger.Payments(v.Ctx(), v.Actor(), portfolio.PaymentFilter{
			Query:  page.NewestFirst(v.Cursor(), id.Payment),
			UnitID: unit,
		})
		g := kit.Grid{
			Table: kit.Table{
				Caption: "Payments",
				Columns: []kit.Column{
					{Name: "Charge"},
					{Name: "Due"},
					{Name: "Amount", Right: true},
					{Name: "Open", Right: true},
					{Name: "Status"},
				},
				Empty: kit.Empty{Title: "No payments", Words: "Nothing was charged for this unit yet."},
			},
		}
		if err != nil {
			return g, nil, err
		}
		for i := range view.Data {
			c := &view.Data[i]
			g.Lines = append(g.Lines, []kit.Cell{
				{Text: page.ChargeName(c), Path: v.PathTo("ledger", &c.ID)},
				{Text: page.Date(c.DueDate)},
				{Text: c.Amount.Words()},
				{Text: c.BalanceDue.Words()},
				{Status: page.ChargeStatus(c)},
			})
		}
		return g, view.NextCursor, nil
	})
}

// unitStatus is the status of a unit as pages show it.
func unitStatus(s portfolio.UnitStatus) kit.Status {
	switch s {
	case portfolio.UnitOccupied:
		return kit.Status{Tone: kit.Done, Text: "Occupied"}
	case portfolio.UnitNotice:
		return kit.Status{Tone: kit.Warned, Text: "Notice given"}
	case portfolio.UnitOffMarket:
		return kit.Status{Tone: kit.Idle, Text: "Off the market"}
	case portfolio.UnitVacant:
	}
	return kit.Status{Tone: kit.Waiting, Text: "Vacant"}
}
