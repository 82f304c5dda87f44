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
	WithinDays    int    `in:"query" name:"within_days" min:"1" max:"365" default:"60" doc:"How many days ahead to look, today included."`
	PropertyID    string `in:"query" name:"property_id" format:"ref" prefix:"prop" doc:"Only leases of this property."`
	Limit         int    `in:"query" name:"limit" min:"1" max:"100" default:"100" doc:"How many leases a page holds at most."`
	StartingAfter string `in:"query" name:"starting_after" format:"position" example:"2026-12-31_lea_01KA5R2M7Q8D4E6F9G1H3J5K7M" doc:"The next_cursor of the page before."`
}

// ExpiringLease is an active lease whose last day comes soon.
type ExpiringLease struct {
	LeaseID       string       `json:"lease_id" format:"id" prefix:"lea" doc:"The lease."`
	RentalAddress string       `json:"rental_address" example:"1420 Maple Avenue, Unit 2B, Austin, TX 78701" doc:"The unit's address in one line."`
	PropertyID    string       `json:"property_id" format:"id" prefix:"prop" doc:"The property."`
	UnitID        string       `json:"unit_id" format:"id" prefix:"unit" doc:"The unit."`
	Tenants       []TenantName `json:"tenants" doc:"The parties; the first is the primary tenant."`
	StartDate     clock.Date   `json:"start_date" doc:"First day."`
	EndDate       clock.Date   `json:"end_date" doc:"Last day."`
	DaysUntilEnd  int          `json:"days_until_end" min:"0" max:"365" example:"48" doc:"Days from today to the last day."`
	MonthlyRent   money.Cents  `json:"monthly_rent" doc:"Monthly rent, in dollars."`
	Currency      string       `json:"currency" const:"USD" doc:"Currency of the amounts."`
}

// TenantName is a tenant by name.
type TenantName struct {
	ID   string `json:"id" format:"id" prefix:"ten" doc:"The tenant."`
	Name string `json:"name" by:"tenant" maxlen:"255" example:"Dana Whitfield" doc:"The tenant's name."`
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
func (s *Reports) ExpiringLeases(ctx context.Context, by access.Actor, f ExpiringFilter) (*list.Page[ExpiringLease], error) {
	after, err := endOf(f.StartingAfter)
	if err != nil {
		return nil, err
	}
	today := s.Today(by)
	if after.Day < today {
		after = End{Day: today}
	}
	leases, err := s.store.ExpiringLeases(ctx, by.Portfolio, Ends{f.PropertyID, after, today.AddDays(f.WithinDays), f.Limit})
	rows := make([]ExpiringLease, len(leases))
	for i := range leases {
		rows[i] = expiring(&leases[i], today)
	}
	return list.Of(rows, f.Limit, (*ExpiringLease).cursor), err
}

// expiring is what is told of a lease that has a last day.
func expiring(l *portfolio.Lease, today clock.Date) ExpiringLease {
	e := ExpiringLease{LeaseID: l.ID, RentalAddress: l.RentalAddress, PropertyID: l.PropertyID, UnitID: l.UnitID, Tenants: make([]TenantName, len(l.Tenants)),
		StartDate: l.StartDate, EndDate: *l.EndDate, DaysUntilEnd: int(*l.EndDate - today), MonthlyRent: l.MonthlyRent, Currency: l.Currency}
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
