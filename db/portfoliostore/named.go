package portfoliostore

import (
	"context"
	"slices"

	"portal/api/access"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/searchtext"
	"portal/db"
	"portal/db/rows"
)

// A search of leases, tickets or the ledger is for people and places: the tenants and the properties
// that have its words are found first, then the rows that name them. Tickets are found by the words of
// their title, too.

// Named finds the tenants and the properties that a search finds, portfolio.MostNamed of each at most,
// the newest first. All is whether there are no more.
func (s *Store) Named(ctx context.Context, in access.Portfolio, search string) (portfolio.Named, error) {
	var named portfolio.Named
	terms := searchtext.Terms(search)
	if len(terms) == 0 {
		return named, nil
	}
	found, err := rows.WithTerms(ctx, s.db, in, terms, portfolio.MostNamed+1, propertyWords, tenantWords)
	if err != nil {
		return named, err
	}
	for i, ids := range []*[]string{&named.PropertyIDs, &named.TenantIDs} {
		named.More = named.More || len(found[i]) > portfolio.MostNamed
		*ids = found[i][:min(len(found[i]), portfolio.MostNamed)]
	}
	return named, nil
}

var (
	propertyWords = rows.Vocabulary{Table: "property_words", Record: "property_id", Records: "properties"}
	tenantWords   = rows.Vocabulary{Table: "tenant_words", Record: "tenant_id", Records: "tenants"}
	// ticketWords are counted in an index of tickets, too: to look up more than a few would take longer.
	ticketWords = rows.Vocabulary{Table: "ticket_words", Record: "ticket_id", Records: "tickets", Few: list.Most}
)

// Begins reports whether a word of a property or a tenant begins with a term of a search.
func (s *Store) Begins(ctx context.Context, in access.Portfolio, term string) (bool, error) {
	rarest, err := rows.Rarest(ctx, s.db, in, []string{term}, propertyWords, tenantWords)
	return err == nil && (!rarest[0].None || !rarest[1].None), err
}

// TicketNumbered is the id of the ticket with a number, "" for none.
func (s *Store) TicketNumbered(ctx context.Context, in access.Portfolio, number int64) (id string, err error) {
	_, err = s.db.One(ctx, "SELECT id FROM tickets WHERE portfolio_id = $1 AND number = $2", []any{in.ID, number}, &id)
	return id, err
}

// UnitsNumbered are the ids of the units of some properties that have one of some numbers, in lower case.
func (s *Store) UnitsNumbered(
	ctx context.Context, in access.Portfolio, propertyIDs, numbers []string,
) (ids []string, err error) {
	query := `SELECT id
		FROM units
		WHERE portfolio_id = $1 AND property_id IN (` + db.Placeholders(1, len(propertyIDs)) + `)
			AND lower(unit_number) IN (` + db.Placeholders(1+len(propertyIDs), len(numbers)) + `)
		ORDER BY id`
	err = s.db.EachPlanned(ctx, query, db.With(db.With([]any{in.ID}, propertyIDs), numbers), into(&ids))
	return ids, err
}

// VacantUnits are the ids of vacant units, at most so many.
func (s *Store) VacantUnits(ctx context.Context, in access.Portfolio, most int) (ids []string, err error) {
	query := "SELECT id FROM units WHERE portfolio_id = $1 AND status = $2 LIMIT $3"
	err = s.db.Each(ctx, query, []any{in.ID, portfolio.UnitVacant, most}, into(&ids))
	return ids, err
}

// into appends the one column of each row.
func into(ids *[]string) func(db.Scan) error {
	return func(scan db.Scan) error {
		*ids = append(*ids, "")
		return scan(&(*ids)[len(*ids)-1])
	}
}

// Titles finds which of the words of a search few titles of tickets have, nil where there are no words.
func (s *Store) Titles(ctx context.Context, in access.Portfolio, search string) (*portfolio.Titles, error) {
	terms := searchtext.Terms(search)
	if len(terms) == 0 {
		return nil, nil //nolint:nilnil // no search
	}
	rarest, err := rows.Rarest(ctx, s.db, in, terms, ticketWords)
	if err != nil {
		return nil, err
	}
	titles := portfolio.Titles{Terms: terms}
	if rarest[0].Rare {
		titles.Rare = rarest[0].Word
	}
	return &titles, nil
}

// namers are the columns of a list that name the records which a search has found.
type namers struct {
	tenant, property string
	through          *rows.Link      // what names the tenant, where that is another table
	titles           rows.Vocabulary // of the words of the rows' titles, if they have some
}

// named narrows a filter to rows that name what a search has found.
func named(f rows.Filter, n *portfolio.Named, by namers) rows.Filter {
	if n == nil {
		return f
	}
	if t := by.titled(n); t != nil && (t.Rare == "" || !f.Facets) { // looked for in what else the list is narrowed to
		all, narrow := *n, f.Narrow
		f.Walks = t.Rare == ""
		all.Titles = &portfolio.Titles{Terms: t.Terms}
		f.Narrow = func(l *rows.Listing) { narrow(l); l.Choose(by.choices(&all)...) }
		return f
	}
	f.Lookup, f.Facets, f.All, f.Either = "", false, false, nil
	f.Choices = by.choices(n)
	f.None, f.Few = len(f.Choices) == 0, len(f.Choices) == 1 && by.titled(n) != nil
	return f
}

// titled are the titles that a search has found of the rows, nil where they have none.
func (by namers) titled(n *portfolio.Named) *portfolio.Titles {
	if by.titles.Table == "" {
		return nil
	}
	return n.Titles
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
	if t := by.titled(n); t != nil {
		choices = append(choices, rows.Choice{Column: "id", Words: by.titles, Terms: t.Terms, Rare: t.Rare})
	}
	return choices
}

// narrow narrows a list in the order of the API.
func (by namers) narrow(l *rows.Listing, n *portfolio.Named) {
	if n != nil {
		l.Choose(by.choices(n)...)
	}
}

// leaseNamers, homeNamers and ticketNamers are the columns of leases, ledger rows and tickets.
var (
	leaseNamers = namers{
		tenant: "id", property: "property_id",
		through: &rows.Link{Table: "lease_signers", Column: "lease_id", By: "tenant_id"},
	}
	homeNamers   = namers{tenant: "tenant_id", property: "property_id"}
	ticketNamers = namers{tenant: "tenant_id", property: "property_id", titles: ticketWords}
)

// callings are what people call the records of a prefix.
var callings = []struct{ prefix, table, name string }{
	{id.Property, "properties", "street_address || COALESCE(', ' || street_address_2, '')"},
	{id.Unit, "units", "unit_number"},
	{id.Tenant, "tenants", "first_name || ' ' || last_name"},
	{id.Lease, "leases", "rental_address"},
}

// Called reads what people call the records of some ids.
func (s *Store) Called(ctx context.Context, in access.Portfolio, ids []string) (map[string]string, error) {
	names, l := map[string]string{}, rows.NewListing(s.db, 0, in.ID)
	for _, c := range callings {
		of := slices.DeleteFunc(slices.Clone(ids), func(one string) bool { return !id.Valid(c.prefix, one) })
		if len(of) == 0 {
			continue
		}
		if l.SQL.Len() > 0 {
			l.SQL.WriteString(" UNION ALL ")
		}
		l.SQL.WriteString("SELECT id, " + c.name + " FROM " + c.table + " WHERE portfolio_id = $1")
		l.OneOf("id", of)
	}
	if l.SQL.Len() == 0 {
		return names, nil
	}
	return names, s.db.EachPlanned(ctx, l.SQL.String(), l.Args, func(scan db.Scan) error {
		var of, name string
		err := scan(&of, &name)
		names[of] = name
		return err
	})
}
