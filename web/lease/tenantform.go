package lease

import (
	"strconv"
	"strings"

	"portal/api/change"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/views/kit"
	"portal/web/page"
)

var tenantUpdate = page.ContractOf[lease.TenantUpdate, portfolio.Tenant]("update_tenant")

func (p *tenantPages) editTenant(v *page.Request) error {
	x, err := p.tenantHere(v)
	if err != nil {
		return err
	}
	return p.tenantForm(v, v.Form(), x)
}

func (p *tenantPages) changeTenant(v *page.Request) error {
	x, err := p.tenantHere(v)
	if err != nil {
		return err
	}
	f := v.Form()
	u := tenantUpdate.BindForm(v, f, tenantGroups(x)...)
	if f.Rejected() {
		return p.tenantForm(v, f, x)
	}
	made, err := p.Portfolio.Tenants.UpdateTenant(v.Ctx(), v.Actor(), change.Target{ID: x.ID, Version: f.Version()}, u)
	if f.Conflict(err, strconv.FormatInt(x.Version, 10)) || f.Refused(err) {
		return p.tenantForm(v, f, x)
	}
	if err != nil {
		return err
	}
	return page.DoneOrUnchanged(
		v,
		v.In("/tenants/"+x.ID),
		"Tenant saved.",
		made.Before.Version == made.After.Version,
	)
}

func (p *tenantPages) tenantForm(v *page.Request, f *page.Form, x *portfolio.Tenant) error {
	at := v.In("/tenants/" + x.ID)
	return v.ShowAs(f.Status, kit.FormPage(kit.FormView{Frame: v.Frame("Edit tenant"),
		Heading: kit.Heading{Title: "Edit tenant", About: x.Name, Back: kit.Link{Name: "The tenant", Path: at}},
		Form: f.Fill(tenantUpdate.Form(kit.Form{
			Action: at + "/edit",
			Submit: "Save tenant",
			Cancel: at,
			Groups: append(tenantGroups(x), page.VersionField(&x.Record)),
		}))}))
}

// tenantGroups ask what a landlord may change of a tenant.
func tenantGroups(x *portfolio.Tenant) []kit.FieldGroup {
	return []kit.FieldGroup{
		{Title: "Name and contact", Fields: contactFields(x)},
		{
			Title:  "Mailing address",
			About:  "Where letters go, if not to the unit. Leave it all empty for none.",
			Folded: true,
			Fields: mailingFields(x.MailingAddress),
		},
		{
			Title:  "Emergency contact",
			About:  "Who to call in an emergency. Leave it all empty for none.",
			Folded: true,
			Fields: emergencyFields(x.EmergencyContact),
		},
	}
}

func contactFields(t *portfolio.Tenant) []kit.Field {
	return []kit.Field{
		{Name: "first_name", Label: "First name", Value: t.FirstName, Complete: "off"},
		{
			Name:     "last_name",
			Label:    "Last name",
			Beside:   true,
			Value:    t.LastName,
			Complete: "off",
		},
		{
			Name:     "email",
			Label:    "Email address",
			Kind:     "email",
			Optional: true,
			Value:    page.OrEmpty(t.Email),
			Complete: "off",
			Hint:     "You can’t change it while a lease is out for signature: the signing link was sent there.",
		},
		{
			Name:     "phone",
			Label:    "Phone",
			Beside:   true,
			Kind:     "tel",
			Optional: true,
			Value:    page.Phone(t.Phone),
			Complete: "off",
		},
		{
			Name:     "alternate_email",
			Label:    "Other email address",
			Kind:     "email",
			Optional: true,
			Value:    page.OrEmpty(t.AlternateEmail),
			Complete: "off",
		},
		{
			Name:     "alternate_phone",
			Label:    "Other phone",
			Beside:   true,
			Kind:     "tel",
			Optional: true,
			Value:    page.Phone(t.AlternatePhone),
			Complete: "off",
		},
		{
			Name:     "preferred_contact_method",
			Label:    "Preferred contact",
			Kind:     "select",
			Optional: true,
			Choices:  contactChoices(t),
		},
	}
}

// contactChoices are the ways in which a tenant may want to be reached.
func contactChoices(t *portfolio.Tenant) []kit.Choice {
	all := []kit.Choice{{Label: "Not said"}}
	for _, m := range portfolio.ContactMethod("").Values() {
		all = append(all, kit.Choice{
			Value:  m,
			Label:  contactMethods[portfolio.ContactMethod(m)],
			Chosen: t.PreferredContactMethod != nil && string(*t.PreferredContactMethod) == m,
		})
	}
	return all
}

func mailingFields(a *portfolio.MailingAddress) []kit.Field {
	if a == nil {
		a = &portfolio.MailingAddress{}
	}
	fields := page.AddressFields(&portfolio.Property{
		StreetAddress:  a.StreetAddress,
		StreetAddress2: a.StreetAddress2,
		City:           a.City,
		State:          a.State,
		PostalCode:     a.PostalCode,
	})
	for i := range fields {
		fields[i].Name, fields[i].Optional = "mailing_address."+fields[i].Name, true
		fields[i].Hint = strings.Replace(
			fields[i].Hint,
			"House number and street.",
			"House number and street, or a box.",
			1,
		)
	}
	return fields
}

func emergencyFields(c *portfolio.EmergencyContact) []kit.Field {
	if c == nil {
		c = &portfolio.EmergencyContact{}
	}
	return []kit.Field{
		{Name: "emergency_contact.name", Label: "Name", Optional: true, Value: c.Name, Complete: "off"},
		{
			Name:     "emergency_contact.phone",
			Label:    "Phone",
			Beside:   true,
			Kind:     "tel",
			Optional: true,
			Value:    page.Phone(c.Phone),
			Complete: "off",
		},
		{
			Name:     "emergency_contact.email",
			Label:    "Email address",
			Kind:     "email",
			Optional: true,
			Value:    page.OrEmpty(c.Email),
			Complete: "off",
		},
		{
			Name:     "emergency_contact.relationship",
			Label:    "Relationship to the tenant",
			Beside:   true,
			Hint:     "For example, sister.",
			Optional: true,
			Value:    page.OrEmpty(c.Relationship),
			Complete: "off",
		},
	}
}
