package cell_test

import (
	"fmt"
	"testing"
	"time"

	"portal/api/clock"
	"portal/api/portfolio/rentroll/cell"
)

func TestDateReadsDaysInBothOrders(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][2]string{ // month first, day first; "" is not a date
		"2026-02-01": {"2026-02-01", "2026-02-01"}, "2026/2/1": {"2026-02-01", "2026-02-01"},
		"2/1/2026": {"2026-02-01", "2026-01-02"}, "2/1/26": {"2026-02-01", "2026-01-02"},
		"2-1-2026": {"2026-02-01", "2026-01-02"},
		"2.1.2026": {"2026-02-01", "2026-01-02"}, "02/02/2026": {"2026-02-02", "2026-02-02"},
		"1/15/26": {"2026-01-15", ""},
		"1/14/27": {"2027-01-14", ""}, "15/1/26": {"", "2026-01-15"}, "4/1/24": {"2024-04-01", "2024-01-04"},
		"2/1/70": {"1970-02-01", "1970-01-02"}, "2/1/99": {"1999-02-01", "1999-01-02"},
		"2/1/69":     {"2069-02-01", "2069-01-02"},
		"02/28/2027": {"2027-02-28", ""}, "03/01/2026": {"2026-03-01", "2026-01-03"},
		"06/15/2025": {"2025-06-15", ""},
		"11/30/2026": {"2026-11-30", ""}, "09/01/2026": {"2026-09-01", "2026-01-09"},
		"2/29/2024":   {"2024-02-29", ""},
		"Feb 1, 2026": {"2026-02-01", "2026-02-01"}, "Jan 31, 2027": {"2027-01-31", "2027-01-31"},
		"February 1 2026": {"2026-02-01", "2026-02-01"}, "1-Jan-25": {"2025-01-01", "2025-01-01"},
		"1 January 2025": {"2025-01-01", "2025-01-01"}, "Jan-1-2025": {"2025-01-01", "2025-01-01"},
		"1 enero 2025": {"2025-01-01", "2025-01-01"}, "1 de enero de 2025": {"2025-01-01", "2025-01-01"},
		"15-ene-25": {"2025-01-15", "2025-01-15"}, "SEPT. 3RD, 2025": {"2025-09-03", "2025-09-03"},
		"2025-Dec-31": {"2025-12-31", "2025-12-31"}, "Jan 1 '25": {"2025-01-01", "2025-01-01"},
		"20260201": {"2026-02-01", "2026-02-01"}, "2026-02-01 00:00": {"2026-02-01", "2026-02-01"},
		"2026-02-01 00:00:00": {"2026-02-01", "2026-02-01"}, "2/1/2026 12:00:00 AM": {"2026-02-01", "2026-01-02"},
		"2026-02-01T00:00:00": {"2026-02-01", "2026-02-01"}, "2/1/2026 0:00": {"2026-02-01", "2026-01-02"},
		"46143": {"2026-05-01", "2026-05-01"}, "46507": {"2027-04-30", "2027-04-30"},
		"45992":   {"2025-12-01", "2025-12-01"},
		"46143.0": {"2026-05-01", "2026-05-01"}, "20000": {"1954-10-03", "1954-10-03"},
		"80000":          {"2119-01-11", "2119-01-11"},
		"\u200e2/1/2026": {"2026-02-01", "2026-01-02"}, "2027-01-31": {"2027-01-31", "2027-01-31"},
	} {
		for order, day := range want {
			got, ok := cell.Date(in, cell.Order(order))
			if ok != (day != "") || ok && got.String() != day {
				t.Errorf("Date(%q, %d) = %s, %t; want %q", in, order, got, ok, day)
			}
		}
		m, d := cell.Orders(in)
		if m != (want[0] != "") || d != (want[1] != "") {
			t.Errorf("Orders(%q) = %t, %t", in, m, d)
		}
	}
}

func TestDateRefusesWhatIsNoDay(t *testing.T) {
	t.Parallel()
	for _, in := range append(hostile(),
		"2-Jan", "Jan 2026", "Feb-26", "2026", "2026-02", "2026-02-30", "2/30/2026", "13/13/2026", "0/1/2026",
		"1/0/1900",
		"2/1/026", "2/1/20266", "2/1-2026", "2026-02-01 14:30", "2/1/2026 12:00:00 PM", "46143.5", "19999",
		"80001", "4614",
		"201300101", "02012026", "20261301", "1899-12-31", "2200-01-01", "0026-02-01", "Foo 1, 2026",
		"Feb 1st 2 2026",
		"MTM", "month to month", "Feb 30, 2026", "-2026-02-01", "2/1/2026-1/31/2027", "1/1",
		"As of: 11/20/2026", "2 / 1 / 2026",
	) {
		if m, d := cell.Orders(in); m || d {
			t.Errorf("Orders(%.40q) = %t, %t; want a refusal", in, m, d)
		}
	}
	if _, ok := cell.Date("2026-02-01", 5); ok {
		t.Error("a date is read in an order that there is not")
	}
}

// TestDateReadsEveryDayInEveryForm holds for each day of 40 years.
func TestDateReadsEveryDayInEveryForm(t *testing.T) {
	t.Parallel()
	epoch := clock.Day(1899, time.December, 30)
	for d := clock.Day(1999, time.January, 1); d < clock.Day(2039, time.January, 1); d++ {
		for _, form := range []string{
			"2006-01-02", "20060102", "Jan 2, 2006", "January 2 2006", "2-Jan-06", "2 January 2006",
			"2006-01-02 15:04:05",
		} {
			if got, ok := cell.Date(d.Std().Format(form), cell.DayFirst); !ok || got != d {
				t.Fatalf("%s is read as %s, %t", d.Std().Format(form), got, ok)
			}
		}
		for form, order := range map[string]cell.Order{
			"1/2/2006": cell.MonthFirst, "01-02-06": cell.MonthFirst, "2/1/2006": cell.DayFirst,
			"02.01.06": cell.DayFirst,
		} {
			if got, ok := cell.Date(d.Std().Format(form), order); !ok || got != d {
				t.Fatalf("%s is read as %s, %t", d.Std().Format(form), got, ok)
			}
		}
		if got, ok := cell.Date(fmt.Sprint(int(d-epoch)), cell.MonthFirst); !ok || got != d {
			t.Fatalf("%d is read as %s, %t", d-epoch, got, ok)
		}
	}
}

func FuzzDateIsReadInTheOrdersThatOrdersTells(f *testing.F) {
	for _, s := range append(hostile(), "2/1/2026", "15/1/26", "Feb 1, 2026", "46143", "1 de enero de 2025") {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m, d := cell.Orders(s)
		first, firstOK := cell.Date(s, cell.MonthFirst)
		second, secondOK := cell.Date(s, cell.DayFirst)
		if m != firstOK || d != secondOK {
			t.Errorf("Orders(%q) = %t, %t, and Date is %t, %t", s, m, d, firstOK, secondOK)
		}
		if m && d && first != second { // ambiguous: day and month are exchanged
			a, b := first.Std(), second.Std()
			if a.Year() != b.Year() || int(a.Month()) != b.Day() || a.Day() != int(b.Month()) {
				t.Errorf("%q is %s and %s", s, first, second)
			}
		}
		for _, day := range []clock.Date{first, second} {
			if again, ok := cell.Date(day.String(), cell.MonthFirst); !ok || again != day {
				t.Errorf("%q is %s, which is not read back", s, day)
			}
		}
	})
}
