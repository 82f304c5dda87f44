package demo

import (
	"strings"
	"time"

	"portal/api/clock"
)

// calendar is the day that the book stands on.
type calendar struct {
	last  clock.Time // nothing in the book happens after it
	today clock.Date
	zone  *time.Location
}

func newCalendar(now time.Time, zone *time.Location) calendar {
	return calendar{clock.At(now.Add(-time.Minute)), clock.DateOf(now, zone), zone}
}

// hour is the full hour of a day in the landlord's zone.
func (c calendar) hour(d clock.Date, hour int) clock.Time {
	y, m, day := d.Std().Date()
	return clock.At(time.Date(y, m, day, hour, 0, 0, 0, c.zone))
}

// within is a moment in an hour of a day, always the same one for a key.
func (c calendar) within(d clock.Date, hour int, key string) clock.Time {
	return c.hour(d, hour) + clock.Time(roll(3_600_000, "within", key))
}

// during is such a moment too, or the last one of the book if that has not come.
func (c calendar) during(d clock.Date, hour int, key string) clock.Time {
	return min(c.within(d, hour, key), c.last)
}

// later is a moment from one number of hours after another moment to double of it.
func (c calendar) later(t clock.Time, hours int, key string) clock.Time {
	ms := hours * 3_600_000
	return min(t+clock.Time(ms+roll(ms, "later", key)), c.last)
}

// date is the day of a moment in the landlord's zone.
func (c calendar) date(t clock.Time) clock.Date { return clock.DateOf(t.Std(), c.zone) }

// known are days that a row of a table can refer to by name.
type known map[string]clock.Date

// day reads a day of the tables: d-40 is forty days before today, m-3 the first of
// the month three months back, made+2 two days after the known day made.
func (c calendar) day(expr string, days known) clock.Date {
	name, shift := expr, 0
	if i := strings.IndexAny(expr, "+-"); i >= 0 {
		name, shift = expr[:i], whole(expr[i:])
	}
	switch name {
	case "d":
		return c.today.AddDays(shift)
	case "m":
		return first(c.today).AddMonths(shift)
	}
	d, ok := days[name]
	if !ok {
		panic("demo: no day is called " + expr)
	}
	return d.AddDays(shift)
}

// first is the first day of a day's month.
func first(d clock.Date) clock.Date { return d.FirstOfMonth() }
