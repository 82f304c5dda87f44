package report

import (
	"context"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
)

// MostCounted is how many of a kind an overview counts; one more stands for any number above.
const MostCounted = 1000

// Overview is what is due, what is overdue and what is open in a portfolio.
type Overview struct {
	Today           clock.Date
	Rent            []RentDay // by the day, in no order
	Overdue         Overdue
	Expiring        Expiring
	Tickets         map[portfolio.Priority]int // that are open, at most MostCounted + 1 of each
	OldestEmergency clock.Time                 // when it was opened; 0 for none
}

// RentDay is the rent that is due on a day, without what is void or was refunded.
type RentDay struct {
	Day            clock.Date
	Due, Collected money.Cents
}

// Overdue is what should have been paid before today: the oldest MostCounted + 1 charges.
type Overdue struct {
	Charges, Leases int
	Sum             money.Cents // that is owed
}

// Expiring is which leases are out for signature that expire soon.
type Expiring struct {
	Leases  int
	First   clock.Time // when the first one expires
	Address string     // of one of them
}

// OverviewWindow says what is looked for.
type OverviewWindow struct {
	From, Until clock.Date // the days of rent, the last one not included
	Today       clock.Date
	Now, Soon   clock.Time // between which the time to sign ends
}

// SignSoon is how long before a lease can be signed no more an overview says so.
const SignSoon = 7 * 24 * time.Hour

// Overview reads a portfolio's overview with the rent of so many months, the last of which is
// this one in the landlord's time zone.
func (s *Reports) Overview(ctx context.Context, by access.Actor, months int) (*Overview, error) {
	now, today := clock.At(s.Now(by.Portfolio)), s.Today(by)
	first := today.Std()
	first = time.Date(first.Year(), first.Month(), 1, 0, 0, 0, 0, time.UTC)
	o, err := s.store.Overview(ctx, by.Portfolio, OverviewWindow{
		From:  clock.DateOf(first.AddDate(0, 1-months, 0), time.UTC),
		Until: clock.DateOf(first.AddDate(0, 1, 0), time.UTC),
		Today: today,
		Now:   now,
		Soon:  now + clock.Time(SignSoon/time.Millisecond),
	})
	o.Today = today
	if err != nil {
		return nil, err
	}
	return &o, nil
}
