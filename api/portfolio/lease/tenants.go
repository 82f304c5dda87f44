package lease

import (
	"context"

	"portal/api/access"
	"portal/api/list"
	"portal/api/portfolio"
)

// Tenants is what can be done with tenants.
type Tenants struct {
	*portfolio.Common
	store TenantStore
}

// NewTenants makes the rules over their store.
func NewTenants(c *portfolio.Common, store TenantStore) *Tenants { return &Tenants{c, store} }

// TenantStore is what they need of the store.
type TenantStore interface {
	Leases(ctx context.Context, in access.Portfolio, f portfolio.LeaseFilter) ([]portfolio.Lease, error)
	SaveTenant(ctx context.Context, in access.Portfolio, t *portfolio.Tenant) error
	Tenant(ctx context.Context, in access.Portfolio, id string) (portfolio.Tenant, error)
	Tenants(ctx context.Context, in access.Portfolio, f portfolio.TenantFilter) ([]portfolio.Tenant, error)
	// TenantCounts counts by status what passes a filter, whatever status that asks for.
	TenantCounts(
		ctx context.Context, in access.Portfolio, f portfolio.TenantFilter,
	) (list.Counts[portfolio.TenantStatus], error)
}

// Tenants lists tenants.
func (s *Tenants) Tenants(
	ctx context.Context,
	by access.Actor,
	f portfolio.TenantFilter,
) (*list.Page[portfolio.Tenant], error) {
	rows, err := s.store.Tenants(ctx, by.Portfolio, f)
	return list.Of(rows, f.Limit, func(t *portfolio.Tenant) string { return t.ID }), err
}

// Tenant is one tenant.
func (s *Tenants) Tenant(ctx context.Context, by access.Actor, id string) (*portfolio.Tenant, error) {
	t, err := s.store.Tenant(ctx, by.Portfolio, id)
	if err != nil {
		return nil, err
	}
	return &t, nil
}

// TenantCounts counts the tenants that pass a filter, by their status: list.Most of each at most. The status
// that the filter asks for is not looked at.
func (s *Tenants) TenantCounts(
	ctx context.Context, by access.Actor, f portfolio.TenantFilter,
) (list.Counts[portfolio.TenantStatus], error) {
	return s.store.TenantCounts(ctx, by.Portfolio, f)
}
