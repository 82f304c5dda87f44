// Package clock is time as the service sees it: moments of millisecond precision
// in UTC, calendar days without a zone, and a clock that a test can set.
//
// It knows nothing else of the service.
package clock

import (
	"fmt"
	"sync"
	"time"
)

// Clock tells the present. Tests pass their own.
type Clock func() time.Time

// Portfolios tells the present of a portfolio, by its number in the database. What happens to records
// happens by it: the clock of a demo portfolio may be another than that of everybody.
type Portfolios func(portfolio int64) time.Time

// ForAll is one clock for all portfolios.
func ForAll(now Clock) Portfolios { return func(int64) time.Time { return now() } }

// zones holds the time zones that were asked for, by their names.
var zones sync.Map

// Zone is the time zone of an IANA name, as time.LoadLocation has it, which reads a file
// each time: 20 microseconds of a page that shows moments.
func Zone(name string) (*time.Location, error) {
	if l, ok := zones.Load(name); ok {
		return l.(*time.Location), nil
	}
	l, err := time.LoadLocation(name)
	if err == nil {
		zones.Store(name, l)
	}
	return l, err
}

// Time is a moment in milliseconds since 1970-01-01T00:00:00Z.
type Time int64

// At is the moment of a time.Time, cut to the millisecond.
func At(t time.Time) Time { return Time(t.UnixMilli()) }

// Later is the moment a number of days of 24 hours later.
func (t Time) Later(days int) Time { return t + Time(days)*24*60*60*1000 }

// Std is the moment as a time.Time in UTC.
func (t Time) Std() time.Time { return time.UnixMilli(int64(t)).UTC() }

// What ParseTime and ParseDate ask beyond the format, as regular expressions.
const (
	TimePattern = "^(19[7-9][0-9]|[2-9][0-9]{3})-"
	DatePattern = "^(1[6-9]|[2-9][0-9])[0-9]{2}-"
)

// ParseTime reads RFC 3339 with any offset, of the years 1970 to 9999.
func ParseTime(s string) (Time, error) {
	t, err := time.Parse(time.RFC3339Nano, s)
	t = t.UTC()
	if err != nil || lax(s) || t.Year() < 1970 || t.Year() > 9999 {
		return 0, fmt.Errorf("not a moment in RFC 3339: %q", s)
	}
	return At(t), nil
}

// lax tells what time.Parse takes and RFC 3339 does not (go.dev/issue/54580): T6:20, a
// comma before the fraction, an offset of more than 23:59.
func lax(s string) bool {
	offset := s[len(s)-len("07:00"):]
	return s[12] == ':' || s[19] == ',' || s[len(s)-1] != 'Z' && (offset[:2] > "23" || offset[3:] > "59")
}

// String is RFC 3339 in UTC with milliseconds: 2026-11-02T16:20:11.482Z.
func (t Time) String() string { return string(t.append(nil)) }

// AppendJSON appends the moment as a JSON string.
func (t Time) AppendJSON(b []byte) []byte {
	return append(t.append(append(b, '"')), '"')
}

// MarshalJSON writes RFC 3339 in UTC with milliseconds.
func (t Time) MarshalJSON() ([]byte, error) { return t.AppendJSON(nil), nil }

// UnmarshalJSON reads RFC 3339.
func (t *Time) UnmarshalJSON(b []byte) error {
	return unquote(b, ParseTime, t)
}

func (t Time) append(b []byte) []byte {
	const day = 24 * 60 * 60 * 1000
	days, ms := int64(t)/day, int64(t)%day
	if ms < 0 {
		days, ms = days-1, ms+day
	}
	b = append(Date(days).append(b), 'T')
	b = append(pad(b, ms/3_600_000, 2), ':')
	b = append(pad(b, ms/60_000%60, 2), ':')
	b = append(pad(b, ms/1000%60, 2), '.')
	return append(pad(b, ms%1000, 3), 'Z')
}

// Date is a calendar day, counted from 1970-01-01.
type Date int32

// FirstDay and LastDay are the first and the last day that ParseDate reads, 1600-01-01 and 9999-12-31.
const (
	FirstDay Date = -135_140
	LastDay  Date = 2_932_896
)

// Day makes a date of its parts; they are normalized as time.Date does.
func Day(year int, month time.Month, day int) Date {
	return Date(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() / 86400)
}

// DateOf is the day that a moment falls on in a zone.
func DateOf(t time.Time, zone *time.Location) Date {
	y, m, d := t.In(zone).Date()
	return Day(y, m, d)
}

// ParseDate reads YYYY-MM-DD of the years 1600 to 9999.
func ParseDate(s string) (Date, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil || t.Year() < 1600 {
		return 0, fmt.Errorf("not a day as YYYY-MM-DD: %q", s)
	}
	return Day(t.Date()), nil
}

// Std is midnight UTC of the day.
func (d Date) Std() time.Time { return time.Unix(int64(d)*86400, 0).UTC() }

// AddDays is the day a number of days later, at most LastDay and at least FirstDay.
func (d Date) AddDays(n int) Date {
	const most = int(LastDay - FirstDay)
	return (d + Date(min(max(n, -most), most))).bounded()
}

// AddBusinessDays is the day that is so many business days later: weekends and federal holidays do not count. The day
// itself does not count either.
func (d Date) AddBusinessDays(n int) Date {
	for n > 0 && d < LastDay {
		d++
		if d.businessDay() {
			n--
		}
	}
	return d
}

// businessDay reports whether a day is neither on a weekend nor a federal holiday (5 U.S.C. 6103). A holiday on a
// Saturday is kept on the Friday before it, and one on a Sunday on the Monday after it.
func (d Date) businessDay() bool {
	at := d.Std()
	switch at.Weekday() {
	case time.Saturday, time.Sunday:
		return false
	case time.Monday:
		if fixedHoliday(at.AddDate(0, 0, -1)) {
			return false
		}
	case time.Friday:
		if fixedHoliday(at.AddDate(0, 0, 1)) {
			return false
		}
	}
	return !fixedHoliday(at) && !movingHoliday(at)
}

// fixedHoliday reports whether a day is a federal holiday by its date.
func fixedHoliday(at time.Time) bool {
	switch at.Month() {
	case time.January:
		return at.Day() == 1
	case time.June:
		return at.Day() == 19
	case time.July:
		return at.Day() == 4
	case time.November:
		return at.Day() == 11
	case time.December:
		return at.Day() == 25
	}
	return false
}

// movingHoliday reports whether a day is a federal holiday by the week of its month.
func movingHoliday(at time.Time) bool {
	week := (at.Day() + 6) / 7
	switch at.Weekday() {
	case time.Monday:
		switch at.Month() {
		case time.January, time.February:
			return week == 3
		case time.May:
			return at.Day() > 24
		case time.September:
			return week == 1
		case time.October:
			return week == 2
		}
	case time.Thursday:
		return at.Month() == time.November && week == 4
	}
	return false
}

// AddMonths is the same day of another month, or that month's last day where it
// has no such day, as leases count: January 31 and one month is February 28 or 29. It is at most
// LastDay and at least FirstDay.
func (d Date) AddMonths(n int) Date {
	sum, _ := d.MonthsLater(n)
	return sum
}

// MonthsLater is AddMonths, and reports whether the sum is a day from FirstDay to LastDay without
// being moved there.
func (d Date) MonthsLater(n int) (sum Date, ok bool) {
	sum = d.monthsLater(n)
	return sum.bounded(), sum == sum.bounded()
}

// LastOfTerm is the last day of a term of a number of months that begins on a day: the one before
// the same day of a later month. It is LastDay and false where it would be later than that.
func (d Date) LastOfTerm(months int) (last Date, ok bool) {
	last = d.monthsLater(months) - 1
	return last.bounded(), last == last.bounded()
}

// FirstOfMonth is the first day of a day's month.
func (d Date) FirstOfMonth() Date { return d - Date(d.Std().Day()-1) }

// LastOfMonth is the last day of a day's month.
func (d Date) LastOfMonth() Date { return d.FirstOfMonth().monthsLater(1) - 1 }

// monthsLater is a sum that may lie before FirstDay or after LastDay.
func (d Date) monthsLater(n int) Date {
	const most = 12 * 10_000 // more leads out of the calendar from any day
	y, m, day := d.Std().Date()
	first := time.Date(y, m+time.Month(min(max(n, -most), most)), 1, 0, 0, 0, 0, time.UTC)
	end := first.AddDate(0, 1, -1).Day()
	return Day(first.Year(), first.Month(), min(day, end))
}

func (d Date) bounded() Date { return min(max(d, FirstDay), LastDay) }

// String is YYYY-MM-DD.
func (d Date) String() string { return string(d.append(nil)) }

// AppendJSON appends the day as a JSON string.
func (d Date) AppendJSON(b []byte) []byte {
	return append(d.append(append(b, '"')), '"')
}

// MarshalJSON writes YYYY-MM-DD.
func (d Date) MarshalJSON() ([]byte, error) { return d.AppendJSON(nil), nil }

// UnmarshalJSON reads YYYY-MM-DD.
func (d *Date) UnmarshalJSON(b []byte) error {
	return unquote(b, ParseDate, d)
}

// append writes the proleptic Gregorian date of a day count, after Howard
// Hinnant's "chrono-compatible low-level date algorithms" (civil_from_days).
func (d Date) append(b []byte) []byte {
	z := int64(d) + 719468
	era := z / 146097
	if z < 0 {
		era = (z - 146096) / 146097
	}
	doe := z - era*146097
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	day, month, year := doy-(153*mp+2)/5+1, mp+3, yoe+era*400
	if month > 12 {
		month -= 12
	}
	if month <= 2 {
		year++
	}
	b = append(pad(b, year, 4), '-')
	b = append(pad(b, month, 2), '-')
	return pad(b, day, 2)
}

func pad(b []byte, v int64, width int) []byte {
	at := len(b)
	b = append(b, "0000"[:width]...)
	for i := at + width - 1; i >= at; i-- {
		b[i] = byte('0' + v%10)
		v /= 10
	}
	return b
}

func unquote[T any](b []byte, parse func(string) (T, error), into *T) error {
	if len(b) < 2 || b[0] != '"' {
		return fmt.Errorf("want a string, not %s", b)
	}
	v, err := parse(string(b[1 : len(b)-1]))
	if err == nil {
		*into = v
	}
	return err
}

// Words is a day as people write it: Saturday, December 12, 2026.
func (d Date) Words() string { return d.Std().Format("Monday, January 2, 2006") }
