package rentroll

import (
	"strings"

	"portal/api/portfolio"
)

// Existing is what the portfolio already holds. The zero value holds nothing.
type Existing struct {
	byAddress map[string]*held
	byID      map[string]*held
	units     map[heldUnit]bool
}

// held is a property of the portfolio.
type held struct {
	address
	id                string
	kind              portfolio.PropertyType
	year              int
	units             int
	archived, several bool
}

type heldUnit struct {
	property *held
	number   string
}

// Add adds a property of the portfolio. One with a second line of its address is
// the one that a file names with both lines in street_address.
func (x *Existing) Add(p *portfolio.Property) {
	if x.byID == nil {
		*x = Existing{map[string]*held{}, map[string]*held{}, map[heldUnit]bool{}}
	}
	h := &held{
		address:  address{street: p.StreetAddress, city: p.City, state: string(p.State)},
		id:       p.ID,
		kind:     p.PropertyType,
		archived: p.Status == portfolio.PropertyArchived,
	}
	if p.StreetAddress2 != nil {
		h.street += ", " + *p.StreetAddress2
	}
	if p.PostalCode != nil {
		h.postal = *p.PostalCode
	}
	if p.YearBuilt != nil {
		h.year = *p.YearBuilt
	}
	x.byID[p.ID] = h
	x.locate(h)
}

// locate makes a property known by its address. Those in use go before archived ones.
func (x *Existing) locate(h *held) {
	key := h.address.key()
	other := x.byAddress[key]
	if other == nil || other.archived && !h.archived {
		x.byAddress[key] = h
		return
	}
	other.several = other.several || other.archived == h.archived
}

// AddUnit adds a unit of a property that was added before it.
func (x *Existing) AddUnit(propertyID, number string) {
	if h := x.byID[propertyID]; h != nil {
		h.units++
		x.units[heldUnit{h, strings.ToLower(oneSpaced(number))}] = true
	}
}

func (x *Existing) hasUnit(h *held, number string) bool {
	return x.units[heldUnit{h, strings.ToLower(number)}]
}
