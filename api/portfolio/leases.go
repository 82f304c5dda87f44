package portfolio

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/list"
	"portal/api/money"
)

// Leases is what can be done with leases.
type Leases struct {
	*Common
	store     LeaseStore
	occupancy *occupancy
}

// LeaseStore is what they need of the store.
type LeaseStore interface {
	Lease(ctx context.Context, in access.Portfolio, id string) (Lease, error)
	Leases(ctx context.Context, in access.Portfolio, f LeaseFilter) ([]Lease, error)
	// ReviseRent changes the scheduled rent of a lease from one amount to another.
	ReviseRent(ctx context.Context, in access.Portfolio, l *Lease, from money.Cents, at clock.Time) (int64, error)
	SaveLease(ctx context.Context, in access.Portfolio, l *Lease) error
	SaveLeaseTerms(ctx context.Context, in access.Portfolio, l *Lease) error
	// SaveSignature notes when a party signed a lease, once.
	SaveSignature(ctx context.Context, in access.Portfolio, leaseID, tenantID string, at clock.Time) error
	// VoidRent voids the unpaid rent of a lease whose period starts after a day.
	VoidRent(ctx context.Context, in access.Portfolio, leaseID string, after clock.Date, at clock.Time) (int64, error)
}

// Leases lists leases.
func (s *Leases) Leases(ctx context.Context, by access.Actor, f LeaseFilter) (*list.Page[Lease], error) {
	rows, err := s.store.Leases(ctx, by.Portfolio, f)
	for i := range rows {
		s.show(&rows[i], s.Today(by))
	}
	return list.Of(rows, f.Limit, func(l *Lease) string { return l.ID }), err
}

// Lease is one lease.
func (s *Leases) Lease(ctx context.Context, by access.Actor, id string) (*Lease, error) {
	l, err := s.store.Lease(ctx, by.Portfolio, id)
	s.show(&l, s.Today(by))
	return &l, err
}
