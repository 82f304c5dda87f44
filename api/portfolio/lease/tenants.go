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
	store Store
}

// NewTenants makes the rules over their store.
func NewTenants(c *portfolio.Common, store Store) *Tenants { return &Tenants{c, store} }

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
