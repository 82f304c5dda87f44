package related

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"portal/api/id"
	"portal/api/portfolio"
	"portal/api/portfolio/records"
	"portal/views/kit"
	"portal/web/page"
)

// How much a search for a unit shows.
const (
	pickProperties = 20
	pickUnits      = 50
	pickWords      = 8
)

// UnitPicker asks for a unit before a form that needs one.
type UnitPicker struct {
	Portfolio *records.Service
	With      url.Values // what the addresses say beside, which the form needs; nil for nothing
}

// also is what an address says beside what was picked.
func (p UnitPicker) also() string {
	if len(p.With) == 0 {
		return ""
	}
	return "&" + p.With.Encode()
}

// kept are the fields that hold what the addresses say beside.
func (p UnitPicker) kept() (all []kit.Field) {
	for _, name := range slices.Sorted(maps.Keys(p.With)) {
		all = append(all, kit.Field{Name: name, Kind: "hidden", Value: p.With.Get(name)})
	}
	return all
}

// Pick asks for a unit before a form that needs one: first for its property, then for the
// unit. What is picked leads to the same address, which then says unit_id.
func (p UnitPicker) Pick(v *page.Request, heading kit.Heading, at string) error {
	property := v.Form().ID("property_id", id.Property)
	if property == "" {
		return p.Property(v, heading, at)
	}
	return p.unit(v, heading, property, at)
}

// Property asks for a property, by words of its address. What is picked leads to the same
// address, which then says property_id.
func (p UnitPicker) Property(v *page.Request, heading kit.Heading, at string) error {
	words := strings.Fields(v.Form().Printable("q"))
	words = words[:min(len(words), pickWords)]
	found, err := p.Portfolio.Finder.PropertiesAbout(v.Ctx(), v.Actor(), words, pickProperties)
	if err != nil {
		return err
	}
	view := kit.Pick{
		Frame:   v.Frame(heading.Title),
		Heading: heading,
		Title:   "Newest properties",
		Filters: v.Filters("Find the property", at, append(p.kept(), kit.Field{
			Name: "q", Label: "Street, city, or name", Kind: "search", Complete: "off",
		})),
		More: len(found) == pickProperties,
	}
	view.Grid = kit.GridOf(picks("Property", "City", "Units"), found, func(h *portfolio.Property) []kit.Cell {
		return []kit.Cell{
			{Text: page.Street(h), Path: v.In(at) + "?property_id=" + h.ID + p.also(), Faint: page.OrEmpty(h.Name)},
			{Text: h.City + ", " + string(h.State)},
			{Text: page.Counted(h.UnitCount, "unit")},
		}
	})
	view.Grid.Empty = kit.Empty{
		Title: "No properties yet", Words: "A form about a home needs one.",
		Action: kit.Link{Name: "Add property", Path: v.In("/properties/new")},
	}
	if len(words) > 0 {
		view.Title = "Matching properties"
		view.Grid.Empty = kit.Empty{
			Title: "No properties match",
			Words: "Try fewer words, or part of one. Archived properties aren’t listed.",
		}
	}
	return v.Show(kit.PickPage(view))
}

func (p UnitPicker) unit(v *page.Request, heading kit.Heading, property, at string) error {
	site, err := p.Portfolio.Homes.Site(v.Ctx(), v.Actor(), property, "")
	if err != nil {
		return err
	}
	home := &site.Property.Property
	heading.About = page.Street(home) + ", " + home.City + ", " + string(home.State)
	heading.Back = kit.Link{Name: "Another property", Path: v.In(at)}
	if len(p.With) > 0 {
		heading.Back.Path += "?" + p.With.Encode()
	}
	view := kit.Pick{Frame: v.Frame(heading.Title), Heading: heading, Title: "Units"}
	units := site.Property.Units
	number := strings.ToLower(v.Form().Printable("number"))
	if len(units) > pickUnits {
		view.Filters = v.Filters("Find the unit", at, append(p.kept(),
			kit.Field{Name: "property_id", Kind: "hidden", Value: property},
			kit.Field{Name: "number", Label: "Unit number begins with", Kind: "search", Complete: "off"},
		))
		view.Filters.Clear = ""
	}
	other := func(u portfolio.Unit) bool { return !strings.HasPrefix(strings.ToLower(u.UnitNumber), number) }
	units = slices.DeleteFunc(slices.Clone(units), other)
	slices.SortStableFunc(units, func(a, b portfolio.Unit) int { return vacantFirst(&a) - vacantFirst(&b) })
	view.More = len(units) > pickUnits
	units = units[:min(len(units), pickUnits)]
	view.Grid = kit.GridOf(picks("Unit", "Asking rent", "Status"), units, func(u *portfolio.Unit) []kit.Cell {
		return []kit.Cell{
			{Text: "Unit " + u.UnitNumber, Path: v.In(at) + "?unit_id=" + url.QueryEscape(u.ID) + p.also()},
			{Text: page.DollarsOr(u.MarketRent)},
			{Status: page.UnitStandings[u.Status]},
		}
	})
	view.Grid.Empty = kit.Empty{Title: "No units match", Words: "Try the beginning of the unit number."}
	return v.Show(kit.PickPage(view))
}

// picks is the table of what can be picked.
func picks(what, middle, last string) kit.Table {
	return kit.Table{
		Caption: what,
		Columns: []kit.Column{
			{Name: what},
			{Name: middle, Width: kit.Long, Card: kit.CardDetail},
			{Name: last, Width: kit.Medium, Card: kit.CardAmount},
		},
	}
}

func vacantFirst(u *portfolio.Unit) int {
	if u.Status == portfolio.UnitVacant {
		return 0
	}
	return 1
}
