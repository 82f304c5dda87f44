package portfolio

import (
	"context"

	"portal/api/access"
)

// Homes reads units together with their properties, as people know them.
type Homes struct {
	*Common
	store      HomeStore
	properties *Properties
}

// HomeStore is what they need of the store.
type HomeStore interface {
	// Homes are units with their properties, by the unit's id.
	Homes(ctx context.Context, in access.Portfolio, unitIDs []string) (map[string]*Home, error)
	Lease(ctx context.Context, in access.Portfolio, id string) (Lease, error)
	Property(ctx context.Context, in access.Portfolio, id string) (Property, error)
	Unit(ctx context.Context, in access.Portfolio, id string) (Unit, error)
}
