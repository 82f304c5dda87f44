package rentroll

import (
	_ "embed"
	"encoding/csv"
	"math/bits"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"portal/api/texts"
)

// column is one of the columns of a rent roll. Those from wholeAddress on are none of the template: other programs have
// them, and translate makes values of the template's columns of theirs.
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

	wholeAddress
	propertyName
	tenantName
	rooms
	occupancy
	balance
	moveIn
	moveOut
	leaseType
	rentDueDay
	lateFee
	graceDays
	columnCount

	templateCount        = wholeAddress
	unknown       column = -1
)

var columnNames = [columnCount]string{
	"street_address", "city", "state", "postal_code", "property_type", "year_built",
	"unit_number", "bedrooms", "bathrooms", "square_feet", "market_rent",
	"tenant_first_name", "tenant_last_name", "tenant_email", "tenant_phone",
	"lease_start", "lease_end", "monthly_rent", "security_deposit",

	"full_address", "property_name", "tenant_name", "bed_bath", "status", "balance", "move_in", "move_out",
	"lease_type", "rent_due_day", "late_fee_amount", "late_fee_grace_days",
}

// Columns are the names of the columns, as a template of a file has them.
func Columns() []string { return columnNames[:templateCount] }

func (c column) String() string { return columnNames[c] }

// required tells a column that every line must fill.
func (c column) required() bool { return c <= state }

//go:embed columns.csv
var columnsFile string

// synonyms are the names that programs and people give to columns, as plain writes them, each with its column. The file
// has a line for each: the column and a name.
var synonyms = sync.OnceValue(func() map[string]column {
	all := map[string]column{}
	lines, err := csv.NewReader(strings.NewReader(columnsFile)).ReadAll()
	if err != nil {
		panic(err)
	}
	for _, line := range lines[1:] {
		for c := range columnCount {
			if columnNames[c] == line[0] {
				all[line[1]] = c
			}
		}
	}
	return all
})

// columnOf finds a column by its name in a file: that of the template, or a synonym. Case does not count, nor what
// parts words.
func columnOf(name string) column {
	written := plain(name)
	for c := range templateCount {
		if columnNames[c] == written {
			return c
		}
	}
	if c, known := synonyms()[written]; known {
		return c
	}
	return unknown
}

// plain is a name in lower case, without accents, whose words are joined by underscores.
func plain(name string) string {
	words := strings.FieldsFunc(strings.ToLower(norm.NFD.String(name)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r)
	})
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, strings.Join(words, "_"))
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

func (s columnSet) len() int                    { return bits.OnesCount32(uint32(s)) }
func (s *columnSet) add(c column)               { *s |= 1 << c }
func (s columnSet) has(c column) bool           { return s&(1<<c) != 0 }
func (s columnSet) hasAny(other columnSet) bool { return s&other != 0 }

// nearest is the column that an unknown name most likely means, and whether it is likely a misspelling of it.
func nearest(name string) (best column, misspelled bool) {
	name = plain(name)
	least := 1 << 30
	for c := range templateCount {
		if d := distance(name, columnNames[c]); d < least {
			best, least = c, d
		}
	}
	return best, texts.Distance(name, columnNames[best]) <= 2
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
