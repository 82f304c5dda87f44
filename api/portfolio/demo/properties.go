package demo

import (
	"strconv"

	"portal/api/clock"
	"portal/api/portfolio"
)

func (b *book) addProperties() {
	for i, r := range table("properties") {
		// a morning's work, in the order of the table
		created := b.during(b.today-r.days("age"), 8, "") + clock.Time(i*360_000)
		b.Properties = append(b.Properties, b.newProperty(r, min(created, b.last)))
	}
	b.properties = make(map[string]*portfolio.Property)
	for i := range b.Properties {
		p := &b.Properties[i]
		b.properties[p.ID] = p
		b.verify(p)
	}
}

func (b *book) newProperty(r row, created clock.Time) portfolio.Property {
	return portfolio.Property{
		Record:             record("property", r["key"], created),
		Name:               r.text("name"),
		StreetAddress:      r["street_address"],
		StreetAddress2:     r.text("street_address_2"),
		City:               r["city"],
		State:              portfolio.State(r["state"]),
		PostalCode:         r.text("postal_code"),
		Country:            "US",
		PropertyType:       portfolio.PropertyType(r["property_type"]),
		YearBuilt:          r.number("year_built"),
		Status:             portfolio.PropertyStatus(r["status"]),
		VerificationStatus: portfolio.VerificationStatus(r["verification_status"]),
	}
}

// verify notes the steps of the check of ownership, and the archiving.
func (b *book) verify(p *portfolio.Property) {
	asked := b.later(p.CreatedAt, 3, p.ID)
	switch p.VerificationStatus {
	case portfolio.Verified:
		touch(&p.Record, asked)
		touch(&p.Record, b.later(asked, 70, p.ID))
	case portfolio.VerificationPending:
		touch(&p.Record, asked)
	}
	if p.Status == portfolio.PropertyArchived {
		touch(&p.Record, b.during(b.today-clock.Date(20+roll(50, p.ID)), 15, p.ID))
	}
}

func (b *book) addUnits() {
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

func (b *book) newUnit(r row, p *portfolio.Property) portfolio.Unit {
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
func (b *book) address(u *portfolio.Unit) string {
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
