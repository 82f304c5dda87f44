// Package lease is the pages on which leases are generated.
package lease

import (
	"context"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/change"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/web/page"
)

// Agreements generates leases.
type Agreements interface {
	Generate(
		ctx context.Context, by access.Actor, g agreement.LeaseGenerate,
	) (*change.Result[agreement.LeaseWithTerms], error)
	// Preview is the document that Generate would make, as PDF.
	Preview(ctx context.Context, by access.Actor, g agreement.LeaseGenerate) ([]byte, error)
}

// Homes are the units that are let.
type Homes interface {
	Place(ctx context.Context, by access.Actor, propertyID, unitID string) (*portfolio.Place, error)
}

// Tenants are the people who may sign.
type Tenants interface {
	Tenants(ctx context.Context, by access.Actor, f portfolio.TenantFilter) (*list.Page[portfolio.Tenant], error)
}

// Leases are those that may be renewed.
type Leases interface {
	Leases(ctx context.Context, by access.Actor, f portfolio.LeaseFilter) (*list.Page[portfolio.Lease], error)
}

// Config is what the pages need that generate a lease.
type Config struct {
	Agreements Agreements
	Homes      Homes
	Tenants    Tenants
	Leases     Leases
}

// Section is the pages that generate a lease.
type Section struct {
	*page.Shell
	Config
}

// New makes the section on the shell of all pages.
func New(shell *page.Shell, c Config) *Section { return &Section{shell, c} }

// Routes are the pages that generate a lease.
func (p *Section) Routes() []page.Route {
	return []page.Route{
		page.Get("/{mode}/leases/generate", page.Member, p.newLease),
		page.Post("/{mode}/leases/generate", page.Member, p.generateLease).Once(),
		page.Post("/{mode}/leases/generate/preview", page.Member, p.previewLease).Previews(),
	}
}
