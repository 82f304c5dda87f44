package portfolio

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
)

// Units is what can be done with the units of properties.
type Units struct {
	*Common
	store     UnitStore
	occupancy *occupancy
}

// UnitStore is what they need of the store.
type UnitStore interface {
	AddPlaces(ctx context.Context, in access.Portfolio, b *Book) error
	Leases(ctx context.Context, in access.Portfolio, f LeaseFilter) ([]Lease, error)
	Property(ctx context.Context, in access.Portfolio, id string) (Property, error)
	// RecountProperty counts the units of a property anew and raises its version.
	RecountProperty(ctx context.Context, in access.Portfolio, id string, at clock.Time) error
	SaveUnit(ctx context.Context, in access.Portfolio, u *Unit) error
	Unit(ctx context.Context, in access.Portfolio, id string) (Unit, error)
	UnitCount(ctx context.Context, in access.Portfolio) (int, error)
	UnitsOf(ctx context.Context, in access.Portfolio, propertyID string) ([]Unit, error)
}
