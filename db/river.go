package db

import (
	"context"
	"database/sql"

	"github.com/jackc/pgx/v5"
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

// SQLiteTx is the transaction that a context is in, for River's driver. What goes
// wrong in it takes back what that member of the group has written, no more.
func (d *DB) SQLiteTx(ctx context.Context) (*sql.Tx, bool) {
	t, inside := ctx.Value(txKey{}).(*tx)
	if !inside {
		return nil, false
	}
	q, lite := t.querier.(sqlTx)
	return q.Tx, lite
}

// PostgresTx is the transaction that a context is in, for River's driver. What was left for
// later has been run, so that what the driver writes comes behind it: behind the savepoint of a
// change that shares its transaction above all. The error is that of what was run.
func (d *DB) PostgresTx(ctx context.Context) (pgx.Tx, bool, error) {
	t, inside := ctx.Value(txKey{}).(*tx)
	if !inside {
		return nil, false, nil
	}
	q, pg := t.querier.(*pgxTx)
	if !pg {
		return nil, false, nil
	}
	return q.Tx, true, q.flush(ctx)
}

// RiverVersion is the version of River's tables.
func (d *DB) RiverVersion(ctx context.Context) (version int64, err error) {
	_, err = d.One(ctx, "SELECT CAST(COALESCE(max(version), 0) AS BIGINT) FROM river_migration", nil, &version)
	return version, err
}
