package portfolio

import (
	"context"
	"reflect"
	"slices"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/list"
)

// calendar is what the turn of a day needs of the store.
type calendar interface {
	Atomically(ctx context.Context, do func(context.Context) error) error
	// Exclusively is Atomically for a change that no other change of the portfolio may come
	// between.
	Exclusively(ctx context.Context, in access.Portfolio, do func(context.Context) error) error
	// TurningLeases reads leases whose status a day or a moment changes, at most so many.
	TurningLeases(ctx context.Context, in access.Portfolio, today clock.Date, now clock.Time, most int) ([]Lease, error)
	SaveLease(ctx context.Context, in access.Portfolio, l *Lease) error
	SaveUnit(ctx context.Context, in access.Portfolio, u *Unit) error
	SaveTenant(ctx context.Context, in access.Portfolio, t *Tenant) error
	// RecountProperty counts the units of a property anew and raises its version.
	RecountProperty(ctx context.Context, in access.Portfolio, id string, at clock.Time) error
	// DuePayments turns the scheduled ledger rows that are due by a day.
	DuePayments(ctx context.Context, in access.Portfolio, today clock.Date, at clock.Time) (int64, error)
}

// turned is how many leases turn in one transaction, so that other writes need not
// wait long on a day on which many end.
const turned = 100

// Turn brings what the calendar moves to the present day of the landlord: leases
// that start, end, roll over or were left unsigned (records.md, Lease), the units,
// tenants and properties that follow from them, invitations that expire, and ledger
// rows that fall due.
// Doing it twice changes nothing.
func (s *Service) Turn(ctx context.Context, in access.Portfolio, zone *time.Location) error {
	now := clock.At(s.now())
	today := clock.DateOf(s.now(), zone)
	for {
		n, err := s.turnSome(ctx, in, today, now)
		if err != nil {
			return err
		}
		if n < turned {
			break
		}
	}
	if _, err := s.store.ExpireInvitations(ctx, in, now); err != nil {
		return err
	}
	return s.store.Exclusively(ctx, in, func(ctx context.Context) error { // whoever changes a row meanwhile has read it
		_, err := s.store.DuePayments(ctx, in, today, now)
		return err
	})
}

// turnSome turns some leases and what follows from them in one transaction, and
// tells how many. What has turned is not found again.
func (s *Service) turnSome(ctx context.Context, in access.Portfolio, today clock.Date, now clock.Time) (n int, err error) {
	err = s.store.Exclusively(ctx, in, func(ctx context.Context) error {
		leases, err := s.store.TurningLeases(ctx, in, today, now, turned)
		if err != nil {
			return err
		}
		var touched footprint
		for i := range leases {
			if err := s.turnLease(ctx, in, &leases[i], today, now); err != nil {
				return err
			}
			touched.add(&leases[i])
		}
		n = len(leases)
		return s.resettle(ctx, in, touched, now)
	})
	return n, err
}

func (s *Service) turnLease(ctx context.Context, in access.Portfolio, l *Lease, today clock.Date, now clock.Time) error {
	renewed, err := s.renewed(ctx, in, l, today)
	if err != nil {
		return err
	}
	l.turn(today, now, renewed)
	l.changed(now)
	return s.store.SaveLease(ctx, in, l)
}

// renewed tells whether the lease that renews another has begun by a day.
func (s *Service) renewed(ctx context.Context, in access.Portfolio, l *Lease, today clock.Date) (bool, error) {
	if l.RenewedToLeaseID == nil {
		return false, nil
	}
	next, err := s.store.Lease(ctx, in, *l.RenewedToLeaseID)
	return (next.Status == LeaseSigned || next.Status == LeaseActive) && next.StartDate <= today, err
}

// turn moves a lease along with the calendar. Its last day is still part of it.
func (l *Lease) turn(today clock.Date, now clock.Time, renewed bool) {
	if l.lapsed(now) {
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

// open tells whether parties have yet to sign.
func (l *Lease) open() bool { return l.Status == LeaseDraft || l.Status == LeasePendingSignature }

// lapsed tells whether the time for signatures is over, whenever that is written down.
func (l *Lease) lapsed(now clock.Time) bool {
	return l.open() && l.ExpiresAt != nil && *l.ExpiresAt <= now
}

// changed notes a change: the version grows by one.
func (r *Record) changed(at clock.Time) {
	r.Version++
	r.UpdatedAt = at
}

// footprint is what leases leave a mark on, each once and in order.
type footprint struct{ units, tenants []string }

func (f *footprint) add(l *Lease) {
	f.units = append(f.units, l.UnitID)
	f.tenants = append(f.tenants, l.TenantIDs...)
}

func once(ids []string) []string {
	slices.Sort(ids)
	return slices.Compact(ids)
}

// resettle settles anew what follows from leases that have changed. A property's
// version grows with a change of its units.
func (s *Service) resettle(ctx context.Context, in access.Portfolio, f footprint, now clock.Time) error {
	var properties []string
	for _, id := range once(f.units) {
		property, err := s.resettleUnit(ctx, in, id, now)
		if err != nil {
			return err
		}
		if property != "" {
			properties = append(properties, property)
		}
	}
	for _, id := range once(f.tenants) {
		if err := s.resettleTenant(ctx, in, id, now); err != nil {
			return err
		}
	}
	for _, id := range once(properties) {
		if err := s.store.RecountProperty(ctx, in, id, now); err != nil {
			return err
		}
	}
	return nil
}

// allLeases is more than a unit or a tenant ever has.
var allLeases = list.Query{Limit: 10_000}

// resettleUnit names the property of a unit that has changed.
func (s *Service) resettleUnit(ctx context.Context, in access.Portfolio, id string, now clock.Time) (property string, err error) {
	u, err := s.store.Unit(ctx, in, id)
	if err != nil {
		return "", err
	}
	leases, err := s.store.Leases(ctx, in, LeaseFilter{Query: allLeases, UnitID: id})
	if err != nil {
		return "", err
	}
	before := u
	if u.settle(leases); reflect.DeepEqual(before, u) {
		return "", nil
	}
	u.changed(now)
	return u.PropertyID, s.store.SaveUnit(ctx, in, &u)
}

func (s *Service) resettleTenant(ctx context.Context, in access.Portfolio, id string, now clock.Time) error {
	t, err := s.store.Tenant(ctx, in, id)
	if err != nil {
		return err
	}
	leases, err := s.store.Leases(ctx, in, LeaseFilter{Query: allLeases, TenantID: id})
	if err != nil {
		return err
	}
	before := t
	if t.settle(leases); reflect.DeepEqual(before, t) {
		return nil
	}
	t.changed(now)
	return s.store.SaveTenant(ctx, in, &t)
}
