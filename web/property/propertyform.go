package property

import (
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

func (p *propertyPages) newProperty(v *page.Request) error {
	groups := append(propertyGroups(), kit.FieldGroup{Title: "First unit", Fields: unitFields("unit.")})
	groups[2].Fields[0].Value = "1"
	return page.RecordForm[property.Create]{
		Contract: propertyCreate, Title: "Add property",
		Back: kit.Link{Name: "Properties", Path: v.In("/properties")},
		Words: []string{
			"A property has at least one unit: the house itself, or the first of several. You can add more units on its page.",
		},
		Submit: "Add property", Groups: groups, Holds: portfolio.Property{PropertyType: "single_family"},
		Do: func(_ *page.Form, in property.Create, _ change.Target) error {
			made, err := p.Portfolio.Properties.CreateProperty(v.Ctx(), v.Actor(), in)
			if err != nil {
				return err
			}
			return v.Done(v.In("/properties/"+made.After.ID), "Property added.")
		},
	}.Serve(v)
}

// propertyGroups are the fields of a property.
func propertyGroups() []kit.FieldGroup {
	return []kit.FieldGroup{
		{Title: "Address", Fields: page.AddressFields()},
		{Title: "Building", Fields: []kit.Field{
			{Name: "name", Label: "Name", Hint: "What you call it, such as Maple Court."},
			{Name: "property_type", Label: "Type", Beside: true, Choices: page.Named(page.PropertyTypes, "")},
			{
				Name: "year_built", Label: "Built in",
				Hint: "The year. Leases for homes built before 1978 include the lead-paint disclosure.",
			},
		}},
	}
}

func (p *propertyPages) editProperty(v *page.Request) error {
	x, err := p.thisProperty(v)
	if err != nil {
		return err
	}
	at := v.In("/properties/" + x.ID)
	return page.RecordForm[property.Update]{
		Contract: propertyUpdate, Title: "Edit property", About: page.Street(x) + ", " + page.Town(x),
		Back:   kit.Link{Name: "The property", Path: at},
		Words:  []string{"Existing leases keep their address."},
		Submit: "Save property", Groups: propertyGroups(), Holds: x, Record: &x.Record,
		Do: func(_ *page.Form, u property.Update, t change.Target) error {
			made, err := p.Portfolio.Properties.UpdateProperty(v.Ctx(), v.Actor(), t, u)
			if err != nil {
				return err
			}
			return page.Saved(v, at, "Property saved.", made)
		},
	}.Serve(v)
}
