// Package demo makes the demo portfolio: an invented landlord's buildings, people,
// agreements, ledger and repairs, as they stand on a day.
//
// What is in it stands in the tables beside the code, with days counted from
// today. It knows nothing of stores, keys or accounts.
package demo

import (
	"time"

	"portal/api/portfolio"
)

// Book is the demo portfolio as it stands on a day. The same moment and zone give
// the same contents everywhere, only the ids differ from call to call; nothing in
// it happened after now. What is computed when a record is read (days until an end,
// overdue, age) is left at zero.
func Book(now time.Time, zone *time.Location) portfolio.Book {
	b := &draft{calendar: newCalendar(now, zone)}
	b.addProperties()
	b.addUnits()
	b.addLeases()
	b.addTenants()
	b.addStanding()
	(&ledger{b}).addPayments()
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
	leases     map[string]*portfolio.Lease
	payers     map[string]payer // by lease
}

// payer is how the rent of a lease is paid.
type payer struct {
	method portfolio.PaymentMethod
	habit  string // a name of habits
}
