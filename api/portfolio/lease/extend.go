package lease

import (
	"context"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio"
)

// extend gives the parties of a lease more time to sign, if the update asks for it. A lease whose time is over comes
// back where somebody has signed it and all could sign it now.
func (s *Leases) extend(ctx context.Context, by access.Actor, l *portfolio.Lease, u Update) error {
	if !u.ExpiresInDays.Given {
		return nil
	}
	over := l.Revivable()
	if !over && !l.Open() {
		return fault.New(
			fault.InvalidTransition,
			"The time to sign can be extended while parties have yet to sign, and "+
				"after it is over where one of them has signed; this lease is %s.",
			l.Status,
		).At(
			"expires_in_days",
		)
	}
	if over {
		l.Status = portfolio.LeasePendingSignature
	}
	l.ExpiresAt = new(s.BusinessNow(by.Portfolio).Later(u.ExpiresInDays.Value))
	if !over || s.Documents == nil {
		return nil
	}
	pending, bound := *l, *l
	bound.Status = portfolio.LeaseSigned
	return s.Documents.CheckSigning(ctx, by, &change.Result[portfolio.Lease]{Before: &pending, After: &bound})
}

// noteExtension has an extension noted and told.
func (s *Leases) noteExtension(
	ctx context.Context, by access.Actor, m *change.Result[portfolio.Lease], u Update,
) error {
	if !u.ExpiresInDays.Given || s.Documents == nil {
		return nil
	}
	var over *clock.Time
	if m.Before.Revivable() || m.Before.Lapsed(s.BusinessNow(by.Portfolio)) {
		over = m.Before.ExpiresAt
	}
	return s.Documents.Extended(ctx, by, m.After, over)
}

// readdressed are the leases of a tenant, beside drafts, under which a change of the email address counts: those whose
// time to sign is over and can be extended, and those that all have signed and that have not started.
func (s *Tenants) readdressed(
	ctx context.Context, in access.Portfolio, tenantID string,
) (all []portfolio.Lease, err error) {
	leases, err := s.store.Leases(ctx, in, portfolio.LeaseFilter{
		Query:    portfolio.AllLeases,
		TenantID: tenantID,
	})
	now := s.BusinessNow(in)
	for i := range leases {
		l := &leases[i]
		if l.Revivable() || l.Status == portfolio.LeasePendingSignature && l.Lapsed(now) ||
			l.Status == portfolio.LeaseSigned {
			all = append(all, *l)
		}
	}
	return all, err
}
