package rentroll

import (
	"iter"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/money"
	"portal/api/portfolio"
)

// Books are the records in parts of at most so many units, in the order of the
// file, so that a large roll takes little memory to write; all parts belong into
// one transaction. A record names others of its part or of earlier ones, apart
// from a tenant with several leases, who may name a lease, a unit and a property
// of later parts. They can be walked again and are the same then.
func (p *Plan) Books(units int) iter.Seq[*portfolio.Book] {
	units = max(units, 1)
	if p.ids.units == nil { // a preview takes no identifiers
		p.nameRecords()
	}
	return func(yield func(*portfolio.Book) bool) {
		for from := 0; from < p.Units; from += units {
			if !yield(p.book(from, min(from+units, p.Units))) {
				return
			}
		}
	}
}

func (p *Plan) book(from, to int) *portfolio.Book {
	b := &portfolio.Book{Units: make([]portfolio.Unit, 0, to-from)}
	for at := from; at < to; at++ {
		row := p.roll.rows.at(int32(at))
		if p.makes(at, row) {
			b.Properties = append(b.Properties, p.property(row.property))
		}
		b.Units = append(b.Units, p.unit(at, row))
		if row.person == none {
			continue
		}
		if p.roll.people.at(row.person).row == int32(at) {
			b.Tenants = append(b.Tenants, p.tenant(row.person))
		}
		b.Leases = append(b.Leases, p.lease(at, row))
	}
	return b
}

// makes reports whether a row is the first of a new property.
func (p *Plan) makes(at int, row *row) bool {
	return p.sites[row.property].held == nil && p.roll.properties.at(row.property).first == int32(at)
}

func (p *Plan) record(id, object string) portfolio.Record {
	now := clock.At(p.now)
	return portfolio.Record{
		ID:        id,
		Object:    object,
		Mode:      access.Live,
		Version:   1,
		CreatedAt: now,
		UpdatedAt: now,
	}
}

func (p *Plan) property(at int32) portfolio.Property {
	in, s := p.roll.properties.at(at), &p.sites[at]
	out := portfolio.Property{
		Record:             p.record(s.id, "property"),
		StreetAddress:      in.street,
		City:               in.city,
		State:              contact.State(in.state),
		Country:            "US",
		PropertyType:       in.kind,
		UnitCount:          s.units,
		OccupiedUnitCount:  s.occupied,
		Status:             portfolio.PropertyActive,
		VerificationStatus: portfolio.Unverified,
	}
	if out.PropertyType == "" {
		out.PropertyType = defaultType
	}
	out.PostalCode = text(in.postal)
	if in.year != 0 {
		out.YearBuilt = new(int(in.year))
	}
	return out
}

func (p *Plan) unit(at int, row *row) portfolio.Unit {
	out := portfolio.Unit{
		Record:     p.record(p.ids.units[at], "unit"),
		PropertyID: p.sites[row.property].id,
		UnitNumber: row.number,
		Currency:   portfolio.Currency,
		Status:     portfolio.UnitVacant,
		IsDefault:  p.makes(at, row),
	}
	out.Bedrooms = known[int](row.bedrooms)
	out.Bathrooms = known[portfolio.Half](row.bathrooms)
	out.SquareFeet = known[int](row.squareFeet)
	out.MarketRent = known[money.Cents](row.marketRent)
	if row.status(p.today) == portfolio.LeaseActive {
		out.Status, out.CurrentLeaseID = portfolio.UnitOccupied, new(p.ids.leases[at])
	}
	return out
}

// text is a text that may be unknown.
func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// known is a number that may be none.
func known[To, From ~int | ~int16 | ~int32 | ~int64](n From) *To {
	if n == none {
		return nil
	}
	return new(To(n))
}
