package web

import (
	"context"
	"strings"

	"portal/api/access"
	"portal/api/change"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/views"
)

// Tenants are the tenants of a portfolio.
type Tenants interface {
	Tenants(ctx context.Context, by access.Actor, f portfolio.TenantFilter) (*list.Page[portfolio.Tenant], error)
	Tenant(ctx context.Context, by access.Actor, id string) (*portfolio.Tenant, error)
	UpdateTenant(ctx context.Context, by access.Actor, t change.Target, u portfolio.TenantUpdate) (*change.Result[portfolio.Tenant], error)
	Homes(ctx context.Context, by access.Actor, unitIDs []string) (map[string]*portfolio.Home, error)
	Leases(ctx context.Context, by access.Actor, f portfolio.LeaseFilter) (*list.Page[portfolio.Lease], error)
}

func (p *Pages) tenants(v *visit) error {
	t, f := v.turn(), v.form()
	page, err := p.Tenants.Tenants(v.ctx(), v.actor(), portfolio.TenantFilter{Query: newestFirst(t, id.Tenant), Search: f.sought(), Status: portfolio.TenantStatus(f.among("status", portfolio.TenantStatus("").Values())),
		Email: clip(f.printable("email"), 254), PropertyID: f.ident("property_id", id.Property), UnitID: f.ident("unit_id", id.Unit)})
	if err != nil {
		return err
	}
	homes, err := p.homesOf(v, page.Data)
	if err != nil {
		return err
	}
	fields := []views.Field{
		{Name: "search", Label: "Name, email or phone", Kind: "search", Complete: "off"},
		{Name: "status", Label: "Status", Kind: "select", Choices: choices(portfolio.TenantStatus("").Values(), "", "All")},
		{Name: "email", Label: "E-mail address", Kind: "search", Complete: "off"},
		{Name: "property_id", Label: "Id of the property", Code: true, Complete: "off"},
	}
	view := views.Listing{Frame: v.frame("Tenants"), Heading: views.Heading{Title: "Tenants", About: "People who rent, rented or will rent."}, Filters: v.filters("Filter the tenants", "/tenants", fields)}
	view.Grid.Table = views.Table{Caption: "Tenants", Columns: views.Columns("Name", "Contact", "Home", "Status"), Rows: len(page.Data), Pages: t.pages(orNone(page.NextCursor)), Empty: tenantsEmpty(v, view.Filters.Clear)}
	for i := range page.Data {
		x := &page.Data[i]
		view.Grid.Lines = append(view.Grid.Lines, []views.Cell{{Text: x.Name, Path: v.in("/tenants/" + x.ID)}, reached(x), homeCell(v, x, homes), {Status: tenantStatus(x.Status)}})
	}
	return v.show(views.ListingPage(view))
}

func tenantsEmpty(v *visit, all string) views.Empty {
	if all != "" {
		return views.Empty{Title: "No tenant is like that", Words: "Take away a filter to see more.", Action: views.Link{Name: "Show all tenants", Path: all}}
	}
	e := views.Empty{Title: "No tenants yet", Words: "They come with a rent roll that you import, or with an application that you accept.", Action: views.Link{Name: "Go to the properties", Path: v.in("/properties")}}
	if v.shell.served("/{mode}/import") {
		e.Action = views.Link{Name: "Import a rent roll", Path: v.in("/import")}
	}
	return e
}

// homesOf are the homes of tenants, read together.
func (p *Pages) homesOf(v *visit, tenants []portfolio.Tenant) (map[string]*portfolio.Home, error) {
	return p.Tenants.Homes(v.ctx(), v.actor(), unitsOf(tenants))
}

// unitsOf are the ids of the units where tenants live.
func unitsOf(tenants []portfolio.Tenant) (units []string) {
	for i := range tenants {
		if u := tenants[i].UnitID; u != nil {
			units = append(units, *u)
		}
	}
	return units
}

// reached is how a tenant is reached.
func reached(t *portfolio.Tenant) views.Cell {
	switch {
	case t.Email != nil:
		return views.Cell{Text: *t.Email, Note: phone(t.Phone)}
	case t.Phone != nil:
		return views.Cell{Text: phone(t.Phone)}
	}
	return views.Cell{None: "not known"}
}

// phone is a number as it is written in the US.
func phone(number *string) string {
	s := orNone(number)
	if len(s) != len("+15125550142") || !strings.HasPrefix(s, "+1") {
		return s
	}
	return "(" + s[2:5] + ") " + s[5:8] + "-" + s[8:]
}

func homeCell(v *visit, t *portfolio.Tenant, homes map[string]*portfolio.Home) views.Cell {
	if t.UnitID == nil || homes[*t.UnitID] == nil {
		return views.Cell{None: "none"}
	}
	h := homes[*t.UnitID]
	return views.Cell{Text: h.Street(), Path: v.in("/units/" + h.Unit.ID), Note: h.Property.City + ", " + string(h.Property.State)}
}

func tenantStatus(s portfolio.TenantStatus) views.Status {
	switch s {
	case portfolio.TenantCurrent:
		return views.Status{Tone: views.Done, Text: "Current"}
	case portfolio.TenantNotice:
		return views.Status{Tone: views.Warned, Text: "Notice given"}
	case portfolio.TenantFuture:
		return views.Status{Tone: views.Waiting, Text: "Future"}
	case portfolio.TenantProspect:
		return views.Status{Tone: views.Waiting, Text: "Prospect"}
	case portfolio.TenantPast:
	}
	return views.Status{Tone: views.Idle, Text: "Past"}
}

// tenantHere is the tenant of the address.
func (p *Pages) tenantHere(v *visit) (*portfolio.Tenant, error) {
	name, err := v.ident(id.Tenant)
	if err != nil {
		return nil, err
	}
	return p.Tenants.Tenant(v.ctx(), v.actor(), name)
}

func (p *Pages) tenant(v *visit) error {
	x, err := p.tenantHere(v)
	if err != nil {
		return err
	}
	homes, err := p.homesOf(v, []portfolio.Tenant{*x})
	if err != nil {
		return err
	}
	t := v.turn()
	leases, err := p.Tenants.Leases(v.ctx(), v.actor(), portfolio.LeaseFilter{Query: newestFirst(t, id.Lease), TenantID: x.ID})
	if err != nil {
		return err
	}
	grid := leaseGrid(v, leases.Data, true)
	grid.Pages = t.pages(orNone(leases.NextCursor))
	return v.show(views.PortraitPage(views.Portrait{
		Record: views.Record{Frame: v.frame(x.Name), Heading: views.Heading{Title: x.Name, Back: views.Link{Name: "Tenants", Path: v.in("/tenants")}}, Edit: v.in("/tenants/" + x.ID + "/edit"),
			Terms: tenantTerms(v, x, homes)},
		Lead: belongings(v, "tenant_id", x.ID), Parts: []views.Belonging{{ID: "leases", Title: "Leases", Grid: grid}}}))
}

func tenantTerms(v *visit, t *portfolio.Tenant, homes map[string]*portfolio.Home) []views.Term {
	home := homeCell(v, t, homes)
	terms := []views.Term{
		{Name: "Status", Status: tenantStatus(t.Status)},
		{Name: "Home", Text: home.Text, Path: home.Path, Note: home.Note},
		{Name: "E-mail", Text: orNone(t.Email)},
		{Name: "Phone", Text: phone(t.Phone)},
		{Name: "Other e-mail", Text: orNone(t.AlternateEmail)},
		{Name: "Other phone", Text: phone(t.AlternatePhone)},
		{Name: "Wants to be reached by", Text: contactMethod(t.PreferredContactMethod)},
		{Name: "Mailing address", Text: mailingAddress(t.MailingAddress)},
		{Name: "Emergency contact", Text: emergencyContact(t.EmergencyContact)},
		{Name: "Moved in", Text: dateOr(t.MoveInDate)},
		{Name: "Moved out", Text: dateOr(t.MoveOutDate)},
	}
	return append(terms, recordTerms(v, &t.Record)...)
}

var contactMethods = map[portfolio.ContactMethod]string{"email": "E-mail", "sms": "Text message", "phone": "Phone"}

func contactMethod(m *portfolio.ContactMethod) string {
	if m == nil {
		return ""
	}
	return contactMethods[*m]
}

func mailingAddress(a *portfolio.MailingAddress) string {
	if a == nil {
		return ""
	}
	return listed(a.StreetAddress, orNone(a.StreetAddress2), a.City, strings.TrimSpace(string(a.State)+" "+orNone(a.PostalCode)))
}

func emergencyContact(c *portfolio.EmergencyContact) string {
	if c == nil {
		return ""
	}
	return listed(c.Name, orNone(c.Relationship), phone(c.Phone), orNone(c.Email))
}

// listed are the texts that are there, behind each other.
func listed(texts ...string) string {
	var there []string
	for _, s := range texts {
		if s != "" {
			there = append(there, s)
		}
	}
	return strings.Join(there, ", ")
}
