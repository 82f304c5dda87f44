package db

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"portal/api/access"
	"portal/api/id"
	"portal/api/portfolio"
)

// callings are what people call the records of a prefix.
var callings = []struct{ prefix, table, name string }{
	{id.Property, "properties", "street_address"},
	{id.Unit, "units", "unit_number"},
	{id.Tenant, "tenants", "first_name || ' ' || last_name"},
	{id.Lease, "leases", "rental_address"},
}

// Called reads what people call the records of some ids.
func (d *DB) Called(ctx context.Context, in access.Portfolio, ids []string) (map[string]string, error) {
	names := map[string]string{}
	for _, c := range callings {
		args := []any{in.ID}
		for _, of := range ids {
			if id.Valid(c.prefix, of) {
				args = append(args, of)
			}
		}
		for part := range slices.Chunk(args[1:], bulk) {
			query := `SELECT id, ` + c.name + `
				FROM ` + c.table + `
				WHERE portfolio_id = $1 AND id IN (` + placeholders(1, len(part)) + `)`
			err := d.each(ctx, query, append([]any{in.ID}, part...), func(s scan) error {
				var of, name string
				err := s(&of, &name)
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

// about is what a property is searched by.
const about = "lower(street_address || ' ' || city || ' ' || COALESCE(name, ''))"

// wild are the signs of a pattern that stand for others.
var wild = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// PropertiesAbout reads active properties whose address or name has all of some words. It
// looks at all of the portfolio: a word may stand anywhere.
func (d *DB) PropertiesAbout(ctx context.Context, in access.Portfolio, words []string, most int) ([]portfolio.Property, error) {
	var query strings.Builder
	query.WriteString("SELECT " + propertyColumns + `
		FROM properties
		WHERE portfolio_id = $1 AND status = 'active'`)
	args := []any{in.ID}
	for _, w := range words {
		args = append(args, "%"+wild.Replace(strings.Map(lower, w))+"%")
		query.WriteString(" AND " + about + " LIKE $" + strconv.Itoa(len(args)) + ` ESCAPE '\'`)
	}
	args = append(args, int64(most))
	query.WriteString(" ORDER BY id LIMIT $" + strconv.Itoa(len(args)) + " + 0")
	found, read := []portfolio.Property{}, readProperty(in.Mode)
	err := d.each(ctx, query.String(), args, func(s scan) error {
		found = append(found, portfolio.Property{})
		return read(s, &found[len(found)-1])
	})
	return found, err
}
