package simulate

import (
	"testing"

	"portal/api/clock"
	"portal/api/portfolio"
)

func TestLeaseIsRenewedOnlyWithinSupportedDates(t *testing.T) {
	t.Parallel()
	for end, want := range map[clock.Date]clock.Date{
		clock.Day(2026, 12, 31): clock.Day(2027, 12, 31),
		clock.Day(9998, 12, 31): clock.LastDay,
		clock.Day(9999, 1, 1):   0,
		clock.LastDay:           0,
	} {
		l := portfolio.Lease{
			Record:    portfolio.Record{ID: "lea_1"},
			Status:    portfolio.LeaseActive,
			TenantIDs: []string{"ten_1"},
			StartDate: end - 364,
			EndDate:   &end,
		}
		b := &bookings{leases: []portfolio.Lease{l}}
		all := b.renewals()
		if (len(all) == 1) != (want != 0) {
			t.Errorf("the lease until %s: %d renewals", end, len(all))
			continue
		}
		if want == 0 {
			continue
		}
		if g := renewal(all[0]); g.StartDate != end+1 || *g.EndDate != want || *g.RenewsLeaseID != l.ID {
			t.Errorf("the lease until %s is renewed as %+v", end, g)
		}
	}
	if got := nextFirst(clock.Day(2026, 12, 31)); got != clock.Day(2027, 1, 1) {
		t.Errorf("the next month begins on %s", got)
	}
}
