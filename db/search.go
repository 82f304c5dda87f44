package db

import (
	"context"
	"strings"

	"portal/api/access"
	"portal/api/portfolio"
)

// beginnings are what a search looks for at the beginning, each with an index of its own.
var (
	propertyBeginnings = []string{"lower(street_address)", "ltrim(lower(street_address), '0123456789- ')", "lower(name)"}
	tenantBeginnings   = []string{"lower(first_name || ' ' || last_name)", "lower(last_name)", "lower(email)"}
)

// PropertiesFrom reads properties whose address, road or name begins with a text, at most
// so many. Upper and lower case are alike.
func (d *DB) PropertiesFrom(ctx context.Context, in access.Portfolio, text string, most int) ([]portfolio.Property, error) {
	w := within{in, "SELECT " + propertyColumns + " FROM properties", propertyBeginnings, text, most}
	return beginning(ctx, d, w, readProperty(in.Mode), func(p *portfolio.Property) string { return p.ID })
}

// TenantsFrom reads tenants whose name, last name or e-mail address begins with a text, at
// most so many, without the ids of their leases. Upper and lower case are alike.
func (d *DB) TenantsFrom(ctx context.Context, in access.Portfolio, text string, most int) ([]portfolio.Tenant, error) {
	w := within{in, "SELECT " + tenantColumns + " FROM tenants", tenantBeginnings, text, most}
	return beginning(ctx, d, w, readTenant(in.Mode), func(t *portfolio.Tenant) string { return t.ID })
}

// within is what a search reads, and what begins with which text.
type within struct {
	in     access.Portfolio
	rows   string
	begins []string
	text   string
	most   int
}

// beginning reads the rows that a search finds, each once.
func beginning[T any](ctx context.Context, d *DB, w within, read func(scan, *T) error, name func(*T) string) ([]T, error) {
	text := strings.Map(lower, w.text)
	found, seen := []T{}, map[string]bool{}
	for _, b := range w.begins {
		query := w.rows + " WHERE portfolio_id = $1 AND " + b + " >= $2 AND " + b + " < $3 ORDER BY " + b + ", id LIMIT $4 + 0"
		args := []any{w.in.ID, text, text + "\U0010FFFF", int64(w.most)} // what is above every text that begins so
		err := d.each(ctx, query, args, func(s scan) error {
			var row T
			err := read(s, &row)
			if n := name(&row); !seen[n] && len(found) < w.most {
				seen[n], found = true, append(found, row)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}
