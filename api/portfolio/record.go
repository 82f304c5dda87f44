// Package portfolio holds the rules of a landlord's records: what a property, a
// tenant, a lease, a ticket and a ledger row are, and who may read and change them.
//
// It knows nothing of HTTP, SQL, queues or pages. The structs here are the records
// of the wire: their tags give the JSON and its schema, once for every surface.
package portfolio

import (
	"slices"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/list"
)

// Record is what every record carries.
type Record struct {
	// Identifier. Ascending ids are the order of creation.
	ID string `json:"id" format:"id"`
	// The kind of record.
	Object string `json:"object"`
	// test for the demo portfolio, live for the real one.
	Mode access.Mode `json:"mode"`
	// 1 at creation, one more with each change. The ETag of the record.
	Version int64 `json:"version" min:"1"`
	// When the record was created.
	CreatedAt clock.Time `json:"created_at"`
	// When the record last changed.
	UpdatedAt clock.Time `json:"updated_at"`
}

// Currency is the unit of every amount.
const Currency = "USD"

// Identity is the identifier.
func (r *Record) Identity() string { return r.ID }

// Revision is the version, the ETag of the record.
func (r *Record) Revision() int64 { return r.Version }

// Revise notes a change: the version grows by one.
func (r *Record) Revise(at clock.Time) {
	r.Version++
	r.UpdatedAt = at
}

// Distinct sorts ids and leaves each in once.
func Distinct(ids []string) []string {
	slices.Sort(ids)
	return slices.Compact(ids)
}

// NewRecord is what a new record carries.
func (s *Common) NewRecord(by access.Actor, prefix, object string) Record {
	now := s.Now(by.Portfolio)
	return Record{
		ID:        id.New(prefix, now),
		Object:    object,
		Mode:      by.Portfolio.Mode,
		Version:   1,
		CreatedAt: clock.At(now),
		UpdatedAt: clock.At(now),
	}
}

// Book is a whole portfolio to be written at once: a rent roll that is imported,
// or the demo. Its records carry their ids, and their CreatedAt is the time that
// their ids were made for.
type Book struct {
	Properties []Property
	Units      []Unit
	Tenants    []Tenant
	Leases     []Lease
	Tickets    []Ticket
	Payments   []Payment
}

// The orders of lists that people read. A list that does not have an order comes with the newest first.
const (
	NewestFirst   list.Sort = "newest"
	ByAddress     list.Sort = "address"
	ByName        list.Sort = "name"    // of a tenant, as it is shown: the first name leads
	EndingSoonest list.Sort = "ending"  // from today on; then those without an end, then those that have ended
	UpdatedFirst  list.Sort = "updated" // what changed last
	OverdueFirst  list.Sort = "overdue" // the oldest one; then what is not overdue, as LatestDue has it
	LatestDue     list.Sort = "due"     // what is due last
)

// PropertySorts are the orders of properties.
func PropertySorts() []string { return list.Sorts(NewestFirst, ByAddress) }

// TenantSorts are the orders of tenants.
func TenantSorts() []string { return list.Sorts(NewestFirst, ByName) }

// LeaseSorts are the orders of leases.
func LeaseSorts() []string { return list.Sorts(NewestFirst, EndingSoonest) }

// TicketSorts are the orders of tickets.
func TicketSorts() []string { return list.Sorts(NewestFirst, UpdatedFirst) }

// PaymentSorts are the orders of the ledger.
func PaymentSorts() []string { return list.Sorts(OverdueFirst, LatestDue, NewestFirst) }

// Waiting is how many records of a portfolio wait for somebody, each up to the bound that was asked for.
type Waiting struct {
	Leases       int // out for signature
	Tickets      int // whose work has not ended
	Applications int // that nobody has decided on
}
