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
