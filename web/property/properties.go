package property

import (
	"strconv"

	"portal/api/contact"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/property/verification"
	"portal/views/kit"
	"portal/web/page"
)

// propertyPages is the pages of properties.
type propertyPages struct{ *Section }

func (p *propertyPages) routes() []page.Route {
	return []page.Route{
		page.Get("/{mode}/properties", page.Member, p.properties),
		page.Get("/{mode}/properties/new", page.Member, p.newProperty),
		page.Post("/{mode}/properties/new", page.Member, p.addProperty).Once(),
		page.Get("/{mode}/properties/:id", page.Member, p.property),
		page.Get("/{mode}/properties/:id/edit", page.Member, p.editProperty),
		page.Post("/{mode}/properties/:id/edit", page.Member, p.changeProperty),
		page.Get("/{mode}/properties/:id/archive", page.Member, p.askArchive),
		page.Post("/{mode}/properties/:id/archive", page.Member, p.archive),
		page.Get("/{mode}/properties/:id/restore", page.Member, p.askRestore),
		page.Post("/{mode}/properties/:id/restore", page.Member, p.restore),
		page.Get("/{mode}/properties/:id/verify", page.Member, p.askVerify),
		page.Post("/{mode}/properties/:id/verify", page.Member, p.verifyProperty).Once(),
	}
}

func (p *propertyPages) properties(v *page.Request) error {
	t, f := v.Cursor(), v.Form()
	found, err := p.Portfolio.Properties.Properties(v.Ctx(), v.Actor(), portfolio.PropertyFilter{
		Query:        page.NewestFirst(t, id.Property),
		Search:       f.SearchText(),
		State:        contact.State(f.Among("state", page.StateCodes())),
		City:         page.Clip(f.Printable("city"), 100),
		PropertyType: portfolio.PropertyType(f.Among("property_type", portfolio.PropertyType("").Values())),
		Status:       portfolio.PropertyStatus(f.Among("status", portfolio.PropertyStatus("").Values())),
	})
	if err != nil {
		return err
	}
	view := kit.Listing{
		Frame:   v.Frame("Properties"),
		Heading: kit.Heading{Title: "Properties", About: "Buildings and homes, with their units."},
		New:     kit.Link{Name: "Add a property", Path: v.In("/properties/new")},
		Filters: v.Filters("Filter the properties", "/properties", propertyFields()),
	}
	if p.Served("/{mode}/import") {
		view.Other = []kit.Link{{Name: "Import a rent roll", Path: v.In("/import")}}
	}
	view.Grid.Table = kit.Table{
		Caption: "Properties",
		Rows:    len(found.Data),
		Pages:   t.Pages(page.OrEmpty(found.NextCursor)),
		Empty:   propertiesEmpty(&view),
		Columns: []kit.Column{
			{Name: "Address"},
			{Name: "City"},
			{Name: "Type"},
			{Name: "Occupied", Right: true},
			{Name: "Ownership"},
			{Name: "Status"},
		},
	}
	for i := range found.Data {
		x := &found.Data[i]
		view.Grid.Lines = append(view.Grid.Lines, []kit.Cell{
			{Text: page.Street(x), Path: v.In("/properties/" + x.ID), Note: page.OrEmpty(x.Name)},
			{Text: x.City + ", " + string(x.State)},
			{Text: page.PropertyTypes[x.PropertyType]},
			{Text: occupied(x)},
			{Status: verificationStatus(x.VerificationStatus)},
			{Status: propertyStatus(x.Status)},
		})
	}
	return v.Show(kit.ListingPage(view))
}

// propertiesEmpty is what a list without a property says.
func propertiesEmpty(l *kit.Listing) kit.Empty {
	if l.Filters.Clear != "" {
		return kit.Empty{
			Title:  "No properties match these filters",
			Words:  "Change or clear the filters to see more.",
			Action: kit.Link{Name: "Show all properties", Path: l.Filters.Clear},
		}
	}
	words := "Add the first one with its address; further units are added on its page."
	if len(l.Other) > 0 {
		words += " A whole rent roll can be imported from a spreadsheet."
	}
	return kit.Empty{Title: "No properties yet", Words: words, Action: l.New}
}

func propertyFields() []kit.Field {
	return []kit.Field{
		{
			Name:     "search",
			Label:    "Name or address",
			Kind:     "search",
			Complete: "off",
		},
		{
			Name:    "state",
			Label:   "State",
			Kind:    "select",
			Choices: page.StateChoices("", "All"),
		},
		{Name: "city", Label: "City", Complete: "off"},
		{
			Name:    "property_type",
			Label:   "Type",
			Kind:    "select",
			Choices: typeChoices("", "All"),
		},
		{
			Name:    "status",
			Label:   "Status",
			Kind:    "select",
			Choices: page.Choices(portfolio.PropertyStatus("").Values(), "", "All"),
		},
	}
}

func typeChoices(chosen portfolio.PropertyType, none string) []kit.Choice {
	var all []kit.Choice
	if none != "" {
		all = append(all, kit.Choice{Label: none})
	}
	for _, t := range chosen.Values() {
		all = append(all, kit.Choice{
			Value:  t,
			Label:  page.PropertyTypes[portfolio.PropertyType(t)],
			Chosen: t == string(chosen),
		})
	}
	return all
}

// occupied is how many of the units somebody lives in.
func occupied(p *portfolio.Property) string {
	return strconv.Itoa(p.OccupiedUnitCount) + " of " + strconv.Itoa(p.UnitCount)
}

func propertyStatus(s portfolio.PropertyStatus) kit.Status {
	if s == portfolio.PropertyArchived {
		return kit.Status{Tone: kit.Idle, Text: "Archived"}
	}
	return kit.Status{Tone: kit.Done, Text: "Active"}
}

func verificationStatus(s portfolio.VerificationStatus) kit.Status {
	switch s {
	case portfolio.Verified:
		return kit.Status{Tone: kit.Done, Text: "Verified"}
	case portfolio.VerificationPending:
		return kit.Status{Tone: kit.Waiting, Text: "In review"}
	case portfolio.Unverified:
	}
	return kit.Status{Tone: kit.Idle, Text: "Not verified"}
}

// propertyHere is the property of the address with a page of its units.
func (p *propertyPages) propertyHere(
	v *page.Request, q list.Query,
) (*portfolio.Property, *list.Page[portfolio.Unit], map[string][]portfolio.Party, error) {
	name, err := v.PathID(id.Property)
	if err != nil {
		return nil, nil, nil, err
	}
	return p.Portfolio.Properties.PropertyUnits(v.Ctx(), v.Actor(), portfolio.UnitFilter{Query: q, PropertyID: name})
}

// thisProperty is that of the address, for a page that shows none of its units.
func (p *propertyPages) thisProperty(v *page.Request) (*portfolio.Property, error) {
	x, _, _, err := p.propertyHere(v, list.Query{Limit: 1})
	return x, err
}

func (p *propertyPages) property(v *page.Request) error {
	t := v.Cursor()
	x, units, parties, err := p.propertyHere(v, list.Query{Limit: page.ListSize, StartingAfter: t.Position(id.Unit)})
	if err != nil {
		return err
	}
	last, asked, err := p.Verifications.Verification(v.Ctx(), v.Actor(), x.ID)
	if err != nil {
		return err
	}
	at := v.In("/properties/" + x.ID)
	view := kit.Detail{
		Record: kit.Record{
			Frame: v.Frame(page.Street(x)),
			Heading: kit.Heading{
				Title: page.Street(x),
				About: page.Town(x),
				Back:  kit.Link{Name: "Properties", Path: v.In("/properties")},
			},
			Edit:    at + "/edit",
			Actions: propertyActions(at, x),
			Terms:   propertyTerms(v, x),
			Notices: propertyNotices(x, last, asked),
		},
		Lead: page.RelatedLinks(v, "property_id", x.ID),
	}
	grid := unitGrid(v, units.Data, parties)
	grid.Caption, grid.Pages = "Units", t.Pages(page.OrEmpty(units.NextCursor))
	part := kit.RelatedTable{ID: "units", Title: "Units", Grid: grid}
	if x.Status == portfolio.PropertyActive {
		part.New = kit.Link{Name: "Add a unit", Path: at + "/units/new"}
	}
	view.Parts = []kit.RelatedTable{part}
	return v.Show(kit.DetailPage(view))
}

// propertyActions are what can be done with a property after one was asked.
func propertyActions(at string, p *portfolio.Property) (all []kit.Link) {
	if p.Status == portfolio.PropertyArchived {
		return []kit.Link{{Name: "Restore", Path: at + "/restore"}}
	}
	if p.VerificationStatus == portfolio.Unverified {
		all = append(all, kit.Link{Name: "Verify", Path: at + "/verify"})
	}
	return append(all, kit.Link{Name: "Archive", Path: at + "/archive"})
}

// propertyNotices say what is odd about a property.
func propertyNotices(p *portfolio.Property, last verification.Verification, asked bool) (all []kit.NoticeContent) {
	if p.Status == portfolio.PropertyArchived {
		all = append(all, kit.NoticeContent{
			Tone:  kit.Idle,
			Words: "Archived: it and its units stay readable, here and over the API, and count against no limit.",
		})
	}
	if asked && last.Words != nil {
		words := kit.NoticeContent{Tone: kit.Idle, Words: "Who verified the property wrote: " + *last.Words}
		if last.Status == verification.DeclinedVerification {
			words = kit.NoticeContent{Tone: kit.Warned, Words: "The property was not verified: " + *last.Words}
		}
		all = append(all, words)
	}
	return all
}

func propertyTerms(v *page.Request, p *portfolio.Property) []kit.Term {
	terms := []kit.Term{
		{Name: "Name", Text: page.OrEmpty(p.Name)},
		{Name: "Address", Text: page.Street(p) + ", " + page.Town(p)},
		{Name: "Type", Text: page.PropertyTypes[p.PropertyType]},
		{Name: "Built in", Text: page.YearOr(p.YearBuilt)},
		{Name: "Occupied units", Text: occupied(p)},
		{Name: "Ownership", Status: verificationStatus(p.VerificationStatus)},
		{Name: "Status", Status: propertyStatus(p.Status)},
	}
	return append(terms, page.RecordTerms(v, &p.Record)...)
}
