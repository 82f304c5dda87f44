package rentroll_test

import (
	"fmt"
	"strings"
	"testing"

	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/portfolio/rentroll"
)

// A lease of the portfolio is compared with a file of November 2026.
func TestLastDayAndTypeAreComparedAsTheyHold(t *testing.T) {
	const (
		fixed   = portfolio.Fixed
		rolling = portfolio.FixedWithRollover
		monthly = portfolio.MonthToMonth
	)
	past, later := new(clock.Day(2026, 6, 30)), new(clock.Day(2027, 6, 30))
	for _, c := range []struct {
		name    string
		kind    portfolio.LeaseType
		end     *clock.Date
		renewed clock.Date // the day from which another lease renews it, 0 for none
		says    string     // last day and type
		want    string
	}{
		{"it has rolled over", rolling, past, 0, ",month_to_month", ""},
		{"it will roll over", rolling, later, 0, ",month_to_month", "[{lease_type fixed_with_rollover month_to_month}]"},
		{"it has an end", fixed, later, 0, ",month_to_month", "[{end_date 2027-06-30 } {lease_type fixed month_to_month}]"},
		{"it is renewed", monthly, nil, clock.Day(2027, 3, 1), "2027-02-28,month_to_month", ""},
		{"it is renewed early", fixed, later, clock.Day(2027, 3, 1), "2027-02-28,fixed", ""},
		{"it has rolled over and is renewed", rolling, past, clock.Day(2027, 3, 1), "2027-02-28,fixed_with_rollover", ""},
		{
			"it is renewed on another day", monthly, nil, clock.Day(2027, 3, 2), "2027-02-28,month_to_month",
			"[{end_date  2027-02-28}]",
		},
		{
			"it ends before the renewal", fixed, new(clock.Day(2026, 12, 31)), clock.Day(2027, 3, 1), "2027-02-28,fixed",
			"[{end_date 2026-12-31 2027-02-28}]",
		},
		{"nothing renews it", fixed, later, 0, "2027-02-28,fixed", "[{end_date 2027-06-30 2027-02-28}]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := existing()
			l := &rentroll.HeldLease{
				ID: "lea_1", UnitID: "unit_2B", Version: 1, Status: portfolio.LeaseActive, Type: c.kind,
				Start: clock.Day(2026, 1, 1), End: c.end, Rent: 900_00, DueDay: 1,
			}
			x.AddLease(l)
			x.AddTenant("lea_1", &rentroll.HeldTenant{ID: "ten_1", First: "Per", Last: "Lind"})
			if c.renewed != 0 {
				l.RenewedTo = new("lea_2")
				x.AddLease(&rentroll.HeldLease{
					ID: "lea_2", UnitID: "unit_2B", Version: 1, Status: portfolio.LeaseSigned, Type: fixed,
					Start: c.renewed, End: new(clock.Day(2028, 2, 29)), Rent: 950_00, DueDay: 1,
				})
			}
			const head = "street_address,city,state,unit_number,tenant_name,lease_start,monthly_rent,lease_end,lease_type\n"
			p := plan(t, head+"1420 Maple Avenue,Austin,TX,2B,Per Lind,2026-01-01,900,"+c.says+"\n", x)
			var got []string
			for _, change := range p.Changes {
				got = append(got, fmt.Sprint(change.Fields))
			}
			if all := strings.Join(got, " "); all != c.want {
				t.Errorf("changes %s, want %s", all, c.want)
			}
		})
	}
}
