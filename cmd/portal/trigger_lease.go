package main

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"portal/api/clock"
	"portal/api/id"
	"portal/api/portfolio"
)

// signLease lets all parties sign the first lease that is out for signature. Where none
// is, one is drafted: for a vacant unit, or else as a renewal.
func (s *stage) signLease(ctx context.Context) (string, error) {
	leases, err := s.leases(ctx, "")
	if err != nil {
		return "", err
	}
	b := &bookings{leases, clock.At(time.Now())}
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
		if _, err := s.portfolio.SignLease(ctx, s.by, l.ID, p.ID); err != nil {
			return "", err
		}
	}
	return l.ID, nil
}

// draft writes a lease that can be signed.
func (s *stage) draft(ctx context.Context, b *bookings) (*portfolio.Lease, error) {
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
		return nil, errors.New("the demo portfolio has no lease to sign: no unit is vacant that was let before, or nobody looks for one, and no lease ends that could be renewed")
	}
	return l, s.db.AddPeople(ctx, s.by.Portfolio, &portfolio.Book{Leases: []portfolio.Lease{*l}})
}

// nextFirst is the first day of the month after a day.
func nextFirst(d clock.Date) clock.Date {
	return (d - clock.Date(d.Std().Day()-1)).AddMonths(1)
}

// vacated are the last leases of the units that are vacant and that nobody is about to
// move into, the latest first.
func (s *stage) vacated(ctx context.Context, b *bookings) (last []*portfolio.Lease, err error) {
	seen := map[string]bool{}
	for i := range slices.Backward(b.leases) {
		l := &b.leases[i]
		if !l.Binding() || seen[l.UnitID] || slices.ContainsFunc(b.leases, func(o portfolio.Lease) bool { return o.UnitID == l.UnitID && b.runs(&o) }) {
			continue
		}
		seen[l.UnitID] = true
		u, err := s.db.Unit(ctx, s.by.Portfolio, l.UnitID)
		if err != nil {
			return nil, err
		}
		if u.Status == portfolio.UnitVacant {
			last = append(last, l)
		}
	}
	return last, nil
}

// newcomers live nowhere and are about to move in nowhere: those who have asked, and
// then those who have left.
func (s *stage) newcomers(ctx context.Context, b *bookings) (people []portfolio.Tenant, err error) {
	for _, status := range []portfolio.TenantStatus{portfolio.TenantProspect, portfolio.TenantPast} {
		found, err := s.db.Tenants(ctx, s.by.Portfolio, portfolio.TenantFilter{Query: all, Status: status})
		if err != nil {
			return nil, err
		}
		people = append(people, found...)
	}
	return slices.DeleteFunc(people, func(t portfolio.Tenant) bool {
		return slices.ContainsFunc(b.leases, func(l portfolio.Lease) bool { return b.runs(&l) && slices.Contains(l.TenantIDs, t.ID) })
	}), nil
}

// bookings are all leases of a portfolio at a moment, in ascending id.
type bookings struct {
	leases []portfolio.Lease
	now    clock.Time
}

// runs tells whether a lease is in force, will be, or may yet be signed.
func (b *bookings) runs(l *portfolio.Lease) bool {
	return l.Status == portfolio.LeaseSigned || l.Status == portfolio.LeaseActive || b.open(l)
}

// open tells whether a lease may yet be signed.
func (b *bookings) open(l *portfolio.Lease) bool {
	unsigned := l.Status == portfolio.LeaseDraft || l.Status == portfolio.LeasePendingSignature
	return unsigned && (l.ExpiresAt == nil || *l.ExpiresAt > b.now)
}

// taken tells whether another lease is in the way of one.
func (b *bookings) taken(l *portfolio.Lease) bool {
	return slices.ContainsFunc(b.leases, func(o portfolio.Lease) bool { return l.Overlaps(&o) })
}

// outForSignature is the first lease that all can sign, nil where there is none.
func (b *bookings) outForSignature() *portfolio.Lease {
	for i := range b.leases {
		if l := &b.leases[i]; b.open(l) && !b.taken(l) {
			return l
		}
	}
	return nil
}

// newTenancy is a lease to a newcomer on the terms of the one before it, nil where no unit
// is vacant or nobody looks for one.
func (b *bookings) newTenancy(last []*portfolio.Lease, people []portfolio.Tenant, start clock.Date) *portfolio.Lease {
	if len(last) == 0 || len(people) == 0 {
		return nil
	}
	t := &people[0]
	l := b.like(last[0], start)
	l.TenantIDs, l.Tenants = []string{t.ID}, []portfolio.Party{{ID: t.ID, Name: t.Name, Role: portfolio.PartyPrimary}}
	return l
}

// renewal is a lease for another year to the tenants whose lease ends first, nil where no
// lease ends that can be renewed.
func (b *bookings) renewal() *portfolio.Lease {
	var ending []*portfolio.Lease
	for i := range b.leases {
		if l := &b.leases[i]; b.renewable(l) {
			ending = append(ending, l)
		}
	}
	slices.SortStableFunc(ending, func(a, c *portfolio.Lease) int { return cmp.Compare(*a.EndDate, *c.EndDate) })
	for _, l := range ending {
		next := b.like(l, *l.EndDate+1)
		next.RenewedFromLeaseID, next.MoveInDate, next.TenantIDs = &l.ID, l.MoveInDate, l.TenantIDs
		for _, p := range l.Tenants {
			p.SignedAt = nil
			next.Tenants = append(next.Tenants, p)
		}
		if !b.taken(next) {
			return next
		}
	}
	return nil
}

// renewable tells whether a lease ends and its tenants may stay.
func (b *bookings) renewable(l *portfolio.Lease) bool {
	if l.Status != portfolio.LeaseSigned && l.Status != portfolio.LeaseActive || l.EndDate == nil || l.NoticeGivenDate != nil {
		return false
	}
	return !slices.ContainsFunc(b.leases, func(o portfolio.Lease) bool {
		return o.RenewedFromLeaseID != nil && *o.RenewedFromLeaseID == l.ID && (b.open(&o) || o.Binding())
	})
}

// like is a draft for a year on the terms of another lease, but to nobody yet.
func (b *bookings) like(l *portfolio.Lease, start clock.Date) *portfolio.Lease {
	const fortnight = 14 * 24 * 60 * 60 * 1000
	return &portfolio.Lease{
		Record: portfolio.Record{ID: id.New(id.Lease, b.now.Std()), Object: "lease", Mode: l.Mode, Version: 1, CreatedAt: b.now, UpdatedAt: b.now},
		Status: portfolio.LeaseDraft, PropertyID: l.PropertyID, UnitID: l.UnitID, RentalAddress: l.RentalAddress, LeaseType: portfolio.Fixed,
		StartDate: start, EndDate: new(start.AddMonths(12) - 1), MonthlyRent: l.MonthlyRent, SecurityDeposit: l.SecurityDeposit, Currency: l.Currency,
		RentDueDay: l.RentDueDay, LateFeeAmount: l.LateFeeAmount, LateFeeGraceDays: l.LateFeeGraceDays, ExpiresAt: new(b.now + fortnight),
	}
}
