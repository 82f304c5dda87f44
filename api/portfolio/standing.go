package portfolio

// Standing is where a tenant stands who has only this lease.
func (l *Lease) Standing() TenantStatus {
	switch {
	case !l.Binding():
		return TenantProspect
	case l.Status == LeaseSigned:
		return TenantFuture
	case l.Status != LeaseActive:
		return TenantPast
	case l.NoticeGivenDate != nil:
		return TenantNotice
	}
	return TenantCurrent
}

// Weight orders what leases say of a tenant: living here outdoes moving in, which
// outdoes having left, which outdoes having asked.
func (s TenantStatus) Weight() int {
	switch s {
	case TenantCurrent, TenantNotice:
		return 3
	case TenantFuture:
		return 2
	case TenantPast:
		return 1
	}
	return 0
}

// DeriveTenancy fills what follows from a tenant's leases, which come in ascending id: the
// one that says most, and among equals the later one, decides.
func (t *Tenant) DeriveTenancy(leases []Lease) {
	t.Status = TenantProspect
	t.PropertyID = nil
	t.UnitID = nil
	t.CurrentLeaseID = nil
	t.MoveInDate = nil
	t.MoveOutDate = nil
	t.LeaseIDs = []string{}
	for i := range leases {
		l := &leases[i]
		t.LeaseIDs = append(t.LeaseIDs, l.ID)
		status := l.Standing()
		if status.Weight() < t.Status.Weight() {
			continue
		}
		t.Status, t.PropertyID, t.UnitID, t.CurrentLeaseID = status, &l.PropertyID, &l.UnitID, nil
		t.MoveInDate, t.MoveOutDate = l.MoveInDate, l.MoveOutDate
		if t.MoveInDate == nil && l.Binding() {
			t.MoveInDate = &l.StartDate
		}
		if l.Status == LeaseActive {
			t.CurrentLeaseID = &l.ID
		}
	}
}

// DeriveOccupancy fills what follows from a unit's leases. A unit without a tenant that was
// taken off the market stays off it.
func (u *Unit) DeriveOccupancy(leases []Lease) {
	u.CurrentLeaseID = nil
	if u.Status != UnitOffMarket {
		u.Status = UnitVacant
	}
	for i := range leases {
		l := &leases[i]
		if l.Status != LeaseActive {
			continue
		}
		u.CurrentLeaseID, u.Status = &l.ID, UnitOccupied
		if l.NoticeGivenDate != nil {
			u.Status = UnitNotice
		}
	}
}
