package records

import (
	"slices"
	"strconv"
	"strings"

	"portal/api/change"
	"portal/api/portfolio"
	"portal/views"
	"portal/web/page"
)

var tenantUpdate = page.ContractOf[portfolio.TenantUpdate, portfolio.Tenant]("update_tenant")

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
	sent := f.Update().Needs("first_name", "last_name").Texts("email", "phone", "alternate_email", "alternate_phone", "preferred_contact_method")
	part(sent, "mailing_address", []string{"street_address", "city", "state"}, []string{"street_address_2", "postal_code"})
	part(sent, "emergency_contact", []string{"name"}, []string{"phone", "email", "relationship"})
	u := tenantUpdate.Reads(sent, v.Today())
	if f.Rejected() {
		return p.tenantForm(v, f, x)
	}
	made, err := p.Tenants.UpdateTenant(v.Ctx(), v.Actor(), change.Target{ID: x.ID, Version: f.Version()}, u)
	if f.Stale(err, strconv.FormatInt(x.Version, 10)) || f.Refused(err) {
		return p.tenantForm(v, f, x)
	}
	if err != nil {
		return err
	}
	return doneOrUnchanged(v, v.In("/tenants/"+x.ID), "The tenant is changed.", made.Before.Version == made.After.Version)
}

// part is an object of a record: cleared where nothing of it was typed, and whole otherwise.
func part(t *page.Binding, name string, needed, optional []string) {
	dotted := func(names []string) (all []string) {
		for _, n := range names {
			all = append(all, name+"."+n)
		}
		return all
	}
	needed, optional = dotted(needed), dotted(optional)
	if !slices.ContainsFunc(slices.Concat(needed, optional), func(n string) bool { return t.Text(n) != "" }) {
		t.Put(name, nil)
		return
	}
	t.Needs(needed...).Texts(optional...)
}

func (p *tenantPages) tenantForm(v *page.Request, f *page.Form, x *portfolio.Tenant) error {
	f.Plain()
	at := v.In("/tenants/" + x.ID)
	return v.ShowAs(f.Status, views.FormPage(views.FormView{Frame: v.Frame("Edit the tenant"),
		Heading: views.Heading{Title: "Edit the tenant", About: x.Name, Back: views.Link{Name: "The tenant", Path: at}},
		Form: page.Compared(f, views.Form{Action: at + "/edit", Submit: "Save the tenant", Cancel: at, Groups: []views.FieldGroup{
			{Title: "Name and contact", Fields: contactFields(x)},
			{Title: "Mailing address", About: "Where letters go, if not to the unit. Leave all of it empty for none.", Fields: mailingFields(x.MailingAddress)},
			{Title: "Emergency contact", About: "Whom to call when something happens. Leave all of it empty for none.", Fields: emergencyFields(x.EmergencyContact)},
			page.VersionField(&x.Record),
		}})}))
}

func contactFields(t *portfolio.Tenant) []views.Field {
	methods := []views.Choice{{Label: "Not said"}}
	for _, m := range portfolio.ContactMethod("").Values() {
		methods = append(methods, views.Choice{Value: m, Label: contactMethods[portfolio.ContactMethod(m)], Chosen: t.PreferredContactMethod != nil && string(*t.PreferredContactMethod) == m})
	}
	return []views.Field{
		{Name: "first_name", Label: "First name", Value: t.FirstName, Complete: "off"},
		{Name: "last_name", Label: "Last name", Value: t.LastName, Complete: "off"},
		{Name: "email", Label: "E-mail address", Kind: "email", Optional: true, Value: page.OrEmpty(t.Email), Complete: "off", Hint: "It cannot change while a lease is out for signature: the link to sign went there."},
		{Name: "phone", Label: "Phone", Kind: "tel", Optional: true, Value: phone(t.Phone), Complete: "off"},
		{Name: "alternate_email", Label: "Other e-mail address", Kind: "email", Optional: true, Value: page.OrEmpty(t.AlternateEmail), Complete: "off"},
		{Name: "alternate_phone", Label: "Other phone", Kind: "tel", Optional: true, Value: phone(t.AlternatePhone), Complete: "off"},
		{Name: "preferred_contact_method", Label: "Wants to be reached by", Kind: "select", Optional: true, Choices: methods},
	}
}

func mailingFields(a *portfolio.MailingAddress) []views.Field {
	if a == nil {
		a = &portfolio.MailingAddress{}
	}
	fields := addressFields(&portfolio.Property{StreetAddress: a.StreetAddress, StreetAddress2: a.StreetAddress2, City: a.City, State: a.State, PostalCode: a.PostalCode})
	for i := range fields {
		fields[i].Name, fields[i].Optional = "mailing_address."+fields[i].Name, true
		fields[i].Hint = strings.Replace(fields[i].Hint, "House number and street.", "House number and street, or a box.", 1)
	}
	return fields
}

func emergencyFields(c *portfolio.EmergencyContact) []views.Field {
	if c == nil {
		c = &portfolio.EmergencyContact{}
	}
	return []views.Field{
		{Name: "emergency_contact.name", Label: "Name", Optional: true, Value: c.Name, Complete: "off"},
		{Name: "emergency_contact.phone", Label: "Phone", Kind: "tel", Optional: true, Value: phone(c.Phone), Complete: "off"},
		{Name: "emergency_contact.email", Label: "E-mail address", Kind: "email", Optional: true, Value: page.OrEmpty(c.Email), Complete: "off"},
		{Name: "emergency_contact.relationship", Label: "Who they are to the tenant", Hint: "Such as sister.", Optional: true, Value: page.OrEmpty(c.Relationship), Complete: "off"},
	}
}
