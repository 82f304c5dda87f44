package demo

import "portal/api/portfolio"

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
