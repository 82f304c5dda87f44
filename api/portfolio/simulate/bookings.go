package simulate

import (
	"cmp"
	"slices"

	"portal/api/clock"
	"portal/api/id"
	"portal/api/portfolio"
)

// bookings are all leases of a portfolio at a moment, in ascending id.
type bookings struct {
	leases []portfolio.Lease
	now    clock.Time
}

// runs reports whether a lease is in force, will be, or may yet be signed.
func (b *bookings) runs(l *portfolio.Lease) bool {
	return l.Status == portfolio.LeaseSigned || l.Status == portfolio.LeaseActive || b.open(l)
}

// open reports whether a lease may yet be signed.
func (b *bookings) open(l *portfolio.Lease) bool {
	unsigned := l.Status == portfolio.LeaseDraft || l.Status == portfolio.LeasePendingSignature
	return unsigned && (l.ExpiresAt == nil || *l.ExpiresAt > b.now)
}

// taken reports whether another lease is in the way of one.
func (b *bookings) taken(l *portfolio.Lease) bool {
	return slices.ContainsFunc(b.leases, func(o portfolio.Lease) bool { return l.Overlaps(&o) })
}

// outForSignature is the first lease that all can sign, nil where there is none. One that was generated is
// signed by its parties alone, so that none is signed without evidence.
func (b *bookings) outForSignature() *portfolio.Lease {
	for i := range b.leases {
		if l := &b.leases[i]; b.open(l) && l.Landlord == nil && !b.taken(l) {
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

// renewable reports whether a lease ends and its tenants may stay.
func (b *bookings) renewable(l *portfolio.Lease) bool {
	if l.Status != portfolio.LeaseSigned && l.Status != portfolio.LeaseActive || l.EndDate == nil ||
		l.NoticeGivenDate != nil {
		return false
	}
	if _, inCalendar := (*l.EndDate + 1).LastOfTerm(termMonths); !inCalendar {
		return false
	}
	return !slices.ContainsFunc(b.leases, func(o portfolio.Lease) bool {
		return o.RenewedFromLeaseID != nil && *o.RenewedFromLeaseID == l.ID && (b.open(&o) || o.Binding())
	})
}

// termMonths is the term of a draft.
const termMonths = 12

// like is a draft for a year on the terms of another lease, but to nobody yet.
func (b *bookings) like(l *portfolio.Lease, start clock.Date) *portfolio.Lease {
	const fortnight = 14 * 24 * 60 * 60 * 1000
	end, _ := start.LastOfTerm(termMonths)
	return &portfolio.Lease{
		Record: portfolio.Record{
			ID:        id.New(id.Lease, b.now.Std()),
			Object:    "lease",
			Mode:      l.Mode,
			Version:   1,
			CreatedAt: b.now,
			UpdatedAt: b.now,
		},
		Status:           portfolio.LeaseDraft,
		PropertyID:       l.PropertyID,
		UnitID:           l.UnitID,
		RentalAddress:    l.RentalAddress,
		LeaseType:        portfolio.Fixed,
		StartDate:        start,
		EndDate:          &end,
		MonthlyRent:      l.MonthlyRent,
		SecurityDeposit:  l.SecurityDeposit,
		Currency:         l.Currency,
		RentDueDay:       l.RentDueDay,
		LateFeeAmount:    l.LateFeeAmount,
		LateFeeGraceDays: l.LateFeeGraceDays,
		ExpiresAt:        new(b.now + fortnight),
	}
}
