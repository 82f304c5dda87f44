package portfolio

import (
	"context"

	"portal/api/access"
	"portal/api/list"
)

// Properties is what can be done with properties.
type Properties struct {
	*Common
	store PropertyStore
	units *Units
}

// PropertyStore is what they need of the store.
type PropertyStore interface {
	AddPlaces(ctx context.Context, in access.Portfolio, b *Book) error
	// Parties are those of leases, by the lease's id, the primary tenant first.
	Parties(ctx context.Context, in access.Portfolio, leaseIDs []string) (map[string][]Party, error)
	Properties(ctx context.Context, in access.Portfolio, f PropertyFilter) ([]Property, error)
	Property(ctx context.Context, in access.Portfolio, id string) (Property, error)
	SaveProperty(ctx context.Context, in access.Portfolio, p *Property) error
	// UnitPage lists units of a property.
	UnitPage(ctx context.Context, in access.Portfolio, f UnitFilter) ([]Unit, error)
	UnitsOf(ctx context.Context, in access.Portfolio, propertyID string) ([]Unit, error)
}

// Properties lists properties.
func (s *Properties) Properties(ctx context.Context, by access.Actor, f PropertyFilter) (*list.Page[Property], error) {
	rows, err := s.store.Properties(ctx, by.Portfolio, f)
	return list.Of(rows, f.Limit, func(p *Property) string { return p.ID }), err
}

// Property is one property with its units.
func (s *Properties) Property(ctx context.Context, by access.Actor, id string) (*PropertyWithUnits, error) {
	p, err := s.store.Property(ctx, by.Portfolio, id)
	if err != nil {
		return nil, err
	}
	units, err := s.store.UnitsOf(ctx, by.Portfolio, id)
	return &PropertyWithUnits{Property: p, Units: units}, err
}
