// Package demo makes the demo portfolio: an invented landlord's buildings, people,
// agreements, ledger and repairs, as they stand on a day.
//
// What is in it stands in the tables beside the code, with days counted from
// today. It knows nothing of stores, keys or accounts.
package demo

import (
	"hash/fnv"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/portfolio"
)

// Book is the demo portfolio as it stands on a day. The same moment and zone give
// the same contents everywhere, only the ids differ from call to call; nothing in
// it happened after now. What is computed when a record is read (days until an end,
// overdue, age) is left at zero.
func Book(now time.Time, zone *time.Location) portfolio.Book {
	b := &draft{calendar: calendar{clock.At(now.Add(-time.Minute)), clock.DateOf(now, zone), zone}}
	b.addProperties()
	b.addUnits()
	b.addLeases()
	b.addTenants()
	b.addStanding()
	(&ledger{b, table("habits"), table("failures")}).addPayments()
	b.addTickets()
	return b.named()
}

// draft is a portfolio in the making. Until its records get their ids, they go by the
// names of the tables: maple-court, maple-court/2B, maple-court/2B#1, Dana Whitfield.
type draft struct {
	calendar
	portfolio.Book
	payments   []*portfolio.Payment
	properties map[string]*portfolio.Property
	units      map[string]*portfolio.Unit
	payers     map[string]payer // by lease
}

// payer is how the rent of a lease is paid.
type payer struct {
	method portfolio.PaymentMethod
	habit  string // a name of the table of habits
}

// calendar is the day that the book stands on.
type calendar struct {
	last  clock.Time // nothing in the book happens after it
	today clock.Date
	zone  *time.Location
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
		return c.today.FirstOfMonth().AddMonths(shift)
	}
	d, ok := days[name]
	if !ok {
		panic("demo: no day is called " + expr)
	}
	return d.AddDays(shift)
}

// record is a record that was created at a moment and has not changed since.
func record(object, key string, created clock.Time) portfolio.Record {
	return portfolio.Record{
		ID:        key,
		Object:    object,
		Mode:      access.Test,
		Version:   1,
		CreatedAt: created,
		UpdatedAt: created,
	}
}

// touch notes a change. What happened before the record was created came in with it.
func touch(r *portfolio.Record, at clock.Time) {
	if at <= r.CreatedAt {
		return
	}
	r.Version++
	r.UpdatedAt = max(r.UpdatedAt, at)
}

// roll is a number from 0 to n-1 that depends on the words alone, so that a book
// looks lively and is the same everywhere.
func roll(n int, words ...string) int {
	h := fnv.New64a()
	for _, w := range words {
		h.Write([]byte(w)) // a hash takes everything
		h.Write([]byte{0})
	}
	sum := h.Sum64()
	return int((sum ^ sum>>32) % uint64(n))
}
