package portfolio

import (
	"context"
	"fmt"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
)

// end voids or terminates a lease, and notes when and why.
func (u LeaseUpdate) end(l *Lease, today clock.Date) error {
	if l.Status == LeaseTerminated && u.TerminatedOn.Given && !same(u.TerminatedOn.Value, l.TerminatedOn) {
		return fault.New(fault.InvalidTransition,
			"terminated_on cannot change: the lease has ended on %s, and its ledger with it.",
			l.TerminatedOn).At("terminated_on")
	}
	if u.Status.Given && u.Status.Value != l.Status {
		if to := u.Status.Value; !l.May(to) {
			return fault.New(fault.InvalidTransition, "A lease that is %s cannot become %s; %s.",
				l.Status, to, l.nextSteps()).At("status")
		}
		if u.Status.Value == LeaseTerminated {
			l.TerminatedOn = &today
		}
		if u.Status.Value == LeaseVoided {
			l.DocumentURL, l.EsignURL, l.ExpiresAt = nil, nil, nil
		}
		l.Status = u.Status.Value
	}
	if l.Status == LeaseTerminated {
		if u.TerminatedOn.Value != nil {
			l.TerminatedOn = u.TerminatedOn.Value
		}
		u.TerminationReason.Into(&l.TerminationReason)
	}
	return nil
}

// May tells whether a caller can take the lease to a status (records.md, Lease).
func (l *Lease) May(to LeaseStatus) bool {
	return to == LeaseVoided && l.Open() || to == LeaseTerminated && l.Status == LeaseActive
}

// nextSteps tells what a caller can do with the status.
func (l *Lease) nextSteps() string {
	switch {
	case l.Open():
		return "it can be voided, with status voided; signatures and dates do the rest"
	case l.Status == LeaseActive:
		return "it can be terminated, with status terminated"
	case l.Status == LeaseSigned:
		return "it becomes active on its start date, and can be terminated from then on"
	}
	return "its status is final"
}

// voidRent voids what is not paid for the time after a lease that ends sooner than
// it did.
func (s *Leases) voidRent(ctx context.Context, by access.Actor, m *change.Result[Lease]) error {
	last, was := m.After.lastDay(), m.Before.lastDay()
	if last == nil || was != nil && *last >= *was {
		return nil
	}
	n, err := s.store.VoidRent(ctx, by.Portfolio, m.After.ID, *last, clock.At(s.Now()))
	if n > 0 {
		m.Warn("rent_voided", fmt.Sprintf("%d unpaid rent charges for periods after %s are voided.", n, *last))
	}
	return err
}

// lastDay is the day on which a lease ends, nil where it goes on.
func (l *Lease) lastDay() *clock.Date {
	switch {
	case l.Status == LeaseTerminated:
		return l.TerminatedOn
	case l.LeaseType == FixedWithRollover:
		return nil
	}
	return l.EndDate
}
