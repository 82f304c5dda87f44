package portfolio

import (
	"context"
	"time"

	"portal/api/access"
	"portal/api/clock"
)

// Calendar moves records along with the days.
type Calendar struct {
	*Common
	store     CalendarStore
	occupancy *occupancy
}

// CalendarStore is what they need of the store.
type CalendarStore interface {
	// DuePayments turns the scheduled ledger rows that are due by a day.
	DuePayments(ctx context.Context, in access.Portfolio, today clock.Date, at clock.Time) (int64, error)
	// ExpireInvitations writes down which ones have expired, and tells how many.
	ExpireInvitations(ctx context.Context, in access.Portfolio, now clock.Time) (int64, error)
	SaveLease(ctx context.Context, in access.Portfolio, l *Lease) error
	// LeasesToRollOver reads leases whose status a day or a moment changes, at most so many.
	LeasesToRollOver(
		ctx context.Context, in access.Portfolio, today clock.Date, now clock.Time, most int,
	) ([]Lease, error)
}

// rollOverBatch is how many leases roll over in one transaction, so that other writes need not
// wait long on a day on which many end.
const rollOverBatch = 100

// RollOver brings what the calendar moves to the present day of the landlord: leases
// that start, end, roll over or were left unsigned (records.md, Lease), the units,
// tenants and properties that follow from them, invitations that expire, and ledger
// rows that fall due.
// Doing it twice changes nothing.
func (s *Calendar) RollOver(ctx context.Context, in access.Portfolio, zone *time.Location) error {
	now := clock.At(s.Now())
	today := clock.DateOf(s.Now(), zone)
	for {
		n, err := s.rollOverSome(ctx, in, today, now)
		if err != nil {
			return err
		}
		if n < rollOverBatch {
			break
		}
	}
	if _, err := s.store.ExpireInvitations(ctx, in, now); err != nil {
		return err
	}
	// Exclusively, because a change that has read a row before would overwrite it.
	return s.Tx.Exclusively(ctx, in, func(ctx context.Context) error {
		_, err := s.store.DuePayments(ctx, in, today, now)
		return err
	})
}

// rollOverSome rolls over some leases and what follows from them in one transaction, and
// tells how many. What has turned is not found again.
func (s *Calendar) rollOverSome(
	ctx context.Context, in access.Portfolio, today clock.Date, now clock.Time,
) (n int, err error) {
	err = s.Tx.Exclusively(ctx, in, func(ctx context.Context) error {
		leases, err := s.store.LeasesToRollOver(ctx, in, today, now, rollOverBatch)
		if err != nil {
			return err
		}
		var touched affected
		for i := range leases {
			if err := s.rollOverLease(ctx, in, &leases[i], today, now); err != nil {
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
	ctx context.Context, in access.Portfolio, l *Lease, today clock.Date, now clock.Time,
) error {
	renewed, err := s.occupancy.renewed(ctx, in, l, today)
	if err != nil {
		return err
	}
	l.rollOver(today, now, renewed)
	l.changed(now)
	return s.store.SaveLease(ctx, in, l)
}

// rollOver moves a lease along with the calendar. Its last day is still part of it.
func (l *Lease) rollOver(today clock.Date, now clock.Time, renewed bool) {
	if l.Lapsed(now) {
		l.Status, l.DocumentURL, l.EsignURL, l.ExpiresAt = LeaseVoided, nil, nil, nil
	}
	if l.Status == LeaseSigned && l.StartDate <= today {
		l.Status = LeaseActive
	}
	if l.Status != LeaseActive {
		return
	}
	switch ended := l.EndDate != nil && *l.EndDate < today; {
	case renewed:
		l.Status = LeaseRenewed
	case ended && l.LeaseType == FixedWithRollover:
		l.LeaseType, l.EndDate = MonthToMonth, nil
	case ended:
		l.Status = LeaseExpired
	}
}

// Open reports whether parties have yet to sign.
func (l *Lease) Open() bool { return l.Status == LeaseDraft || l.Status == LeasePendingSignature }

// Lapsed reports whether the time for signatures is over, whenever that is written down.
func (l *Lease) Lapsed(now clock.Time) bool {
	return l.Open() && l.ExpiresAt != nil && *l.ExpiresAt <= now
}

// changed notes a change: the version grows by one.
func (r *Record) changed(at clock.Time) {
	r.Version++
	r.UpdatedAt = at
}
