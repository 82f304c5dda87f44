package web

import (
	"context"
	"strconv"
	"strings"

	"portal/api/access"
	"portal/api/change"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/views"
)

// Properties are the properties of a portfolio.
type Properties interface {
	Properties(ctx context.Context, by access.Actor, f portfolio.PropertyFilter) (*list.Page[portfolio.Property], error)
	PropertyUnits(ctx context.Context, by access.Actor, f portfolio.UnitFilter) (*portfolio.Property, *list.Page[portfolio.Unit], map[string][]portfolio.Party, error)
	CreateProperty(ctx context.Context, by access.Actor, c portfolio.PropertyCreate) (*change.Result[portfolio.PropertyWithUnits], error)
	UpdateProperty(ctx context.Context, by access.Actor, t change.Target, u portfolio.PropertyUpdate) (*change.Result[portfolio.Property], error)
	ArchiveProperty(ctx context.Context, by access.Actor, t change.Target) (*change.Result[portfolio.Property], error)
	RestoreProperty(ctx context.Context, by access.Actor, t change.Target) (*change.Result[portfolio.Property], error)
	AskVerification(ctx context.Context, by access.Actor, t change.Target, note string) (*change.Result[portfolio.Property], error)
	Verification(ctx context.Context, by access.Actor, propertyID string) (portfolio.Verification, bool, error)
}

// placeRoutes are the pages of properties, their units and tenants.
func (p *Pages) placeRoutes() []route {
	return []route{
		get("/{mode}/properties", member, p.properties),
		get("/{mode}/properties/new", member, p.newProperty),
		post("/{mode}/properties/new", member, p.addProperty).once(),
		get("/{mode}/properties/:id", member, p.property),
		get("/{mode}/properties/:id/edit", member, p.editProperty),
		post("/{mode}/properties/:id/edit", member, p.changeProperty),
		get("/{mode}/properties/:id/archive", member, p.askArchive),
		post("/{mode}/properties/:id/archive", member, p.archive),
		get("/{mode}/properties/:id/restore", member, p.askRestore),
		post("/{mode}/properties/:id/restore", member, p.restore),
		get("/{mode}/properties/:id/verify", member, p.askVerify),
		post("/{mode}/properties/:id/verify", member, p.verifyProperty).once(),
		get("/{mode}/properties/:id/units/new", member, p.newUnit),
		post("/{mode}/properties/:id/units/new", member, p.addUnit).once(),
		get("/{mode}/search", member, p.search),
		get("/{mode}/units", member, p.allUnits),
		get("/{mode}/units/:id", member, p.unitLeases),
		get("/{mode}/units/:id/tickets", member, p.unitTickets),
		get("/{mode}/units/:id/payments", member, p.unitPayments),
		get("/{mode}/units/:id/edit", member, p.editUnit),
		post("/{mode}/units/:id/edit", member, p.changeUnit),
		get("/{mode}/units/:id/off-market", member, p.askOffMarket),
		post("/{mode}/units/:id/off-market", member, p.offMarket),
		get("/{mode}/units/:id/on-market", member, p.askOnMarket),
		post("/{mode}/units/:id/on-market", member, p.onMarket),
		get("/{mode}/tenants", member, p.tenants),
		get("/{mode}/tenants/:id", member, p.tenant),
		get("/{mode}/tenants/:id/edit", member, p.editTenant),
		post("/{mode}/tenants/:id/edit", member, p.changeTenant),
		get("/staff/properties", staff, p.verifications),
		get("/staff/properties/:id", staff, p.verificationCase),
		get("/staff/properties/:id/verify", staff, p.askToVerify),
		post("/staff/properties/:id/verify", staff, p.acceptVerification),
		get("/staff/properties/:id/decline", staff, p.askNotVerify),
		post("/staff/properties/:id/decline", staff, p.declineVerification),
	}
}

func (p *Pages) properties(v *visit) error {
	t, f := v.turn(), v.form()
	page, err := p.Properties.Properties(v.ctx(), v.actor(), portfolio.PropertyFilter{Query: newestFirst(t, id.Property), Search: f.sought(), State: portfolio.State(f.among("state", stateCodes)), City: clip(f.printable("city"), 100),
		PropertyType: portfolio.PropertyType(f.among("property_type", portfolio.PropertyType("").Values())), Status: portfolio.PropertyStatus(f.among("status", portfolio.PropertyStatus("").Values()))})
	if err != nil {
		return err
	}
	view := views.Listing{Frame: v.frame("Properties"), Heading: views.Heading{Title: "Properties", About: "Buildings and homes with the units that leases let."},
		New: views.Link{Name: "Add a property", Path: v.in("/properties/new")}, Filters: v.filters("Filter the properties", "/properties", propertyFields())}
	if p.served("/{mode}/import") {
		view.Other = []views.Link{{Name: "Import a rent roll", Path: v.in("/import")}}
	}
	view.Grid.Table = views.Table{Caption: "Properties", Rows: len(page.Data), Pages: t.pages(orNone(page.NextCursor)), Empty: propertiesEmpty(&view),
		Columns: []views.Column{{Name: "Address"}, {Name: "City"}, {Name: "Type"}, {Name: "Let", Right: true}, {Name: "Ownership"}, {Name: "Status"}}}
	for i := range page.Data {
		x := &page.Data[i]
		view.Grid.Lines = append(view.Grid.Lines, []views.Cell{{Text: inStreet(x), Path: v.in("/properties/" + x.ID), Note: orNone(x.Name)}, {Text: x.City + ", " + string(x.State)}, {Text: propertyTypes[x.PropertyType]},
			{Text: occupied(x)}, {Status: verificationStatus(x.VerificationStatus)}, {Status: propertyStatus(x.Status)}})
	}
	return v.show(views.ListingPage(view))
}

// propertiesEmpty is what a list without a property says.
func propertiesEmpty(l *views.Listing) views.Empty {
	if l.Filters.Clear != "" {
		return views.Empty{Title: "No property is like that", Words: "Take away a filter to see more.", Action: views.Link{Name: "Show all properties", Path: l.Filters.Clear}}
	}
	words := "Add the first one with its address; further units are added on its page."
	if len(l.Other) > 0 {
		words += " A whole rent roll can be imported from a spreadsheet."
	}
	return views.Empty{Title: "No properties yet", Words: words, Action: l.New}
}

func propertyFields() []views.Field {
	return []views.Field{
		{Name: "search", Label: "Name or address", Kind: "search", Complete: "off"},
		{Name: "state", Label: "State", Kind: "select", Choices: stateChoices("", "All")},
		{Name: "city", Label: "City", Complete: "off"},
		{Name: "property_type", Label: "Type", Kind: "select", Choices: typeChoices("", "All")},
		{Name: "status", Label: "Status", Kind: "select", Choices: choices(portfolio.PropertyStatus("").Values(), "", "All")},
	}
}

// propertyTypes are kinds of building as people call them.
var propertyTypes = map[portfolio.PropertyType]string{
	"single_family": "Single-family house", "multi_family": "Multi-family house", "apartment": "Apartment building", "condo": "Condominium", "townhouse": "Townhouse",
	"duplex": "Duplex", "mobile_home": "Mobile home", "commercial": "Commercial", "other": "Other",
}

func typeChoices(chosen portfolio.PropertyType, none string) []views.Choice {
	var all []views.Choice
	if none != "" {
		all = append(all, views.Choice{Label: none})
	}
	for _, t := range chosen.Values() {
		all = append(all, views.Choice{Value: t, Label: propertyTypes[portfolio.PropertyType(t)], Chosen: t == string(chosen)})
	}
	return all
}

// inStreet is where a property stands in its town.
func inStreet(p *portfolio.Property) string {
	if p.StreetAddress2 == nil {
		return p.StreetAddress
	}
	return p.StreetAddress + ", " + *p.StreetAddress2
}

// inTown is the town of a property.
func inTown(p *portfolio.Property) string {
	return strings.TrimSpace(p.City + ", " + string(p.State) + " " + orNone(p.PostalCode))
}

// occupied is how many of the units somebody lives in.
func occupied(p *portfolio.Property) string {
	return strconv.Itoa(p.OccupiedUnitCount) + " of " + strconv.Itoa(p.UnitCount)
}

func propertyStatus(s portfolio.PropertyStatus) views.Status {
	if s == portfolio.PropertyArchived {
		return views.Status{Tone: views.Idle, Text: "Archived"}
	}
	return views.Status{Tone: views.Done, Text: "Active"}
}

func verificationStatus(s portfolio.VerificationStatus) views.Status {
	switch s {
	case portfolio.Verified:
		return views.Status{Tone: views.Done, Text: "Verified"}
	case portfolio.VerificationPending:
		return views.Status{Tone: views.Waiting, Text: "Being looked at"}
	case portfolio.Unverified:
	}
	return views.Status{Tone: views.Idle, Text: "Not verified"}
}

// propertyHere is the property of the address with a page of its units.
func (p *Pages) propertyHere(v *visit, q list.Query) (*portfolio.Property, *list.Page[portfolio.Unit], map[string][]portfolio.Party, error) {
	name, err := v.ident(id.Property)
	if err != nil {
		return nil, nil, nil, err
	}
	return p.Properties.PropertyUnits(v.ctx(), v.actor(), portfolio.UnitFilter{Query: q, PropertyID: name})
}

// thisProperty is that of the address, for a page that shows none of its units.
func (p *Pages) thisProperty(v *visit) (*portfolio.Property, error) {
	x, _, _, err := p.propertyHere(v, list.Query{Limit: 1})
	return x, err
}

func (p *Pages) property(v *visit) error {
	t := v.turn()
	x, units, parties, err := p.propertyHere(v, list.Query{Limit: logLines, StartingAfter: t.position(id.Unit)})
	if err != nil {
		return err
	}
	last, asked, err := p.Properties.Verification(v.ctx(), v.actor(), x.ID)
	if err != nil {
		return err
	}
	at := v.in("/properties/" + x.ID)
	view := views.Portrait{Record: views.Record{Frame: v.frame(inStreet(x)), Heading: views.Heading{Title: inStreet(x), About: inTown(x), Back: views.Link{Name: "Properties", Path: v.in("/properties")}},
		Edit: at + "/edit", Actions: propertyActions(at, x), Terms: propertyTerms(v, x), Notices: propertyNotices(x, last, asked)}, Lead: belongings(v, "property_id", x.ID)}
	grid := unitGrid(v, units.Data, parties)
	grid.Caption, grid.Pages = "Units", t.pages(orNone(units.NextCursor))
	part := views.Belonging{ID: "units", Title: "Units", Grid: grid}
	if x.Status == portfolio.PropertyActive {
		part.New = views.Link{Name: "Add a unit", Path: at + "/units/new"}
	}
	view.Parts = []views.Belonging{part}
	return v.show(views.PortraitPage(view))
}

// propertyActions are what can be done with a property after one was asked.
func propertyActions(at string, p *portfolio.Property) (all []views.Link) {
	if p.Status == portfolio.PropertyArchived {
		return []views.Link{{Name: "Restore", Path: at + "/restore"}}
	}
	if p.VerificationStatus == portfolio.Unverified {
		all = append(all, views.Link{Name: "Verify", Path: at + "/verify"})
	}
	return append(all, views.Link{Name: "Archive", Path: at + "/archive"})
}

// propertyNotices say what is odd about a property.
func propertyNotices(p *portfolio.Property, last portfolio.Verification, asked bool) (all []views.Notified) {
	if p.Status == portfolio.PropertyArchived {
		all = append(all, views.Notified{Tone: views.Idle, Words: "Archived: it and its units stay readable, here and over the API, and count against no limit."})
	}
	if asked && last.Words != nil {
		words := views.Notified{Tone: views.Idle, Words: "Who verified the property wrote: " + *last.Words}
		if last.Status == portfolio.DeclinedVerification {
			words = views.Notified{Tone: views.Warned, Words: "The property was not verified: " + *last.Words}
		}
		all = append(all, words)
	}
	return all
}

func propertyTerms(v *visit, p *portfolio.Property) []views.Term {
	terms := []views.Term{
		{Name: "Name", Text: orNone(p.Name)},
		{Name: "Address", Text: inStreet(p) + ", " + inTown(p)},
		{Name: "Type", Text: propertyTypes[p.PropertyType]},
		{Name: "Built in", Text: yearOf(p.YearBuilt)},
		{Name: "Units let", Text: occupied(p)},
		{Name: "Ownership", Status: verificationStatus(p.VerificationStatus)},
		{Name: "Status", Status: propertyStatus(p.Status)},
	}
	return append(terms, recordTerms(v, &p.Record)...)
}

func yearOf(year *int) string {
	if year == nil {
		return ""
	}
	return strconv.Itoa(*year)
}

// belongings lead to the lists of what belongs to a record, as far as they have pages.
func belongings(v *visit, field, id string) (all []views.Link) {
	for _, l := range []views.Link{{Name: "All leases", Path: "/leases"}, {Name: "All tickets", Path: "/tickets"}, {Name: "All payments", Path: "/ledger"}, {Name: "Open a ticket", Path: "/tickets/new"}} {
		if v.shell.served("/{mode}" + l.Path) {
			all = append(all, views.Link{Name: l.Name, Path: v.in(l.Path + "?" + field + "=" + id)})
		}
	}
	return all
}
