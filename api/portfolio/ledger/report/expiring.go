package report

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/money"
	"portal/api/portfolio"
)

// ExpiringFilter says which ends of leases are looked for.
type ExpiringFilter struct {
	// How many days ahead to look, today included.
	WithinDays int `in:"query" name:"within_days" min:"1" max:"365" default:"60"`
	// Only leases of this property.
	PropertyID string `in:"query" name:"property_id" format:"ref" prefix:"prop"`
	// How many leases a page holds at most.
	Limit int `in:"query" name:"limit" min:"1" max:"100" default:"100"`
	// The next_cursor of the page before.
	StartingAfter string `in:"query" name:"starting_after" format:"position" example:"2026-12-31_lea_01KA5R2M7Q8D4E6F9G1H3J5K7M"`
}

// ExpiringLease is an active lease whose last day comes soon.
type ExpiringLease struct {
	// The lease.
	LeaseID string `json:"lease_id" format:"id" prefix:"lea"`
	// The unit's address in one line.
	RentalAddress string `json:"rental_address" example:"1420 Maple Avenue, Unit 2B, Austin, TX 78701"`
	// The property.
	PropertyID string `json:"property_id" format:"id" prefix:"prop"`
	// The unit.
	UnitID string `json:"unit_id" format:"id" prefix:"unit"`
	// The parties; the first is the primary tenant.
	Tenants []TenantName `json:"tenants"`
	// First day.
	StartDate clock.Date `json:"start_date"`
	// Last day.
	EndDate clock.Date `json:"end_date"`
	// Days from today to the last day.
	DaysUntilEnd int `json:"days_until_end" min:"0" max:"365" example:"48"`
	// Monthly rent, in dollars.
	MonthlyRent money.Cents `json:"monthly_rent"`
	// Currency of the amounts.
	Currency string `json:"currency" const:"USD"`
}

// TenantName is a tenant by name.
type TenantName struct {
	// The tenant.
	ID string `json:"id" format:"id" prefix:"ten"`
	// The tenant's name.
	Name string `json:"name" by:"tenant" maxlen:"255" example:"Dana Whitfield"`
}

// Ends asks the store for active leases by their last day: those behind a position,
// through a day. Without a property it asks for those of all.
type Ends struct {
	PropertyID string
	After      End
	Through    clock.Date
	Limit      int
}

// End is a position in the order of ends: a last day and a lease that has it. It stays
// one when the lease is gone or ends on another day.
type End struct {
	Day     clock.Date
	LeaseID string
}

// ExpiringLeases lists the active leases whose last day is today or one of the days
// that follow, the soonest first, then in ascending id. One without a last day goes on
// by the month and is not among them; one that rolls over on its last day is.
func (s *Reports) ExpiringLeases(
	ctx context.Context, by access.Actor, f ExpiringFilter,
) (*list.Page[ExpiringLease], error) {
	after, err := endOf(f.StartingAfter)
	if err != nil {
		return nil, err
	}
	today := s.Today(by)
	if after.Day < today {
		after = End{Day: today}
	}
	leases, err := s.store.ExpiringLeases(ctx, by.Portfolio, Ends{
		f.PropertyID,
		after,
		today.AddDays(f.WithinDays),
		f.Limit,
	})
	rows := make([]ExpiringLease, len(leases))
	for i := range leases {
		rows[i] = expiring(&leases[i], today)
	}
	return list.Of(rows, f.Limit, (*ExpiringLease).cursor), err
}

// expiring is what is told of a lease that has a last day.
func expiring(l *portfolio.Lease, today clock.Date) ExpiringLease {
	e := ExpiringLease{
		LeaseID:       l.ID,
		RentalAddress: l.RentalAddress,
		PropertyID:    l.PropertyID,
		UnitID:        l.UnitID,
		Tenants:       make([]TenantName, len(l.Tenants)),
		StartDate:     l.StartDate,
		EndDate:       *l.EndDate,
		DaysUntilEnd:  int(*l.EndDate - today),
		MonthlyRent:   l.MonthlyRent,
		Currency:      l.Currency,
	}
	for i, p := range l.Tenants {
		e.Tenants[i] = TenantName{p.ID, p.Name}
	}
	return e
}

func (e *ExpiringLease) cursor() string { return e.EndDate.String() + "_" + e.LeaseID }

// endOf reads a cursor, which begins with a day; none is before every day.
func endOf(cursor string) (End, error) {
	if cursor == "" {
		return End{}, nil
	}
	const width = len("2026-12-31")
	if len(cursor) > width && cursor[width] == '_' && id.Valid(id.Lease, cursor[width+1:]) {
		if day, err := clock.ParseDate(cursor[:width]); err == nil {
			return End{day, cursor[width+1:]}, nil
		}
	}
	return End{}, fault.Of(fault.InvalidCursor).At("starting_after")
}
