package property

import (
	"context"
	"strconv"

	"portal/api/access"
	"portal/api/contact"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/property/verification"
	"portal/views/kit"
	"portal/web/listing"
	"portal/web/page"
	"portal/web/related"
)

// propertyFilter is what the address asks for of the list.
func propertyFilter(v *page.Request) portfolio.PropertyFilter {
	f := v.Form()
	return portfolio.PropertyFilter{
		Query:        listing.Query(v, id.Property, portfolio.PropertySorts()),
		Search:       f.SearchText(),
		State:        contact.State(f.Among("state", page.StateCodes())),
		City:         page.Clip(f.Printable("city"), 100),
		PropertyType: portfolio.PropertyType(f.Among("property_type", portfolio.PropertyType("").Values())),
		Status:       portfolio.PropertyStatus(f.Among("status", portfolio.PropertyStatus("").Values())),
	}
}

// propertyParts are the tabs of the list.
var propertyParts = []listing.Part{
	{Name: "Active", Status: string(portfolio.PropertyActive)},
	{Name: "Archived", Status: string(portfolio.PropertyArchived)},
}

func (p *Section) properties(v *page.Request) error {
	filter := propertyFilter(v)
	ctx, by := v.Ctx(), v.Actor()
	found, counts, err := page.Both(
		func() (*list.Page[portfolio.Property], error) {
			return p.Portfolio.Properties.Properties(ctx, by, filter)
		},
		func() (list.Counts[portfolio.PropertyStatus], error) {
			return p.Portfolio.Properties.PropertyCounts(ctx, by, filter)
		},
	)
	if err != nil {
		return err
	}
	view := listing.List{
		Title: "Properties", Path: "/properties",
		Ask: "Filter the properties", Fields: propertyFields(v), Orders: portfolio.PropertySorts(),
	}.View(v)
	view.Primary = kit.Action{Name: "Add property", Path: v.In("/properties/new"), Icon: "plus"}
	view.Tabs = listing.Tabs(v, view.Filters, propertyParts, counts)
	if p.Served("/{mode}/import") {
		view.Other = []kit.Action{{Name: "Import rent roll", Path: v.In("/import"), Icon: "upload"}}
	}
	view.Exports = rollExports(v)
	view.Grid = kit.GridOf(propertyTable(&view), found.Data, func(x *portfolio.Property) []kit.Cell {
		return []kit.Cell{
			{Text: page.Street(x), Path: v.In("/properties/" + x.ID), Faint: page.OrEmpty(x.Name)},
			{Text: x.City + ", " + string(x.State)},
			{Text: page.PropertyTypes[x.PropertyType]},
			{Text: occupied(x)},
			{Status: ownerships[x.VerificationStatus]},
			{Status: page.PropertyStatuses[x.Status]},
		}
	})
	view.Grid.Pages = listing.Pages(v, found.NextCursor, len(found.Data), counts)
	listing.Searched(v, &view, found.NextCursor, len(found.Data))
	return v.Show(kit.ListingPage(view))
}

func propertyTable(l *kit.Listing) kit.Table {
	return kit.Table{
		Caption: "Properties",
		Empty:   propertiesEmpty(l),
		Columns: []kit.Column{
			{Name: "Address"},
			{Name: "City", Width: kit.Medium, Card: kit.CardDetail},
			{Name: "Type", Width: kit.Medium, Card: kit.CardHidden},
			{Name: "Occupied", Right: true, Width: kit.Narrow, Card: kit.CardAmount},
			{Name: "Ownership", Width: kit.Short, Card: kit.CardHidden},
			{Name: "Status", Width: kit.Short},
		},
	}
}

// propertiesEmpty is what a list without a property says.
func propertiesEmpty(l *kit.Listing) kit.Empty {
	words := "Start with its address. You can add more units on its page."
	if len(l.Other) > 0 {
		words += " A whole rent roll can be imported from a spreadsheet."
	}
	return listing.Empty(l.Filters, "properties", kit.Empty{
		Title: "No properties yet", Words: words, Action: kit.Link{Name: l.Primary.Name, Path: l.Primary.Path},
	})
}

func propertyFields(v *page.Request) []kit.Field {
	return []kit.Field{
		{Name: "search", Label: "Name or address", Kind: "search"},
		{Name: "state", Label: "State", Kind: "select", Choices: page.StateChoices("All")},
		{Name: "city", Label: "City", Complete: "off"},
		{Name: "property_type", Label: "Type", Kind: "select", Choices: page.Named(page.PropertyTypes, "All")},
		listing.Status(v, propertyParts, nil),
	}
}

// occupied is how many of the units somebody lives in.
func occupied(p *portfolio.Property) string {
	return strconv.Itoa(p.OccupiedUnitCount) + " of " + strconv.Itoa(p.UnitCount)
}

// ownerships say whether it is known that the landlord owns a property.
var ownerships = map[portfolio.VerificationStatus]kit.Status{
	portfolio.Verified:            {Tone: kit.Done, Text: "Verified"},
	portfolio.VerificationPending: {Tone: kit.Waiting, Text: "In review"},
	portfolio.Unverified:          {Tone: kit.Idle, Text: "Not verified"},
}

// thisProperty is a property for what shows none of its units.
func (p *Section) thisProperty(ctx context.Context, by access.Actor, id string) (*portfolio.Property, error) {
	x, _, _, err := p.Portfolio.Properties.PropertyUnits(ctx, by, portfolio.UnitFilter{
		Query: list.Query{Limit: 1}, PropertyID: id,
	})
	return x, err
}

func (p *Section) property(v *page.Request) error {
	name, err := v.PathID(id.Property)
	if err != nil {
		return err
	}
	x, units, parties, err := p.Portfolio.Properties.PropertyUnits(v.Ctx(), v.Actor(), portfolio.UnitFilter{
		Query:      list.Query{Limit: page.ListSize, StartingAfter: v.Cursor().Position(id.Unit)},
		PropertyID: name,
	})
	if err != nil {
		return err
	}
	last, asked, err := p.Verifications.Verification(v.Ctx(), v.Actor(), x.ID)
	if err != nil {
		return err
	}
	owner := related.Owner{Path: "/properties/" + x.ID, PropertyID: x.ID}
	belongs := related.Source{Portfolio: p.Portfolio}
	tabs, part, err := belongs.Tabs(v, owner)
	if err != nil {
		return err
	}
	if part == nil {
		part = propertyUnits(v, units, parties)
	}
	return v.Show(kit.DetailPage(kit.Detail{Record: propertyRecord(v, x, last, asked, tabs),
		Parts: []kit.RelatedTable{*part}}))
}

// propertyRecord is what a property’s page says of it.
func propertyRecord(
	v *page.Request, x *portfolio.Property, last verification.Verification, asked bool, tabs []kit.Tab,
) kit.Record {
	at := v.In("/properties/" + x.ID)
	r := kit.Record{
		Frame:   v.Frame(page.Street(x)),
		Heading: kit.Heading{Title: page.Street(x), About: page.Town(x), Status: page.PropertyStatuses[x.Status]},
		Edit:    at + "/edit",
		Notices: propertyNotices(x, last, asked),
		Facts:   []kit.Facts{propertyFacts(x), page.RecordFacts(v, &x.Record)},
		Tabs:    tabs,
	}
	if x.Status == portfolio.PropertyArchived {
		r.Primary = kit.Action{Name: "Restore", Path: at + "/restore", How: kit.Asks}
		return r
	}
	r.Primary = kit.Action{Name: "Add unit", Path: at + "/units/new", Icon: "plus"}
	if x.VerificationStatus == portfolio.Unverified {
		r.Menu = append(r.Menu, kit.Action{
			Name: "Verify ownership", Path: at + "/verify", Icon: "shield-check", How: kit.Asks,
		})
	}
	r.Menu = append(r.Menu, kit.Action{Name: "Archive property…", Path: at + "/archive", How: kit.Asks, Bad: true})
	return r
}

// propertyUnits are the units of a property, a page of them.
func propertyUnits(
	v *page.Request, units *list.Page[portfolio.Unit], parties map[string][]portfolio.Party,
) *kit.RelatedTable {
	grid := unitGrid(v, units.Data, parties)
	grid.Caption, grid.Pages = "Units", v.Cursor().Pages(page.OrEmpty(units.NextCursor))
	return &kit.RelatedTable{ID: "units", Title: "Units", Grid: grid}
}

// propertyNotices say what is odd about a property.
func propertyNotices(p *portfolio.Property, last verification.Verification, asked bool) (all []kit.NoticeContent) {
	if p.Status == portfolio.PropertyArchived {
		all = append(all, kit.NoticeContent{
			Tone: kit.Idle,
			Words: "Archived. You can still view it and its units, here and over the API. They don’t count against " +
				"your plan.",
		})
	}
	if asked && last.Words != nil {
		words := kit.NoticeContent{Tone: kit.Idle, Words: "Message from our staff: " + *last.Words}
		if last.Status == verification.DeclinedVerification {
			words = kit.NoticeContent{Tone: kit.Warned, Words: "The property wasn’t verified: " + *last.Words}
		}
		all = append(all, words)
	}
	return all
}

func propertyFacts(p *portfolio.Property) kit.Facts {
	return kit.Facts{Title: "Property", Terms: []kit.Term{
		{Name: "Name", Text: page.OrEmpty(p.Name)},
		{Name: "Type", Text: page.PropertyTypes[p.PropertyType]},
		{Name: "Built in", Text: page.WholeOr(p.YearBuilt)},
		{Name: "Occupied", Text: occupied(p) + " units"},
		{Name: "Ownership", Status: ownerships[p.VerificationStatus]},
	}}
}
