package lease

import (
	"context"
	"fmt"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio"
)

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
			l.TerminatedOn = &today
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
	case l.Open():
		return "it can be voided, with status voided; signatures and dates do the rest"
	case l.Status == portfolio.LeaseActive:
		return "it can be terminated, with status terminated"
	case l.Status == portfolio.LeaseSigned:
		return "it becomes active on its start date, and can be terminated from then on"
	}
	return "its status is final"
}

// voidRent voids what is not paid for the time after a lease that ends sooner than
// it did.
func (s *Leases) voidRent(ctx context.Context, by access.Actor, m *change.Result[portfolio.Lease]) error {
	last, was := m.After.LastDay(), m.Before.LastDay()
	if last == nil || was != nil && *last >= *was {
		return nil
	}
	n, err := s.store.VoidRent(ctx, by.Portfolio, m.After.ID, *last, clock.At(s.Now(by.Portfolio)))
	if n > 0 {
		m.Warn("rent_voided", fmt.Sprintf("%d unpaid rent charges for periods after %s are voided.", n, *last))
	}
	return err
}
