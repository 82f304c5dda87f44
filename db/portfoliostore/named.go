package portfoliostore

import (
	"context"

	"portal/api/access"
	"portal/api/portfolio"
	"portal/api/searchtext"
	"portal/db"
	"portal/db/rows"
)

// A search of leases, tickets or the ledger is for people and places: the tenants and the properties
// that have its words are found first, then the rows that name them.

// Named finds the tenants and the properties that a search finds, portfolio.MostNamed of each at most,
// the newest first. All is whether there are no more.
func (s Properties) Named(ctx context.Context, in access.Portfolio, search string) (portfolio.Named, error) {
	var named portfolio.Named
	terms := searchtext.Terms(search)
	if len(terms) == 0 {
		return named, nil
	}
	for v, ids := range map[vocabulary]*[]string{propertyWords: &named.PropertyIDs, tenantWords: &named.TenantIDs} {
		found, err := withTerms(ctx, s.db, in, v, terms, portfolio.MostNamed+1)
		if err != nil {
			return named, err
		}
		if len(found) > portfolio.MostNamed {
			found, named.More = found[:portfolio.MostNamed], true
		}
		*ids = found
	}
	return named, nil
}

// withTerms are the ids of the newest records that have all terms.
func withTerms(
	ctx context.Context, d *db.DB, in access.Portfolio, v vocabulary, terms []string, most int,
) (ids []string, err error) {
	term, is, err := rarest(ctx, d, in, v, terms)
	if err != nil {
		return nil, err
	}
	if is && len(terms) == 1 {
		return having(ctx, d, in, v, term, "~", most, true)
	}
	l := rows.NewListing(d, most, in.ID)
	l.SQL.WriteString("SELECT id FROM " + v.records + " WHERE portfolio_id = $1")
	if is {
		l.FoundIn("id", v.query(), "word", term, term+last)
	}
	for _, t := range terms {
		l.Where(hasTerm, " "+t)
	}
	return rows.IDs(ctx, d, l)
}

// namers are the columns of a list that name the records which a search has found.
type namers struct {
	tenant, property string
	through          *rows.Link // what names the tenant, where that is another table
}

// named narrows a filter to rows that name what a search has found.
func named(f rows.Filter, n *portfolio.Named, by namers) rows.Filter {
	if n == nil {
		return f
	}
	f.Lookup, f.Facets, f.All, f.Either = "", false, false, nil
	f.Choices = by.choices(n)
	f.None = len(f.Choices) == 0
	return f
}

// choices are the columns of rows that name what a search has found.
func (by namers) choices(n *portfolio.Named) (choices []rows.Choice) {
	for _, c := range []rows.Choice{
		{Column: "id", Values: n.IDs},
		{Column: by.tenant, Values: n.TenantIDs, Through: by.through},
		{Column: by.property, Values: n.PropertyIDs},
	} {
		if len(c.Values) > 0 {
			choices = append(choices, c)
		}
	}
	return choices
}

// narrow narrows a list in the order of the API.
func (by namers) narrow(l *rows.Listing, n *portfolio.Named) {
	if n != nil {
		l.Choose(by.choices(n)...)
	}
}

// leaseNamers and homeNamers are the columns of leases, and of tickets and ledger rows.
var (
	leaseNamers = namers{
		tenant: "id", property: "property_id",
		through: &rows.Link{Table: "lease_signers", Column: "lease_id", By: "tenant_id"},
	}
	homeNamers = namers{tenant: "tenant_id", property: "property_id"}
)
