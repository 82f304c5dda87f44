package db

import (
	"context"

	"portal/api/access"
	"portal/api/portfolio"
)

// unsearched is how many rows one transaction gives their search_text.
const unsearched = 200

// fillSearch gives their search_text to rows that were written before there was one, of all
// portfolios: SQL alone cannot fold accents alike in both databases. It goes on where
// another process has stopped, and finds nothing at all later starts.
func (d *DB) fillSearch(ctx context.Context) error {
	if err := fill(ctx, d, "properties", propertyColumns, readProperty(access.Live), propertyText); err != nil {
		return err
	}
	return fill(ctx, d, "tenants", tenantColumns, readTenant(access.Live), tenantText)
}

func propertyText(p *portfolio.Property) (string, portfolio.SearchText) { return p.ID, p.SearchText() }

func tenantText(t *portfolio.Tenant) (string, portfolio.SearchText) { return t.ID, t.SearchText() }

func fill[T any](
	ctx context.Context, d *DB, table, columns string,
	read func(scan, *T) error, text func(*T) (string, portfolio.SearchText),
) error {
	for {
		updates, err := unfilled(ctx, d, table, columns, read, text)
		if err != nil || len(updates) == 0 {
			return err
		}
		err = d.Atomically(ctx, func(ctx context.Context) error {
			for _, args := range updates {
				query := "UPDATE " + table + " SET search_text = $3 WHERE portfolio_id = $1 AND id = $2 AND search_text = ''"
				if _, err := d.exec(ctx, query, args...); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
}

// unfilled are the next rows without a search_text: portfolio, id and what it becomes.
func unfilled[T any](
	ctx context.Context, d *DB, table, columns string,
	read func(scan, *T) error, text func(*T) (string, portfolio.SearchText),
) (rows [][]any, err error) {
	query := "SELECT portfolio_id, " + columns + `
		FROM ` + table + `
		WHERE search_text = ''
		ORDER BY portfolio_id, id
		LIMIT $1 + 0`
	err = d.each(ctx, query, []any{int64(unsearched)}, func(s scan) error {
		var row T
		var in int64
		err := read(func(into ...any) error { return s(append([]any{&in}, into...)...) }, &row)
		id, words := text(&row)
		rows = append(rows, []any{in, id, string(words)})
		return err
	})
	return rows, err
}
