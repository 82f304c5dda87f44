package clock

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestDateFormatMatchesStandardLibrary(t *testing.T) {
	t.Parallel()
	from, until := Day(1600, 1, 1), Day(9999, 12, 31)
	for d := from; d <= until; d += 13 {
		if want := d.Std().Format(time.DateOnly); d.String() != want {
			t.Fatalf("day %d is %s, want %s", d, d, want)
		}
	}
	for _, d := range []Date{
		from,
		until,
		Day(1600, 2, 29),
		Day(1900, 2, 28),
		Day(1900, 3, 1),
		Day(1969, 12, 31),
		0,
		Day(2000, 2, 29),
		Day(2100, 3, 1),
		Day(0, 1, 1),
		Day(0, 2, 29),
	} {
		if want := d.Std().Format(time.DateOnly); d.String() != want {
			t.Errorf("day %d is %s, want %s", d, d, want)
		}
	}
}

func TestTimeIsFormattedInUTCWithMilliseconds(t *testing.T) {
	t.Parallel()
	const layout = "2006-01-02T15:04:05.000Z"
	first := time.Date(1600, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
	last := time.Date(9999, 12, 31, 23, 59, 59, 999e6, time.UTC).UnixMilli()
	for _, ms := range []int64{first, last, 0, -1, 1, 86_399_999, 86_400_000, -86_400_000, -86_400_001} {
		if got, want := Time(ms).String(), time.UnixMilli(ms).UTC().Format(layout); got != want {
			t.Errorf("%d is %s, want %s", ms, got, want)
		}
	}
	for range 20_000 {
		ms := first + rand.Int64N(last-first)
		if got, want := Time(ms).String(), time.UnixMilli(ms).UTC().Format(layout); got != want {
			t.Fatalf("%d is %s, want %s", ms, got, want)
		}
	}
	if At(time.Unix(0, 1_999_999)) != 1 || At(time.Unix(1, 0).In(time.FixedZone("", 7200))) != 1000 {
		t.Error("a moment is not cut to the millisecond")
	}
}

func TestTimeParsesWithAnyOffset(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"2026-11-02T16:20:11Z":         "2026-11-02T16:20:11.000Z",
		"2026-11-02T16:20:11.482Z":     "2026-11-02T16:20:11.482Z",
		"2026-11-02T16:20:11.4829999Z": "2026-11-02T16:20:11.482Z",
		"2026-11-02T16:20:11.5+01:00":  "2026-11-02T15:20:11.500Z",
		"2026-11-02T16:20:11-23:59":    "2026-11-03T16:19:11.000Z",
		"2026-11-02T16:20:11+00:00":    "2026-11-02T16:20:11.000Z",
		"2026-11-02T16:20:11-00:00":    "2026-11-02T16:20:11.000Z",
		"1970-01-01T00:00:00Z":         "1970-01-01T00:00:00.000Z",
		"1970-01-01T01:00:00+01:00":    "1970-01-01T00:00:00.000Z",
		"1969-12-31T23:00:00-01:00":    "1970-01-01T00:00:00.000Z",
		"9999-12-31T23:59:59.999999Z":  "9999-12-31T23:59:59.999Z",
		"2024-02-29T00:00:00Z":         "2024-02-29T00:00:00.000Z",
		"1970-01-01T00:59:59+01:00":    "",
		"9999-12-31T23:59:59-01:00":    "",
		"1969-12-31T23:59:59.999Z":     "",
		"0000-01-01T00:00:00Z":         "",
		"10000-01-01T00:00:00Z":        "",
		"2026-11-02T16:20:11":          "",
		"2026-11-02 16:20:11Z":         "",
		"2026-11-02T16:20Z":            "",
		"2026-11-02T16Z":               "",
		"2026-11-02":                   "",
		"2026-11-02T6:20:11Z":          "",
		"2026-11-02T16:20:11,482Z":     "",
		"2026-11-02T16:20:11.Z":        "",
		"2026-11-02T16:20:11+24:00":    "",
		"2026-11-02T16:20:11+23:60":    "",
		"2026-11-02T16:20:11+1:00":     "",
		"2026-11-02T16:20:11+0100":     "",
		"2026-11-02T16:20:11Z ":        "",
		" 2026-11-02T16:20:11Z":        "",
		"2026-02-30T00:00:00Z":         "",
		"2026-11-02T24:00:00Z":         "",
		"2026-11-02T16:60:00Z":         "",
		"2026-11-02T16:20:11z":         "",
		"1793638800":                   "",
		"":                             "",
		strings.Repeat("2", 10_000):    "",
		"2026-11-02T16:20:11.482Z\x00": "",
		"２０２６-11-02T16:20:11Z":         "",
		"2026-11-02T16:20:11." + strings.Repeat("9", 10_000) + "Z": "2026-11-02T16:20:11.999Z",
	} {
		got, err := ParseTime(s)
		if want == "" {
			if err == nil {
				t.Errorf("%.60q is read as %s", s, got)
			}
		} else if err != nil || got.String() != want {
			t.Errorf("%.60q is %s, want %s: %v", s, got, want, err)
		}
	}
}

func TestDateParsesOnlyCanonicalForm(t *testing.T) {
	t.Parallel()
	for s, right := range map[string]bool{
		"2026-11-02":           true,
		"1600-01-01":           true,
		"9999-12-31":           true,
		"2024-02-29":           true,
		"2000-02-29":           true,
		"1599-12-31":           false,
		"0000-01-01":           false,
		"2025-02-29":           false,
		"1900-02-29":           false,
		"2026-02-30":           false,
		"2026-00-10":           false,
		"2026-13-01":           false,
		"2026-01-00":           false,
		"2026-01-32":           false,
		"2026-2-3":             false,
		"26-02-03":             false,
		"2026/02/03":           false,
		"20260203":             false,
		"2026-02-03 ":          false,
		" 2026-02-03":          false,
		"2026-02-03T00:00:00Z": false,
		"-2026-02-03":          false,
		"12026-02-03":          false,
		"":                     false,
	} {
		got, err := ParseDate(s)
		if (err == nil) != right || right && got.String() != s {
			t.Errorf("%q is read as %s: %v", s, got, err)
		}
	}
}

func TestAddMonthsClampsToLastDay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from   string
		months int
		want   string
	}{
		{"2026-01-31", 1, "2026-02-28"},
		{"2024-01-31", 1, "2024-02-29"},
		{"2026-01-31", 2, "2026-03-31"},
		{"2026-03-31", 1, "2026-04-30"},
		{"2026-03-31", -1, "2026-02-28"},
		{"2026-12-15", 1, "2027-01-15"},
		{"2026-01-15", -1, "2025-12-15"},
		{"2024-02-29", 12, "2025-02-28"},
		{"2024-02-29", 48, "2028-02-29"},
		{"2026-11-02", 0, "2026-11-02"},
		{"2026-08-31", 18, "2028-02-29"},
	} {
		from, err := ParseDate(c.from)
		if err != nil {
			t.Fatal(err)
		}
		if got := from.AddMonths(c.months); got.String() != c.want {
			t.Errorf("%s and %d months is %s, want %s", c.from, c.months, got, c.want)
		}
	}
}

func TestDateArithmeticStaysInRange(t *testing.T) {
	t.Parallel()
	if FirstDay.String() != "1600-01-01" || LastDay.String() != "9999-12-31" {
		t.Errorf("the calendar is from %s to %s", FirstDay, LastDay)
	}
	for _, c := range []struct {
		from   Date
		months int
		want   Date
		ok     bool
	}{
		{Day(9998, 12, 31), 12, LastDay, true},
		{Day(9999, 1, 1), 11, Day(9999, 12, 1), true},
		{Day(9999, 1, 1), 12, LastDay, false},
		{LastDay, 0, LastDay, true},
		{LastDay, 1, LastDay, false},
		{Day(9999, 11, 30), 1, Day(9999, 12, 30), true},
		{Day(2026, 1, 1), math.MaxInt, LastDay, false},
		{Day(1600, 2, 29), -1, Day(1600, 1, 29), true},
		{FirstDay, -1, FirstDay, false},
		{Day(2026, 1, 1), math.MinInt, FirstDay, false},
		{LastDay, -12 * 8399, Day(1600, 12, 31), true},
	} {
		if got, ok := c.from.MonthsLater(c.months); got != c.want || ok != c.ok || c.from.AddMonths(c.months) != got {
			t.Errorf("%s and %d months is %s, %t", c.from, c.months, got, ok)
		}
	}
	for _, c := range []struct {
		from Date
		days int
		want Date
	}{
		{LastDay - 1, 1, LastDay},
		{LastDay, 1, LastDay},
		{FirstDay, -1, FirstDay},
		{FirstDay + 1, -1, FirstDay},
		{0, 31, 31},
		{0, -31, -31},
		{0, math.MaxInt, LastDay},
		{0, math.MinInt, FirstDay},
		{FirstDay, int(LastDay - FirstDay), LastDay},
	} {
		if got := c.from.AddDays(c.days); got != c.want {
			t.Errorf("%s and %d days is %s, want %s", c.from, c.days, got, c.want)
		}
	}
}

func TestTermEndsOneDayBeforeAnniversary(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from   Date
		months int
		want   Date
		ok     bool
	}{
		{Day(2027, 1, 1), 12, Day(2027, 12, 31), true},
		{Day(2027, 1, 31), 1, Day(2027, 2, 27), true},
		{Day(2027, 1, 9), 6, Day(2027, 7, 8), true},
		{Day(9999, 1, 1), 12, LastDay, true},
		{Day(9999, 12, 1), 1, LastDay, true},
		{Day(9999, 1, 2), 12, LastDay, false},
		{LastDay, 1, LastDay, false},
		{LastDay, 120, LastDay, false},
	} {
		if got, ok := c.from.LastOfTerm(c.months); got != c.want || ok != c.ok {
			t.Errorf("%d months from %s end on %s, %t", c.months, c.from, got, ok)
		}
	}
}

func TestMonthRunsFromFirstToLastDay(t *testing.T) {
	t.Parallel()
	for day, want := range map[Date][2]Date{
		Day(2024, 2, 29): {Day(2024, 2, 1), Day(2024, 2, 29)},
		Day(2026, 2, 1):  {Day(2026, 2, 1), Day(2026, 2, 28)},
		LastDay:          {Day(9999, 12, 1), LastDay},
		FirstDay:         {FirstDay, Day(1600, 1, 31)},
		Day(2026, 12, 9): {Day(2026, 12, 1), Day(2026, 12, 31)},
	} {
		if day.FirstOfMonth() != want[0] || day.LastOfMonth() != want[1] {
			t.Errorf("the month of %s is from %s to %s", day, day.FirstOfMonth(), day.LastOfMonth())
		}
	}
}

func TestZoneIsCachedAndUnknownZoneFails(t *testing.T) {
	t.Parallel()
	first, err := Zone("America/Chicago")
	if err != nil || first.String() != "America/Chicago" {
		t.Fatal(first, err)
	}
	if again, err := Zone("America/Chicago"); again != first || err != nil {
		t.Errorf("the second time it is another: %p, %p, %v", first, again, err)
	}
	for range 2 {
		if l, err := Zone("America/Gotham"); err == nil {
			t.Errorf("America/Gotham is %s", l)
		}
	}
}

func TestDateOfTimeUsesItsZone(t *testing.T) {
	t.Parallel()
	newYork, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	for moment, want := range map[string]string{
		// Standard time began the night before.
		"2026-11-02T04:59:59.999Z": "2026-11-01", "2026-11-02T05:00:00Z": "2026-11-02",
		"2026-07-02T03:59:59Z": "2026-07-01", "2026-07-02T04:00:00Z": "2026-07-02",
	} {
		at, err := ParseTime(moment)
		if err != nil {
			t.Fatal(err)
		}
		if got := DateOf(at.Std(), newYork); got.String() != want {
			t.Errorf("%s falls on %s, want %s", moment, got, want)
		}
	}
}

func TestJSONAcceptsOnlyWellFormedStrings(t *testing.T) {
	t.Parallel()
	for text, right := range map[string][2]bool{
		`"2026-11-02"`:               {false, true},
		`"2026-11-02T16:20:11.482Z"`: {true, false},
		`20261102`:                   {},
		`""`:                         {},
		`"`:                          {},
		`true`:                       {},
		`{}`:                         {},
		`["2026-11-02"]`:             {},
		`"2026\u002d11-02"`:          {},
	} {
		var at Time
		var day Date
		if err := json.Unmarshal([]byte(text), &at); (err == nil) != right[0] {
			t.Errorf("%s as a moment: %s, %v", text, at, err)
		}
		if err := json.Unmarshal([]byte(text), &day); (err == nil) != right[1] {
			t.Errorf("%s as a day: %s, %v", text, day, err)
		}
	}
	var none struct{ At *Time }
	if err := json.Unmarshal([]byte(`{"At": null}`), &none); err != nil || none.At != nil {
		t.Errorf("null is %v: %v", none.At, err)
	}
}

func FuzzAMomentThatIsReadIsWrittenAndReadAgain(f *testing.F) {
	for _, s := range []string{
		"2026-11-02T16:20:11.482Z", "1970-01-01T00:00:00Z", "9999-12-31T23:59:59-01:00",
		"2026-11-02T16:20:11,4+25:00", "2026-11-02T6:20:11Z", "2026-11-02", "",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		at, err := ParseTime(s)
		if err != nil {
			return
		}
		std, err := time.Parse(time.RFC3339, s)
		if err != nil || std.UnixMilli() != int64(at) {
			t.Errorf("%q is %s, the standard library reads %s: %v", s, at, std, err)
		}
		again, err := ParseTime(at.String())
		if err != nil || again != at || at.String() != at.Std().Format("2006-01-02T15:04:05.000Z") {
			t.Errorf("%q is written as %s: %v", s, at, err)
		}
		if text, err := json.Marshal(at); err != nil || string(text) != `"`+at.String()+`"` {
			t.Errorf("%s is %s in JSON: %v", at, text, err)
		}
	})
}

func FuzzADayThatIsReadIsWrittenAsItWas(f *testing.F) {
	for _, s := range []string{"2026-11-02", "1600-01-01", "2026-02-30", "9999-12-31", "0000-00-00", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if day, err := ParseDate(s); err == nil && (day.String() != s || DateOf(day.Std(), time.UTC) != day) {
			t.Errorf("%q is written as %s", s, day)
		}
	})
}

// The holidays of 2026 and 2027 are those that the Office of Personnel Management lists.
func TestBusinessDaysSkipWeekendsAndFederalHolidays(t *testing.T) {
	t.Parallel()
	for _, year := range []struct {
		of       int
		holidays []string // but for those on a weekend that are kept on another day
	}{
		{2026, []string{
			"01-01", "01-19", "02-16", "05-25", "06-19", "07-03", "09-07", "10-12", "11-11", "11-26", "12-25",
		}},
		{2027, []string{
			"01-01", "01-18", "02-15", "05-31", "06-18", "07-05", "09-06", "10-11", "11-11", "11-25", "12-24", "12-31",
		}},
	} {
		var off []string
		for d := Day(year.of, 1, 1); d <= Day(year.of, 12, 31); d++ {
			w := d.Std().Weekday()
			if weekend := w == time.Saturday || w == time.Sunday; !weekend && (d-1).AddBusinessDays(1) != d {
				off = append(off, d.Std().Format("01-02"))
			}
		}
		if !slices.Equal(off, year.holidays) {
			t.Errorf("in %d the holidays are %v", year.of, off)
		}
	}
	if got := Day(2026, 12, 23).AddBusinessDays(3); got != Day(2026, 12, 29) {
		t.Errorf("three business days after December 23, 2026 is %s", got)
	}
	if got := Day(2026, 12, 26).AddBusinessDays(0); got != Day(2026, 12, 26) {
		t.Errorf("no business day later is %s", got)
	}
}
