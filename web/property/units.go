package property

import (
	"strconv"
	"strings"

	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/texts"
	"portal/views/kit"
	"portal/web/page"
	"portal/web/related"
)

// allUnits leads to where units are listed: by their properties.
func (p *Section) allUnits(v *page.Request) error { return v.SeeOther(v.In("/properties")) }

// unitGrid is units with the tenants who live in them.
func unitGrid(v *page.Request, units []portfolio.Unit, parties map[string][]portfolio.Party) kit.Grid {
	return kit.PartGrid(kit.Table{Columns: []kit.Column{
		{Name: "Unit"},
		{Name: "Asking rent", Right: true},
		{Name: "Status"},
		{Name: "Tenants"},
		{Name: "Lease"},
	}}, units, func(u *portfolio.Unit) []kit.Cell {
		line := []kit.Cell{
			{Text: page.UnitName(u.UnitNumber), Path: v.In("/units/" + u.ID), Faint: sizeOf(u)},
			{Text: page.DollarsOr(u.MarketRent), None: "Not set"},
			{Status: unitStatuses[u.Status]},
			{None: "None"},
			{None: "None"},
		}
		if lease := u.CurrentLeaseID; lease != nil {
			line[3].Links = related.PartyLinks(v, parties[*lease])
			line[4].Links = []kit.Link{{Name: "Current lease", Path: v.PathTo("leases", lease)}}
		}
		return line
	})
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

func (p *Section) unit(v *page.Request, h *portfolio.Home) error {
	owner := related.Owner{Path: "/units/" + h.Unit.ID, UnitID: h.Unit.ID}
	belongs := related.Source{Portfolio: p.Portfolio}
	tabs, part, err := belongs.Tabs(v, owner)
	if err != nil {
		return err
	}
	view := kit.Detail{Record: unitRecord(v, h, tabs)}
	if err := p.withDrafts(v, h, &view.Record); err != nil {
		return err
	}
	if part != nil {
		view.Parts = []kit.RelatedTable{*part}
		return v.Show(kit.DetailPage(view))
	}
	view.Parts, err = belongs.Latest(v, owner)
	if err != nil {
		return err
	}
	return v.Show(kit.DetailPage(view))
}

// withDrafts leads from a unit to the drafts of its leases, the newest first.
func (p *Section) withDrafts(v *page.Request, h *portfolio.Home, r *kit.Record) error {
	filter := portfolio.LeaseFilter{
		Query: list.Query{Limit: 5, Newest: true}, UnitID: h.Unit.ID, Status: portfolio.LeaseDraft,
	}
	drafts, err := p.Portfolio.Leases.Leases(v.Ctx(), v.Actor(), filter)
	if err != nil {
		return err
	}
	for i := range drafts.Data {
		l := &drafts.Data[i]
		if l.DocumentID == nil {
			continue
		}
		r.Facts[0].Terms = append(r.Facts[0].Terms, kit.Term{
			Name: "Open draft", Text: "Continue draft", Path: v.In("/leases/" + l.ID + "/review"),
			Note: "from " + page.Date(l.StartDate),
		})
		if i == 0 && r.Primary.Icon == "plus" { // what was begun comes first
			r.Menu = append([]kit.Action{r.Primary}, r.Menu...)
			r.Primary = kit.Action{Name: "Continue draft", Path: v.In("/leases/" + l.ID + "/review"), Icon: "pen-line"}
		}
	}
	return nil
}

// unitRecord is what a unit’s page says of it.
func unitRecord(v *page.Request, h *portfolio.Home, tabs []kit.Tab) kit.Record {
	at := v.In("/units/" + h.Unit.ID)
	r := kit.Record{
		Frame:   v.Frame(h.Street()),
		Heading: kit.Heading{Title: h.Street(), About: page.Town(&h.Property), Status: unitStatuses[h.Unit.Status]},
		Edit:    at + "/edit",
		Primary: kit.Action{Name: "Create lease", Path: v.In("/leases/generate?unit_id=" + h.Unit.ID), Icon: "plus"},
		Facts:   []kit.Facts{unitFacts(v, h), page.RecordFacts(v, &h.Unit.Record)},
		Tabs:    tabs,
	}
	r.Menu = append(r.Menu, kit.Action{
		Name: "Open ticket", Path: v.In("/tickets/new?unit_id=" + h.Unit.ID), Icon: "wrench",
	})
	switch h.Unit.Status {
	case portfolio.UnitOffMarket:
		r.Menu = append(r.Menu, kit.Action{Name: "Put back on the market", Path: at + "/on-market", How: kit.Asks})
	case portfolio.UnitVacant:
		r.Menu = append(r.Menu, kit.Action{Name: "Take off the market", Path: at + "/off-market", How: kit.Asks})
	case portfolio.UnitOccupied, portfolio.UnitNotice:
	}
	return r
}

func unitFacts(v *page.Request, h *portfolio.Home) kit.Facts {
	u := &h.Unit
	all := []kit.Term{
		{Name: "Property", Text: page.Street(&h.Property), Path: v.In("/properties/" + h.Property.ID)},
		{Name: "Number", Text: u.UnitNumber},
		{Name: "Size", Text: sizeOf(u)},
		{Name: "Asking rent", Text: page.DollarsOr(u.MarketRent)},
	}
	if u.CurrentLeaseID != nil {
		all = append(all, kit.Term{Name: "Lease", Text: "Current lease", Path: v.PathTo("leases", u.CurrentLeaseID)})
	}
	return kit.Facts{Title: "Unit", Terms: all}
}

// unitStatuses are the statuses of a unit as pages show them.
var unitStatuses = map[portfolio.UnitStatus]kit.Status{
	portfolio.UnitOccupied:  {Tone: kit.Done, Text: "Occupied"},
	portfolio.UnitNotice:    {Tone: kit.Warned, Text: "Notice given"},
	portfolio.UnitOffMarket: {Tone: kit.Idle, Text: "Off the market"},
	portfolio.UnitVacant:    {Tone: kit.Waiting, Text: "Vacant"},
}
