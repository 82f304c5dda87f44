package rentroll

import (
	"strings"

	"portal/api/clock"
	"portal/api/money"
)

// row is a unit with its lease, in little memory.
type row struct {
	line, property int32
	person         int32 // none where the unit is vacant
	next           int32 // the next row of the same person, 0 at the last
	number         string
	squareFeet     int32
	bedrooms       int16
	bathrooms      int16
	start, end     clock.Date
	openEnded      bool
	marketRent     money.Cents
	monthlyRent    money.Cents
	deposit        money.Cents
}

// index finds what a line has in common with earlier ones.
type index struct {
	units  map[unitKey]int32 // the line of each unit
	emails map[string]int32  // the person of each address
	words  map[string]string // one copy of each text
}

func newIndex() index {
	return index{map[unitKey]int32{}, map[string]int32{}, map[string]string{}}
}

// unitKey is a unit of a property; case does not count.
type unitKey struct {
	property int32
	number   string
}

// keep puts the present line into the roll, if it can be told which unit it is.
func (r *reader) keep() {
	e := &r.entry
	if !e.good(streetAddress) || !e.good(city) || !e.good(state) || e.bad.has(unitNumber) {
		return
	}
	at := int32(r.roll.rows.len())
	property := r.property()
	e.number = r.intern(e.number)
	if !r.newUnit(property) {
		return
	}
	r.roll.rows.add(row{
		line:        int32(r.at),
		property:    property,
		person:      r.person(at),
		number:      e.number,
		squareFeet:  int32(e.squareFeet),
		bedrooms:    int16(e.bedrooms),
		bathrooms:   int16(e.bathrooms),
		start:       e.start,
		end:         e.end,
		openEnded:   !e.given.has(leaseEnd),
		marketRent:  e.marketRent,
		monthlyRent: e.monthlyRent,
		deposit:     e.deposit,
	})
}

// newUnit reports whether the unit is the first of its number in its property.
func (r *reader) newUnit(property int32) bool {
	number := r.entry.number
	key := unitKey{property, strings.ToLower(number)} // mostly the same text, in the same memory
	line, twice := r.index.units[key]
	if twice {
		why := ""
		if !r.entry.given.has(unitNumber) {
			why = ` An empty unit_number means "1".`
		}
		r.reject(unitNumber, "Unit %s of this property is in line %d already.%s", quote(number), line, why)
		return false
	}
	r.index.units[key] = int32(r.at)
	return true
}
