package property

import (
	"context"

	"portal/api/access"
	"portal/api/portfolio"
)

// Homes reads units together with their properties, as people know them.
type Homes struct {
	*portfolio.Common
	store      HomeStore
	properties *Properties
}

// NewHomes makes the rules over their store.
func NewHomes(c *portfolio.Common, store HomeStore, p *Properties) *Homes { return &Homes{c, store, p} }

// HomeStore is what they need of the store.
type HomeStore interface {
	// Homes are units with their properties, by the unit's id.
	Homes(ctx context.Context, in access.Portfolio, unitIDs []string) (map[string]*portfolio.Home, error)
	Lease(ctx context.Context, in access.Portfolio, id string) (portfolio.Lease, error)
	Property(ctx context.Context, in access.Portfolio, id string) (portfolio.Property, error)
	Unit(ctx context.Context, in access.Portfolio, id string) (portfolio.Unit, error)
}
