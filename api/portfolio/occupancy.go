package portfolio

import (
	"context"
	"reflect"
	"slices"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/list"
)

// occupancy derives from leases what follows for units, tenants and properties.
type occupancy struct {
	*Common
	store OccupancyStore
}

// OccupancyStore is what they need of the store.
type OccupancyStore interface {
	Lease(ctx context.Context, in access.Portfolio, id string) (Lease, error)
	Leases(ctx context.Context, in access.Portfolio, f LeaseFilter) ([]Lease, error)
	// RecountProperty counts the units of a property anew and raises its version.
	RecountProperty(ctx context.Context, in access.Portfolio, id string, at clock.Time) error
	SaveTenant(ctx context.Context, in access.Portfolio, t *Tenant) error
	SaveUnit(ctx context.Context, in access.Portfolio, u *Unit) error
	Tenant(ctx context.Context, in access.Portfolio, id string) (Tenant, error)
	Unit(ctx context.Context, in access.Portfolio, id string) (Unit, error)
}

// renewed tells whether the lease that renews another has begun by a day.
func (s *occupancy) renewed(ctx context.Context, in access.Portfolio, l *Lease, today clock.Date) (bool, error) {
	if l.RenewedToLeaseID == nil {
		return false, nil
	}
	next, err := s.store.Lease(ctx, in, *l.RenewedToLeaseID)
	return (next.Status == LeaseSigned || next.Status == LeaseActive) && next.StartDate <= today, err
}

// affected is what leases leave a mark on, each once and in order.
type affected struct{ units, tenants []string }

func (f *affected) add(l *Lease) {
	f.units = append(f.units, l.UnitID)
	f.tenants = append(f.tenants, l.TenantIDs...)
}

func once(ids []string) []string {
	slices.Sort(ids)
	return slices.Compact(ids)
}

// derive works out anew what follows from leases that have changed. A property's
// version grows with a change of its units.
func (s *occupancy) derive(ctx context.Context, in access.Portfolio, f affected, now clock.Time) error {
	var properties []string
	for _, id := range once(f.units) {
		property, err := s.deriveUnit(ctx, in, id, now)
		if err != nil {
			return err
		}
		if property != "" {
			properties = append(properties, property)
		}
	}
	for _, id := range once(f.tenants) {
		if err := s.deriveTenant(ctx, in, id, now); err != nil {
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

// AllLeases is more than a unit or a tenant ever has.
var AllLeases = list.Query{Limit: 10_000}

// deriveUnit names the property of a unit that has changed.
func (s *occupancy) deriveUnit(
	ctx context.Context, in access.Portfolio, id string, now clock.Time,
) (property string, err error) {
	u, err := s.store.Unit(ctx, in, id)
	if err != nil {
		return "", err
	}
	leases, err := s.store.Leases(ctx, in, LeaseFilter{Query: AllLeases, UnitID: id})
	if err != nil {
		return "", err
	}
	before := u
	if u.deriveOccupancy(leases); reflect.DeepEqual(before, u) {
		return "", nil
	}
	u.changed(now)
	return u.PropertyID, s.store.SaveUnit(ctx, in, &u)
}

func (s *occupancy) deriveTenant(ctx context.Context, in access.Portfolio, id string, now clock.Time) error {
	t, err := s.store.Tenant(ctx, in, id)
	if err != nil {
		return err
	}
	leases, err := s.store.Leases(ctx, in, LeaseFilter{Query: AllLeases, TenantID: id})
	if err != nil {
		return err
	}
	before := t
	if t.DeriveTenancy(leases); reflect.DeepEqual(before, t) {
		return nil
	}
	t.changed(now)
	return s.store.SaveTenant(ctx, in, &t)
}
