package lease

import (
	"context"
	"errors"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
)

// Calendar moves records along with the days.
type Calendar struct {
	*portfolio.Common
	store     Store
	occupancy *Occupancy
	ledger    *ledger.Ledger
}

// NewCalendar makes the rules over their store.
func NewCalendar(c *portfolio.Common, store Store, o *Occupancy, l *ledger.Ledger) *Calendar {
	return &Calendar{c, store, o, l}
}

// rollOverBatch is how many leases roll over in one transaction, so that other writes need not
// wait long on a day on which many end.
const rollOverBatch = 100

// RollOver brings what the calendar moves to the present day of the landlord: leases
// that start, end, roll over or were left unsigned (docs/site/records.md), the units,
// tenants and properties that follow from them, invitations that expire, leases that change as their parties have
// agreed, ledger rows that fall due, reminders to return deposits, and what the ledger charges by itself.
// Doing it twice changes nothing.
func (s *Calendar) RollOver(ctx context.Context, in access.Portfolio, zone *time.Location) error {
	if in.Mode != access.Test {
		return s.rollOver(ctx, in, zone)
	}
	// In one transaction, by the day of the test clock that stands then: a reset may have set it back.
	return s.Tx.Exclusively(ctx, in, func(ctx context.Context) error {
		c, err := s.store.TestClock(ctx, in)
		if err != nil {
			return err
		}
		in.Ahead = c.Ahead
		return s.rollOver(ctx, in, zone)
	})
}

// DueWork is what a day brings to a portfolio, in the order in which it happens.
type DueWork struct {
	RollOver bool // of leases
	Expire   bool // invitations
	Amend    bool // leases, as their parties have agreed
	FallDue  bool // ledger rows
	Deposits bool // that owners are to be reminded of
	Payments bool // that a simulated processor reports something of, or that autopay makes
	Charges  bool // of the ledger
}

// rollOver begins with what the day brings first. What follows may come of it, and is looked for in any case. Leases
// are amended before their rent falls due. One that cannot be is told at the end, and keeps nothing else back.
func (s *Calendar) rollOver(ctx context.Context, in access.Portfolio, zone *time.Location) error {
	now, today := clock.At(s.Now(in)), s.Today(access.Actor{Portfolio: in, Zone: zone})
	due, err := s.store.DueWork(ctx, in, today, s.BusinessNow(in))
	if err != nil {
		return err
	}
	begun, amended := false, error(nil)
	for _, step := range []struct {
		due bool
		do  func() error
	}{
		{due.RollOver, func() error { return s.rollOverAll(ctx, in, today, now) }},
		{due.Expire, func() error {
			_, err := s.store.ExpireInvitations(ctx, in, now)
			return err
		}},
		{due.Amend, func() (err error) {
			if s.Amendments != nil {
				err = s.Amendments.ApplyDue(ctx, access.Actor{Portfolio: in, Zone: zone})
			}
			if in.Mode != access.Test && ctx.Err() == nil { // a day of a test clock is one transaction
				amended, err = err, nil
			}
			return err
		}},
		{due.FallDue, func() error { return s.fallDue(ctx, in, today, now) }},
		{due.Deposits, func() error { return s.ledger.RemindOfDeposits(ctx, in, zone) }},
		{due.Payments, func() error {
			if s.Payments == nil {
				return nil
			}
			return s.Payments.SettleDay(ctx, access.Actor{Portfolio: in, Zone: zone})
		}},
		{due.Charges, func() error { return s.ledger.AutoCharge(ctx, in, zone) }},
	} {
		if begun = begun || step.due; !begun {
			continue
		}
		if err := step.do(); err != nil {
			return errors.Join(err, amended)
		}
	}
	return amended
}

func (s *Calendar) rollOverAll(ctx context.Context, in access.Portfolio, today clock.Date, now clock.Time) error {
	for n := rollOverBatch; n == rollOverBatch; {
		var err error
		if n, err = s.rollOverSome(ctx, in, today, now); err != nil {
			return err
		}
	}
	return nil
}

// fallDue turns the scheduled ledger rows that are due. Where there are none, nobody waits.
func (s *Calendar) fallDue(ctx context.Context, in access.Portfolio, today clock.Date, now clock.Time) error {
	if falls, err := s.store.AnyFallsDue(ctx, in, today); err != nil || !falls {
		return err
	}
	// Exclusively, because a change that has read a row before would overwrite it.
	return s.Tx.Exclusively(ctx, in, func(ctx context.Context) error {
		_, err := s.store.DuePayments(ctx, in, today, now)
		return err
	})
}

// rollOverSome rolls over some leases and what follows from them in one transaction, and
// tells how many. A lease that was rolled over is no longer among those that are due.
func (s *Calendar) rollOverSome(
	ctx context.Context, in access.Portfolio, today clock.Date, now clock.Time,
) (n int, err error) {
	if leases, err := s.store.LeasesToRollOver(ctx, in, today, s.BusinessNow(in), 1); err != nil || len(leases) == 0 {
		return 0, err
	}
	err = s.Tx.Exclusively(ctx, in, func(ctx context.Context) error {
		leases, err := s.store.LeasesToRollOver(ctx, in, today, s.BusinessNow(in), rollOverBatch)
		if err != nil {
			return err
		}
		var touched affected
		for i := range leases {
			if err := s.rollOverLease(ctx, in, &leases[i], today, now); err != nil {
				return err
			}
			if err := s.ledger.AwaitDeposit(ctx, access.Actor{Portfolio: in}, &leases[i]); err != nil {
				return err
			}
			touched.add(&leases[i])
		}
		n = len(leases)
		return s.occupancy.derive(ctx, in, touched, now)
	})
	return n, err
}

func (s *Calendar) rollOverLease(
	ctx context.Context, in access.Portfolio, l *portfolio.Lease, today clock.Date, now clock.Time,
) error {
	renewed, err := s.occupancy.Renewed(ctx, in, l, today)
	if err != nil {
		return err
	}
	RollOver(l, today, s.BusinessNow(in), renewed)
	l.Revise(now)
	return s.store.SaveLease(ctx, in, l)
}

// RollOver moves a lease along with the calendar. Its last day is still part of it.
func RollOver(l *portfolio.Lease, today clock.Date, now clock.Time, renewed bool) {
	if l.Lapsed(now) {
		if l.Status == portfolio.LeaseDraft { // of what somebody has signed the time can be extended
			l.ExpiresAt = nil
		}
		l.Status, l.DocumentURL, l.EsignURL = portfolio.LeaseVoided, nil, nil
	}
	if l.Status == portfolio.LeaseSigned && l.StartDate <= today {
		l.Status = portfolio.LeaseActive
	}
	if l.Status != portfolio.LeaseActive {
		return
	}
	switch ended := l.EndDate != nil && *l.EndDate < today; {
	case renewed:
		l.Status = portfolio.LeaseRenewed
	case ended && l.LeaseType == portfolio.FixedWithRollover:
		l.LeaseType, l.EndDate = portfolio.MonthToMonth, nil
	case ended:
		l.Status = portfolio.LeaseExpired
	}
}
