package rows

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"portal/api/access"
	"portal/db"
)

// Bulk is how many rows one INSERT carries: SQLite takes 32,766 parameters.
const Bulk = 100

// Fixed adapts values that cannot fail.
func Fixed[T any](values func(*T) []any) func(*T) ([]any, error) {
	return func(v *T) ([]any, error) { return values(v), nil }
}

// Insert writes records, many with one statement.
func Insert[T any](
	ctx context.Context,
	d *db.DB,
	in access.Portfolio,
	table, columns string,
	records []T,
	values func(*T) ([]any, error),
) error {
	for chunk := range slices.Chunk(records, Bulk) {
		sql, args, err := Insertion(d, in, table, columns, chunk, values)
		if err != nil {
			return err
		}
		if _, err := d.Exec(ctx, sql, args...); err != nil {
			return err
		}
	}
	return nil
}

// Insertion is the statement that writes some records.
func Insertion[T any](
	d *db.DB, in access.Portfolio, table, columns string, records []T, values func(*T) ([]any, error),
) (string, []any, error) {
	var sql strings.Builder
	sql.WriteString("INSERT INTO " + table + " (portfolio_id, " + columns + ") VALUES ")
	var args []any
	for i := range records {
		row, err := values(&records[i])
		if err != nil {
			return "", nil, err
		}
		if i > 0 {
			sql.WriteString(", ")
		}
		sql.WriteString("(" + d.Marks(len(args), len(row)+1) + ")")
		args = append(append(args, in.ID), row...)
	}
	return sql.String(), args, nil
}

// Save writes all columns of a record that is there; its id is the first value.
func Save(ctx context.Context, d *db.DB, in access.Portfolio, table, columns string, values []any) error {
	var sets []string
	for i, column := range strings.Split(columns, ",")[1:] {
		sets = append(sets, fmt.Sprintf("%s = $%d", strings.TrimSpace(column), i+3))
	}
	query := "UPDATE " + table + " SET " + strings.Join(sets, ", ") + " WHERE portfolio_id = $1 AND id = $2"
	n, err := d.Exec(ctx, query, append([]any{in.ID}, values...)...)
	if err == nil && n != 1 {
		err = fmt.Errorf("%d rows of %s have the id %v", n, table, values[0])
	}
	return err
}
