package demo

import (
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/portfolio"
)

func (b *draft) addProperties() {
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

func (b *draft) newProperty(r row, created clock.Time) portfolio.Property {
	return portfolio.Property{
		Record:             record("property", r["key"], created),
		Name:               r.text("name"),
		StreetAddress:      r["street_address"],
		StreetAddress2:     r.text("street_address_2"),
		City:               r["city"],
		State:              contact.State(r["state"]),
		PostalCode:         r.text("postal_code"),
		Country:            "US",
		PropertyType:       portfolio.PropertyType(r["property_type"]),
		YearBuilt:          r.number("year_built"),
		Status:             portfolio.PropertyStatus(r["status"]),
		VerificationStatus: portfolio.VerificationStatus(r["verification_status"]),
	}
}

// verify notes the steps of the check of ownership, and the archiving.
func (b *draft) verify(p *portfolio.Property) {
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

// addStanding fills what follows from the leases: whether a unit is let, where a
// tenant stands, how full a property is.
func (b *draft) addStanding() {
	tenants := make(map[string]*portfolio.Tenant)
	for i := range b.Tenants {
		tenants[b.Tenants[i].ID] = &b.Tenants[i]
	}
	for i := range b.Leases {
		l := &b.Leases[i]
		b.occupy(b.units[l.UnitID], l)
		for _, name := range l.TenantIDs {
			b.moveIn(tenants[name], l)
		}
	}
	b.count()
}

// occupy notes what a lease did to its unit.
func (b *draft) occupy(u *portfolio.Unit, l *portfolio.Lease) {
	for _, d := range b.turningDays(l) {
		touch(&u.Record, b.during(d, 0, l.ID))
	}
	if l.Status != portfolio.LeaseActive {
		return
	}
	u.CurrentLeaseID = new(l.ID)
	u.Status = portfolio.UnitOccupied
	if l.NoticeGivenDate != nil {
		u.Status = portfolio.UnitNotice
	}
}

// moveIn notes what a lease did to one of its tenants. The lease that says most
// about a tenant, and among equals the later one, decides.
func (b *draft) moveIn(t *portfolio.Tenant, l *portfolio.Lease) {
	for _, d := range b.turningDays(l) {
		touch(&t.Record, b.during(d, 0, l.ID))
	}
	if l.SignedAt != nil {
		touch(&t.Record, *l.SignedAt)
	}
	t.LeaseIDs = append(t.LeaseIDs, l.ID)
	status := l.Standing()
	if status.Weight() < t.Status.Weight() {
		return
	}
	t.Status = status
	t.PropertyID, t.UnitID = new(l.PropertyID), new(l.UnitID)
	t.MoveInDate, t.MoveOutDate = l.MoveInDate, l.MoveOutDate
	if l.Status == portfolio.LeaseActive {
		t.CurrentLeaseID = new(l.ID)
	}
}

// count adds up the units of each property, whose version grows with theirs.
func (b *draft) count() {
	for i := range b.Units {
		u := &b.Units[i]
		p := b.properties[u.PropertyID]
		if u.Status.Occupied() {
			p.OccupiedUnitCount++
		}
		p.Version += u.Version - 1
		p.UpdatedAt = max(p.UpdatedAt, u.UpdatedAt)
	}
}
