package demo

import (
	"testing"
	"time"

	"portal/api/clock"
	"portal/api/portfolio"
)

func TestOpenEndedLeaseRentStopsAtLastDay(t *testing.T) {
	t.Parallel()
	for _, end := range []*clock.Date{nil, new(clock.LastDay)} {
		l := &portfolio.Lease{
			StartDate:   clock.Day(9999, 9, 15),
			EndDate:     end,
			MonthlyRent: 1450_00,
			RentDueDay:  1,
		}
		b := &ledger{draft: &draft{
			calendar: calendar{today: clock.LastDay, zone: time.UTC},
			units:    map[string]*portfolio.Unit{"": {}},
		}}
		var rows []portfolio.Payment
		for p := range b.months(l) {
			rows = append(rows, p)
		}
		if len(rows) != 4 || *rows[3].PeriodStart != clock.Day(9999, 12, 1) || *rows[3].PeriodEnd != clock.LastDay {
			t.Errorf("until %v: %+v", end, rows)
		}
	}
}
