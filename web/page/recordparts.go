package page

import (
	"strconv"
	"strings"

	"portal/api/list"
	"portal/api/portfolio"
	"portal/views/kit"
)

// Value is what a field of a form holds, "" for nothing.
func Value[T interface{ String() string }](v *T) string {
	if v == nil {
		return ""
	}
	return (*v).String()
}

// NewestFirst is a page of a list as people read it: from the newest on.
func NewestFirst(t Cursor, prefix string) list.Query {
	return list.Query{Limit: ListSize, StartingAfter: t.Position(prefix), Newest: true}
}

// TermOf is from when to when a lease is.
func TermOf(l *portfolio.Lease) string {
	if l.EndDate == nil {
		return "from " + Date(l.StartDate) + ", month to month"
	}
	return Date(l.StartDate) + " to " + Date(*l.EndDate)
}

// RecordFacts are what every record carries.
func RecordFacts(v *Request, r *portfolio.Record) kit.Facts {
	return kit.Facts{Title: "Details", Terms: []kit.Term{
		{Name: "ID", Text: r.ID, ID: true},
		{Name: "Created", Time: v.Time(r.CreatedAt)},
		{Name: "Updated", Time: v.Time(r.UpdatedAt)},
		{Name: "Version", Text: strconv.FormatInt(r.Version, 10)},
	}}
}

// ChargeName is what a row charges for, in a line.
func ChargeName(p *portfolio.Payment) string {
	switch {
	case p.Description != nil:
		return *p.Description
	case p.FeeType != nil && *p.FeeType == "other":
		return "Fee"
	case p.FeeType != nil:
		return Label(*p.FeeType) + " fee"
	}
	return Label(p.Type)
}

// AddressFields ask for an address.
func AddressFields() []kit.Field {
	return []kit.Field{
		{Name: "street_address", Label: "Street address", Hint: "House number and street."},
		{Name: "street_address_2", Label: "Second line"},
		{Name: "city", Label: "City"},
		{Name: "state", Label: "State", Beside: true, Choices: StateChoices("Choose a state"), Complete: "off"},
		{Name: "postal_code", Label: "ZIP code", Beside: true, Short: true, Mode: "numeric"},
	}
}

// UnitsOf are the ids of the units where tenants live.
func UnitsOf(tenants []portfolio.Tenant) (units []string) {
	for i := range tenants {
		if u := tenants[i].UnitID; u != nil {
			units = append(units, *u)
		}
	}
	return units
}

// ContactCell is how a tenant is reached.
func ContactCell(t *portfolio.Tenant) kit.Cell {
	switch {
	case t.Email != nil:
		return kit.Cell{Text: *t.Email, Note: Phone(t.Phone)}
	case t.Phone != nil:
		return kit.Cell{Text: Phone(t.Phone)}
	}
	return kit.Cell{None: "not known"}
}

// Phone is a number as it is written in the US.
func Phone(number *string) string {
	s := OrEmpty(number)
	if len(s) != len("+15125550142") || !strings.HasPrefix(s, "+1") {
		return s
	}
	return "(" + s[2:5] + ") " + s[5:8] + "-" + s[8:]
}

// HomeCell is where a tenant lives.
func HomeCell(v *Request, t *portfolio.Tenant, homes map[string]*portfolio.Home) kit.Cell {
	if t.UnitID == nil || homes[*t.UnitID] == nil {
		return kit.Cell{None: "None"}
	}
	h := homes[*t.UnitID]
	return kit.Cell{
		Text: h.Street(),
		Path: v.In("/units/" + h.Unit.ID),
		Note: h.Property.City + ", " + string(h.Property.State),
	}
}
