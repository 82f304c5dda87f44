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
)

// Record is what every record carries.
type Record struct {
	// Identifier. Ascending ids are the order of creation.
	ID string `json:"id" format:"id"`
	// The kind of record.
	Object string `json:"object"`
	// test for the demo portfolio, live for the real one.
	Mode access.Mode `json:"mode"`
	// 1 at creation, one more with each write that changes something. The ETag of the record.
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
