package rentroll

import "strings"

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
