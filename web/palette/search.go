package palette

import (
	"slices"
	"strings"

	"portal/api/id"
	"portal/api/portfolio"
	"portal/views/kit"
	"portal/web/page"
)

// mostFound is how many records of a kind the page shows.
const mostFound = 10

// search is the palette as a page, which finds the same without a script, and more of each kind.
func (p *Section) search(v *page.Request) error {
	text := page.Clip(v.Form().Printable("q"), 200)
	name := strings.TrimSpace(text)
	view := kit.SearchResults{
		Frame:   v.Frame("Search"),
		Heading: kit.Heading{Title: "Search"},
		Filters: v.Filters("Search the portfolio", "/search", []kit.Field{{
			Name:     "q",
			Label:    "Name, address, or ID",
			Kind:     "search",
			Complete: "off",
		}}),
	}
	if name == "" {
		view.Words = unfound(name)
		return v.Show(kit.SearchResultsPage(view))
	}
	of, err := p.find(v, text, mostFound)
	switch {
	case err != nil:
		return err
	case of.opened != nil:
		return v.SeeOther(of.opened.Path)
	}
	if view.Parts, err = p.records(v, &of); err != nil {
		return err
	}
	switch {
	case len(view.Parts) == 0:
		view.Words = unfound(name)
	case of.Words != "":
		view.Words = "No record matches " + name + ". These match " + of.Words + "."
	}
	for _, g := range p.places(v, name) {
		view.Parts = append(view.Parts, placesPart(strings.ToLower(g.Title), g.Title, g.Items)...)
	}
	return v.Show(kit.SearchResultsPage(view))
}

// unfound says why nothing is shown.
func unfound(text string) string {
	prefix, _, _ := strings.Cut(text, "_")
	switch {
	case text == "":
		return "Enter the start of a name, address, email address, or phone number, such as 1420 map or dana whit. " +
			"An ID or the number of a ticket opens its record. Words such as overdue, vacant, or export lead to lists " +
			"and actions."
	case id.Valid(prefix, text):
		return "No record has this ID. It may be in the other mode."
	}
	return "No record matches. Try fewer letters, or switch modes."
}

// records are the records that were found, with what belongs to them.
func (p *Section) records(v *page.Request, found *findings) (all []kit.RelatedTable, err error) {
	homes, err := p.Portfolio.Homes.Homes(v.Ctx(), v.Actor(), page.UnitsOf(found.Tenants))
	if err != nil {
		return nil, err
	}
	return slices.Concat(
		part("units", "Units", atMost(len(found.Homes)), kit.Columns("Unit", "City", "Status"), found.Homes,
			func(h **portfolio.Home) []kit.Cell {
				return []kit.Cell{
					{Text: (*h).Street(), Path: v.In("/units/" + (*h).Unit.ID)},
					{Text: page.Town(&(*h).Property)},
					{Status: page.UnitStandings[(*h).Unit.Status]},
				}
			}),
		part("properties", "Properties", atMost(len(found.Properties)), kit.Columns("Address", "City", "Status"),
			found.Properties, func(x *portfolio.Property) []kit.Cell {
				return []kit.Cell{
					{Text: page.Street(x), Path: v.In("/properties/" + x.ID), Note: page.OrEmpty(x.Name)},
					{Text: page.Town(x)},
					{Status: page.PropertyStatuses[x.Status]},
				}
			}),
		part("tenants", "Tenants", atMost(len(found.Tenants)), kit.Columns("Name", "Contact", "Home", "Status"),
			found.Tenants, func(x *portfolio.Tenant) []kit.Cell {
				return []kit.Cell{
					{Text: x.Name, Path: v.In("/tenants/" + x.ID)},
					page.ContactCell(x),
					page.HomeCell(v, x, homes),
					{Status: page.TenantStatuses[x.Status]},
				}
			}),
		placesPart("belonging", "Leases, tickets, and charges", found.belonging),
	), nil
}

// placesPart are places as a part of the page.
func placesPart(name, title string, items []kit.PaletteItem) []kit.RelatedTable {
	return part(name, title, title, kit.Columns("Name", "Kind"), items, func(i *kit.PaletteItem) []kit.Cell {
		return []kit.Cell{{Text: i.Name, Path: i.Path}, {Text: i.Note, None: strings.TrimSuffix(title, "s")}}
	})
}

// part is a part of the page, none where there are no rows.
func part[T any](
	name, title, caption string, columns []kit.Column, rows []T, line func(*T) []kit.Cell,
) []kit.RelatedTable {
	if len(rows) == 0 {
		return nil
	}
	g := kit.PartGrid(kit.Table{Caption: caption, Columns: columns}, rows, line)
	return []kit.RelatedTable{{ID: name, Title: title, Grid: g}}
}

// atMost says of a part of the findings whether it may not be all.
func atMost(n int) string {
	if n == mostFound {
		return "The first 10 that match"
	}
	return "All that match"
}
