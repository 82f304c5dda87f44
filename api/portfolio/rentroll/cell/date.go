package cell

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"portal/api/clock"
)

// Order is the order of day and month where a date is made of numbers alone.
type Order int8

// The orders of day and month.
const (
	MonthFirst Order = iota
	DayFirst
)

// The years that a date of a rent roll can have; another is a typing error.
const (
	firstYear = 1900
	lastYear  = 2199
)

// The numbers that are read as a spreadsheet's count of days, 1954-10-03 to 2119-01-11, and the day of its 0.
const firstSerial, lastSerial = 20_000, 80_000

func serialEpoch() clock.Date { return clock.Day(1899, time.December, 30) }

// Date reads a day: 2026-02-01, 2/1/2026, 2/1/26 (years 70 to 99 are of the 1900s), 2-1-2026, 2.1.2026, Feb 1, 2026,
// 1-Jan-25, 1 January 2025, 1 de enero de 2025, 20260201, and a spreadsheet's count of days since 1900. A time behind
// it is taken off where it is midnight. It is not ok for a day without its year and for years before 1900 or after
// 2199.
func Date(s string, o Order) (d clock.Date, ok bool) {
	if o != MonthFirst && o != DayFirst {
		return 0, false
	}
	read := readDate(s)[o]
	return read.date, read.ok
}

// Orders reports in which orders a text is a date; both for one that is not ambiguous by its form, as 2026-02-01.
func Orders(s string) (monthFirst, dayFirst bool) {
	days := readDate(s)
	return days[MonthFirst].ok, days[DayFirst].ok
}

// day is a date, if ok.
type day struct {
	date clock.Date
	ok   bool
}

// midnight is the time that spreadsheets write behind a day, and patterns are the dates of numbers.
var (
	midnight = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(?:[ t]|, )(?:0?0:00(?::00(?:\.0+)?)?z?|12:00(?::00)? ?a\.?m\.?)$`)
	})
	yearFirst = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(\d{4})(?:-(\d{1,2})-|/(\d{1,2})/|\.(\d{1,2})\.)(\d{1,2})$`)
	})
	yearLast = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(\d{1,2})(?:-(\d{1,2})-|/(\d{1,2})/|\.(\d{1,2})\.)(\d{4}|\d{2})$`)
	})
)

// readDate reads a text in both orders.
func readDate(s string) (days [2]day) {
	s, ok := clean(s)
	if !ok || len(s) > 60 {
		return days
	}
	if strings.Contains(s, ":") {
		s = midnight().ReplaceAllString(s, "")
	}
	if m := yearFirst().FindStringSubmatch(s); m != nil {
		return either(makeDay(m[1], m[2]+m[3]+m[4], m[5]))
	}
	if m := yearLast().FindStringSubmatch(s); m != nil {
		a, b := m[1], m[2]+m[3]+m[4]
		return [2]day{MonthFirst: makeDay(m[5], a, b), DayFirst: makeDay(m[5], b, a)}
	}
	if len(s) == 8 && allDigits(s) {
		return either(makeDay(s[:4], s[4:6], s[6:]))
	}
	if count, zeros, _ := strings.Cut(s, "."); len(count) == 5 && allDigits(count) && strings.Trim(zeros, "0") == "" {
		n, _ := strconv.Atoi(count)
		if n < firstSerial || n > lastSerial {
			return days
		}
		return either(day{serialEpoch() + clock.Date(n), true})
	}
	return either(namedDay(s))
}

func either(d day) [2]day { return [2]day{d, d} }

// namedDay reads a day whose month is a name: Feb 1, 2026, 1-Jan-25, 1 de enero de 2025, 2026-Feb-01.
func namedDay(s string) day {
	var parts []string
	for _, part := range strings.FieldsFunc(fold(s), func(r rune) bool { return strings.ContainsRune(" ,-/", r) }) {
		if part != "de" && part != "del" && part != "of" {
			parts = append(parts, part)
		}
	}
	if len(parts) != 3 || strings.ContainsRune(",-/", rune(s[0])) {
		return day{}
	}
	a, b, c := parts[0], parts[1], parts[2]
	if month := months()[a]; month != "" {
		return makeDay(strings.TrimPrefix(c, "'"), month, cardinal(b))
	}
	month := months()[b]
	if month == "" {
		return day{}
	}
	if len(a) == 4 && allDigits(a) {
		return makeDay(a, month, c)
	}
	return makeDay(strings.TrimPrefix(c, "'"), month, cardinal(a))
}

// cardinal is 1 of 1st and 1º.
func cardinal(s string) string {
	for _, ending := range [...]string{"st", "nd", "rd", "th", "º", "°"} {
		if cut, found := strings.CutSuffix(s, ending); found {
			return cut
		}
	}
	return s
}

// makeDay makes a day of its parts in digits.
func makeDay(year, month, dayOfMonth string) day {
	if !allDigits(year) || !allDigits(month) || !allDigits(dayOfMonth) ||
		len(year) != 4 && len(year) != 2 || len(month) > 2 || len(dayOfMonth) > 2 {
		return day{}
	}
	y, _ := strconv.Atoi(year)
	m, _ := strconv.Atoi(month)
	d, _ := strconv.Atoi(dayOfMonth)
	if len(year) == 2 {
		y += 2000
		if y >= 2070 {
			y -= 100
		}
	}
	t := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	if y < firstYear || y > lastYear || int(t.Month()) != m || t.Day() != d {
		return day{}
	}
	return day{clock.Day(y, time.Month(m), d), true}
}

// months are the numbers of the months by their names and abbreviations in English and Spanish, without accents and
// dots.
var months = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for i, names := range [12]string{
		"january jan enero ene", "february feb febrero", "march mar marzo", "april apr abril abr", "may mayo",
		"june jun junio", "july jul julio", "august aug agosto ago", "september sep sept septiembre setiembre set",
		"october oct octubre", "november nov noviembre", "december dec diciembre dic",
	} {
		for name := range strings.FieldsSeq(names) {
			all[name] = strconv.Itoa(i + 1)
		}
	}
	return all
})
