package demo_test

import (
	"slices"
	"testing"

	"portal/api/portfolio"
)

func TestEveryUnitHasPropertyAndUniqueNumber(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		taken, defaults := map[[2]string]bool{}, map[string]int{}
		for _, u := range s.Units {
			if s.properties[u.PropertyID] == nil {
				t.Errorf("unit %s has no property", u.UnitNumber)
			}
			if key := [2]string{u.PropertyID, u.UnitNumber}; taken[key] {
				t.Errorf("unit %s is there twice", u.UnitNumber)
			} else {
				taken[key] = true
			}
			if u.IsDefault {
				defaults[u.PropertyID]++
			}
		}
		for _, p := range s.Properties {
			if defaults[p.ID] != 1 {
				t.Errorf("%s has %d default units", p.StreetAddress, defaults[p.ID])
			}
		}
	})
}

func TestEveryLeaseHasItsUnitPropertyAndTenants(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		for _, l := range s.Leases {
			if u := s.units[l.UnitID]; u == nil || u.PropertyID != l.PropertyID {
				t.Errorf("%s: the unit and the property do not agree", l.RentalAddress)
			}
			var ids []string
			for i, p := range l.Tenants {
				ids = append(ids, p.ID)
				tenant := s.tenants[p.ID]
				if tenant == nil || tenant.Name != p.Name || !slices.Contains(tenant.LeaseIDs, l.ID) {
					t.Errorf("%s: %s is no tenant who knows of the lease", l.RentalAddress, p.Name)
				}
				if (p.Role == portfolio.PartyPrimary) != (i == 0) {
					t.Errorf("%s: party %d is %s", l.RentalAddress, i, p.Role)
				}
			}
			if len(ids) == 0 || !slices.Equal(ids, l.TenantIDs) {
				t.Errorf("%s: tenants %v, parties %v", l.RentalAddress, l.TenantIDs, ids)
			}
		}
	})
}

func TestEveryLedgerRowMatchesItsLease(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		for _, p := range s.Payments {
			l := s.leases[p.LeaseID]
			if l == nil || p.UnitID != l.UnitID || p.PropertyID != l.PropertyID || p.TenantID != l.TenantIDs[0] {
				t.Errorf("row %s and its lease do not agree", p.ID)
			}
		}
	})
}

func TestEveryTicketMatchesItsUnitLeaseAndTenant(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		buildings := 0
		for _, k := range s.Tickets {
			if s.properties[k.PropertyID] == nil {
				t.Errorf("%s %q has no property", k.Number, k.Title)
			}
			if k.UnitID == nil {
				buildings++
				if k.LeaseID != nil || k.TenantID != nil {
					t.Errorf("%s %q is of the building and of a tenant", k.Number, k.Title)
				}
				continue
			}
			if u := s.units[*k.UnitID]; u == nil || u.PropertyID != k.PropertyID {
				t.Errorf("%s %q: the unit and the property do not agree", k.Number, k.Title)
			}
			s.checkTenancy(t, k)
		}
		if buildings < 5 {
			t.Errorf("%d tickets of buildings", buildings)
		}
	})
}

// checkTenancy holds that a ticket's lease was in force when it was written, and
// that its tenant is a party of that lease.
func (s *datedBook) checkTenancy(t *testing.T, k portfolio.Ticket) {
	t.Helper()
	if k.LeaseID == nil {
		if k.TenantID != nil {
			t.Errorf("%s %q has a tenant without a lease", k.Number, k.Title)
		}
		return
	}
	l, day := s.leases[*k.LeaseID], s.date(k.CreatedAt)
	if l == nil || l.UnitID != *k.UnitID || l.StartDate > day ||
		l.EndDate != nil && *l.EndDate < day && l.Status != portfolio.LeaseActive {
		t.Errorf("%s %q: the lease was not in force", k.Number, k.Title)
	}
	if k.TenantID != nil && !slices.Contains(l.TenantIDs, *k.TenantID) {
		t.Errorf("%s %q: the tenant does not live there", k.Number, k.Title)
	}
}
