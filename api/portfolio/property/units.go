package property

import (
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
