package property

import (
	"context"
	"strconv"

	"portal/api/access"
	"portal/api/change"
	"portal/api/portfolio"
	"portal/api/portfolio/property"
	"portal/views/kit"
	"portal/web/page"
)

var (
	unitAdd    = page.ContractOf[property.UnitAdd, portfolio.Unit]("add_unit")
	unitUpdate = page.ContractOf[property.UnitUpdate, portfolio.Unit]("update_unit")
)

// unitFields are the fields of a unit, whose names begin in one way.
func unitFields(prefix string, u *portfolio.Unit) []kit.Field {
	return []kit.Field{
		{
			Name:     prefix + "unit_number",
			Label:    "Number",
			Hint:     "Number or name, such as 2B. For a single-family house, 1.",
			Short:    true,
			Value:    u.UnitNumber,
			Complete: "off",
		},
		{
			Name:     prefix + "bedrooms",
			Label:    "Bedrooms",
			Hint:     "0 for a studio.",
			Optional: true,
			Short:    true,
			Mode:     "numeric",
			Value:    page.WholeOr(u.Bedrooms),
			Complete: "off",
		},
		{
			Name:     prefix + "bathrooms",
			Label:    "Bathrooms",
			Beside:   true,
			Hint:     "In steps of 0.5, such as 1.5.",
			Optional: true,
			Short:    true,
			Mode:     "decimal",
			Value:    halvesOr(u.Bathrooms),
			Complete: "off",
		},
		{
			Name:     prefix + "square_feet",
			Label:    "Square feet",
			Beside:   true,
			Optional: true,
			Short:    true,
			Mode:     "numeric",
			Value:    page.WholeOr(u.SquareFeet),
			Complete: "off",
		},
		{
			Name:     prefix + "market_rent",
			Label:    "Asking rent per month",
			Hint:     "In dollars, for a new tenant. Current leases don’t change.",
			Optional: true,
			Short:    true,
			Mode:     "decimal",
			Value:    page.Value(u.MarketRent),
			Complete: "off",
		},
	}
}

// unitGroup are the fields of a unit, with what it has.
func unitGroup(u *portfolio.Unit) kit.FieldGroup { return kit.FieldGroup{Fields: unitFields("", u)} }

func halvesOr(h *portfolio.Half) string {
	if h == nil {
		return ""
	}
	return halves(*h)
}

func (p *unitPages) newUnit(v *page.Request) error { return p.newUnitForm(v, v.Form()) }

func (p *unitPages) addUnit(v *page.Request) error {
	x, err := (&propertyPages{p.Section}).thisProperty(v)
	if err != nil {
		return err
	}
	f := v.Form()
	in := unitAdd.BindForm(v, f, unitGroup(&portfolio.Unit{}))
	if f.Rejected() {
		return p.newUnitForm(v, f)
	}
	made, err := p.Portfolio.Units.AddUnit(v.Ctx(), v.Actor(), x.ID, in)
	if f.Refused(err) {
		return p.newUnitForm(v, f)
	}
	if err != nil {
		return err
	}
	return v.Done(v.In("/properties/"+x.ID), "Unit "+made.After.UnitNumber+" is added.")
}

func (p *unitPages) newUnitForm(v *page.Request, f *page.Form) error {
	x, err := (&propertyPages{p.Section}).thisProperty(v)
	if err != nil {
		return err
	}
	at := v.In("/properties/" + x.ID)
	return v.ShowAs(f.Status, kit.FormPage(kit.FormView{Frame: v.Frame("Add unit"),
		Heading: kit.Heading{
			Title: "Add unit",
			About: page.Street(x) + ", " + page.Town(x),
			Back:  kit.Link{Name: "The property", Path: at},
		},
		Form: f.Fill(unitAdd.Form(kit.Form{
			Action: at + "/units/new",
			Submit: "Add unit",
			Cancel: at,
			Groups: []kit.FieldGroup{unitGroup(&portfolio.Unit{})},
		}))}))
}

func (p *unitPages) editUnit(v *page.Request) error {
	h, err := p.homeHere(v)
	if err != nil {
		return err
	}
	return p.unitForm(v, v.Form(), h)
}

func (p *unitPages) changeUnit(v *page.Request) error {
	h, err := p.homeHere(v)
	if err != nil {
		return err
	}
	f := v.Form()
	u := unitUpdate.BindForm(v, f, unitGroup(&h.Unit))
	if f.Rejected() {
		return p.unitForm(v, f, h)
	}
	made, err := p.Portfolio.Units.UpdateUnit(v.Ctx(), v.Actor(), change.Target{ID: h.Unit.ID, Version: f.Version()}, u)
	if f.Conflict(err, strconv.FormatInt(h.Unit.Version, 10)) || f.Refused(err) {
		return p.unitForm(v, f, h)
	}
	if err != nil {
		return err
	}
	return page.DoneOrUnchanged(
		v,
		v.In("/units/"+h.Unit.ID),
		"Unit saved.",
		made.Before.Version == made.After.Version,
	)
}

func (p *unitPages) unitForm(v *page.Request, f *page.Form, h *portfolio.Home) error {
	at := v.In("/units/" + h.Unit.ID)
	return v.ShowAs(f.Status, kit.FormPage(kit.FormView{
		Frame:   v.Frame("Edit unit"),
		Heading: kit.Heading{Title: "Edit unit", About: h.Address(), Back: kit.Link{Name: "The unit", Path: at}},
		Form: f.Fill(unitUpdate.Form(kit.Form{
			Action: at + "/edit",
			Submit: "Save unit",
			Cancel: at,
			Groups: []kit.FieldGroup{unitGroup(&h.Unit), page.VersionField(&h.Unit.Record)},
		})),
	}))
}

// availabilityChange is whether a unit is offered, and what changes that.
type availabilityChange struct {
	path, title, submit, said, words string
	do                               func(
		ctx context.Context, by access.Actor, t change.Target,
	) (*change.Result[portfolio.Unit], error)
}

func (p *unitPages) offMarketChange() availabilityChange {
	return availabilityChange{
		"off-market",
		"Take the unit off the market?",
		"Take unit off market",
		"The unit is off the market.",
		"It then counts as neither occupied nor vacant, for example while you renovate it or live in it. You can’t do this to a unit with a current or future lease.",
		p.Portfolio.Units.TakeOffMarket,
	}
}

func (p *unitPages) onMarketChange() availabilityChange {
	return availabilityChange{
		"on-market", "Put the unit back on the market?", "Put unit on market",
		"The unit is on the market.", "It counts as vacant again.", p.Portfolio.Units.PutOnMarket,
	}
}

func (p *unitPages) askOffMarket(v *page.Request) error {
	return p.askMarket(v, v.Form(), p.offMarketChange())
}

func (p *unitPages) offMarket(v *page.Request) error { return p.market(v, p.offMarketChange()) }

func (p *unitPages) askOnMarket(v *page.Request) error {
	return p.askMarket(v, v.Form(), p.onMarketChange())
}

func (p *unitPages) onMarket(v *page.Request) error { return p.market(v, p.onMarketChange()) }

func (p *unitPages) askMarket(v *page.Request, f *page.Form, m availabilityChange) error {
	h, err := p.homeHere(v)
	if err != nil {
		return err
	}
	at := v.In("/units/" + h.Unit.ID)
	return v.ShowAs(f.Status, kit.ConfirmPage(kit.Confirm{
		Frame: v.Frame(m.title),
		Title: m.title,
		Words: []string{h.Address() + ".", m.words},
		Form: f.Fill(kit.Form{
			Action: at + "/" + m.path,
			Submit: m.submit,
			Cancel: at,
			Groups: []kit.FieldGroup{page.VersionField(&h.Unit.Record)},
		}),
	}))
}

func (p *unitPages) market(v *page.Request, m availabilityChange) error {
	h, err := p.homeHere(v)
	if err != nil {
		return err
	}
	f := v.Form()
	_, err = m.do(v.Ctx(), v.Actor(), change.Target{ID: h.Unit.ID, Version: f.Version()})
	if f.Stale(err, strconv.FormatInt(h.Unit.Version, 10)) || f.Refused(err) {
		return p.askMarket(v, f, m)
	}
	if err != nil {
		return err
	}
	return v.Done(v.In("/units/"+h.Unit.ID), m.said)
}
