package page

import (
	"strconv"
	"strings"

	"portal/api/developer"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/views/kit"
)

// ListSize is how many lines a page of a log has.
const ListSize = 25

// OrEmpty is a text that may be absent, "" where it is.
func OrEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// VersionField tells later which version of a record a form was made of.
func VersionField(r *portfolio.Record) kit.FieldGroup {
	return kit.FieldGroup{
		Fields: []kit.Field{{Name: "version", Kind: "hidden", Value: strconv.FormatInt(r.Version, 10)}},
	}
}

// WholeOr is a whole number, "" for none.
func WholeOr(n *int) string { return or(n, strconv.Itoa) }

// Street is where a property stands in its town.
func Street(p *portfolio.Property) string {
	if p.StreetAddress2 == nil {
		return p.StreetAddress
	}
	return p.StreetAddress + ", " + *p.StreetAddress2
}

// Town is the town of a property.
func Town(p *portfolio.Property) string {
	return strings.TrimSpace(p.City + ", " + string(p.State) + " " + OrEmpty(p.PostalCode))
}

// PropertyTypes are kinds of building as people call them.
var PropertyTypes = map[portfolio.PropertyType]string{
	"single_family": "Single-family house",
	"multi_family":  "Multi-family house",
	"apartment":     "Apartment building",
	"condo":         "Condominium",
	"townhouse":     "Townhouse",
	"duplex":        "Duplex",
	"mobile_home":   "Mobile home",
	"commercial":    "Commercial",
	"other":         "Other",
}

// Lines is a text of several lines, as programs end them.
func Lines(f *Form, name string) string { return LineEnds(f.Text(name)) }

// AccessStatuses are the statuses of an access request as pages show them.
var AccessStatuses = map[developer.RequestStatus]kit.Status{
	developer.Pending:   {Tone: kit.Waiting, Text: "Needs review"},
	developer.Approved:  {Tone: kit.Done, Text: "Approved"},
	developer.Denied:    {Tone: kit.Failed, Text: "Denied"},
	developer.Withdrawn: {Tone: kit.Idle, Text: "Withdrawn"},
	developer.Revoked:   {Tone: kit.Failed, Text: "Revoked"},
}

// LeaseTypes are the types of a lease as pages show them.
var LeaseTypes = map[portfolio.LeaseType]string{
	portfolio.Fixed:             "Fixed: ends on its last day",
	portfolio.MonthToMonth:      "Month to month",
	portfolio.FixedWithRollover: "Fixed, then month to month",
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
	case p.SettlesDeposit():
		return *p.Description
	case p.Forgiven():
		return "Forgiven: " + OrEmpty(p.Description)
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
	s, extension, extended := strings.Cut(OrEmpty(number), ";ext=")
	if extended {
		extension = " ext. " + extension
	}
	if len(s) != len("+15125550142") || !strings.HasPrefix(s, "+1") {
		return s + extension
	}
	return "(" + s[2:5] + ") " + s[5:8] + "-" + s[8:] + extension
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
