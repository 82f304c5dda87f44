package rentroll

import (
	"cmp"

	"portal/api/clock"
	"portal/api/portfolio"
)

// status is where the lease of a row stands on a day, "" without a lease. The
// last day of a lease is one of it.
func (r *row) status(today clock.Date) portfolio.LeaseStatus {
	switch {
	case r.person == none:
		return ""
	case r.start > today:
		return portfolio.LeaseSigned
	case !r.openEnded && r.end < today:
		return portfolio.LeaseExpired
	}
	return portfolio.LeaseActive
}

func (p *Plan) lease(at int, row *row) portfolio.Lease {
	tenant := p.ids.tenants[row.person]
	out := portfolio.Lease{
		Record:     p.record(p.ids.leases[at], "lease"),
		Status:     row.status(p.today),
		LeaseType:  portfolio.MonthToMonth,
		PropertyID: p.sites[row.property].id,
		UnitID:     p.ids.units[at],
		TenantIDs:  []string{tenant},
		Tenants: []portfolio.Party{{
			ID: tenant, Name: p.roll.people.at(row.person).name(), Role: portfolio.PartyPrimary,
		}},
		RentalAddress:   p.address(row),
		StartDate:       row.start,
		MonthlyRent:     row.monthlyRent,
		SecurityDeposit: row.deposit,
		Currency:        portfolio.Currency,
		RentDueDay:      1,
	}
	if !row.openEnded {
		out.LeaseType, out.EndDate = portfolio.Fixed, new(row.end)
	}
	return out
}

// address is the unit's in one line, spelled as the portfolio does where it has
// the property. The only unit of a property goes without its number if that is 1.
func (p *Plan) address(row *row) string {
	s := &p.sites[row.property]
	at, units := p.roll.properties.at(row.property).address, s.units
	if s.held != nil {
		postal := at.postal
		at, units = s.held.address, units+s.held.units
		at.postal = cmp.Or(at.postal, postal)
	}
	if units == 1 && row.number == "1" {
		return at.line("")
	}
	return at.line(row.number)
}
