package records

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"portal/api/access"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/views/kit"
	views "portal/views/records"
	"portal/web/page"
)

// Homes are the units of a portfolio, as people look for them.
type Homes interface {
	PropertiesAbout(ctx context.Context, by access.Actor, words []string, most int) ([]portfolio.Property, error)
	Place(ctx context.Context, by access.Actor, propertyID, unitID string) (*portfolio.Place, error)
}

// How much a search for a unit shows.
const (
	pickProperties = 20
	pickUnits      = 50
	pickWords      = 8
)

// pick asks for a unit before a form that needs one: first for its property, by words of
// the address, then for the unit. What is picked leads to the same address, which then says
// unit_id.
func (p *searchPages) pick(v *page.Request, heading kit.Heading, at string) error {
	f := v.Form()
	view := views.Pick{Frame: v.Frame(heading.Title), Heading: heading}
	var err error
	if property := f.ID("property_id", id.Property); property != "" {
		err = p.pickUnit(v, &view, property, at)
	} else {
		err = p.pickProperty(v, &view, at)
	}
	if err != nil {
		return err
	}
	return v.Show(views.PickPage(view))
}

func (p *searchPages) pickProperty(v *page.Request, view *views.Pick, at string) error {
	words := strings.Fields(v.Form().Printable("q"))
	view.Filters = v.Filters("Find the property", at, []kit.Field{{
		Name:     "q",
		Label:    "Street, city or name",
		Kind:     "search",
		Complete: "off",
	}})
	view.What, view.Beside, view.Asked = "Properties", "Units", len(words) > 0
	found, err := p.Homes.PropertiesAbout(v.Ctx(), v.Actor(), words[:min(len(words), pickWords)], pickProperties)
	for i := range found {
		h := &found[i]
		view.Hits = append(view.Hits, views.Hit{
			Path:  v.In(at) + "?property_id=" + h.ID,
			Name:  streetOf(h),
			Words: h.City + ", " + string(h.State),
			State: kit.Status{Text: strconv.Itoa(h.UnitCount)},
		})
	}
	view.Full = len(found) == pickProperties
	return err
}

func (p *searchPages) pickUnit(v *page.Request, view *views.Pick, property, at string) error {
	place, err := p.Homes.Place(v.Ctx(), v.Actor(), property, "")
	if err != nil {
		return err
	}
	view.Heading.About = streetOf(&place.Property.Property) + ", " + place.Property.City + ", " +
		string(place.Property.State)
	view.Heading.Back = kit.Link{Name: "Another property", Path: v.In(at)}
	units := place.Property.Units
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
	units = slices.DeleteFunc(
		slices.Clone(units),
		func(u portfolio.Unit) bool { return !strings.HasPrefix(strings.ToLower(u.UnitNumber), number) },
	)
	slices.SortStableFunc(units, func(a, b portfolio.Unit) int { return vacantFirst(&a) - vacantFirst(&b) })
	view.Full = len(units) > pickUnits
	for i := range units[:min(len(units), pickUnits)] {
		u := &units[i]
		view.Hits = append(view.Hits, views.Hit{
			Path:  v.In(at) + "?unit_id=" + url.QueryEscape(u.ID),
			Name:  "Unit " + u.UnitNumber,
			State: unitStanding(u.Status),
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

// streetOf is a property in short, as people call it.
func streetOf(p *portfolio.Property) string {
	if p.StreetAddress2 != nil {
		return p.StreetAddress + ", " + *p.StreetAddress2
	}
	return p.StreetAddress
}

func unitStanding(s portfolio.UnitStatus) kit.Status {
	switch s {
	case portfolio.UnitVacant:
		return kit.Status{Tone: kit.Done, Text: "Vacant"}
	case portfolio.UnitOffMarket:
		return kit.Status{Tone: kit.Idle, Text: "Off the market"}
	case portfolio.UnitNotice:
		return kit.Status{Tone: kit.Waiting, Text: "Notice given"}
	case portfolio.UnitOccupied:
	}
	return kit.Status{Tone: kit.Idle, Text: "Occupied"}
}
