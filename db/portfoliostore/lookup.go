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
func (s Properties) Called(ctx context.Context, in access.Portfolio, ids []string) (map[string]string, error) {
	names := map[string]string{}
	for _, c := range callings {
		args := []any{in.ID}
		for _, of := range ids {
			if id.Valid(c.prefix, of) {
				args = append(args, of)
			}
		}
		for part := range slices.Chunk(args[1:], rows.Bulk) {
			query := `SELECT id, ` + c.name + `
				FROM ` + c.table + `
				WHERE portfolio_id = $1 AND id IN (` + db.Placeholders(1, len(part)) + `)`
			err := s.db.EachPlanned(ctx, query, append([]any{in.ID}, part...), func(scan db.Scan) error {
				var of, name string
				err := scan(&of, &name)
				names[of] = name
				return err
			})
			if err != nil {
				return nil, err
			}
		}
	}
	return names, nil
}
