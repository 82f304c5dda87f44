// Package lease holds the rules of leases and of the tenants who sign them: which terms may change and
// when, how a lease is signed, renewed and ended, what the calendar does to it, and what follows from
// it for units and tenants.
//
// It knows nothing of HTTP, SQL, queues or pages.
package lease

import (
	"context"
	"slices"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
)

// Leases is what can be done with leases.
type Leases struct {
	*portfolio.Common
	store     Store
	occupancy *Occupancy
	ledger    *ledger.Ledger
}

// NewLeases makes the rules over their store.
func NewLeases(c *portfolio.Common, store Store, o *Occupancy, l *ledger.Ledger) *Leases {
	return &Leases{c, store, o, l}
}

// Store is what the rules of leases and tenants need of the database.
type Store interface {
	portfolio.Store
	// Renewals reads some leases of which one renews the other, by their ids, with all that come before and after them.
	Renewals(ctx context.Context, in access.Portfolio, leaseIDs []string) (map[string]*portfolio.Lease, error)
	// Balances are those of some leases on a day, by the lease's id. A lease whose ledger has nothing of one is absent.
	Balances(
		ctx context.Context, in access.Portfolio, today clock.Date, leaseIDs []string,
	) (map[string]portfolio.Balance, error)
	// DueWork tells with one statement what a day and a moment, those of the test clock, bring to a portfolio.
	DueWork(ctx context.Context, in access.Portfolio, today clock.Date, now clock.Time) (DueWork, error)
	// DuePayments turns the scheduled ledger rows that are due by a day.
	DuePayments(ctx context.Context, in access.Portfolio, today clock.Date, at clock.Time) (int64, error)
	// AnyFallsDue reports whether a scheduled ledger row is due by a day.
	AnyFallsDue(ctx context.Context, in access.Portfolio, today clock.Date) (bool, error)
	// ExpireInvitations writes down which ones have expired, and tells how many.
	ExpireInvitations(ctx context.Context, in access.Portfolio, now clock.Time) (int64, error)
	// AddPeople adds tenants and leases.
	AddPeople(ctx context.Context, in access.Portfolio, b *portfolio.Book) error
	// LeaseCounts counts by status what passes a filter, whatever status that asks for.
	LeaseCounts(
		ctx context.Context, in access.Portfolio, f portfolio.LeaseFilter,
	) (list.Counts[portfolio.LeaseStatus], error)
	// TestClock reads the test clock of a demo portfolio.
	TestClock(ctx context.Context, in access.Portfolio) (portfolio.TestClock, error)
	// LeasesToRollOver reads leases whose status a day or a moment changes, at most so many.
	LeasesToRollOver(
		ctx context.Context, in access.Portfolio, today clock.Date, now clock.Time, most int,
	) ([]portfolio.Lease, error)
	// RecountProperty counts the units of a property anew and raises its version.
	RecountProperty(ctx context.Context, in access.Portfolio, id string, at clock.Time) error
	SaveLease(ctx context.Context, in access.Portfolio, l *portfolio.Lease) error
	SaveLeaseTerms(ctx context.Context, in access.Portfolio, l *portfolio.Lease) error
	// SaveParties writes the guarantors of a draft that nobody was sent, in place of those that it had, with the
	// tenants who join.
	SaveParties(ctx context.Context, in access.Portfolio, l *portfolio.Lease) error
	// SaveSignature notes when a party signed a lease, once.
	SaveSignature(ctx context.Context, in access.Portfolio, leaseID string, g Signature, at clock.Time) error
	SaveTenant(ctx context.Context, in access.Portfolio, t *portfolio.Tenant) error
	SaveUnit(ctx context.Context, in access.Portfolio, u *portfolio.Unit) error
	// TenantCounts counts by status what passes a filter, whatever status that asks for.
	TenantCounts(
		ctx context.Context, in access.Portfolio, f portfolio.TenantFilter,
	) (list.Counts[portfolio.TenantStatus], error)
	// VoidUnstarted voids what is unpaid under a lease that ended before its first day: its deposit, and what is
	// for the time after a day.
	VoidUnstarted(
		ctx context.Context, in access.Portfolio, leaseID string, after clock.Date, at clock.Time,
	) (int64, error)
}

// Leases lists leases.
func (s *Leases) Leases(
	ctx context.Context, by access.Actor, f portfolio.LeaseFilter,
) (*list.Page[portfolio.Lease], error) {
	f.Today = s.Today(by)
	f.Query = f.Walked()
	rows, err := s.store.Leases(ctx, by.Portfolio, f)
	if err == nil {
		err = s.balance(ctx, by, rows)
	}
	for i := range rows {
		s.show(&rows[i], by)
	}
	return list.Walked(rows, &f.Query, func(l *portfolio.Lease) string { return l.ID }), err
}

// Lease is one lease.
func (s *Leases) Lease(ctx context.Context, by access.Actor, id string) (*portfolio.Lease, error) {
	l, err := s.load(by)(ctx, by.Portfolio, id)
	s.show(&l, by)
	if err != nil {
		return nil, err
	}
	return &l, nil
}

// load reads one lease with its balance.
func (s *Leases) load(by access.Actor) func(context.Context, access.Portfolio, string) (portfolio.Lease, error) {
	return func(ctx context.Context, in access.Portfolio, id string) (portfolio.Lease, error) {
		l, err := s.store.Lease(ctx, in, id)
		if err != nil {
			return l, err
		}
		return l, s.rebalance(ctx, by, &l)
	}
}

// Recorded has units, tenants and properties follow leases that were added to units that there were, in the transaction
// of the context.
func (s *Leases) Recorded(ctx context.Context, by access.Actor, leases []portfolio.Lease) error {
	var touched affected
	for i := range leases {
		touched.add(&leases[i])
	}
	return s.occupancy.derive(ctx, by.Portfolio, touched, clock.At(s.Now(by.Portfolio)))
}

// rebalance fills the balance of a lease, whose ledger may have changed.
func (s *Leases) rebalance(ctx context.Context, by access.Actor, l *portfolio.Lease) error {
	all, err := s.balances(ctx, by, []string{l.ID}, renewals(l))
	all[l.ID].Show(l)
	return err
}

// balance fills the balances of leases, all by one statement.
func (s *Leases) balance(ctx context.Context, by access.Actor, leases []portfolio.Lease) error {
	ids := make([]string, len(leases))
	var renewing []string
	for i := range leases {
		ids[i] = leases[i].ID
		renewing = append(renewing, renewals(&leases[i])...)
	}
	all, err := s.balances(ctx, by, ids, renewing)
	for i := range leases {
		all[leases[i].ID].Show(&leases[i])
	}
	return err
}

// renewals names a lease that renews another one, or is renewed.
func renewals(l *portfolio.Lease) []string {
	if l.RenewedFromLeaseID == nil && l.RenewedToLeaseID == nil {
		return nil
	}
	return []string{l.ID}
}

// Balances are those of some leases today, by the lease's id, with those of leases that renew them or that they renew.
func (s *Leases) Balances(
	ctx context.Context, by access.Actor, leaseIDs ...string,
) (map[string]portfolio.Balance, error) {
	return s.balances(ctx, by, leaseIDs, leaseIDs)
}

// balances are Balances, of which some may be of leases that renew others or are renewed.
func (s *Leases) balances(
	ctx context.Context, by access.Actor, leaseIDs, renewing []string,
) (map[string]portfolio.Balance, error) {
	chain, err := s.store.Renewals(ctx, by.Portfolio, renewing)
	if err != nil {
		return nil, err
	}
	for id := range chain {
		if !slices.Contains(leaseIDs, id) {
			leaseIDs = append(slices.Clip(leaseIDs), id)
		}
	}
	all, err := s.store.Balances(ctx, by.Portfolio, s.Today(by), leaseIDs)
	portfolio.MoveDeposits(all, chain, s.Today(by))
	return all, err
}

// show computes what a lease shows, and links its document, unless the lease ended without being signed.
func (s *Leases) show(l *portfolio.Lease, by access.Actor) {
	l.Compute(s.Today(by))
	offered := l.Open() && !l.Lapsed(s.BusinessNow(by.Portfolio))
	executed := l.Binding() && l.DocumentSHA256 != nil
	if l.DocumentID != nil && s.Documents != nil && (offered || executed) {
		l.DocumentURL = new(s.Documents.Link(*l.DocumentID))
	}
}

// LeaseCounts counts the leases that pass a filter, by their status: list.Most of each at most. The status
// that the filter asks for is not looked at.
func (s *Leases) LeaseCounts(
	ctx context.Context, by access.Actor, f portfolio.LeaseFilter,
) (list.Counts[portfolio.LeaseStatus], error) {
	return s.store.LeaseCounts(ctx, by.Portfolio, f)
}
