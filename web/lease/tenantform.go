package lease

import (
	"cmp"
	"strings"

	"portal/api/change"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/views/kit"
	"portal/web/page"
	"portal/web/related"
)

var tenantUpdate = page.ContractOf[lease.TenantUpdate, portfolio.Tenant]("update_tenant")

var tenantCreate = page.InputOf[lease.TenantCreate]("add_tenant")

// addTenant asks for a tenant whom the landlord adds.
func (p *tenantPages) addTenant(v *page.Request) error {
	unit, err := p.unitField(v)
	if err != nil {
		return err
	}
	return page.RecordForm[lease.TenantCreate]{
		Contract: tenantCreate, Title: "Add tenant",
		Words: []string{
			"Nobody is emailed. To ask somebody to apply instead, invite an applicant.",
		},
		Back:   kit.Link{Name: "Tenants", Path: v.In("/tenants")},
		Submit: "Add tenant",
		Groups: []kit.FieldGroup{{Fields: []kit.Field{
			unit,
			{Name: "first_name", Label: "First name"},
			{Name: "last_name", Label: "Last name", Beside: true},
			{
				Name: "email", Label: "Email address", Optional: true,
				Hint: "Links to sign a lease go there. Without one, the tenant signs on your device.",
			},
			phoneField("phone", "Phone", nil),
		}}},
		Do: func(_ *page.Form, c lease.TenantCreate, _ change.Target) error {
			made, err := p.Portfolio.Tenants.AddTenant(v.Ctx(), v.Actor(), c)
			if err != nil {
				return err
			}
			return v.Done(v.In("/tenants/"+made.After.ID), "Tenant added.")
		},
	}.Serve(v)
}

// pickTenantUnit asks for the unit of a tenant who is added, and leads back to the form.
func (p *tenantPages) pickTenantUnit(v *page.Request) error {
	if unit := v.Form().Text("unit_id"); id.Valid(id.Unit, unit) {
		return v.SeeOther(v.In("/tenants/new?unit_id=" + unit))
	}
	heading := kit.Heading{
		Title: "Add tenant", About: "Choose the home.", Back: kit.Link{Name: "Add tenant", Path: v.In("/tenants/new")},
	}
	return related.UnitPicker{Portfolio: p.Portfolio}.Pick(v, heading, "/tenants/unit")
}

// leaveForUnit keeps what was typed of a tenant, and leads to where their unit is picked, or back without one.
func (p *tenantPages) leaveForUnit(v *page.Request) error {
	if err := v.KeepTyped(v.In("/tenants/new"), "unit_id"); err != nil {
		return err
	}
	if v.Form().Text("do") == "none" {
		return v.SeeOther(v.In("/tenants/new"))
	}
	return v.SeeOther(v.In("/tenants/unit"))
}

// unitField says which unit a lease of the tenant will be for, and leads to where one is chosen.
func (p *tenantPages) unitField(v *page.Request) (kit.Field, error) {
	f := kit.Field{
		Name: "unit_id", Kind: "picked", Label: "Unit", Shown: "None yet", Optional: true,
		Hint: "The home that a lease will be for. The tenant lives there once the lease runs.",
		Acts: []kit.FieldAct{{Name: "Choose a unit", Path: v.In("/tenants/unit"), Do: "pick"}},
	}
	unit := v.Form().Text("unit_id")
	if !id.Valid(id.Unit, unit) {
		return f, nil
	}
	homes, err := p.Portfolio.Homes.Homes(v.Ctx(), v.Actor(), []string{unit})
	if h := homes[unit]; h != nil {
		f.Value, f.Shown = unit, h.Street()+", "+h.Property.City
		f.Acts = []kit.FieldAct{
			{Name: "Choose another unit", Path: v.In("/tenants/unit"), Do: "pick"},
			{Name: "No unit", Path: v.In("/tenants/unit"), Do: "none"},
		}
	}
	return f, err
}

func (p *tenantPages) editTenant(v *page.Request, x *portfolio.Tenant) error {
	at := v.In("/tenants/" + x.ID)
	return page.RecordForm[lease.TenantUpdate]{
		Contract: tenantUpdate, Title: "Edit tenant", About: x.Name,
		Back:   kit.Link{Name: "The tenant", Path: at},
		Submit: "Save tenant", Groups: tenantGroups(x), Holds: x, Record: &x.Record,
		Do: func(_ *page.Form, u lease.TenantUpdate, t change.Target) error {
			made, err := p.Portfolio.Tenants.UpdateTenant(v.Ctx(), v.Actor(), t, u)
			return page.Saved(v, at, "Tenant saved.", made, err)
		},
	}.Serve(v)
}

// tenantGroups ask what a landlord may change of a tenant.
func tenantGroups(x *portfolio.Tenant) []kit.FieldGroup {
	emergency := cmp.Or(x.EmergencyContact, &portfolio.EmergencyContact{})
	return []kit.FieldGroup{
		{Title: "Name and contact", Fields: []kit.Field{
			{Name: "first_name", Label: "First name"},
			{Name: "last_name", Label: "Last name", Beside: true},
			{
				Name: "email", Label: "Email address",
				Hint: "You can’t change it while a lease is out for signature: the signing link was sent there.",
			},
			phoneField("phone", "Phone", x.Phone),
			{Name: "alternate_email", Label: "Other email address"},
			phoneField("alternate_phone", "Other phone", x.AlternatePhone),
			{
				Name: "preferred_contact_method", Label: "Preferred contact",
				Choices: page.Named(contactMethods, "Not said"),
			},
		}},
		{
			Title:  "Mailing address",
			About:  "Where letters go, if not to the unit. Leave it all empty for none.",
			Folded: true,
			Fields: mailingFields(),
		},
		{
			Title:  "Emergency contact",
			About:  "Who to call in an emergency. Leave it all empty for none.",
			Folded: true,
			Fields: []kit.Field{
				{Name: "emergency_contact.name", Label: "Name", Optional: true},
				phoneField("emergency_contact.phone", "Phone", emergency.Phone),
				{Name: "emergency_contact.email", Label: "Email address", Optional: true},
				{
					Name: "emergency_contact.relationship", Label: "Relationship to the tenant",
					Beside: true, Optional: true, Hint: "For example, sister.",
				},
			},
		},
	}
}

// phoneField holds a number as people write it.
func phoneField(name, label string, number *string) kit.Field {
	return kit.Field{
		Name: name, Label: label, Kind: "tel", Beside: true, Optional: true, Complete: "off", Value: page.Phone(number),
	}
}

func mailingFields() []kit.Field {
	fields := page.AddressFields()
	for i := range fields {
		fields[i].Name, fields[i].Optional = "mailing_address."+fields[i].Name, true
		fields[i].Hint = strings.Replace(fields[i].Hint, "and street.", "and street, or a box.", 1)
	}
	return fields
}
