package records_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger/report"
	"portal/db/portfoliostore"
)

// on sets the clock to noon of a day in the time zone of the landlord.
func (h *leaseFixture) on(day clock.Date) {
	y, m, d := day.Std().Date()
	h.now = time.Date(y, m, d, 12, 0, 0, 0, h.by.Zone)
}

// in moves the landlord to another time zone.
func (h *leaseFixture) in(zone string) {
	h.Helper()
	var err error
	h.by.Zone, err = time.LoadLocation(zone)
	h.ok(err)
}

// ending adds an active lease that ends on a day.
func (h *leaseFixture) ending(on clock.Date) string {
	h.Helper()
	return h.adds(h.lease(portfolio.LeaseActive, on-300, h.tenants[0]), func(l *portfolio.Lease) { l.EndDate = &on })
}

// expiring is a page, as leases with their days to go.
func (h *leaseFixture) expiring(f report.ExpiringFilter) (days map[string]int, next string) {
	h.Helper()
	page, err := h.Reports.ExpiringLeases(h.Context(), h.by, f)
	h.ok(err)
	days = map[string]int{}
	for _, e := range page.Data {
		days[e.LeaseID] = e.DaysUntilEnd
	}
	next, _ = page.Next()
	return days, next
}

func TestExpiringLeasesRespectRequestedDays(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		for _, c := range []struct {
			today, end clock.Date
			days       int
		}{
			{clock.Day(2030, 1, 31), clock.Day(2030, 2, 28), 28},
			{clock.Day(2030, 1, 31), clock.Day(2030, 3, 31), 59},
			{clock.Day(2030, 12, 31), clock.Day(2031, 1, 31), 31},
			{clock.Day(2028, 2, 28), clock.Day(2028, 2, 29), 1},
			{clock.Day(2028, 2, 28), clock.Day(2028, 3, 1), 2},
			{clock.Day(2028, 2, 29), clock.Day(2029, 2, 28), 365},
			{clock.Day(2028, 1, 31), clock.Day(2028, 2, 29), 29},
			{clock.Day(2031, 3, 1), clock.Day(2032, 2, 29), 365},
			{clock.Day(2033, 6, 30), clock.Day(2033, 7, 1), 1},
		} {
			lease := h.ending(c.end)
			h.on(c.today)
			for within, want := range map[int]bool{c.days - 1: false, c.days: true, min(c.days+1, 365): true} {
				days, _ := h.expiring(report.ExpiringFilter{WithinDays: max(within, 0), Limit: 100})
				if n, listed := days[lease]; listed != want || listed && n != c.days {
					h.Errorf("%s, a lease until %s, within %d days: listed %v with %d", c.today, c.end, within,
						listed, n)
				}
			}
			for after, want := range []bool{true, false} { // the calendar has yet to turn it
				h.on(c.end + clock.Date(after))
				days, _ := h.expiring(report.ExpiringFilter{WithinDays: 1, Limit: 100})
				if n, listed := days[lease]; listed != want || n != 0 {
					h.Errorf("%d days after %s: listed %v with %d", after, c.end, listed, n)
				}
			}
		}
	})
}

func TestOnlyActiveLeaseWithEndDateExpires(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		h.on(clock.Day(2030, 1, 31))
		end := clock.Day(2030, 2, 28)
		want := map[string]int{}
		for _, status := range portfolio.LeaseDraft.Values() {
			lease := h.adds(
				h.lease(portfolio.LeaseStatus(status), end-300, h.tenants[0]),
				func(l *portfolio.Lease) { l.EndDate = &end },
			)
			if status == "active" {
				want[lease] = 28
			}
		}
		h.adds(h.lease(portfolio.LeaseActive, end-300, h.tenants[0]), func(l *portfolio.Lease) {
			l.LeaseType = portfolio.MonthToMonth
			l.EndDate = nil
		})
		rolling := h.adds(h.lease(portfolio.LeaseActive, end-300, h.tenants[0]), func(l *portfolio.Lease) {
			l.LeaseType = portfolio.FixedWithRollover
			l.EndDate = &end
		})
		want[rolling] = 28
		if days, _ := h.expiring(report.ExpiringFilter{
			WithinDays: 60,
			Limit:      100,
		}); fmt.Sprint(days) != fmt.Sprint(want) {
			h.Errorf("%v, want %v", days, want)
		}
		h.on(end + 1)
		h.ok(h.Calendar.RollOver(h.Context(), h.by.Portfolio, h.by.Zone))
		if l := h.reread(rolling); l.Status != portfolio.LeaseActive || l.EndDate != nil {
			h.Errorf("rolled over: %+v", l)
		}
		if days, _ := h.expiring(report.ExpiringFilter{WithinDays: 365, Limit: 100}); len(days) != 0 {
			h.Errorf("after the turn: %v", days)
		}
	})
}

func TestLandlordsZoneDecidesWhatExpiresToday(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		last := clock.Day(2026, 12, 31) // of the lease in force
		for _, c := range []struct {
			now  time.Time
			days map[string]int // by zone; absent where it is over
		}{
			// 23:30 in New York.
			{
				time.Date(2027, 1, 1, 4, 30, 0, 0, time.UTC),
				map[string]int{"America/New_York": 0, "Pacific/Honolulu": 0},
			},
			{time.Date(2027, 1, 1, 5, 0, 0, 0, time.UTC), map[string]int{"Pacific/Honolulu": 0}},
			{
				time.Date(2026, 12, 31, 4, 30, 0, 0, time.UTC),
				map[string]int{"America/New_York": 1, "Pacific/Honolulu": 1, "UTC": 0},
			},
			// 23:30 in Honolulu.
			{
				time.Date(2026, 12, 31, 9, 30, 0, 0, time.UTC),
				map[string]int{"America/New_York": 0, "Pacific/Honolulu": 1, "UTC": 0},
			},
		} {
			h.now = c.now
			for _, zone := range []string{"America/New_York", "Pacific/Honolulu", "UTC"} {
				h.in(zone)
				days, _ := h.expiring(report.ExpiringFilter{WithinDays: 1, Limit: 100})
				want, listed := c.days[zone]
				if n, is := days[h.let]; is != listed || n != want {
					h.Errorf("until %s, at %s in %s: listed %v with %d", last, c.now, zone, is, n)
				}
			}
		}
	})
}

func TestExpiringLeaseShowsAddressTenantsAndDates(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		h.on(clock.Day(2030, 1, 31))
		const address = "1420 Maple Avenue, Unit 2B, Austin, TX 78701"
		l := h.lease(portfolio.LeaseActive, clock.Day(2029, 3, 1), h.tenants[1], h.tenants[0])
		l.RentalAddress = address
		h.adds(l, nil)
		page, err := h.Reports.ExpiringLeases(h.Context(), h.by, report.ExpiringFilter{WithinDays: 60, Limit: 100})
		h.ok(err)
		want := report.ExpiringLease{
			LeaseID:       l.ID,
			RentalAddress: address,
			PropertyID:    l.PropertyID,
			UnitID:        l.UnitID,
			Tenants: []report.TenantName{
				{ID: h.tenants[1], Name: "Sam Rivera"},
				{ID: h.tenants[0], Name: "Dana Rivera"},
			},
			StartDate:    l.StartDate,
			EndDate:      clock.Day(2030, 2, 28),
			DaysUntilEnd: 28,
			MonthlyRent:  l.MonthlyRent,
			Currency:     "USD",
		}
		if fmt.Sprint(page.Data) != fmt.Sprint([]report.ExpiringLease{want}) || page.HasMore || page.NextCursor != nil {
			h.Errorf("%+v", page)
		}
	})
}

// walkEnds visits the ends page by page; between two pages something may happen.
func (h *leaseFixture) walkEnds(f report.ExpiringFilter, between func(page int)) (visited []string) {
	h.Helper()
	for n := 0; ; n++ {
		page, err := h.Reports.ExpiringLeases(h.Context(), h.by, f)
		h.ok(err)
		if len(page.Data) > f.Limit || page.HasMore != (page.NextCursor != nil) ||
			page.HasMore && len(page.Data) < f.Limit {
			h.Fatalf("%d of %d, more %v, next %v", len(page.Data), f.Limit, page.HasMore, page.NextCursor)
		}
		for _, e := range page.Data {
			visited = append(visited, e.LeaseID)
		}
		if !page.HasMore {
			return visited
		}
		f.StartingAfter = *page.NextCursor
		if between != nil {
			between(n)
		}
	}
}

// many adds leases, several of which end on the same day, and is their ids in the order
// of their ends.
func (h *leaseFixture) many(n int, first clock.Date) (ids []string) {
	h.Helper()
	type end struct {
		on clock.Date
		id string
	}
	var all []end
	var book portfolio.Book
	for i := range n {
		l := h.lease(portfolio.LeaseActive, first-300, h.tenants[0])
		l.EndDate = new(first + clock.Date(i*7%n/3))
		book.Leases, all = append(book.Leases, l), append(all, end{*l.EndDate, l.ID})
	}
	h.ok(portfoliostore.New(h.db).AddPeople(h.Context(), h.by.Portfolio, &book))
	slices.SortFunc(all, func(a, b end) int {
		if a.on != b.on {
			return int(a.on - b.on)
		}
		return strings.Compare(a.id, b.id)
	})
	for _, e := range all {
		ids = append(ids, e.id)
	}
	return ids
}

func TestLeasesEndingSameDayPageWithoutLoss(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		h.on(clock.Day(2030, 1, 31))
		ids := h.many(25, clock.Day(2030, 2, 1))
		for _, limit := range []int{1, 2, 4, 24, 25, 26, 100} {
			if got := h.walkEnds(report.ExpiringFilter{WithinDays: 60, Limit: limit}, nil); !slices.Equal(got, ids) {
				h.Errorf("by %d: %d of %d", limit, len(got), len(ids))
			}
		}
	})
}

// A cursor is a position in the order, so it works although its lease is gone from it.
func TestExpiringCursorSurvivesRemovedLease(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		h.on(clock.Day(2030, 1, 31))
		ids := h.many(12, clock.Day(2030, 2, 1))
		left := slices.Clone(ids)
		got := h.walkEnds(report.ExpiringFilter{WithinDays: 60, Limit: 2}, func(page int) {
			// The last lease of the page.
			l, err := portfoliostore.New(h.db).Lease(h.Context(), h.by.Portfolio, ids[2*page+1])
			h.ok(err)
			if l.Status = portfolio.LeaseTerminated; page%2 == 1 {
				l.Status, l.EndDate = portfolio.LeaseActive, new(clock.Day(2035, 1, 1))
			}
			h.ok(portfoliostore.New(h.db).SaveLease(h.Context(), h.by.Portfolio, &l))
		})
		if !slices.Equal(got, left) {
			h.Errorf("%d of %d", len(got), len(left))
		}
	})
}

func TestHundredExpiringLeasesFitOnePage(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		h.on(clock.Day(2030, 1, 31))
		all := report.ExpiringFilter{WithinDays: 60, Limit: 100}
		h.many(100, clock.Day(2030, 2, 1))
		if days, next := h.expiring(all); len(days) != 100 || next != "" {
			h.Errorf("%d of 100, next %q", len(days), next)
		}
		last := h.ending(clock.Day(2030, 3, 31))
		days, next := h.expiring(all)
		if _, listed := days[last]; len(days) != 100 || len(next) == 0 || len(next) > 100 || listed {
			h.Errorf("%d of 101, next %q", len(days), next)
		}
		all.StartingAfter = next
		if days, next = h.expiring(all); len(days) != 1 || days[last] != 59 || next != "" {
			h.Errorf("the second page: %v, next %q", days, next)
		}
	})
}

func TestInvalidExpiringCursorsAreRefused(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		for _, bad := range []string{
			"x",
			h.let,
			"2026-12-31",
			"2026-12-31_",
			"2026-12-31_lea_1",
			"2026-02-30_" + h.let,
			"2026-12-31-" + h.let,
			"2026-12-31_" + h.tenants[0],
			"2026-12-31_" + h.let + "_",
			"12026-12-31_" + h.let,
			strings.Repeat("9", 101),
		} {
			_, err := h.Reports.ExpiringLeases(h.Context(), h.by, report.ExpiringFilter{
				WithinDays:    60,
				Limit:         100,
				StartingAfter: bad,
			})
			if !fault.Is(err, fault.InvalidCursor) || fault.From(err).Param != "starting_after" {
				h.Errorf("%q: %v", bad, err)
			}
		}
		for _, none := range []string{"9999-12-31_" + h.let, "1600-01-01_" + h.open} {
			if _, err := h.Reports.ExpiringLeases(h.Context(), h.by, report.ExpiringFilter{
				WithinDays:    60,
				Limit:         100,
				StartingAfter: none,
			}); err != nil {
				h.Errorf("%q: %v", none, err)
			}
		}
	})
}

func TestExpiringLeasesAreScopedToPortfolioAndProperty(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		u := h.home.Unit[access.Live]
		for property, want := range map[string]int{
			"":                                  1,
			u.PropertyID:                        1,
			h.home.Unit[access.Test].PropertyID: 0,
			"prop_none":                         0,
		} {
			if days, _ := h.expiring(report.ExpiringFilter{
				WithinDays: 60,
				Limit:      100,
				PropertyID: property,
			}); len(days) != want {
				h.Errorf("of %q: %v", property, days)
			}
		}
		for _, in := range h.others() {
			h.by.Portfolio = in
			if days, _ := h.expiring(report.ExpiringFilter{WithinDays: 365, Limit: 100}); len(days) != 0 {
				h.Errorf("in another portfolio: %v", days)
			}
		}
	})
}
