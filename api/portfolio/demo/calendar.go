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

// during is a moment in an hour of a day in the landlord's zone, always the same one
// for a key. One that is still to come is the last moment of the book instead.
func (c calendar) during(d clock.Date, hour int, key string) clock.Time {
	y, m, day := d.Std().Date()
	t := clock.At(time.Date(y, m, day, hour, 0, 0, 0, c.zone))
	return min(t+clock.Time(roll(3_600_000, "during", key)), c.last)
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
		return c.today + clock.Date(shift)
	case "m":
		return first(c.today).AddMonths(shift)
	}
	d, ok := days[name]
	if !ok {
		panic("demo: no day is called " + expr)
	}
	return d + clock.Date(shift)
}

// first is the first day of a day's month.
func first(d clock.Date) clock.Date {
	return d - clock.Date(d.Std().Day()-1)
}
