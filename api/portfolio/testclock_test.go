package portfolio_test

import (
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/portfolio"
)

// Every hour of a week in which daylight saving time ends, by clocks that are ahead by up to a year.
func TestMoneyThatComesNowComesOnTodayOfTestClock(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"Pacific/Honolulu", "America/New_York"} {
		zone, err := clock.Zone(name)
		if err != nil {
			t.Fatal(err)
		}
		for hour := range 24 * 7 {
			now := time.Date(2026, time.October, 29, hour, 30, 0, 0, time.UTC)
			s := portfolio.Common{Clock: clock.ForAll(func() time.Time { return now })}
			for ahead := range 366 {
				by := access.Actor{Portfolio: access.Portfolio{Ahead: ahead}, Zone: zone}
				today := clock.DateOf(now, zone) + clock.Date(ahead)
				at := s.MomentToday(by)
				if s.Today(by) != today || clock.DateOf(at.Std(), zone) != today {
					t.Fatalf("%s, %d days ahead: today is %s, money comes at %s", now, ahead, s.Today(by), at)
				}
			}
		}
	}
}
