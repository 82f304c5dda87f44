package agreement

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/portfolio"
)

// unit is the unit that a lease is for: the one that is named, else the tenant's in that property, else
// its only one, else its only vacant one.
func (s *Service) unit(ctx context.Context, in access.Portfolio, g *LeaseGenerate, tenantID string) (*portfolio.Unit, error) {
	if g.UnitID != nil {
		u, err := portfolio.Find(ctx, in, id.Unit, *g.UnitID, "unit", s.store.Unit)
		if err == nil && u.PropertyID != g.PropertyID {
			err = fault.NotFound("unit").At("unit_id")
		}
		return &u, err
	}
	units, err := s.store.UnitsOf(ctx, in, g.PropertyID)
	if err != nil {
		return nil, err
	}
	tenant, err := s.store.Tenant(ctx, in, tenantID)
	if err != nil {
		return nil, err
	}
	theirs := func(u portfolio.Unit) bool { return tenant.UnitID != nil && u.ID == *tenant.UnitID }
	if i := slices.IndexFunc(units, theirs); i >= 0 {
		return &units[i], nil
	}
	vacant := slices.DeleteFunc(slices.Clone(units), func(u portfolio.Unit) bool { return u.Status != portfolio.UnitVacant })
	switch {
	case len(units) == 1:
		return &units[0], nil
	case len(vacant) == 1:
		return &vacant[0], nil
	case len(vacant) > 0:
		units = vacant
	}
	return nil, fault.New(fault.UnitAmbiguous, "%s", "unit_id says which unit the lease is for: "+named(units)+".").At("unit_id")
}

// mostNamed is how many units a message names.
const mostNamed = 10

// named lists units.
func named(units []portfolio.Unit) string {
	if len(units) == 0 {
		return "the property has none, so add one first"
	}
	var all []string
	for i := range units[:min(len(units), mostNamed)] {
		all = append(all, fmt.Sprintf("%s (%s)", units[i].ID, units[i].UnitNumber))
	}
	if more := len(units) - mostNamed; more > 0 {
		all = append(all, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(all, ", ")
}

// renews checks the lease that is renewed: of the same unit, and in force or about to be.
func (s *Service) renews(ctx context.Context, in access.Portfolio, g *LeaseGenerate, u *portfolio.Unit) error {
	if g.RenewsLeaseID == nil {
		return nil
	}
	old, err := portfolio.Find(ctx, in, id.Lease, *g.RenewsLeaseID, "lease", s.store.Lease)
	switch {
	case fault.Is(err, fault.NoRecord):
		return fault.From(err).At("renews_lease_id")
	case err != nil:
		return err
	case old.UnitID != u.ID:
		return fault.New(fault.InvalidField, "renews_lease_id must name a lease of the unit %s; that one is of %s.", u.ID, old.UnitID).At("renews_lease_id")
	case !slices.Contains(portfolio.AgreedLeases(), old.Status):
		return fault.New(fault.InvalidTransition, "A lease that is %s cannot be renewed; one that is signed or active can.", old.Status).At("renews_lease_id")
	}
	return nil
}
