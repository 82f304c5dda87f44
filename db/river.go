package db

import (
	"database/sql"

	"github.com/jackc/pgx/v5/pgxpool"
)

// SQLite is the writing connection for River's driver, nil on PostgreSQL.
func (d *DB) SQLite() *sql.DB {
	if d.lite == nil {
		return nil
	}
	return d.lite.sql
}

// Postgres is the pool for River's driver, nil on SQLite.
func (d *DB) Postgres() *pgxpool.Pool {
	if d.pg == nil {
		return nil
	}
	return d.pg.pool
}
