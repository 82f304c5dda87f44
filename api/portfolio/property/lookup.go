package property

import (
	"context"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/searchtext"
)

// Called is what people call the records of some ids of properties, units, tenants and
// leases. What is not there has no name.
func (s *Finder) Called(ctx context.Context, by access.Actor, ids ...string) (map[string]string, error) {
	ids = portfolio.Distinct(slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == "" }))
	return s.store.Called(ctx, by.Portfolio, ids)
}

// PropertiesAbout finds active properties by the beginnings of words of their address or
// name, at most so many, and the newest where there is no word.
func (s *Finder) PropertiesAbout(
	ctx context.Context,
	by access.Actor,
	words []string,
	most int,
) ([]portfolio.Property, error) {
	search := strings.Join(words, " ")
	if len(words) > 0 && len(searchtext.Terms(search)) == 0 {
		return nil, nil
	}
	return s.store.Properties(ctx, by.Portfolio, portfolio.PropertyFilter{
		Query:  list.Query{Limit: most - 1, Newest: len(words) == 0},
		Search: search,
		Status: portfolio.PropertyActive,
	})
}

// Site is the site of a unit, or of a property where unitID is "".
func (s *Homes) Site(ctx context.Context, by access.Actor, propertyID, unitID string) (*portfolio.Site, error) {
	var at portfolio.Site
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
	if err != nil {
		return nil, err
	}
	return &at, nil
}
