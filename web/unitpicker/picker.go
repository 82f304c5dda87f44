// Package unitpicker is the page that asks for a unit before a form that needs one.
package unitpicker

import (
	"net/url"
	"slices"
	"strconv"
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

// Picker asks for a unit before a form that needs one.
type Picker struct{ Portfolio *records.Service }

// Pick asks for a unit before a form that needs one: first for its property, by words of
// the address, then for the unit. What is picked leads to the same address, which then says
// unit_id.
func (p Picker) Pick(v *page.Request, heading kit.Heading, at string) error {
	view := kit.Pick{Frame: v.Frame(heading.Title), Heading: heading}
	property, find := v.Form().ID("property_id", id.Property), p.pickUnit
	if property == "" {
		find = p.pickProperty
	}
	if err := find(v, &view, property, at); err != nil {
		return err
	}
	return v.Show(kit.PickPage(view))
}

func (p Picker) pickProperty(v *page.Request, view *kit.Pick, _, at string) error {
	words := strings.Fields(v.Form().Printable("q"))
	view.Filters = v.Filters("Find the property", at, []kit.Field{{
		Name:     "q",
		Label:    "Street, city or name",
		Kind:     "search",
		Complete: "off",
	}})
	view.What, view.Beside, view.Asked = "Properties", "Units", len(words) > 0
	found, err := p.Portfolio.Finder.PropertiesAbout(
		v.Ctx(),
		v.Actor(),
		words[:min(len(words), pickWords)],
		pickProperties,
	)
	for i := range found {
		h := &found[i]
		view.Hits = append(view.Hits, kit.Hit{
			Path:  v.In(at) + "?property_id=" + h.ID,
			Name:  page.Street(h),
			Words: h.City + ", " + string(h.State),
			State: kit.Status{Text: strconv.Itoa(h.UnitCount)},
		})
	}
	view.Full = len(found) == pickProperties
	return err
}

func (p Picker) pickUnit(v *page.Request, view *kit.Pick, property, at string) error {
	site, err := p.Portfolio.Homes.Site(v.Ctx(), v.Actor(), property, "")
	if err != nil {
		return err
	}
	home := &site.Property.Property
	view.Heading.About = page.Street(home) + ", " + home.City + ", " + string(home.State)
	view.Heading.Back = kit.Link{Name: "Another property", Path: v.In(at)}
	units := site.Property.Units
	number := strings.ToLower(v.Form().Printable("number"))
	if len(units) > pickUnits {
		view.Filters = v.Filters("Find the unit", at, []kit.Field{
			{Name: "property_id", Kind: "hidden", Value: property},
			{
				Name:     "number",
				Label:    "Unit number begins with",
				Kind:     "search",
				Complete: "off",
			},
		})
		view.Filters.Clear = ""
	}
	view.What, view.Beside, view.Asked = "Units", "Status", true
	other := func(u portfolio.Unit) bool { return !strings.HasPrefix(strings.ToLower(u.UnitNumber), number) }
	units = slices.DeleteFunc(slices.Clone(units), other)
	slices.SortStableFunc(units, func(a, b portfolio.Unit) int { return vacantFirst(&a) - vacantFirst(&b) })
	view.Full = len(units) > pickUnits
	for i := range units[:min(len(units), pickUnits)] {
		u := &units[i]
		view.Hits = append(view.Hits, kit.Hit{
			Path:  v.In(at) + "?unit_id=" + url.QueryEscape(u.ID),
			Name:  "Unit " + u.UnitNumber,
			State: page.UnitStanding(u.Status),
		})
	}
	return nil
}

func vacantFirst(u *portfolio.Unit) int {
	if u.Status == portfolio.UnitVacant {
		return 0
	}
	return 1
}
