package rentroll

import (
	"fmt"
	"slices"
	"time"

	"portal/api/clock"
	"portal/api/portfolio"
)

// Plan is what an import will write. Its numbers are those of the new records.
type Plan struct {
	Properties, Units, Tenants, Leases int

	Joined []Joined // the properties of the portfolio that get units

	roll  *Roll
	sites []site
	now   time.Time
	today clock.Date
	ids   ids
}

// Joined is a property of the portfolio that gets units. Its facts are those
// that the file knows and the portfolio does not, nil otherwise; the caller adds
// them, counts the units anew and raises the version.
type Joined struct {
	PropertyID string
	Units      int
	PostalCode *string
	YearBuilt  *int
}

// site is a property of the roll beside what the portfolio holds of it.
type site struct {
	id              string
	held            *held
	units, occupied int
}

// Plan settles what an import of the roll writes at a time, in a portfolio that
// holds what is given; today is the day of that time in the zone. There is a
// plan or there are problems, those that Read found among them.
func (r *Roll) Plan(existing *Existing, now time.Time, zone *time.Location) (*Plan, []Problem) {
	if existing == nil {
		existing = &Existing{}
	}
	p := &Plan{
		Units:   r.rows.len(),
		Tenants: r.people.len(),
		roll:    r,
		now:     now,
		today:   clock.DateOf(now, zone),
	}
	problems := r.problems
	problems.listed = slices.Clip(problems.listed)
	p.locate(existing, &problems)
	p.countUnits(existing, &problems)
	if len(problems.listed) > 0 {
		return nil, problems.all()
	}
	p.join()
	return p, nil
}

// locate finds the properties of the roll in the portfolio.
func (p *Plan) locate(existing *Existing, problems *problems) {
	p.sites = make([]site, p.roll.properties.len())
	lastYear := p.today.Std().Year() + 1
	for key, i := range p.roll.byAddress {
		p.sites[i].held = existing.byAddress[key]
	}
	for i := range p.sites {
		found := p.roll.properties.at(int32(i))
		if found.year > int32(lastYear) {
			problems.add(int(found.yearLine), yearBuilt.String(),
				fmt.Sprintf("\"%d\" is not a whole number between 1600 and %d.", found.year, lastYear))
		}
		if p.sites[i].held != nil {
			p.agree(found, p.sites[i].held, problems)
		}
	}
}

// agree compares a property of the roll with what the portfolio says of it.
func (p *Plan) agree(found *property, h *held, problems *problems) {
	differs := func(line int32, c column, has any) {
		problems.add(int(line), c.String(), fmt.Sprintf(
			"The portfolio says %v of this property. Change it there, or leave the column empty.", has))
	}
	if found.postal != "" && h.postal != "" && !sameZIP(found.postal, h.postal) {
		differs(found.postalLine, postalCode, h.postal)
	}
	if found.kind != "" && found.kind != h.kind {
		differs(found.kindLine, propertyType, h.kind)
	}
	if found.year != 0 && h.year != 0 && int(found.year) != h.year {
		differs(found.yearLine, yearBuilt, h.year)
	}
	line := int(p.roll.rows.at(found.first).line)
	switch {
	case h.archived:
		problems.add(line, streetAddress.String(), "The portfolio has this property archived. Bring it back first.")
	case h.several:
		problems.add(
			line,
			streetAddress.String(),
			"The portfolio has several properties with this address, so it cannot be told which gets the unit.",
		)
	}
}

// countUnits counts the units and leases, and refuses units that exist.
func (p *Plan) countUnits(existing *Existing, problems *problems) {
	for i := range int32(p.roll.rows.len()) {
		row := p.roll.rows.at(i)
		s := &p.sites[row.property]
		s.units++
		if row.person != none {
			p.Leases++
		}
		if row.status(p.today) == portfolio.LeaseActive {
			s.occupied++
		}
		if s.held != nil && existing.hasUnit(s.held, row.number) {
			problems.add(int(row.line), unitNumber.String(), fmt.Sprintf(
				"The portfolio has unit %s of this property already.", quote(row.number)))
		}
	}
}

// join lists the properties of the portfolio that get units.
func (p *Plan) join() {
	for i, s := range p.sites {
		if s.held == nil {
			p.Properties++
			continue
		}
		f := p.roll.properties.at(int32(i))
		j := Joined{PropertyID: s.held.id, Units: s.units}
		if s.held.postal == "" && f.postal != "" {
			j.PostalCode = &f.postal
		}
		if s.held.year == 0 && f.year != 0 {
			j.YearBuilt = new(int(f.year))
		}
		p.Joined = append(p.Joined, j)
	}
}
