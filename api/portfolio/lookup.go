package portfolio

import (
	"context"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/list"
	"portal/api/searchtext"
)

// Called is what people call the records of some ids of properties, units, tenants and
// leases. What is not there has no name.
func (s *Finder) Called(ctx context.Context, by access.Actor, ids ...string) (map[string]string, error) {
	ids = once(slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == "" }))
	return s.store.Called(ctx, by.Portfolio, ids)
}

// PropertiesAbout finds active properties by the beginnings of words of their address or
// name, at most so many.
func (s *Finder) PropertiesAbout(ctx context.Context, by access.Actor, words []string, most int) ([]Property, error) {
	search := strings.Join(words, " ")
	if len(searchtext.Terms(search)) == 0 {
		return nil, nil
	}
	return s.store.Properties(ctx, by.Portfolio, PropertyFilter{
		Query:  list.Query{Limit: most - 1},
		Search: search,
		Status: PropertyActive,
	})
}

// Place is where work may be done: a property or a unit of it, and who lives in the unit.
type Place struct {
	Property PropertyWithUnits
	Unit     *Unit   // nil for the property itself
	Tenants  []Party // of the unit's lease in force
}

// Place is the place of a unit, or of a property where unitID is "".
func (s *Homes) Place(ctx context.Context, by access.Actor, propertyID, unitID string) (*Place, error) {
	var at Place
	if unitID != "" {
		u, err := s.store.Unit(ctx, by.Portfolio, unitID)
		if err != nil {
			return nil, err
		}
		if propertyID != "" && propertyID != u.PropertyID {
			return nil, fault.NotFound("unit")
		}
		at.Unit, propertyID = &u, u.PropertyID
	}
	p, err := s.properties.Property(ctx, by, propertyID)
	if err != nil {
		return nil, err
	}
	at.Property = *p
	if at.Unit == nil || at.Unit.CurrentLeaseID == nil {
		return &at, nil
	}
	l, err := s.store.Lease(ctx, by.Portfolio, *at.Unit.CurrentLeaseID)
	at.Tenants = l.Tenants
	return &at, err
}
