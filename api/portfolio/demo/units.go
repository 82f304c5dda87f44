package demo

import (
	"strconv"

	"portal/api/clock"
	"portal/api/portfolio"
)

func (b *draft) addUnits() {
	for _, r := range table("units") {
		p := b.properties[r["property"]]
		b.Units = append(b.Units, b.newUnit(r, p))
		p.UnitCount++
	}
	b.units = make(map[string]*portfolio.Unit)
	for i := range b.Units {
		u := &b.Units[i]
		b.units[u.ID] = u
		touch(&b.properties[u.PropertyID].Record, u.CreatedAt)
	}
}

func (b *draft) newUnit(r row, p *portfolio.Property) portfolio.Unit {
	created := p.CreatedAt + clock.Time(p.UnitCount*140_000) // typed in one after the other
	u := portfolio.Unit{
		Record:     record("unit", p.ID+"/"+r["unit_number"], min(created, b.last)),
		PropertyID: p.ID,
		UnitNumber: r["unit_number"],
		Bedrooms:   r.number("bedrooms"),
		Bathrooms:  filled(r["bathrooms"], half),
		SquareFeet: r.number("square_feet"),
		MarketRent: r.dollars("market_rent"),
		Currency:   portfolio.Currency,
		Status:     portfolio.UnitVacant,
		IsDefault:  p.UnitCount == 0,
	}
	if r["off_market"] != "" {
		u.Status = portfolio.UnitOffMarket
		touch(&u.Record, b.during(b.date(u.CreatedAt)+8, 11, u.ID))
	}
	return u
}

func half(s string) portfolio.Half { return must(portfolio.ParseHalf(s)) }

// address is a unit in one line. The number is left out where it says nothing: the
// only unit of a property, called 1.
func (b *draft) address(u *portfolio.Unit) string {
	p := b.properties[u.PropertyID]
	line := p.StreetAddress
	if p.StreetAddress2 != nil {
		line += ", " + *p.StreetAddress2
	}
	if p.UnitCount > 1 || u.UnitNumber != "1" {
		line += ", " + unitName(u.UnitNumber)
	}
	line += ", " + p.City + ", " + string(p.State)
	if p.PostalCode != nil {
		line += " " + *p.PostalCode
	}
	return line
}

// unitName puts Unit before a number, not before a name such as Suite A.
func unitName(number string) string {
	if _, err := strconv.Atoi(number[:1]); err != nil && len(number) > 1 {
		return number
	}
	return "Unit " + number
}
