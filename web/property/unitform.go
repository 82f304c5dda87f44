package property

import (
	"context"

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
func unitFields(prefix string) []kit.Field {
	return []kit.Field{
		{
			Name: prefix + "unit_number", Label: "Number", Short: true,
			Hint: "Number or name, such as 2B. For a single-family house, 1.",
		},
		{Name: prefix + "bedrooms", Label: "Bedrooms", Hint: "0 for a studio."},
		{Name: prefix + "bathrooms", Label: "Bathrooms", Beside: true, Hint: "In steps of 0.5, such as 1.5."},
		{Name: prefix + "square_feet", Label: "Square feet", Beside: true},
		{
			Name: prefix + "market_rent", Label: "Asking rent per month",
			Hint: "In dollars, for a new tenant. Current leases don’t change.",
		},
	}
}

func (p *Section) newUnit(v *page.Request, x *portfolio.Property) error {
	at := v.In("/properties/" + x.ID)
	other, err := p.unitRequest(v, 1)
	if err != nil {
		return err
	}
	return page.RecordForm[property.UnitAdd]{
		Contract: unitAdd, Title: "Add unit", About: page.Street(x) + ", " + page.Town(x),
		Back:   kit.Link{Name: "The property", Path: at},
		Submit: "Add unit", Groups: []kit.FieldGroup{{Fields: unitFields("")}}, Other: other,
		Do: func(f *page.Form, in property.UnitAdd, _ change.Target) error {
			made, err := p.Portfolio.Units.AddUnit(v.Ctx(), v.Actor(), x.ID, in)
			if p.short(v, f, 1, err) {
				return nil
			}
			if err != nil {
				return err
			}
			return v.Done(at, "Unit "+made.After.UnitNumber+" is added.")
		},
	}.Serve(v)
}

func (p *Section) editUnit(v *page.Request, h *portfolio.Home) error {
	at := v.In("/units/" + h.Unit.ID)
	return page.RecordForm[property.UnitUpdate]{
		Contract: unitUpdate, Title: "Edit unit", About: h.Address(),
		Back:   kit.Link{Name: "The unit", Path: at},
		Submit: "Save unit", Groups: []kit.FieldGroup{{Fields: unitFields("")}}, Holds: h.Unit, Record: &h.Unit.Record,
		Do: func(_ *page.Form, u property.UnitUpdate, t change.Target) error {
			made, err := p.Portfolio.Units.UpdateUnit(v.Ctx(), v.Actor(), t, u)
			return page.Saved(v, at, "Unit saved.", made, err)
		},
	}.Serve(v)
}

func (p *Section) offMarket(v *page.Request, h *portfolio.Home) error {
	return p.market(v, h, page.Question{
		Title: "Take the unit off the market?",
		Words: []string{
			"It then counts as neither occupied nor vacant, for example while you renovate it or live in it. You " +
				"can’t do this to a unit with a current or future lease.",
		},
		Form: kit.Form{Submit: "Take unit off market"},
	}, "/off-market", "The unit is off the market.", p.Portfolio.Units.TakeOffMarket)
}

func (p *Section) onMarket(v *page.Request, h *portfolio.Home) error {
	return p.market(v, h, page.Question{
		Title: "Put the unit back on the market?",
		Words: []string{"It counts as vacant again."},
		Form:  kit.Form{Submit: "Put unit on market"},
	}, "/on-market", "The unit is on the market.", p.Portfolio.Units.PutOnMarket)
}

// market asks whether a unit is offered or not, and changes it.
func (p *Section) market(
	v *page.Request, h *portfolio.Home, q page.Question, path, said string,
	do func(ctx context.Context, by access.Actor, t change.Target) (*change.Result[portfolio.Unit], error),
) error {
	q.Back, q.Record = v.In("/units/"+h.Unit.ID), &h.Unit.Record
	q.Form.Action, q.Words = q.Back+path, append([]string{h.Address() + "."}, q.Words...)
	q.Do = func(_ *page.Form, t change.Target) error {
		if _, err := do(v.Ctx(), v.Actor(), t); err != nil {
			return err
		}
		return v.Done(q.Back, said)
	}
	return q.Serve(v)
}
