package page

import (
	"strconv"
	"strings"

	"portal/api/developer"
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
func WholeOr(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

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
func Lines(f *Form, name string) string {
	return strings.ReplaceAll(f.Text(name), "\r\n", "\n")
}

// AccessStatuses are the statuses of an access request as pages show them.
var AccessStatuses = map[developer.RequestStatus]kit.Status{
	developer.Pending:   {Tone: kit.Waiting, Text: "Needs review"},
	developer.Approved:  {Tone: kit.Done, Text: "Approved"},
	developer.Denied:    {Tone: kit.Failed, Text: "Denied"},
	developer.Withdrawn: {Tone: kit.Idle, Text: "Withdrawn"},
	developer.Revoked:   {Tone: kit.Failed, Text: "Revoked"},
}

// AccessStatus is a status of an access request as pages show it.
func AccessStatus(s developer.RequestStatus) kit.Status { return AccessStatuses[s] }

// LeaseTypes are the types of a lease as pages show them.
var LeaseTypes = map[portfolio.LeaseType]string{
	portfolio.Fixed:             "Fixed: ends on its last day",
	portfolio.MonthToMonth:      "Month to month",
	portfolio.FixedWithRollover: "Fixed, then month to month",
}
