package portfoliostore

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio"
	"portal/db/kit"
)

// SaveUnit writes a unit that has changed.
func (s Places) SaveUnit(ctx context.Context, in access.Portfolio, u *portfolio.Unit) error {
	return kit.Save(ctx, s.db, in, "units", unitColumns, unitValues(u))
}

// Unit reads one unit, or fault.NotFound.
func (s Places) Unit(ctx context.Context, in access.Portfolio, id string) (portfolio.Unit, error) {
	u, found, err := kit.Record(ctx, s.db, unitColumns, "units", in, id, readUnit(in.Mode))
	if err == nil && !found {
		err = fault.NotFound("unit")
	}
	return u, err
}

// RecountProperty counts the units of a property anew and raises its version.
func (s Places) RecountProperty(ctx context.Context, in access.Portfolio, id string, at clock.Time) error {
	return NewBooks(s.db).GrowProperty(ctx, in, id, nil, nil, at)
}

// SaveProperty writes a property that has changed.
func (s Places) SaveProperty(ctx context.Context, in access.Portfolio, p *portfolio.Property) error {
	return kit.Save(ctx, s.db, in, "properties", propertyWrites, propertyValues(p))
}
