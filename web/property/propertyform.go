package property

import (
	"strconv"

	"portal/api/change"
	"portal/api/portfolio"
	"portal/api/portfolio/property"
	"portal/views/kit"
	"portal/web/page"
)

var (
	propertyCreate = page.ContractOf[property.Create, portfolio.PropertyWithUnits]("create_property")
	propertyUpdate = page.ContractOf[property.Update, portfolio.Property]("update_property")
)

func (p *propertyPages) newProperty(v *page.Request) error { return p.newPropertyForm(v, v.Form()) }

func (p *propertyPages) addProperty(v *page.Request) error {
	f := v.Form()
	in := propertyCreate.BindForm(v, f, newPropertyGroups()...)
	if f.Rejected() {
		return p.newPropertyForm(v, f)
	}
	made, err := p.Portfolio.Properties.CreateProperty(v.Ctx(), v.Actor(), in)
	if f.Refused(err) {
		return p.newPropertyForm(v, f)
	}
	if err != nil {
		return err
	}
	return v.Done(v.In("/properties/"+made.After.ID), "Property added.")
}

func (p *propertyPages) newPropertyForm(v *page.Request, f *page.Form) error {
	return v.ShowAs(f.Status, kit.FormPage(kit.FormView{
		Frame:   v.Frame("Add property"),
		Heading: kit.Heading{Title: "Add property", Back: kit.Link{Name: "Properties", Path: v.In("/properties")}},
		Words: []string{
			"A property has at least one unit: the house itself, or the first of several. You can add more units on its page.",
		},
		Form: f.Fill(propertyCreate.Form(kit.Form{
			Action: v.In("/properties/new"),
			Submit: "Add property",
			Cancel: v.In("/properties"),
			Groups: newPropertyGroups(),
		})),
	}))
}

// newPropertyGroups ask for a property and its first unit.
func newPropertyGroups() []kit.FieldGroup {
	return append(
		propertyGroups(&portfolio.Property{PropertyType: "single_family"}),
		kit.FieldGroup{Title: "First unit", Fields: unitFields("unit.", &portfolio.Unit{UnitNumber: "1"})},
	)
}

// propertyGroups are the fields of a property, with what it has.
func propertyGroups(p *portfolio.Property) []kit.FieldGroup {
	return []kit.FieldGroup{
		{Title: "Address", Fields: page.AddressFields(p)},
		{Title: "Building", Fields: buildingFields(p)},
	}
}

func buildingFields(p *portfolio.Property) []kit.Field {
	return []kit.Field{
		{
			Name:     "name",
			Label:    "Name",
			Hint:     "What you call it, such as Maple Court.",
			Optional: true,
			Value:    page.OrEmpty(p.Name),
			Complete: "off",
		},
		{
			Name:    "property_type",
			Label:   "Type",
			Beside:  true,
			Kind:    "select",
			Choices: typeChoices(p.PropertyType, ""),
		},
		{
			Name:     "year_built",
			Label:    "Built in",
			Hint:     "The year. Leases for homes built before 1978 include the lead-paint disclosure.",
			Optional: true,
			Short:    true,
			Mode:     "numeric",
			Value:    page.WholeOr(p.YearBuilt),
			Complete: "off",
		},
	}
}

func (p *propertyPages) editProperty(v *page.Request) error {
	x, err := p.thisProperty(v)
	if err != nil {
		return err
	}
	return p.propertyForm(v, v.Form(), x)
}

func (p *propertyPages) changeProperty(v *page.Request) error {
	x, err := p.thisProperty(v)
	if err != nil {
		return err
	}
	f := v.Form()
	u := propertyUpdate.BindForm(v, f, propertyGroups(x)...)
	if f.Rejected() {
		return p.propertyForm(v, f, x)
	}
	made, err := p.Portfolio.Properties.UpdateProperty(
		v.Ctx(),
		v.Actor(),
		change.Target{ID: x.ID, Version: f.Version()},
		u,
	)
	if f.Conflict(err, strconv.FormatInt(x.Version, 10)) || f.Refused(err) {
		return p.propertyForm(v, f, x)
	}
	if err != nil {
		return err
	}
	return page.DoneOrUnchanged(
		v,
		v.In("/properties/"+x.ID),
		"Property saved.",
		made.Before.Version == made.After.Version,
	)
}

func (p *propertyPages) propertyForm(v *page.Request, f *page.Form, x *portfolio.Property) error {
	at := v.In("/properties/" + x.ID)
	return v.ShowAs(f.Status, kit.FormPage(kit.FormView{
		Frame: v.Frame("Edit property"),
		Heading: kit.Heading{
			Title: "Edit property",
			About: page.Street(x) + ", " + page.Town(x),
			Back:  kit.Link{Name: "The property", Path: at},
		},
		Words: []string{"Existing leases keep their address."},
		Form: f.Fill(propertyUpdate.Form(kit.Form{
			Action: at + "/edit",
			Submit: "Save property",
			Cancel: at,
			Groups: append(propertyGroups(x), page.VersionField(&x.Record)),
		})),
	}))
}
