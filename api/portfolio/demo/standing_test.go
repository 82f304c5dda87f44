package demo_test

import (
	"slices"
	"testing"

	"portal/api/portfolio"
)

func TestUnitIsOccupiedIfItHasActiveLease(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		active := map[string]*portfolio.Lease{}
		for _, l := range s.leases {
			if l.Status == portfolio.LeaseActive {
				active[l.UnitID] = l
			}
		}
		for _, u := range s.Units {
			l := active[u.ID]
			switch {
			case l == nil:
				if u.CurrentLeaseID != nil || u.Status != portfolio.UnitVacant && u.Status != portfolio.UnitOffMarket {
					t.Errorf("unit %s is %s with the lease %v", u.UnitNumber, u.Status, u.CurrentLeaseID)
				}
			case u.CurrentLeaseID == nil || *u.CurrentLeaseID != l.ID:
				t.Errorf("unit %s does not have its lease", u.UnitNumber)
			case l.NoticeGivenDate != nil && u.Status != portfolio.UnitNotice ||
				l.NoticeGivenDate == nil && u.Status != portfolio.UnitOccupied:
				t.Errorf("unit %s is %s, its lease was given notice: %v", u.UnitNumber, u.Status, l.NoticeGivenDate)
			}
		}
	})
}

func TestPropertyUnitCountsAreCorrect(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		units, occupied := map[string]int{}, map[string]int{}
		for _, u := range s.Units {
			units[u.PropertyID]++
			if u.CurrentLeaseID != nil {
				occupied[u.PropertyID]++
			}
		}
		archived := 0
		for _, p := range s.Properties {
			if p.UnitCount != units[p.ID] || p.UnitCount == 0 || p.OccupiedUnitCount != occupied[p.ID] {
				t.Errorf("%s counts %d units, %d occupied", p.StreetAddress, p.UnitCount, p.OccupiedUnitCount)
			}
			if p.Status == portfolio.PropertyArchived {
				archived++
				if p.OccupiedUnitCount > 0 {
					t.Errorf("somebody lives in the archived %s", p.StreetAddress)
				}
			}
		}
		if archived < 2 {
			t.Errorf("%d archived properties", archived)
		}
	})
}

func TestTenantStatusMatchesLeases(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		for _, tenant := range s.Tenants {
			leases := s.leasesOf(tenant)
			if want := standing(leases); tenant.Status != want {
				t.Errorf("%s is %s, want %s", tenant.Name, tenant.Status, want)
			}
			s.checkUnitAndDays(t, tenant, leases)
		}
	})
}

// leasesOf are the leases that name a tenant, by way of the leases.
func (s *datedBook) leasesOf(tenant portfolio.Tenant) []portfolio.Lease {
	var all []portfolio.Lease
	for _, l := range s.Leases {
		if slices.Contains(l.TenantIDs, tenant.ID) {
			all = append(all, l)
		}
	}
	return all
}

func standing(leases []portfolio.Lease) portfolio.TenantStatus {
	has := func(is func(portfolio.Lease) bool) bool { return slices.ContainsFunc(leases, is) }
	status := func(want ...portfolio.LeaseStatus) func(portfolio.Lease) bool {
		return func(l portfolio.Lease) bool { return slices.Contains(want, l.Status) }
	}
	switch {
	case has(func(l portfolio.Lease) bool { return l.Status == portfolio.LeaseActive && l.NoticeGivenDate != nil }):
		return portfolio.TenantNotice
	case has(status(portfolio.LeaseActive)):
		return portfolio.TenantCurrent
	case has(status(portfolio.LeaseSigned)):
		return portfolio.TenantFuture
	case has(status(portfolio.LeaseExpired, portfolio.LeaseRenewed, portfolio.LeaseTerminated)):
		return portfolio.TenantPast
	}
	return portfolio.TenantProspect
}

// checkUnitAndDays holds that a tenant's lease ids, unit and days are those of the leases.
func (s *datedBook) checkUnitAndDays(t *testing.T, tenant portfolio.Tenant, leases []portfolio.Lease) {
	t.Helper()
	var ids []string
	var current *portfolio.Lease
	for i, l := range leases {
		ids = append(ids, l.ID)
		if l.Status == portfolio.LeaseActive {
			current = &leases[i]
		}
	}
	if !slices.Equal(tenant.LeaseIDs, ids) {
		t.Errorf("%s has the leases %v, want %v", tenant.Name, tenant.LeaseIDs, ids)
	}
	if (tenant.PropertyID == nil) != (len(leases) == 0) || (tenant.UnitID == nil) != (len(leases) == 0) {
		t.Errorf("%s has %d leases and the unit %v", tenant.Name, len(leases), tenant.UnitID)
	}
	if tenant.UnitID != nil && s.units[*tenant.UnitID].PropertyID != *tenant.PropertyID {
		t.Errorf("%s: the unit and the property do not agree", tenant.Name)
	}
	if current == nil {
		if tenant.CurrentLeaseID != nil {
			t.Errorf("%s has no active lease", tenant.Name)
		}
		return
	}
	if tenant.CurrentLeaseID == nil || *tenant.CurrentLeaseID != current.ID || *tenant.UnitID != current.UnitID ||
		tenant.MoveInDate != current.MoveInDate && *tenant.MoveInDate != *current.MoveInDate {
		t.Errorf("%s does not live where the active lease says", tenant.Name)
	}
}

func TestPeopleMoveInAndOutInOrder(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		for _, l := range s.Leases {
			if l.MoveOutDate != nil && (l.MoveInDate == nil || *l.MoveOutDate <= *l.MoveInDate) {
				t.Errorf("%s: in %v, out %v", l.RentalAddress, l.MoveInDate, l.MoveOutDate)
			}
			if l.NoticeGivenDate != nil && (*l.NoticeGivenDate > s.today || *l.NoticeGivenDate >= *l.MoveOutDate) {
				t.Errorf("%s: notice %s, out %s", l.RentalAddress, l.NoticeGivenDate, l.MoveOutDate)
			}
			if l.Status == portfolio.LeaseActive && l.RenewedFromLeaseID != nil &&
				*l.MoveInDate != *s.leases[*l.RenewedFromLeaseID].MoveInDate {
				t.Errorf("%s: moved in anew on %s with a renewal", l.RentalAddress, l.MoveInDate)
			}
			lives := l.Status == portfolio.LeaseActive
			if lives && (l.MoveInDate == nil || *l.MoveInDate > s.today) ||
				lives && l.MoveOutDate != nil && *l.MoveOutDate < s.today {
				t.Errorf("%s: in %v, out %v, and active", l.RentalAddress, l.MoveInDate, l.MoveOutDate)
			}
		}
	})
}

func TestContactDetailsAreUnique(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		taken := map[string]string{}
		for _, tenant := range s.Tenants {
			for _, contact := range []*string{
				tenant.Email, tenant.Phone, tenant.AlternateEmail, tenant.AlternatePhone,
			} {
				if contact == nil {
					continue
				}
				if other, ok := taken[*contact]; ok {
					t.Errorf("%s and %s share %s", tenant.Name, other, *contact)
				}
				taken[*contact] = tenant.Name
			}
		}
	})
}
