package lease

import (
	"context"
	"fmt"
	"strings"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio"
)

// invalidEnding finds what is wrong with how a lease is ended before its first day, or with what is said of that
// afterwards.
func (u Update) invalidEnding(l *portfolio.Lease, today clock.Date) (all []fault.Detail) {
	add := func(field string, code fault.Code, words string) {
		all = append(all, portfolio.FieldFault(field, code, words))
	}
	on := u.TerminatedOn.Value
	if l.NeverStarted() {
		if u.TerminatedOn.Given && on == nil {
			add("terminated_on", fault.InvalidField, "must not be null, as the lease is terminated.")
		}
		if u.TenantsAgreedOn.Given && !change.Same(&u.TenantsAgreedOn.Value, l.Terms.TenantsAgreedOn) {
			add("tenants_agreed_on", fault.InvalidField, "cannot change: the lease has ended.")
		}
		return all
	}
	switch agreed := u.TenantsAgreedOn; {
	case !agreed.Given:
		add("tenants_agreed_on", fault.MissingField,
			"is required to end a lease before it starts: the day on which the tenants agreed to that on paper.")
	case agreed.Value > today:
		add("tenants_agreed_on", fault.InvalidField, fmt.Sprintf("must not be in the future; not %s.", agreed.Value))
	}
	if why := u.TerminationReason.Value; why == nil || strings.TrimSpace(*why) == "" {
		add("termination_reason", fault.MissingField, "is required to end a lease before it starts.")
	}
	switch {
	case on == nil:
	case *on >= l.StartDate:
		add("terminated_on", fault.DateOrder, fmt.Sprintf(
			"must be before start_date, %s, as the lease has not started; not %s.", l.StartDate, *on))
	case *on < today:
		add("terminated_on", fault.InvalidField, fmt.Sprintf("must not be before today; not %s.", *on))
	}
	return all
}

// followEnding lets the lease that is renewed go on, and has it noted, where a lease has ended before its first day.
func (s *Leases) followEnding(ctx context.Context, by access.Actor, m *change.Result[portfolio.Lease]) error {
	if !m.After.NeverStarted() || m.Before.NeverStarted() {
		return nil
	}
	if err := s.releaseRenewed(ctx, by, m.After, clock.At(s.Now(by.Portfolio))); err != nil {
		return err
	}
	if s.Documents == nil {
		return nil
	}
	return s.Documents.Ended(ctx, by, m.After)
}

// releaseRenewed lets another lease renew the one that a lease would have renewed.
func (s *Leases) releaseRenewed(
	ctx context.Context, by access.Actor, l *portfolio.Lease, now clock.Time,
) error {
	if l.RenewedFromLeaseID == nil {
		return nil
	}
	earlier, err := s.store.Lease(ctx, by.Portfolio, *l.RenewedFromLeaseID)
	if err != nil || !change.Same(earlier.RenewedToLeaseID, &l.ID) {
		return err
	}
	earlier.RenewedToLeaseID = nil
	earlier.Revise(now)
	if err := s.store.SaveLease(ctx, by.Portfolio, &earlier); err != nil {
		return err
	}
	_, err = s.ledger.Follow(ctx, by, &earlier, false)
	return err
}

// voidUnstarted voids what nobody has paid under a lease that has ended before its first day.
func (s *Leases) voidUnstarted(ctx context.Context, by access.Actor, m *change.Result[portfolio.Lease]) error {
	l := m.After
	n, err := s.store.VoidUnstarted(ctx, by.Portfolio, l.ID, *l.TerminatedOn, clock.At(s.Now(by.Portfolio)))
	if n > 0 {
		m.Warn("rent_voided", fmt.Sprintf("%d unpaid charges of the lease, which never starts, are voided.", n))
	}
	return err
}
