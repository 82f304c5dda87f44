package simulate

import (
	"cmp"
	"slices"

	"portal/api/agreement"
	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/terms"
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

// let reports whether one of the leases runs on a day or after it.
func (b *bookings) let(day clock.Date) bool {
	return slices.ContainsFunc(b.leases, func(l portfolio.Lease) bool {
		return b.runs(&l) && (l.EndDate == nil || *l.EndDate >= day)
	})
}

// outForSignature are the leases that were generated and that all can sign now.
func (b *bookings) outForSignature() (all []*portfolio.Lease) {
	for i := range b.leases {
		if l := &b.leases[i]; l.Landlord != nil && b.open(l) && !b.taken(l) {
			all = append(all, l)
		}
	}
	return all
}

// newTenancy is a lease to a newcomer on the terms of the one before it, nil where no unit
// is vacant or nobody looks for one.
func (b *bookings) newTenancy(
	last []*portfolio.Lease, people []portfolio.Tenant, start clock.Date,
) *agreement.LeaseGenerate {
	if len(last) == 0 || len(people) == 0 {
		return nil
	}
	g := like(last[0], start)
	g.TenantID = people[0].ID
	return g
}

// renewals are the leases that can be renewed for another year, those that end first before the others.
func (b *bookings) renewals() (all []*portfolio.Lease) {
	for i := range b.leases {
		l := &b.leases[i]
		if !b.renewable(l) {
			continue
		}
		end, _ := (*l.EndDate + 1).LastOfTerm(termMonths)
		next := portfolio.Lease{
			UnitID:             l.UnitID,
			Status:             portfolio.LeaseDraft,
			StartDate:          *l.EndDate + 1,
			EndDate:            &end,
			RenewedFromLeaseID: &l.ID,
		}
		if !b.taken(&next) {
			all = append(all, l)
		}
	}
	slices.SortStableFunc(all, func(a, c *portfolio.Lease) int { return cmp.Compare(*a.EndDate, *c.EndDate) })
	return all
}

// renewal is a lease for another year to the tenants of one that ends.
func renewal(l *portfolio.Lease) *agreement.LeaseGenerate {
	g := like(l, *l.EndDate+1)
	guarantors := l.GuarantorIDs()
	renters := slices.DeleteFunc(slices.Clone(l.TenantIDs), func(tenantID string) bool {
		return slices.Contains(guarantors, tenantID)
	})
	g.TenantID, g.RenewsLeaseID = renters[0], &l.ID
	if len(renters) > 1 {
		g.AdditionalTenantIDs = new(renters[1:])
	}
	return g
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

// like is a lease for a year on the terms of another lease, but to nobody yet.
func like(l *portfolio.Lease, start clock.Date) *agreement.LeaseGenerate {
	end, _ := start.LastOfTerm(termMonths)
	return &agreement.LeaseGenerate{
		PropertyID:       l.PropertyID,
		UnitID:           &l.UnitID,
		LeaseType:        new(portfolio.Fixed),
		StartDate:        start,
		EndDate:          &end,
		MonthlyRent:      l.MonthlyRent,
		SecurityDeposit:  l.SecurityDeposit,
		RentDueDay:       &l.RentDueDay,
		LateFeeAmount:    l.LateFeeAmount,
		LateFeeFrequency: new(terms.Once),
		LateFeeGraceDays: l.LateFeeGraceDays,
		ExpiresInDays:    14,
		LeadPaint:        &terms.LeadPaint{Hazards: terms.NoHazards, Records: terms.NoRecords},
	}
}
