package rentroll

import (
	"fmt"
	"strings"

	"portal/api/portfolio"
)

// defaultType is the kind of a property that no line tells.
const defaultType portfolio.PropertyType = "single_family"

// property is what the lines of one address say of it; "" and 0 are unknown. The
// line of a fact is the one that said it first, 0 where none did.
type property struct {
	address
	names                          *names
	kind                           portfolio.PropertyType
	year                           int32
	postalLine, kindLine, yearLine int32
	first                          int32 // its first row
	cutLine, bareLine              int32 // the first whose street held the unit, and that has no unit; 0 for none
}

// names are what lines call a property: the first with its line, and the last that was left out.
type names struct {
	first, other string
	line         int32
}

// property finds the property of the present line, or makes it.
func (r *reader) property() int32 {
	e := &r.entry
	key := e.address.key()
	at, known := r.roll.byAddress[key]
	if !known {
		at = r.roll.properties.add(property{
			address: address{street: strings.Clone(e.street), city: r.intern(e.city), state: e.state},
			first:   int32(r.roll.rows.len()),
		})
		r.roll.byAddress[key] = at
	}
	p := r.roll.properties.at(at)
	if e.cut && p.cutLine == 0 {
		p.cutLine = int32(r.at)
	}
	if !e.given.has(unitNumber) && p.bareLine == 0 {
		p.bareLine = int32(r.at)
	}
	r.learn(p)
	return at
}

// unitsInStreets says of which properties one line has the unit in the street and another has none.
func (r *reader) unitsInStreets() {
	for i := range int32(r.roll.properties.len()) {
		if p := r.roll.properties.at(i); p.cutLine > 0 && p.bareLine > 0 && !r.said.one {
			r.problems.add(
				int(p.cutLine),
				streetAddress.String(),
				fmt.Sprintf(
					"This line has its unit in the street, and line %d has none. Say whether both are units of "+
						"one property, %s, or properties of their own.",
					p.bareLine,
					quote(p.street),
				),
				Ask{Question: unitsInStreets, Suggested: OneProperty},
			)
		}
	}
}

// learn adds what the present line says of its property.
func (r *reader) learn(p *property) {
	e, line := &r.entry, int32(r.at)
	switch {
	case !e.good(propertyName) || strings.EqualFold(e.name, p.street):
	case p.names == nil:
		p.names = &names{first: r.intern(e.name), line: line}
	case !strings.EqualFold(p.names.first, e.name) && p.names.other != e.name:
		p.names.other = r.intern(e.name)
		r.guessAt(propertyName, "Earlier lines call this property %s. %s is left out.",
			quote(p.names.first), quote(e.name))
	}
	switch {
	case !e.good(postalCode):
	case p.postalLine == 0:
		p.postal, p.postalLine = r.intern(e.postal), line
	case !sameZIP(p.postal, e.postal):
		r.differs(postalCode, p.postal, p.postalLine)
	case p.postal != e.postal: // a ZIP+4 may be of one unit only
		p.postal = p.postal[:5]
	}
	switch {
	case !e.good(propertyType):
	case p.kindLine == 0:
		p.kind, p.kindLine = e.kind, line
	case p.kind != e.kind:
		r.differs(propertyType, p.kind, p.kindLine)
	}
	switch {
	case !e.good(yearBuilt):
	case p.yearLine == 0:
		p.year, p.yearLine = int32(e.year), line
	case p.year != int32(e.year):
		r.differs(yearBuilt, p.year, p.yearLine)
	}
}

func (r *reader) differs(c column, earlier any, line int32) {
	ask := r.askCell(c)
	ask.Suggested = fmt.Sprint(earlier)
	r.refuse(c, ask, "Line %d says %v of the same property; the lines of a property must agree.", line, earlier)
}

// sameZIP tells two ZIP codes that agree in their five digits.
func sameZIP(a, b string) bool { return a[:min(5, len(a))] == b[:min(5, len(b))] }
