package portfoliostore

import (
	"context"
	"slices"

	"portal/api/access"
	"portal/api/id"
	"portal/db"
	"portal/db/rows"
)

// callings are what people call the records of a prefix.
var callings = []struct{ prefix, table, name string }{
	{id.Property, "properties", "street_address"},
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
