package demo_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
	_ "time/tzdata"

	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/portfolio/demo"
)

// datedBook is a book with the day that it was made for, and its records by id.
type datedBook struct {
	portfolio.Book
	now        time.Time
	zone       *time.Location
	today      clock.Date
	properties map[string]*portfolio.Property
	units      map[string]*portfolio.Unit
	tenants    map[string]*portfolio.Tenant
	leases     map[string]*portfolio.Lease
	rents      map[string][]portfolio.Payment // by lease
}

// moments are ordinary and awkward ones: ends of months and years, a leap day, the
// first and last minute of a day, the nights on which clocks change, the ends of the
// world.
var moments = []struct{ local, zone string }{
	{"2026-11-12 15:04:05", "America/Chicago"},
	{"2026-11-30 23:59:59", "America/Chicago"},
	{"2026-12-31 23:59:59", "America/New_York"},
	{"2027-01-01 00:00:00", "America/New_York"},
	{"2027-01-15 12:00:00", "UTC"},
	{"2027-01-31 08:00:00", "America/Denver"},
	{"2027-02-28 23:00:00", "America/Denver"},
	{"2027-03-01 00:00:30", "America/Denver"},
	{"2027-03-14 03:00:01", "America/Chicago"},
	{"2027-03-31 17:30:00", "Pacific/Kiritimati"},
	{"2027-04-05 06:00:00", "Pacific/Pago_Pago"},
	{"2027-05-31 00:00:00", "UTC"},
	{"2027-06-02 13:00:00", "America/Los_Angeles"},
	{"2027-07-04 21:00:00", "Asia/Kolkata"},
	{"2027-08-30 10:00:00", "America/Phoenix"},
	{"2027-09-08 09:00:00", "UTC"},
	{"2027-10-20 05:00:00", "America/Chicago"},
	{"2027-11-07 01:30:00", "America/Chicago"},
	{"2028-02-28 12:00:00", "America/Chicago"},
	{"2028-02-29 00:01:00", "America/Chicago"},
	{"2028-02-29 23:58:00", "Pacific/Auckland"},
	{"2028-03-31 11:00:00", "America/Chicago"},
	{"2029-02-28 11:00:00", "America/Anchorage"},
	{"2031-12-25 19:00:00", "Pacific/Honolulu"},
}

var shelves = sync.OnceValue(func() []*datedBook {
	var all []*datedBook
	for _, m := range moments {
		zone, err := time.LoadLocation(m.zone)
		if err != nil {
			panic(err)
		}
		now, err := time.ParseInLocation(time.DateTime, m.local, zone)
		if err != nil {
			panic(err)
		}
		all = append(all, newDatedBook(now, zone))
	}
	return all
})

func newDatedBook(now time.Time, zone *time.Location) *datedBook {
	s := &datedBook{
		Book:  demo.Book(now, zone),
		now:   now,
		zone:  zone,
		today: clock.DateOf(now, zone),
	}
	s.properties = byID(s.Properties, func(r *portfolio.Property) string { return r.ID })
	s.units = byID(s.Units, func(r *portfolio.Unit) string { return r.ID })
	s.tenants = byID(s.Tenants, func(r *portfolio.Tenant) string { return r.ID })
	s.leases = byID(s.Leases, func(r *portfolio.Lease) string { return r.ID })
	s.rents = rents(s)
	return s
}

func byID[T any](rows []T, id func(*T) string) map[string]*T {
	all := make(map[string]*T, len(rows))
	for i := range rows {
		all[id(&rows[i])] = &rows[i]
	}
	return all
}

// each runs a test on the book of every moment.
func each(t *testing.T, test func(*testing.T, *datedBook)) {
	t.Parallel()
	for i, s := range shelves() {
		t.Run(fmt.Sprint(moments[i].local, " ", moments[i].zone), func(t *testing.T) { test(t, s) })
	}
}

// date is the landlord's day of a moment.
func (s *datedBook) date(t clock.Time) clock.Date { return clock.DateOf(t.Std(), s.zone) }

func TestBookIsDeterministicExceptIDs(t *testing.T) {
	t.Parallel()
	for _, s := range shelves()[:4] {
		again := newDatedBook(s.now, s.zone)
		if s.Units[0].ID == again.Units[0].ID {
			t.Error("two books share an id")
		}
		if one, other := s.numbered(t), again.numbered(t); one != other {
			t.Errorf("two books of %s differ from byte %d on", s.now, differ(one, other))
		}
	}
}

// numbered is a book as JSON, with the places of the records for their ids.
func (s *datedBook) numbered(t *testing.T) string {
	t.Helper()
	b, err := json.Marshal(s.Book)
	if err != nil {
		t.Fatal(err)
	}
	var pairs []string
	s.records(func(_ string, i int, r *portfolio.Record) {
		prefix, _, _ := strings.Cut(r.ID, "_")
		pairs = append(pairs, r.ID, fmt.Sprintf("%s %d", prefix, i))
	})
	for i := range s.Payments {
		if attempt := s.Payments[i].PaymentID; attempt != nil {
			pairs = append(pairs, *attempt, fmt.Sprintf("attempt %d", i))
		}
	}
	return strings.NewReplacer(pairs...).Replace(string(b))
}

// records visits every record with the kind and the place of it.
func (s *datedBook) records(visit func(kind string, i int, r *portfolio.Record)) {
	for i := range s.Properties {
		visit("property", i, &s.Properties[i].Record)
	}
	for i := range s.Units {
		visit("unit", i, &s.Units[i].Record)
	}
	for i := range s.Tenants {
		visit("tenant", i, &s.Tenants[i].Record)
	}
	for i := range s.Leases {
		visit("lease", i, &s.Leases[i].Record)
	}
	for i := range s.Tickets {
		visit("maintenance_ticket", i, &s.Tickets[i].Record)
	}
	for i := range s.Payments {
		visit("payment", i, &s.Payments[i].Record)
	}
}

func differ(a, b string) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

func TestDemoBookIsLargeEnough(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		within(t, "properties", len(s.Properties), 38, 46)
		within(t, "units", len(s.Units), 110, 130)
		within(t, "tenants", len(s.Tenants), 150, 220)
		within(t, "leases", len(s.Leases), 140, 180)
		within(t, "tickets", len(s.Tickets), 90, 120)
		within(t, "ledger rows", len(s.Payments), 1100, 1600)
	})
}

func within(t *testing.T, what string, n, low, high int) {
	t.Helper()
	if n < low || n > high {
		t.Errorf("%d %s, want %d to %d", n, what, low, high)
	}
}
