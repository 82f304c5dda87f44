package property

import (
	"strings"

	"portal/api/id"
	"portal/api/portfolio"
	"portal/api/portfolio/property"
	"portal/views/kit"
	"portal/web/page"
)

// mostFound is how many records of a kind a search shows.
const mostFound = 10

// searchPages is the pages that find records.
type searchPages struct{ *Section }

func (p *searchPages) routes() []page.Route {
	return []page.Route{
		page.Get("/{mode}/search", page.Member, p.search),
	}
}

func (p *searchPages) search(v *page.Request) error {
	text := page.Clip(v.Form().Printable("q"), 200)
	found, err := p.Portfolio.Finder.Search(v.Ctx(), v.Actor(), text, mostFound)
	if err != nil {
		return err
	}
	name := strings.TrimSpace(text)
	if at := v.PathOf(name); found.Prefix != "" && at != "" {
		return v.SeeOther(at)
	}
	if _, at, err := v.Opening(name); err != nil || at != "" {
		if err != nil {
			return err
		}
		return v.SeeOther(at)
	}
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
	if view.Parts, err = p.foundParts(v, &found); err != nil {
		return err
	}
	if len(view.Parts) == 0 {
		view.Words = unfound(name)
	}
	return v.Show(kit.SearchResultsPage(view))
}

// unfound says why nothing is shown.
func unfound(text string) string {
	prefix, _, _ := strings.Cut(text, "_")
	switch {
	case text == "":
		return "Enter the start of a name, address, email address, or phone number, such as 1420 map or dana whit. " +
			"An ID opens its record."
	case id.Valid(prefix, text):
		return "No record has this ID. It may be in the other mode."
	}
	return "No matches. Try fewer letters, or switch modes."
}

// foundParts are the properties and tenants that were found.
func (p *searchPages) foundParts(v *page.Request, found *property.Found) (all []kit.RelatedTable, err error) {
	if n := len(found.Properties); n > 0 {
		g := kit.PartGrid(kit.Table{
			Caption: atMost(n), Columns: kit.Columns("Address", "City", "Status"),
		}, found.Properties, func(x *portfolio.Property) []kit.Cell {
			return []kit.Cell{
				{Text: page.Street(x), Path: v.In("/properties/" + x.ID), Note: page.OrEmpty(x.Name)},
				{Text: page.Town(x)},
				{Status: propertyStatuses[x.Status]},
			}
		})
		all = append(all, kit.RelatedTable{ID: "properties", Title: "Properties", Grid: g})
	}
	if n := len(found.Tenants); n > 0 {
		homes, err := p.Portfolio.Homes.Homes(v.Ctx(), v.Actor(), page.UnitsOf(found.Tenants))
		if err != nil {
			return nil, err
		}
		g := kit.PartGrid(kit.Table{
			Caption: atMost(n), Columns: kit.Columns("Name", "Contact", "Home", "Status"),
		}, found.Tenants, func(x *portfolio.Tenant) []kit.Cell {
			return []kit.Cell{
				{Text: x.Name, Path: v.In("/tenants/" + x.ID)},
				page.ContactCell(x),
				page.HomeCell(v, x, homes),
				{Status: page.TenantStatuses[x.Status]},
			}
		})
		all = append(all, kit.RelatedTable{ID: "tenants", Title: "Tenants", Grid: g})
	}
	return all, nil
}

// atMost says of a part of the findings whether it may not be all.
func atMost(n int) string {
	if n == mostFound {
		return "The first 10 that match"
	}
	return "All that match"
}
