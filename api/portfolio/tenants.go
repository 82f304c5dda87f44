package portfolio

import (
	"context"

	"portal/api/access"
	"portal/api/list"
)

// Tenants is what can be done with tenants.
type Tenants struct {
	*Common
	store TenantStore
}

// TenantStore is what they need of the store.
type TenantStore interface {
	Leases(ctx context.Context, in access.Portfolio, f LeaseFilter) ([]Lease, error)
	SaveTenant(ctx context.Context, in access.Portfolio, t *Tenant) error
	Tenant(ctx context.Context, in access.Portfolio, id string) (Tenant, error)
	Tenants(ctx context.Context, in access.Portfolio, f TenantFilter) ([]Tenant, error)
}

// Tenants lists tenants.
func (s *Tenants) Tenants(ctx context.Context, by access.Actor, f TenantFilter) (*list.Page[Tenant], error) {
	rows, err := s.store.Tenants(ctx, by.Portfolio, f)
	return list.Of(rows, f.Limit, func(t *Tenant) string { return t.ID }), err
}

// Tenant is one tenant.
func (s *Tenants) Tenant(ctx context.Context, by access.Actor, id string) (*Tenant, error) {
	t, err := s.store.Tenant(ctx, by.Portfolio, id)
	return &t, err
}
