package portfoliostore

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio"
	"portal/db/rows"
)

// SaveUnit writes a unit that has changed.
func (s *Store) SaveUnit(ctx context.Context, in access.Portfolio, u *portfolio.Unit) error {
	return unitTable.Save(ctx, s.db, in, u)
}

// Unit reads one unit, or fault.NotFound.
func (s *Store) Unit(ctx context.Context, in access.Portfolio, id string) (portfolio.Unit, error) {
	u, found, err := rows.Record(ctx, s.db, unitTable.Columns, "units", in, id, readUnit(in.Mode))
	if err == nil && !found {
		err = fault.NotFound("unit")
	}
	return u, err
}

// RecountProperty counts the units of a property anew and raises its version.
func (s *Store) RecountProperty(ctx context.Context, in access.Portfolio, id string, at clock.Time) error {
	return s.GrowProperty(ctx, in, id, nil, nil, at)
}

// SaveProperty writes a property that has changed.
func (s *Store) SaveProperty(ctx context.Context, in access.Portfolio, p *portfolio.Property) error {
	return propertyTable.Save(ctx, s.db, in, p)
}
