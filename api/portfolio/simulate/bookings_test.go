package simulate

import (
	"testing"

	"portal/api/clock"
	"portal/api/portfolio"
)

func TestALeaseIsRenewedOnlyWhereAnotherYearIsInTheCalendar(t *testing.T) {
	t.Parallel()
	for end, want := range map[clock.Date]clock.Date{
		clock.Day(2026, 12, 31): clock.Day(2027, 12, 31),
		clock.Day(9998, 12, 31): clock.LastDay,
		clock.Day(9999, 1, 1):   0,
		clock.LastDay:           0,
	} {
		l := portfolio.Lease{Status: portfolio.LeaseActive, StartDate: end - 364, EndDate: &end}
		b := &bookings{leases: []portfolio.Lease{l}}
		switch next := b.renewal(); {
		case want == 0 && next != nil:
			t.Errorf("the lease until %s is renewed from %s to %s", end, next.StartDate, next.EndDate)
		case want != 0 && (next == nil || next.StartDate != end+1 || *next.EndDate != want):
			t.Errorf("the lease until %s is renewed as %+v", end, next)
		}
	}
	if got := nextFirst(clock.Day(2026, 12, 31)); got != clock.Day(2027, 1, 1) {
		t.Errorf("the next month begins on %s", got)
	}
}
