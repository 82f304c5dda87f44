package db_test

import (
	"slices"
	"strings"
	"testing"

	"portal/db/dbtest"
)

// columns of both databases are told alike: table, column, type, nullability.
const (
	columnsOfSQLite = `SELECT t.name || '.' || c.name || ' ' || lower(c.type) || CASE WHEN c."notnull" OR c.pk > 0
		THEN ' not null' ELSE '' END
		FROM pragma_table_list t, pragma_table_info(t.name) c
		WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND t.name NOT LIKE 'goose%'`
	columnsOfPostgres = `SELECT table_name || '.' || column_name || ' ' || data_type || CASE is_nullable WHEN 'NO'
		THEN ' not null' ELSE '' END
		FROM information_schema.columns
		JOIN information_schema.tables USING (table_catalog, table_schema, table_name)
		WHERE table_type = 'BASE TABLE' AND table_schema = current_schema() AND table_name NOT LIKE 'goose%'`
	indexesOfSQLite = `SELECT i.name || CASE WHEN i."unique" THEN ' unique' ELSE '' END || CASE WHEN i.partial
		THEN ' partial' ELSE '' END
		FROM pragma_table_list t, pragma_index_list(t.name) i
		WHERE t.schema = 'main' AND i.origin = 'c' AND t.name NOT LIKE 'goose%'`
	indexesOfPostgres = `SELECT c.relname || CASE WHEN indisunique THEN ' unique' ELSE '' END ||
		CASE WHEN indpred IS NOT NULL THEN ' partial' ELSE '' END
		FROM pg_index i
		JOIN pg_class c ON c.oid = i.indexrelid
		JOIN pg_class t ON t.oid = i.indrelid
		WHERE t.relnamespace = current_schema()::regnamespace AND t.relname NOT LIKE 'goose%'
			AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u'))`
	referencesOfSQLite = `SELECT t.name || ' (' || group_concat(f."from", ', ') || ') to ' || f."table"
		FROM pragma_table_list t, pragma_foreign_key_list(t.name) f
		WHERE t.schema = 'main'
		GROUP BY t.name, f.id`
	referencesOfPostgres = `SELECT t.relname || ' (' || string_agg(a.attname, ', '
		ORDER BY n) || ') to ' || k.confrelid::regclass
		FROM pg_constraint k
		JOIN pg_class t ON t.oid = k.conrelid
		CROSS JOIN unnest(k.conkey) WITH ORDINALITY AS u (attnum, n)
		JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.attnum
		WHERE k.contype = 'f'
		GROUP BY t.relname, k.oid`
)

// alike tells a type of SQLite and one of PostgreSQL that stand for the same.
var alike = strings.NewReplacer("bigint", "integer", "boolean", "integer", "bytea", "blob")

func TestBothDatabasesHaveSameSchema(t *testing.T) {
	t.Parallel()
	lite, pg := dbtest.SQLite(t), dbtest.OnPostgres(t)
	for _, q := range [][2]string{
		{columnsOfSQLite, columnsOfPostgres},
		{indexesOfSQLite, indexesOfPostgres},
		{referencesOfSQLite, referencesOfPostgres},
	} {
		one, other := texts(t, lite, q[0]), texts(t, pg, q[1])
		for i := range other {
			other[i] = alike.Replace(other[i])
		}
		if len(one) < 10 {
			t.Errorf("only %d lines: %q", len(one), one)
		}
		for _, line := range one {
			if !slices.Contains(other, line) {
				t.Errorf("SQLite alone has %s", line)
			}
		}
		for _, line := range other {
			if !slices.Contains(one, line) {
				t.Errorf("PostgreSQL alone has %s", line)
			}
		}
	}
}

// Text that sorts by a language would make cursors of SQLite's order skip rows.
func TestPostgresTextSortsByBytes(t *testing.T) {
	t.Parallel()
	pg := dbtest.OnPostgres(t)
	for _, column := range texts(t, pg, `SELECT table_name || '.' || column_name
		FROM information_schema.columns
		WHERE table_schema = current_schema() AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'
			AND table_name NOT LIKE 'goose%'`) {
		t.Errorf("%s does not", column)
	}
}

// TestQueryPlansAssumeLargePortfolio: what PostgreSQL is told of portfolios belongs to each table that has some.
func TestQueryPlansAssumeLargePortfolio(t *testing.T) {
	t.Parallel()
	d := dbtest.OnPostgres(t)
	of := func(told string) []string {
		return texts(t, d, `SELECT c.relname
			FROM pg_class c
			JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'portfolio_id'
			WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace`+told+" ORDER BY c.relname")
	}
	all, told := of(""), of(" AND 'n_distinct=2' = ANY (a.attoptions)")
	if len(all) < 10 || !slices.Equal(all, told) {
		t.Errorf("%q are planned for a large portfolio, of %q: see migration planned_for_large", told, all)
	}
}
