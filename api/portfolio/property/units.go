package property

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
)

// Units is what can be done with the units of properties.
type Units struct {
	*portfolio.Common
	store     UnitStore
	occupancy *lease.Occupancy
}

// NewUnits makes the rules over their store.
func NewUnits(c *portfolio.Common, store UnitStore, o *lease.Occupancy) *Units {
	return &Units{c, store, o}
}

// UnitStore is what they need of the store.
type UnitStore interface {
	AddProperties(ctx context.Context, in access.Portfolio, b *portfolio.Book) error
	Leases(ctx context.Context, in access.Portfolio, f portfolio.LeaseFilter) ([]portfolio.Lease, error)
	Property(ctx context.Context, in access.Portfolio, id string) (portfolio.Property, error)
	// RecountProperty counts the units of a property anew and raises its version.
	RecountProperty(ctx context.Context, in access.Portfolio, id string, at clock.Time) error
	SaveUnit(ctx context.Context, in access.Portfolio, u *portfolio.Unit) error
	Unit(ctx context.Context, in access.Portfolio, id string) (portfolio.Unit, error)
	UnitCount(ctx context.Context, in access.Portfolio) (int, error)
	UnitsOf(ctx context.Context, in access.Portfolio, propertyID string) ([]portfolio.Unit, error)
}
