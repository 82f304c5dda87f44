package property

import (
	"context"

	"portal/api/access"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
)

// Units is what can be done with the units of properties.
type Units struct {
	*portfolio.Common
	store     Store
	occupancy *lease.Occupancy
}

// NewUnits makes the rules over their store.
func NewUnits(c *portfolio.Common, store Store, o *lease.Occupancy) *Units {
	return &Units{c, store, o}
}

// PropertyUnits is a property and a page of its units, each with the parties of the
// lease under which it is let, by the lease's id.
func (s *Properties) PropertyUnits(
	ctx context.Context, by access.Actor, f portfolio.UnitFilter,
) (*portfolio.Property, *list.Page[portfolio.Unit], map[string][]portfolio.Party, error) {
	p, err := s.store.Property(ctx, by.Portfolio, f.PropertyID)
	if err != nil {
		return nil, nil, nil, err
	}
	units, err := s.store.UnitPage(ctx, by.Portfolio, f)
	if err != nil {
		return nil, nil, nil, err
	}
	page := list.Of(units, f.Limit, func(u *portfolio.Unit) string { return u.ID })
	var leases []string
	for i := range page.Data {
		if lease := page.Data[i].CurrentLeaseID; lease != nil {
			leases = append(leases, *lease)
		}
	}
	parties, err := s.store.Parties(ctx, by.Portfolio, leases)
	return &p, page, parties, err
}

// Home is one unit with its property.
func (s *Homes) Home(ctx context.Context, by access.Actor, unitID string) (*portfolio.Home, error) {
	u, err := s.store.Unit(ctx, by.Portfolio, unitID)
	if err != nil {
		return nil, err
	}
	p, err := s.store.Property(ctx, by.Portfolio, u.PropertyID)
	return &portfolio.Home{Unit: u, Property: p}, err
}

// Homes are units with their properties, by the unit's id. Those that the portfolio does
// not have are left out.
func (s *Homes) Homes(ctx context.Context, by access.Actor, unitIDs []string) (map[string]*portfolio.Home, error) {
	return s.store.Homes(ctx, by.Portfolio, portfolio.Distinct(unitIDs))
}
