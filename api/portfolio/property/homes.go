package property

import (
	"portal/api/portfolio"
)

// Homes reads units together with their properties, as people know them.
type Homes struct {
	*portfolio.Common
	store      Store
	properties *Properties
}

// NewHomes makes the rules over their store.
func NewHomes(c *portfolio.Common, store Store, p *Properties) *Homes { return &Homes{c, store, p} }
