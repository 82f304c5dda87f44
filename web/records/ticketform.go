package records

import (
	"strconv"
	"strings"
	"time"

	"portal/api/change"
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/views/kit"
	views "portal/views/records"
	"portal/web/page"
)

// mostHits is how many places a search shows, and mostUnits from how many units of a
// property one is named by its number instead of chosen.
const (
	mostHits  = 20
	mostUnits = 100
)

// newTicket asks where the work is, unless the address says it, and then what it is.
func (p *ticketPages) newTicket(v *page.Request) error {
	f := v.Form()
	propertyID, unitID, tenantID := f.Ident("property_id", id.Property), f.Ident("unit_id", id.Unit), f.Ident("tenant_id", id.Tenant)
	if tenantID != "" && unitID == "" {
		t, err := p.Tickets.Tenant(v.Ctx(), v.Actor(), tenantID)
		if err != nil {
			return err
		}
		unitID, propertyID = page.OrEmpty(t.UnitID), page.OrEmpty(t.PropertyID)
	}
	if propertyID == "" && unitID == "" {
		return p.findPlace(v, f)
	}
	at, err := p.Tickets.Place(v.Ctx(), v.Actor(), propertyID, unitID)
	if err != nil {
		return err
	}
	return p.ticketForm(v, f, at)
}

// findPlace is the first step: which property.
func (p *ticketPages) findPlace(v *page.Request, f *page.Form) error {
	words := strings.Fields(f.Printable("q"))
	found, err := p.Tickets.PropertiesAbout(v.Ctx(), v.Actor(), words[:min(len(words), 8)], mostHits)
	if err != nil {
		return err
	}
	view := views.PlaceSearch{Frame: v.Frame("Open a ticket"), Heading: kit.Heading{Title: "Open a ticket", About: "Where is the work?", Back: kit.Link{Name: "Tickets", Path: v.In("/tickets")}},
		Filters: v.Filters("Find a property", "/tickets/new", []kit.Field{{Name: "q", Label: "Street, city or name", Kind: "search", Complete: "off"}}), Asked: len(words) > 0, Full: len(found) == mostHits}
	view.Filters.Submit = "Search"
	for i := range found {
		f := &found[i]
		view.Hits = append(view.Hits, views.PlaceHit{Path: v.In("/tickets/new?property_id=" + f.ID), Address: f.StreetAddress, City: f.City + ", " + string(f.State), Name: page.OrEmpty(f.Name), Units: page.Counted(f.UnitCount, "unit")})
	}
	return v.Show(views.PlaceSearchPage(view))
}

func (p *ticketPages) openTicket(v *page.Request) error {
	f := v.Form()
	at, err := p.Tickets.Place(v.Ctx(), v.Actor(), f.Ident("property_id", id.Property), f.Ident("place", id.Unit))
	if err != nil {
		return err
	}
	c := ticketCreate(f, v.Zone(), at)
	if f.Rejected() {
		return p.ticketForm(v, f, at)
	}
	made, err := p.Tickets.CreateTicket(v.Ctx(), v.Actor(), portfolio.FromDashboard, c)
	if f.Refused(err) {
		if f.FieldErrors["tenant_id"] != "" {
			f.FieldErrors["tenant_id"] = "Choose a tenant who lives there."
		}
		return p.ticketForm(v, f, at)
	}
	if err != nil {
		return err
	}
	tone, said := page.Noted("The ticket "+made.After.Number+" is open.", made.Warnings)
	v.Say(tone, said)
	return v.SeeOther(v.In("/tickets/" + made.After.ID))
}

// ticketCreate is the ticket that was typed, at a place.
func ticketCreate(f *page.Form, zone *time.Location, at *portfolio.Place) portfolio.TicketCreate {
	c := portfolio.TicketCreate{PropertyID: &at.Property.ID, Title: f.OptionalText("title", 127, false), TenantID: f.Optional("tenant_id"),
		Priority: page.OneOf[portfolio.Priority](f, "priority", portfolio.Priority("").Values()), Category: page.OneOf[portfolio.Category](f, "category", portfolio.Category("").Values()),
		EntryNotes: f.OptionalText("entry_notes", 1000, true), ScheduledStart: f.Moment("scheduled_start", zone), ScheduledEnd: f.Moment("scheduled_end", zone), DueDate: f.Day("due_date"),
		EstimatedCost: f.Dollars("estimated_cost"), CostLimit: f.Dollars("cost_limit"), Vendor: vendor(f)}
	if at.Unit != nil {
		c.UnitID = &at.Unit.ID
	} else if number := f.Text("unit_number"); number != "" {
		c.UnitID = unitOf(f, at, number)
	}
	if text := f.OptionalText("description", 10_000, true); text != nil {
		c.Description = *text
	} else {
		f.Reject("description", "Write what is wrong.")
	}
	if e := page.OneOf[portfolio.EntryPermission](f, "entry_permission", portfolio.EntryPermission("").Values()); e != nil {
		c.EntryPermission = *e
	}
	return c
}

// unitOf finds the unit of a property by its number.
func unitOf(f *page.Form, at *portfolio.Place, number string) *string {
	for i := range at.Property.Units {
		if u := &at.Property.Units[i]; strings.EqualFold(u.UnitNumber, number) {
			return &u.ID
		}
	}
	f.Reject("unit_number", "The property has no unit of this number.")
	return nil
}

// vendor is who does the work, nil where nothing was typed of them.
func vendor(f *page.Form) *portfolio.Vendor {
	name, trade := f.OptionalText("vendor_name", 127, false), f.OptionalText("vendor_trade", 80, false)
	phone := page.Parsed(f, "vendor_phone", "Write a phone number, for example (512) 555-0142.", contact.Phone)
	email := page.Parsed(f, "vendor_email", "Write an e-mail address, for example office@example.com.", contact.Email)
	switch {
	case name != nil:
		return &portfolio.Vendor{Name: *name, Trade: trade, Phone: phone, Email: email}
	case trade != nil || phone != nil || email != nil:
		f.Reject("vendor_name", "Write the vendor’s name too.")
	}
	return nil
}

func (p *ticketPages) ticketForm(v *page.Request, f *page.Form, at *portfolio.Place) error {
	rename(f)
	address := at.Property.StreetAddress + ", " + at.Property.City
	if at.Unit != nil {
		address = at.Property.StreetAddress + ", " + page.UnitName(at.Unit.UnitNumber) + ", " + at.Property.City
	}
	return v.ShowAs(f.Status, kit.FormPage(kit.FormView{Frame: v.Frame("Open a ticket"), Heading: kit.Heading{Title: "Open a ticket", About: address, Back: kit.Link{Name: "Tickets", Path: v.In("/tickets")}},
		Form: f.Fill(kit.Form{Action: v.In("/tickets/new"), Submit: "Open the ticket", Cancel: v.In("/tickets"), Groups: []kit.FieldGroup{
			{Fields: append(append(placeFields(at), ticketText(&portfolio.Ticket{})...), whose(f, at)...)},
			{Title: "Urgency and trade", About: "Triage reads the text and fills in what you leave open.", Fields: ticketUrgency("", "", "Let triage decide")},
			{Title: "Vendor", Fields: vendorFields(nil)},
			{Title: "Plan and cost", About: "Times are in " + v.Zone().String() + ".", Fields: ticketPlan(&portfolio.Ticket{}, v.Zone())},
			{Title: "Entering", Fields: entryFields(&portfolio.Ticket{EntryPermission: "unknown"})},
		}})}))
}

// rename puts what a rule refused beside the fields as the form names them.
func rename(f *page.Form) {
	for from, to := range map[string]string{"vendor.name": "vendor_name", "vendor": "vendor_name"} {
		if what, there := f.FieldErrors[from]; there {
			delete(f.FieldErrors, from)
			f.Reject(to, what)
		}
	}
}

// placeFields keep where the work is, and ask for the unit where it is not known.
func placeFields(at *portfolio.Place) []kit.Field {
	all := []kit.Field{{Name: "property_id", Kind: "hidden", Value: at.Property.ID}}
	units := at.Property.Units
	switch {
	case at.Unit != nil:
		return append(all, kit.Field{Name: "place", Kind: "hidden", Value: at.Unit.ID})
	case len(units) > mostUnits:
		return append(all, kit.Field{Name: "unit_number", Label: "Unit", Optional: true, Complete: "off", Short: true, Hint: "Its number. Leave it out for the building itself."})
	}
	field := kit.Field{Name: "unit_number", Label: "Unit", Kind: "select", Optional: true, Choices: []kit.Choice{{Label: "The building itself"}}}
	for i := range units {
		field.Choices = append(field.Choices, kit.Choice{Value: units[i].UnitNumber, Label: page.UnitName(units[i].UnitNumber)})
	}
	return append(all, field)
}

// whose asks which of the tenants of the unit is concerned.
func whose(f *page.Form, at *portfolio.Place) []kit.Field {
	if len(at.Tenants) == 0 {
		return nil
	}
	field := kit.Field{Name: "tenant_id", Label: "Tenant", Kind: "select", Optional: true, Choices: []kit.Choice{{Label: "None in particular"}}}
	for _, t := range at.Tenants {
		field.Choices = append(field.Choices, kit.Choice{Value: t.ID, Label: t.Name, Chosen: t.ID == f.Text("tenant_id")})
	}
	return []kit.Field{field}
}

func ticketText(t *portfolio.Ticket) []kit.Field {
	return []kit.Field{
		{Name: "description", Label: "What is wrong", Lines: 6, Value: t.Description, Hint: "In the words of who reports it. Dangers are recognised in it."},
		{Name: "title", Label: "Title", Optional: true, Complete: "off", Value: t.Title, Hint: "One line. Left out, it is the first line of the text."},
	}
}

func ticketUrgency(p portfolio.Priority, c portfolio.Category, none string) []kit.Field {
	return []kit.Field{
		{Name: "priority", Label: "Priority", Kind: "select", Optional: none != "", Choices: page.Choices(p.Values(), string(p), none)},
		{Name: "category", Label: "Category", Kind: "select", Optional: none != "", Choices: page.Choices(c.Values(), string(c), none)},
	}
}

func vendorFields(d *portfolio.Vendor) []kit.Field {
	if d == nil {
		d = &portfolio.Vendor{}
	}
	return []kit.Field{
		{Name: "vendor_name", Label: "Name", Optional: true, Complete: "off", Value: d.Name},
		{Name: "vendor_trade", Label: "Trade", Optional: true, Complete: "off", Value: page.OrEmpty(d.Trade)},
		{Name: "vendor_phone", Label: "Phone", Kind: "tel", Optional: true, Complete: "off", Value: page.OrEmpty(d.Phone)},
		{Name: "vendor_email", Label: "E-mail", Kind: "email", Optional: true, Complete: "off", Value: page.OrEmpty(d.Email)},
	}
}

func ticketPlan(t *portfolio.Ticket, zone *time.Location) []kit.Field {
	return []kit.Field{
		{Name: "scheduled_start", Label: "Scheduled start", Kind: "datetime-local", Optional: true, Value: minuteOr(t.ScheduledStart, zone)},
		{Name: "scheduled_end", Label: "Planned until", Kind: "datetime-local", Optional: true, Value: minuteOr(t.ScheduledEnd, zone)},
		{Name: "due_date", Label: "Due", Kind: "date", Optional: true, Value: isoOr(t.DueDate)},
		{Name: "estimated_cost", Label: "Estimate", Mode: "decimal", Short: true, Optional: true, Complete: "off", Value: amountOr(t.EstimatedCost), Hint: "In dollars, like the others."},
		{Name: "cost_limit", Label: "Approval limit", Mode: "decimal", Short: true, Optional: true, Complete: "off", Value: amountOr(t.CostLimit)},
	}
}

func entryFields(t *portfolio.Ticket) []kit.Field {
	field := kit.Field{Name: "entry_permission", Label: "Permission to enter", Kind: "select"}
	for _, e := range t.EntryPermission.Values() {
		field.Choices = append(field.Choices, kit.Choice{Value: e, Label: entries[portfolio.EntryPermission(e)], Chosen: e == string(t.EntryPermission)})
	}
	return []kit.Field{field, {Name: "entry_notes", Label: "Before entering", Lines: 3, Optional: true, Value: page.OrEmpty(t.EntryNotes), Hint: "For example a dog, or where the key is."}}
}

func minuteOr(t *clock.Time, zone *time.Location) string {
	if t == nil {
		return ""
	}
	return t.Std().In(zone).Format(page.Minutes)
}

func amountOr(c *money.Cents) string {
	if c == nil {
		return ""
	}
	return c.String()
}

func (p *ticketPages) editTicket(v *page.Request) error {
	t, err := p.ticketHere(v)
	if err != nil {
		return err
	}
	return p.ticketEditForm(v, v.Form(), t)
}

func (p *ticketPages) changeTicket(v *page.Request) error {
	t, err := p.ticketHere(v)
	if err != nil {
		return err
	}
	f := v.Form()
	u := ticketUpdate(f, v.Zone(), t)
	if f.Rejected() {
		return p.ticketEditForm(v, f, t)
	}
	made, err := p.Tickets.UpdateTicket(v.Ctx(), v.Actor(), change.Target{ID: t.ID, Version: f.Version()}, u)
	if f.Conflict(err, strconv.FormatInt(t.Version, 10)) || f.Refused(err) {
		return p.ticketEditForm(v, f, t)
	}
	if err != nil {
		return err
	}
	said := "The ticket is changed."
	if made.Before.Version == made.After.Version {
		said = "Nothing was changed: it says this already."
	}
	tone, said := page.Noted(said, made.Warnings)
	v.Say(tone, said)
	return v.SeeOther(v.In("/tickets/" + t.ID))
}

// ticketUpdate is what was typed that differs from the ticket.
func ticketUpdate(f *page.Form, zone *time.Location, t *portfolio.Ticket) (u portfolio.TicketUpdate) {
	text := f.OptionalText("description", 10_000, true)
	if text != nil && *text == page.LineEnds(t.Description) {
		text = &t.Description
	}
	u.Description = page.Changed(f, "description", text, t.Description)
	u.Title = page.Changed(f, "title", f.OptionalText("title", 127, false), t.Title)
	u.Priority = page.Changed(f, "priority", page.OneOf[portfolio.Priority](f, "priority", t.Priority.Values()), t.Priority)
	u.Category = page.Changed(f, "category", page.OneOf[portfolio.Category](f, "category", t.Category.Values()), t.Category)
	u.EntryPermission = page.Changed(f, "entry_permission", page.OneOf[portfolio.EntryPermission](f, "entry_permission", t.EntryPermission.Values()), t.EntryPermission)
	u.EntryNotes = page.Cleared(f.OptionalText("entry_notes", 1000, true), t.EntryNotes)
	u.DueDate = page.Cleared(f.Day("due_date"), t.DueDate)
	u.EstimatedCost, u.CostLimit, u.ActualCost = page.Cleared(f.Dollars("estimated_cost"), t.EstimatedCost), page.Cleared(f.Dollars("cost_limit"), t.CostLimit), page.Cleared(f.Dollars("actual_cost"), t.ActualCost)
	u.ScheduledStart, u.ScheduledEnd = planned(f, "scheduled_start", zone, t.ScheduledStart), planned(f, "scheduled_end", zone, t.ScheduledEnd)
	u.Vendor = vendorChange(vendor(f), t.Vendor)
	return u
}

// planned is a moment that was typed, where its minute differs from what is there: a form
// knows no seconds.
func planned(f *page.Form, name string, zone *time.Location, was *clock.Time) change.Field[*clock.Time] {
	if f.Text(name) == minuteOr(was, zone) {
		return change.Field[*clock.Time]{}
	}
	return change.To(f.Moment(name, zone))
}

// vendorChange takes a ticket from one vendor to another, nil for none.
func vendorChange(typed, was *portfolio.Vendor) change.Field[*portfolio.VendorUpdate] {
	if typed == nil {
		if was == nil {
			return change.Field[*portfolio.VendorUpdate]{}
		}
		return change.To[*portfolio.VendorUpdate](nil)
	}
	return change.To(&portfolio.VendorUpdate{Name: change.To(typed.Name), Trade: change.To(typed.Trade), Phone: change.To(typed.Phone), Email: change.To(typed.Email)})
}

func (p *ticketPages) ticketEditForm(v *page.Request, f *page.Form, t *portfolio.Ticket) error {
	rename(f)
	at := v.In("/tickets/" + t.ID)
	text := ticketText(t)
	text[1].Optional, text[1].Hint = false, "One line."
	plan := append(ticketPlan(t, v.Zone()), kit.Field{Name: "actual_cost", Label: "Cost", Mode: "decimal", Short: true, Optional: true, Complete: "off", Value: amountOr(t.ActualCost), Hint: "What it has cost in the end."})
	return v.ShowAs(f.Status, kit.FormPage(kit.FormView{Frame: v.Frame("Edit the ticket"), Heading: kit.Heading{Title: "Edit the ticket", About: t.Number + " " + t.Title, Back: kit.Link{Name: "The ticket", Path: at}},
		Form: f.Fill(kit.Form{Action: at + "/edit", Submit: "Save the ticket", Cancel: at, Groups: []kit.FieldGroup{
			{Fields: text},
			{Title: "Urgency and trade", About: "What you choose here is kept, whatever triage says.", Fields: ticketUrgency(t.Priority, t.Category, "")},
			{Title: "Vendor", About: "Without a name there is none.", Fields: vendorFields(t.Vendor)},
			{Title: "Plan and cost", About: "Times are in " + v.Zone().String() + ".", Fields: plan},
			{Title: "Entering", Fields: entryFields(t)},
			page.VersionField(&t.Record),
		}})}))
}
