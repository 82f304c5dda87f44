package ticket

import (
	"strings"
	"time"

	"portal/api/change"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/api/portfolio/ticket"
	"portal/views/kit"
	"portal/web/page"
	"portal/web/related"
)

// mostUnits is from how many units of a property one is named by its number instead of
// chosen.
const mostUnits = 100

var (
	ticketCreate = page.ContractOf[ticket.Create, portfolio.Ticket]("create_ticket")
	ticketUpdate = page.ContractOf[ticket.Update, portfolio.Ticket]("update_ticket")
)

// newTicket asks where the work is, unless the address says it, and then what it is.
func (p *Section) newTicket(v *page.Request) error {
	f := v.Form()
	propertyID := f.ID("property_id", id.Property)
	unitID := f.ID("unit_id", id.Unit)
	tenantID := f.ID("tenant_id", id.Tenant)
	if tenantID != "" && unitID == "" {
		t, err := p.Portfolio.Tenants.Tenant(v.Ctx(), v.Actor(), tenantID)
		if err != nil {
			return err
		}
		unitID, propertyID = page.OrEmpty(t.UnitID), page.OrEmpty(t.PropertyID)
	}
	if propertyID == "" && unitID == "" {
		return related.UnitPicker{Portfolio: p.Portfolio}.Property(v, kit.Heading{
			Title: "Open ticket",
			About: "Choose the property that needs work.",
			Back:  kit.Link{Name: "Tickets", Path: v.In("/tickets")},
		}, "/tickets/new")
	}
	at, err := p.Portfolio.Homes.Site(v.Ctx(), v.Actor(), propertyID, unitID)
	if err != nil {
		return err
	}
	return p.ticketForm(v, at)
}

func (p *Section) openTicket(v *page.Request) error {
	f := v.Form()
	at, err := p.Portfolio.Homes.Site(v.Ctx(), v.Actor(), f.ID("property_id", id.Property), f.ID("unit_id", id.Unit))
	if err != nil {
		return err
	}
	return p.ticketForm(v, at)
}

// unitOf finds the unit of a property by its number.
func unitOf(f *page.Form, at *portfolio.Site, number string) *string {
	for i := range at.Property.Units {
		if u := &at.Property.Units[i]; strings.EqualFold(u.UnitNumber, number) {
			return &u.ID
		}
	}
	f.Reject("unit_number", "The property has no unit with this number.")
	return nil
}

// ticketForm asks what is wrong, at a place.
func (p *Section) ticketForm(v *page.Request, at *portfolio.Site) error {
	street := page.Street(&at.Property.Property)
	address := street + ", " + at.Property.City
	if at.Unit != nil {
		address = street + ", " + page.UnitName(at.Unit.UnitNumber) + ", " + at.Property.City
	}
	text := ticketText("One line. If empty, it’s the first line of the text.")
	return page.RecordForm[ticket.Create]{
		Contract: ticketCreate, Title: "Open ticket", About: address,
		Back:   kit.Link{Name: "Tickets", Path: v.In("/tickets")},
		Submit: "Open ticket", Holds: portfolio.Ticket{EntryPermission: "unknown"},
		Groups: []kit.FieldGroup{
			{Fields: append(append(siteFields(at), text...), whose(v.Form(), at)...)},
			{
				Title:  "Urgency and trade",
				About:  "Triage reads the text and fills in what you leave open.",
				Fields: ticketUrgency("Let triage decide"),
			},
			{Title: "Vendor", Folded: true, Fields: vendorFields()},
			{
				Title:  "Plan and cost",
				About:  "Times are in " + v.Zone().String() + ".",
				Folded: true,
				Fields: ticketPlan(&portfolio.Ticket{}, v.Zone()),
			},
			{Title: "Entering", Fields: entryFields()},
		},
		Check: func(f *page.Form, c *ticket.Create) {
			if number := f.Text("unit_number"); at.Unit == nil && number != "" {
				c.UnitID = unitOf(f, at, number)
			}
		},
		Do: func(f *page.Form, c ticket.Create, _ change.Target) error {
			made, err := p.Portfolio.Tickets.CreateTicket(v.Ctx(), v.Actor(), portfolio.FromDashboard, c)
			if f.Refused(err) && f.FieldErrors["tenant_id"] != "" {
				f.FieldErrors["tenant_id"] = "Choose a tenant who lives there."
			}
			if err != nil {
				return err
			}
			return v.Warned(v.In("/tickets/"+made.After.ID), "The ticket "+made.After.Number+" is open.", made.Warnings)
		},
	}.Serve(v)
}

// siteFields keep where the work is, and ask for the unit where it is not known.
func siteFields(at *portfolio.Site) []kit.Field {
	all := []kit.Field{{Name: "property_id", Kind: "hidden", Value: at.Property.ID}}
	units := at.Property.Units
	switch {
	case at.Unit != nil:
		return append(all, kit.Field{Name: "unit_id", Kind: "hidden", Value: at.Unit.ID})
	case len(units) > mostUnits:
		return append(all, kit.Field{
			Name:     "unit_number",
			Label:    "Unit",
			Optional: true,
			Complete: "off",
			Short:    true,
			Hint:     "Its number. Leave it out for the building itself.",
		})
	}
	field := kit.Field{
		Name:     "unit_number",
		Label:    "Unit",
		Kind:     "select",
		Optional: true,
		Choices:  []kit.Choice{{Label: "The building itself"}},
	}
	for i := range units {
		field.Choices = append(field.Choices, kit.Choice{
			Value: units[i].UnitNumber,
			Label: page.UnitName(units[i].UnitNumber),
		})
	}
	return append(all, field)
}

// whose asks which of the tenants of the unit is concerned.
func whose(f *page.Form, at *portfolio.Site) []kit.Field {
	if len(at.Tenants) == 0 {
		return nil
	}
	field := kit.Field{
		Name:     "tenant_id",
		Label:    "Tenant",
		Kind:     "select",
		Optional: true,
		Choices:  []kit.Choice{{Label: "None in particular"}},
	}
	for _, t := range at.Tenants {
		field.Choices = append(field.Choices, kit.Choice{
			Value:  t.ID,
			Label:  t.Name,
			Chosen: t.ID == f.Text("tenant_id"),
		})
	}
	return []kit.Field{field}
}

func (p *Section) editTicket(v *page.Request, t *portfolio.Ticket) error {
	at := v.In("/tickets/" + t.ID)
	cost := kit.Field{Name: "actual_cost", Label: "Cost", Beside: true, Hint: "The final cost."}
	return page.RecordForm[ticket.Update]{
		Contract: ticketUpdate, Title: "Edit ticket", About: t.Number + " " + t.Title,
		Back:   kit.Link{Name: "The ticket", Path: at},
		Submit: "Save ticket", Holds: t, Record: &t.Record, Changes: true,
		Groups: []kit.FieldGroup{
			{Fields: ticketText("One line.")},
			{
				Title:  "Urgency and trade",
				About:  "Triage doesn’t change what you choose here.",
				Fields: ticketUrgency(""),
			},
			{
				Title:  "Vendor",
				About:  "Leave the name empty for no vendor.",
				Folded: true,
				Fields: vendorFields(),
			},
			{
				Title:  "Plan and cost",
				About:  "Times are in " + v.Zone().String() + ".",
				Folded: true,
				Fields: append(ticketPlan(t, v.Zone()), cost),
			},
			{Title: "Entering", Fields: entryFields()},
		},
		Do: func(_ *page.Form, u ticket.Update, of change.Target) error {
			made, err := p.Portfolio.Tickets.UpdateTicket(v.Ctx(), v.Actor(), of, u)
			return page.Saved(v, at, "Ticket saved.", made, err)
		},
	}.Serve(v)
}

func ticketText(titleHint string) []kit.Field {
	return []kit.Field{
		{
			Name: "description", Label: "What is wrong", Lines: 6,
			Hint: "In the reporter’s own words. Safety problems are recognized in it.",
		},
		{Name: "title", Label: "Title", Hint: titleHint},
	}
}

func ticketUrgency(none string) []kit.Field {
	return []kit.Field{
		{Name: "priority", Label: "Priority", Choices: page.Choices(portfolio.Priority("").Values(), "", none)},
		{
			Name: "category", Label: "Category", Beside: true,
			Choices: page.Choices(portfolio.Category("").Values(), "", none),
		},
	}
}

func vendorFields() []kit.Field {
	return []kit.Field{
		{Name: "vendor.name", Label: "Name", Optional: true},
		{Name: "vendor.trade", Label: "Trade", Beside: true, Optional: true},
		{Name: "vendor.phone", Label: "Phone", Kind: "tel", Optional: true, Complete: "off"},
		{Name: "vendor.email", Label: "Email", Beside: true, Optional: true},
	}
}

func ticketPlan(t *portfolio.Ticket, zone *time.Location) []kit.Field {
	return []kit.Field{
		{Name: "scheduled_start", Label: "Scheduled start", Value: minuteOr(t.ScheduledStart, zone)},
		{Name: "scheduled_end", Label: "Planned until", Beside: true, Value: minuteOr(t.ScheduledEnd, zone)},
		{Name: "due_date", Label: "Due"},
		{Name: "estimated_cost", Label: "Estimate", Hint: "In dollars, like the other amounts."},
		{Name: "cost_limit", Label: "Approval limit", Beside: true},
	}
}

func entryFields() []kit.Field {
	return []kit.Field{
		{Name: "entry_permission", Label: "Permission to enter", Choices: page.Named(entries, "")},
		{
			Name: "entry_notes", Label: "Before entering", Lines: 3,
			Hint: "For example a dog, or where the key is.",
		},
	}
}

func minuteOr(t *clock.Time, zone *time.Location) string {
	if t == nil {
		return ""
	}
	return t.Std().In(zone).Format(page.Minutes)
}
