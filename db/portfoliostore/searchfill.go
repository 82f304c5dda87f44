package portfoliostore

import (
	"context"
	"fmt"

	"portal/api/access"
	"portal/api/portfolio"
	"portal/api/searchtext"
	"portal/db"
)

// unsearched is how many rows one transaction gives their search_text.
const unsearched = 200

// FillSearch gives their search_text to rows that were written before there was one, of all
// portfolios: SQL alone cannot fold accents alike in both databases. It goes on where
// another process has stopped, and finds nothing at all later starts.
func FillSearch(ctx context.Context, d *db.DB) error {
	err := fill(ctx, d, "properties", propertyTable.Columns, readProperty(access.Live), propertyText)
	if err == nil {
		err = fill(ctx, d, "tenants", tenantTable.Columns, readTenant(access.Live), tenantText)
	}
	if err == nil {
		err = fill(ctx, d, "tickets", ticketTable.Columns, readTicket(access.Live), ticketText)
	}
	if err != nil {
		return fmt.Errorf("fill what searches look at: %w", err)
	}
	return nil
}

func propertyText(p *portfolio.Property) (string, searchtext.Text) { return p.ID, p.SearchText() }

func tenantText(t *portfolio.Tenant) (string, searchtext.Text) { return t.ID, t.SearchText() }

func ticketText(t *portfolio.Ticket) (string, searchtext.Text) { return t.ID, t.SearchText() }

func fill[T any](
	ctx context.Context, d *db.DB, table, columns string,
	read func(db.Scan, *T) error, text func(*T) (string, searchtext.Text),
) error {
	for {
		updates, err := unfilled(ctx, d, table, columns, read, text)
		if err != nil || len(updates) == 0 {
			return err
		}
		err = d.Atomically(ctx, func(ctx context.Context) error {
			for _, args := range updates {
				query := "UPDATE " + table +
					" SET search_text = $3 WHERE portfolio_id = $1 AND id = $2 AND search_text = ''"
				if _, err := d.Exec(ctx, query, args...); err != nil {
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
	ctx context.Context, d *db.DB, table, columns string,
	read func(db.Scan, *T) error, text func(*T) (string, searchtext.Text),
) (rows [][]any, err error) {
	query := "SELECT portfolio_id, " + columns + `
		FROM ` + table + `
		WHERE search_text = ''
		ORDER BY portfolio_id, id
		LIMIT $1`
	err = d.Each(ctx, query, []any{int64(unsearched)}, func(scan db.Scan) error {
		var row T
		var in int64
		err := read(func(into ...any) error { return scan(append([]any{&in}, into...)...) }, &row)
		id, words := text(&row)
		rows = append(rows, []any{in, id, string(words)})
		return err
	})
	return rows, err
}
