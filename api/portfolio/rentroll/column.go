package rentroll

import (
	"strings"

	"portal/api/texts"
)

// column is one of the columns of a rent roll.
type column int8

const (
	streetAddress column = iota
	city
	state
	postalCode
	propertyType
	yearBuilt
	unitNumber
	bedrooms
	bathrooms
	squareFeet
	marketRent
	firstName
	lastName
	email
	phone
	leaseStart
	leaseEnd
	monthlyRent
	deposit
	columnCount

	unknown column = -1
)

var columnNames = [columnCount]string{
	"street_address", "city", "state", "postal_code", "property_type", "year_built",
	"unit_number", "bedrooms", "bathrooms", "square_feet", "market_rent",
	"tenant_first_name", "tenant_last_name", "tenant_email", "tenant_phone",
	"lease_start", "lease_end", "monthly_rent", "security_deposit",
}

// Columns are the names of the columns, as a template of a file has them.
func Columns() []string { return columnNames[:] }

func (c column) String() string { return columnNames[c] }

// required tells a column that every line must fill.
func (c column) required() bool { return c <= state }

// columnOf finds a column by its name in a file: case does not count, and a
// space or a hyphen is as good as an underscore.
func columnOf(name string) column {
	name = snake(name)
	for c := range columnCount {
		if columnNames[c] == name {
			return c
		}
	}
	return unknown
}

// snake is a word in lower case with underscores.
func snake(s string) string {
	s = strings.ToLower(strings.Join(strings.Fields(s), "_"))
	return strings.ReplaceAll(s, "-", "_")
}

// columnSet is a set of columns.
type columnSet uint32

func setOf(columns ...column) columnSet {
	var s columnSet
	for _, c := range columns {
		s.add(c)
	}
	return s
}

func (s *columnSet) add(c column)               { *s |= 1 << c }
func (s columnSet) has(c column) bool           { return s&(1<<c) != 0 }
func (s columnSet) hasAny(other columnSet) bool { return s&other != 0 }

// alias are names that other programs give to the columns.
var alias = map[string]column{
	"address": streetAddress, "street": streetAddress, "property_address": streetAddress,
	"zip": postalCode, "zip_code": postalCode, "zipcode": postalCode,
	"type": propertyType, "year": yearBuilt,
	"unit": unitNumber, "unit_no": unitNumber, "apt": unitNumber, "apartment": unitNumber,
	"beds": bedrooms, "baths": bathrooms, "sqft": squareFeet, "sq_ft": squareFeet, "area": squareFeet,
	"tenant": lastName, "tenant_name": lastName, "mail": email, "mobile": phone,
	"start": leaseStart, "move_in": leaseStart, "end": leaseEnd, "move_out": leaseEnd,
	"rent": monthlyRent, "lease_rent": monthlyRent, "asking_rent": marketRent,
}

// nearest is the column that an unknown name most likely means.
func nearest(name string) column {
	name = snake(name)
	if c, ok := alias[name]; ok {
		return c
	}
	best, least := streetAddress, 1<<30
	for c := range columnCount {
		if d := distance(name, columnNames[c]); d < least {
			best, least = c, d
		}
	}
	return best
}

// distance measures how far two names are from each other: the edits between them,
// half where one holds the other, as first_name and tenant_first_name.
func distance(a, b string) int {
	a = a[:min(len(a), 64)]
	d := 2 * texts.Distance(a, b)
	if len(a) > 2 && strings.Contains(b, a) || strings.Contains(a, b) {
		d /= 2
	}
	return d
}
