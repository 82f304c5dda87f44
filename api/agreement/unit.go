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
func (s *Service) unit(
	ctx context.Context, in access.Portfolio, g *LeaseGenerate, tenantID string,
) (*portfolio.Unit, error) {
	if g.UnitID != nil {
		u, err := portfolio.Find(ctx, in, id.Unit, *g.UnitID, "unit", s.store.Unit)
		if err == nil && u.PropertyID != g.PropertyID {
			err = fault.NotFound("unit").At("unit_id")
		}
		if err != nil {
			return nil, err
		}
		return &u, nil
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
	vacant := slices.DeleteFunc(
		slices.Clone(units),
		func(u portfolio.Unit) bool { return u.Status != portfolio.UnitVacant },
	)
	switch {
	case len(units) == 1:
		return &units[0], nil
	case len(vacant) == 1:
		return &vacant[0], nil
	case len(vacant) > 0:
		units = vacant
	}
	return nil, fault.New(fault.UnitAmbiguous, "%s",
		"unit_id says which unit the lease is for: "+named(units)+".").At("unit_id")
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

// renewal checks the lease that is renewed: of the same unit, in force or about to be, with a tenant in
// common and an earlier start. It notes the deposit that the landlord holds under it.
func (s *Service) renewal(ctx context.Context, in access.Portfolio, r *review) error {
	l, param := r.Lease, "renews_lease_id"
	if l.RenewedFromLeaseID == nil || r.imported() {
		return nil
	}
	old, err := portfolio.Find(ctx, in, id.Lease, *l.RenewedFromLeaseID, "lease", s.store.Lease)
	switch {
	case fault.Is(err, fault.NoRecord):
		return fault.From(err).At(param)
	case err != nil:
		return err
	case old.UnitID != l.UnitID:
		return fault.New(fault.InvalidField,
			"renews_lease_id must name a lease of the unit %s; that one is of %s.", l.UnitID,
			old.UnitID).At(param)
	case r.before == nil && !slices.Contains(portfolio.AgreedLeases(), old.Status):
		return fault.New(fault.InvalidTransition,
			"A lease that is %s cannot be renewed; one that is signed or active can.", old.Status).At(param)
	case !slices.ContainsFunc(old.Renters(), func(t string) bool { return slices.Contains(l.Renters(), t) }):
		return fault.New(fault.InvalidField,
			"renews_lease_id must name a lease of at least one of the tenants; %s has none of them.",
			old.ID).At(param)
	case l.StartDate <= old.StartDate:
		return fault.New(fault.InvalidField,
			"start_date must be after %s, when the lease that is renewed starts; not %s.",
			old.StartDate, l.StartDate).At("start_date")
	}
	if !r.signing && !r.runs() {
		l.Terms.HeldDeposit = new(old.SecurityDeposit)
	}
	return nil
}
