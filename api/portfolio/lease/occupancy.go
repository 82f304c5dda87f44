package lease

import (
	"context"
	"reflect"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/portfolio"
)

// Occupancy derives from leases what follows for units, tenants and properties.
type Occupancy struct {
	*portfolio.Common
	store Store
}

// NewOccupancy makes the rules over their store.
func NewOccupancy(c *portfolio.Common, store Store) *Occupancy { return &Occupancy{c, store} }

// Renewed reports whether the lease that renews another has begun by a day.
func (s *Occupancy) Renewed(
	ctx context.Context, in access.Portfolio, l *portfolio.Lease, today clock.Date,
) (bool, error) {
	if l.RenewedToLeaseID == nil {
		return false, nil
	}
	next, err := s.store.Lease(ctx, in, *l.RenewedToLeaseID)
	return (next.Status == portfolio.LeaseSigned || next.Status == portfolio.LeaseActive) &&
		next.StartDate <= today, err
}

// affected is what leases leave a mark on, each once and in order.
type affected struct{ units, tenants []string }

func (f *affected) add(l *portfolio.Lease) {
	f.units = append(f.units, l.UnitID)
	f.tenants = append(f.tenants, l.TenantIDs...)
}

// derive works out anew what follows from leases that have changed. A property's
// version grows with a change of its units.
func (s *Occupancy) derive(ctx context.Context, in access.Portfolio, f affected, now clock.Time) error {
	var properties []string
	for _, id := range portfolio.Distinct(f.units) {
		property, err := s.deriveUnit(ctx, in, id, now)
		if err != nil {
			return err
		}
		if property != "" {
			properties = append(properties, property)
		}
	}
	for _, id := range portfolio.Distinct(f.tenants) {
		if err := s.deriveTenant(ctx, in, id, now); err != nil {
			return err
		}
	}
	for _, id := range portfolio.Distinct(properties) {
		if err := s.store.RecountProperty(ctx, in, id, now); err != nil {
			return err
		}
	}
	return nil
}

// deriveUnit names the property of a unit that has changed.
func (s *Occupancy) deriveUnit(
	ctx context.Context, in access.Portfolio, id string, now clock.Time,
) (property string, err error) {
	u, err := s.store.Unit(ctx, in, id)
	if err != nil {
		return "", err
	}
	leases, err := s.store.Leases(ctx, in, portfolio.LeaseFilter{Query: portfolio.AllLeases, UnitID: id})
	if err != nil {
		return "", err
	}
	before := u
	if u.DeriveOccupancy(leases); reflect.DeepEqual(before, u) {
		return "", nil
	}
	u.Revise(now)
	return u.PropertyID, s.store.SaveUnit(ctx, in, &u)
}

func (s *Occupancy) deriveTenant(ctx context.Context, in access.Portfolio, id string, now clock.Time) error {
	t, err := s.store.Tenant(ctx, in, id)
	if err != nil {
		return err
	}
	leases, err := s.store.Leases(ctx, in, portfolio.LeaseFilter{Query: portfolio.AllLeases, TenantID: id})
	if err != nil {
		return err
	}
	before := t
	if t.DeriveTenancy(leases); reflect.DeepEqual(before, t) {
		return nil
	}
	t.Revise(now)
	return s.store.SaveTenant(ctx, in, &t)
}
