package simulate

import (
	"context"
	"slices"

	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
)

// signLease lets all parties sign the first lease that is out for signature. Where none
// is, one is drafted: for a vacant unit, or else as a renewal.
func (s *Session) signLease(ctx context.Context) (string, error) {
	leases, err := s.leases(ctx, "")
	if err != nil {
		return "", err
	}
	b := &bookings{leases, clock.At(s.Portfolio.Now(s.by.Portfolio))}
	l := b.outForSignature()
	if l == nil {
		if l, err = s.draft(ctx, b); err != nil {
			return "", err
		}
	}
	for _, p := range l.Tenants {
		if p.SignedAt != nil {
			continue
		}
		_, err := s.Portfolio.Leases.Sign(ctx, s.by, l.ID, lease.Signature{TenantID: p.ID})
		if err != nil {
			return "", err
		}
	}
	return l.ID, nil
}

// draft writes a lease that can be signed.
func (s *Session) draft(ctx context.Context, b *bookings) (*portfolio.Lease, error) {
	last, err := s.vacated(ctx, b)
	if err != nil {
		return nil, err
	}
	people, err := s.newcomers(ctx, b)
	if err != nil {
		return nil, err
	}
	l := b.newTenancy(last, people, nextFirst(clock.DateOf(b.now.Std(), s.by.Zone)))
	if l == nil {
		l = b.renewal()
	}
	if l == nil {
		return nil, nothing(
			"the demo portfolio has no lease to sign: no unit is vacant that was let before, or nobody looks for one, and no lease ends that could be renewed",
		)
	}
	return l, s.Stores.Records.AddPeople(ctx, s.by.Portfolio, &portfolio.Book{Leases: []portfolio.Lease{*l}})
}

// nextFirst is the first day of the month after a day.
func nextFirst(d clock.Date) clock.Date {
	return d.LastOfMonth().AddDays(1)
}

// vacated are the last leases of the units that are vacant and that nobody is about to
// move into, the latest first.
func (s *Session) vacated(ctx context.Context, b *bookings) (last []*portfolio.Lease, err error) {
	seen := map[string]bool{}
	for i := range slices.Backward(b.leases) {
		l := &b.leases[i]
		if !l.Binding() || seen[l.UnitID] ||
			slices.ContainsFunc(b.leases, func(o portfolio.Lease) bool { return o.UnitID == l.UnitID && b.runs(&o) }) {
			continue
		}
		seen[l.UnitID] = true
		u, err := s.Stores.Records.Unit(ctx, s.by.Portfolio, l.UnitID)
		if err != nil {
			return nil, err
		}
		p, err := s.Stores.Records.Property(ctx, s.by.Portfolio, l.PropertyID)
		if err != nil {
			return nil, err
		}
		if u.Status == portfolio.UnitVacant && p.Status != portfolio.PropertyArchived {
			last = append(last, l)
		}
	}
	return last, nil
}

// newcomers live nowhere and are about to move in nowhere: those who have asked, and
// then those who have left.
func (s *Session) newcomers(ctx context.Context, b *bookings) (people []portfolio.Tenant, err error) {
	for _, status := range []portfolio.TenantStatus{portfolio.TenantProspect, portfolio.TenantPast} {
		found, err := s.Stores.Records.Tenants(ctx, s.by.Portfolio, portfolio.TenantFilter{Query: all, Status: status})
		if err != nil {
			return nil, err
		}
		people = append(people, found...)
	}
	return slices.DeleteFunc(people, func(t portfolio.Tenant) bool {
		return slices.ContainsFunc(b.leases, func(l portfolio.Lease) bool {
			return b.runs(&l) &&
				slices.Contains(l.TenantIDs, t.ID)
		})
	}), nil
}
