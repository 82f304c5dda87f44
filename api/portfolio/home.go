package portfolio

import (
	"strconv"

	"portal/api/list"
)

// UnitFilter says of which property units are listed.
type UnitFilter struct {
	list.Query
	PropertyID string
}

// Home is a unit with its address.
type Home struct {
	Unit     Unit
	Property Property
}

// Street is the home in short, as people call it.
func (h *Home) Street() string { return Street(&h.Property, &h.Unit) }

// Address is the home in one full line.
func (h *Home) Address() string { return Address(&h.Property, &h.Unit) }

// Street is a home in short, as people call it.
func Street(p *Property, u *Unit) string {
	line := p.StreetAddress
	if p.StreetAddress2 != nil {
		line += ", " + *p.StreetAddress2
	}
	if p.UnitCount > 1 || u.UnitNumber != "1" {
		line += ", " + unitName(u.UnitNumber)
	}
	return line
}

// Address is a home in one full line.
func Address(p *Property, u *Unit) string {
	line := Street(p, u) + ", " + p.City + ", " + string(p.State)
	if p.PostalCode != nil {
		line += " " + *p.PostalCode
	}
	return line
}

// unitName puts Unit before a number, not before a name such as Suite A.
func unitName(number string) string {
	if _, err := strconv.Atoi(number[:min(1, len(number))]); err != nil && len(number) > 1 {
		return number
	}
	return "Unit " + number
}
