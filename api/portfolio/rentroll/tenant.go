package rentroll

import "portal/api/portfolio"

// tenant is a person with all leases of the roll. The property and the unit are
// those of the active lease, or else of the one that starts last.
func (p *Plan) tenant(at int32) portfolio.Tenant {
	in := p.roll.people.at(at)
	shown, leases := p.leasesOf(in)
	row := p.roll.rows.at(shown)
	out := portfolio.Tenant{
		Record:     p.record(p.ids.tenants[at], "tenant"),
		FirstName:  in.first,
		LastName:   in.last,
		Name:       in.name(),
		Email:      text(in.email),
		Phone:      text(in.phone),
		LeaseIDs:   leases,
		PropertyID: new(p.sites[row.property].id),
		UnitID:     new(p.ids.units[shown]),
		MoveInDate: new(row.start),
	}
	switch row.status(p.today) {
	case portfolio.LeaseActive:
		out.Status, out.CurrentLeaseID = portfolio.TenantCurrent, new(p.ids.leases[shown])
	case portfolio.LeaseSigned:
		out.Status = portfolio.TenantFuture
	default:
		out.Status = portfolio.TenantPast
	}
	return out
}

// leasesOf are a person's leases and the row of the one that the tenant shows.
func (p *Plan) leasesOf(in *person) (shown int32, leases []string) {
	shown = in.row
	for at := in.row; ; at = p.roll.rows.at(at).next {
		leases = append(leases, p.ids.leases[at])
		if p.above(at, shown) {
			shown = at
		}
		if at == in.lastRow {
			return shown, leases
		}
	}
}

// above reports whether the lease of row a is shown rather than that of row b.
func (p *Plan) above(a, b int32) bool {
	x, y := p.roll.rows.at(a), p.roll.rows.at(b)
	active, other := x.status(p.today) == portfolio.LeaseActive, y.status(p.today) == portfolio.LeaseActive
	if active != other {
		return active
	}
	return x.start > y.start
}
