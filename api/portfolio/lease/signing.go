package lease

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/event"
	"portal/api/fault"
	"portal/api/portfolio"
)

// Signature is what a party has signed.
type Signature struct {
	TenantID string     // "" for who signs as a landlord
	CoOwner  int        // which of the co-owners signs as a landlord, from 1; 0 for the landlord and for tenants
	Version  int        // of the document that was signed, 0 where the lease has none of ours
	Name     string     // as it was typed, "" where the lease has no document of ours
	At       clock.Time // when; 0 for now
}

// Sign notes that a party has signed a lease; guarantors are parties too, and so are the landlord and co-owners where
// the lease has a document of ours. The last signature executes the document, puts the lease into force and
// raises lease.signed, unless another lease of the unit is in the way. A party that signs again changes nothing.
func (s *Leases) Sign(
	ctx context.Context, by access.Actor, leaseID string, g Signature,
) (*change.Result[portfolio.Lease], error) {
	today, now := s.Today(by), cmp.Or(g.At, clock.At(s.Now(by.Portfolio)))
	return portfolio.Amend(ctx, s.Common, by, change.Target{ID: leaseID}, portfolio.Amendment[portfolio.Lease]{
		Noun: "lease",
		Load: s.load(by),
		Apply: func(ctx context.Context, l *portfolio.Lease, m *change.Result[portfolio.Lease]) error {
			if err := sign(
				l,
				g,
				today,
				now,
				by.Portfolio.Ahead,
			); err != nil || !m.Before.Open() ||
				s.Documents == nil {
				return err
			}
			if err := s.Documents.CheckSigning(ctx, by, m); err != nil || l.Open() {
				return err
			}
			return s.Documents.Execute(ctx, by, l)
		},
		Save: func(ctx context.Context, in access.Portfolio, l *portfolio.Lease) error {
			if err := s.store.SaveLease(ctx, in, l); err != nil {
				return err
			}
			return s.store.SaveSignature(ctx, in, l.ID, g, now)
		},
		Follow: func(ctx context.Context, m *change.Result[portfolio.Lease]) error {
			if m.After.Open() {
				return nil
			}
			if err := s.enforce(ctx, by, m.After, today, now); err != nil {
				return err
			}
			if err := s.rebalance(ctx, by, m.After); err != nil {
				return err
			}
			s.show(m.After, by)
			return s.Raise(ctx, by, event.LeaseSigned, m.After)
		},
		Compute: func(l *portfolio.Lease) { s.show(l, by) },
	})
}

// sign notes a party's signature. The last one makes the lease signed, or active where
// its first day has come (docs/site/records.md).
func sign(l *portfolio.Lease, g Signature, today clock.Date, now clock.Time, ahead int) error {
	at, err := signatureOf(l, g)
	if err != nil {
		return err
	}
	if *at != nil && (l.Binding() || signable(l, now.Later(ahead)) == nil) {
		return nil
	}
	if err := signable(l, now.Later(ahead)); err != nil {
		return err
	}
	if g.TenantID == "" {
		landlord := *l.Landlord
		landlord.CoOwners = slices.Clone(landlord.CoOwners)
		l.Landlord = &landlord
	} else {
		l.Tenants = slices.Clone(l.Tenants)
	}
	if at, err = signatureOf(l, g); err != nil {
		return err
	}
	*at, l.Status = &now, portfolio.LeasePendingSignature
	if slices.ContainsFunc(l.Tenants, func(p portfolio.Party) bool { return p.SignedAt == nil }) ||
		l.Landlord != nil && (l.Landlord.SignedAt == nil || slices.Contains(l.Landlord.CoOwners, nil)) {
		return nil
	}
	l.Status, l.SignedAt, l.EsignURL, l.ExpiresAt = portfolio.LeaseSigned, &now, nil, nil
	if l.StartDate <= today {
		l.Status = portfolio.LeaseActive
	}
	return nil
}

// signatureOf is when the party of a signature has signed a lease.
func signatureOf(l *portfolio.Lease, g Signature) (at **clock.Time, err error) {
	switch landlord := l.Landlord; {
	case g.TenantID != "" || landlord == nil:
	case g.CoOwner == 0:
		return &landlord.SignedAt, nil
	case g.CoOwner <= len(landlord.CoOwners):
		return &landlord.CoOwners[g.CoOwner-1], nil
	}
	i := slices.IndexFunc(l.Tenants, func(p portfolio.Party) bool { return p.ID == g.TenantID })
	if i < 0 {
		return nil, fault.NotFound("party of the lease")
	}
	return &l.Tenants[i].SignedAt, nil
}

// signable refuses signatures under a document that is no longer open.
func signable(l *portfolio.Lease, now clock.Time) error {
	switch {
	case l.Lapsed(now):
		return fault.New(fault.InvalidTransition,
			"The lease cannot be signed: its document expired at %s. Make a new one.", l.ExpiresAt)
	case !l.Open():
		return fault.New(fault.InvalidTransition, "A lease that is %s cannot be signed; %s.", l.Status, nextSteps(l))
	}
	return nil
}

// Decline notes that a party will not sign a lease: it is final, and nobody can sign it any more.
func (s *Leases) Decline(
	ctx context.Context, by access.Actor, leaseID string,
) (*change.Result[portfolio.Lease], error) {
	now := s.BusinessNow(by.Portfolio)
	return portfolio.Amend(ctx, s.Common, by, change.Target{ID: leaseID}, portfolio.Amendment[portfolio.Lease]{
		Noun: "lease",
		Load: s.load(by),
		Apply: func(_ context.Context, l *portfolio.Lease, _ *change.Result[portfolio.Lease]) error {
			if err := signable(l, now); err != nil {
				return err
			}
			l.Status, l.DocumentURL, l.EsignURL, l.ExpiresAt = portfolio.LeaseDeclined, nil, nil, nil
			return nil
		},
		Save:    s.store.SaveLease,
		Compute: func(l *portfolio.Lease) { s.show(l, by) },
	})
}

// enforce lets the lease that is renewed, unit, tenants and property follow a lease that
// all have signed.
func (s *Leases) enforce(
	ctx context.Context, by access.Actor, l *portfolio.Lease, today clock.Date, now clock.Time,
) error {
	var touched affected
	touched.add(l)
	if l.RenewedFromLeaseID != nil {
		earlier, err := s.renew(ctx, by.Portfolio, l, today, now)
		if err != nil {
			return fmt.Errorf("renew the lease %s: %w", *l.RenewedFromLeaseID, err)
		}
		touched.add(earlier)
	}
	if err := s.occupancy.derive(ctx, by.Portfolio, touched, now); err != nil {
		return err
	}
	if l.RenewedFromLeaseID != nil { // which ends with the day before this one
		earlier, err := s.store.Lease(ctx, by.Portfolio, *l.RenewedFromLeaseID)
		if err != nil {
			return err
		}
		if _, err := s.ledger.Follow(ctx, by, &earlier, true); err != nil {
			return err
		}
	}
	_, err := s.ledger.Follow(ctx, by, l, false)
	return err
}

// renew tells the earlier lease which one renews it, and ends it where that has begun.
// Of two renewals, one after the other, it keeps the one that was signed first.
func (s *Leases) renew(
	ctx context.Context, in access.Portfolio, l *portfolio.Lease, today clock.Date, now clock.Time,
) (*portfolio.Lease, error) {
	earlier, err := s.store.Lease(ctx, in, *l.RenewedFromLeaseID)
	if err != nil {
		return nil, err
	}
	before := earlier
	if to := earlier.RenewedToLeaseID; to != nil && *to != l.ID {
		other, err := s.store.Lease(ctx, in, *to)
		if err != nil || other.Binding() {
			if err != nil {
				return nil, err
			}
			return &earlier, nil
		}
	}
	earlier.RenewedToLeaseID = &l.ID
	if l.Status == portfolio.LeaseActive {
		RollOver(&earlier, today, now, true)
	}
	if reflect.DeepEqual(before, earlier) {
		return &earlier, nil
	}
	earlier.Revise(now)
	return &earlier, s.store.SaveLease(ctx, in, &earlier)
}

// end voids or terminates a lease, and notes when and why.
func (u Update) end(l *portfolio.Lease, today clock.Date) error {
	if l.Status == portfolio.LeaseTerminated && u.TerminatedOn.Given &&
		!change.Same(u.TerminatedOn.Value, l.TerminatedOn) {
		return fault.New(fault.InvalidTransition,
			"terminated_on cannot change: the lease has ended on %s, and its ledger with it.",
			l.TerminatedOn).At("terminated_on")
	}
	if u.Status.Given && u.Status.Value != l.Status {
		if to := u.Status.Value; !l.May(to) {
			return fault.New(fault.InvalidTransition, "A lease that is %s cannot become %s; %s.",
				l.Status, to, nextSteps(l)).At("status")
		}
		if u.Status.Value == portfolio.LeaseTerminated {
			if l.TerminatedOn = &today; l.Status == portfolio.LeaseSigned {
				l.Terms.TenantsAgreedOn = &u.TenantsAgreedOn.Value
			}
		}
		if u.Status.Value == portfolio.LeaseVoided {
			l.DocumentURL, l.EsignURL, l.ExpiresAt = nil, nil, nil
		}
		l.Status = u.Status.Value
	}
	if l.Status == portfolio.LeaseTerminated {
		if u.TerminatedOn.Value != nil {
			l.TerminatedOn = u.TerminatedOn.Value
		}
		u.TerminationReason.Into(&l.TerminationReason)
	}
	return nil
}

// nextSteps tells what a caller can do with the status.
func nextSteps(l *portfolio.Lease) string {
	switch {
	case l.Revivable():
		return "its time to sign can be extended, with expires_in_days"
	case l.Open():
		return "it can be voided, with status voided; signatures and dates do the rest"
	case l.Status == portfolio.LeaseActive:
		return "it can be terminated, with status terminated"
	case l.Status == portfolio.LeaseSigned:
		return "it becomes active on its start date, and can be terminated; before that day with tenants_agreed_on"
	}
	return "its status is final"
}
