package property

import (
	"context"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/searchtext"
	"portal/api/texts"
)

// Finder finds records by what people call them.
type Finder struct {
	*portfolio.Common
	store Store
}

// NewFinder makes the rules over their store.
func NewFinder(c *portfolio.Common, store Store) *Finder { return &Finder{c, store} }

// Found is what a search has found.
type Found struct {
	Properties []portfolio.Property
	Tenants    []portfolio.Tenant
	Prefix     string // of the id that was looked for and is there, "" for none
}

// Search finds properties and tenants as the lists of both do by their search, at most so
// many of each in ascending id, and any record by its id.
func (s *Finder) Search(ctx context.Context, by access.Actor, words string, most int) (f Found, err error) {
	words = strings.Join(strings.Fields(words), " ")
	if words == "" || texts.Unreadable(words, false) {
		return f, nil
	}
	if prefix, _, is := strings.Cut(words, "_"); is && id.Valid(prefix, words) {
		return s.there(ctx, by.Portfolio, prefix, words)
	}
	if len(searchtext.Terms(words)) == 0 {
		return f, nil
	}
	q := list.Query{Limit: most - 1} // of which the store reads one more
	if f.Properties, err = s.store.Properties(
		ctx,
		by.Portfolio,
		portfolio.PropertyFilter{Query: q, Search: words},
	); err != nil {
		return f, err
	}
	f.Tenants, err = s.store.Tenants(ctx, by.Portfolio, portfolio.TenantFilter{Query: q, Search: words})
	return f, err
}

// Named finds what a search of leases, tickets or ledger rows is for: tenants and properties by their
// words, or a record by its id. It is nil where nothing is searched for.
func (s *Finder) Named(ctx context.Context, by access.Actor, words string) (*portfolio.Named, error) {
	if words == "" {
		return nil, nil //nolint:nilnil // no search
	}
	prefix, _, _ := strings.Cut(words, "_")
	switch {
	case !id.Valid(prefix, words):
		found, err := s.store.Named(ctx, by.Portfolio, words)
		return &found, err
	case prefix == id.Tenant:
		return &portfolio.Named{TenantIDs: []string{words}}, nil
	case prefix == id.Property:
		return &portfolio.Named{PropertyIDs: []string{words}}, nil
	}
	return &portfolio.Named{IDs: []string{words}}, nil
}

// NamedTickets finds what a search of tickets is for: that of Named, and titles by their words.
func (s *Finder) NamedTickets(ctx context.Context, by access.Actor, words string) (*portfolio.Named, error) {
	named, err := s.Named(ctx, by, words)
	if prefix, _, _ := strings.Cut(words, "_"); named == nil || err != nil || id.Valid(prefix, words) {
		return named, err
	}
	named.Titles, err = s.Titles(ctx, by, words)
	return named, err
}

// Titles are those of tickets that have the words of a search, nil where it has none.
func (s *Finder) Titles(ctx context.Context, by access.Actor, words string) (*portfolio.Titles, error) {
	return s.store.Titles(ctx, by.Portfolio, words)
}

// there reports whether the portfolio has a record of an id.
func (s *Finder) there(ctx context.Context, in access.Portfolio, prefix, name string) (f Found, err error) {
	switch prefix {
	case id.Property:
		_, err = s.store.Property(ctx, in, name)
	case id.Unit:
		_, err = s.store.Unit(ctx, in, name)
	case id.Tenant:
		_, err = s.store.Tenant(ctx, in, name)
	case id.Lease:
		_, err = s.store.Lease(ctx, in, name)
	case id.Ticket:
		_, err = s.store.Ticket(ctx, in, name)
	case id.Payment:
		_, err = s.store.Payment(ctx, in, name)
	default:
		return f, nil
	}
	switch {
	case fault.Is(err, fault.NoRecord):
		return f, nil
	case err == nil:
		f.Prefix = prefix
	}
	return f, err
}

// Called is what people call the records of some ids of properties, units, tenants and
// leases. What is not there has no name.
func (s *Finder) Called(ctx context.Context, by access.Actor, ids ...string) (map[string]string, error) {
	ids = portfolio.Distinct(slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == "" }))
	return s.store.Called(ctx, by.Portfolio, ids)
}

// PropertiesAbout finds active properties by the beginnings of words of their address or
// name, at most so many, and the newest where there is no word.
func (s *Finder) PropertiesAbout(
	ctx context.Context, by access.Actor, words []string, most int,
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
