package db

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"net/url"
	"os"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
)

// dialect names a database to goose.
type dialect = goose.Dialect

const (
	dialectSQLite   = goose.DialectSQLite3
	dialectPostgres = goose.DialectPostgres
)

// migrationLock is the advisory lock that nodes of one PostgreSQL take in turns
// while they migrate; any number that nobody else uses will do.
const migrationLock = 7_026_110_221

// Migrate brings the schema to what this binary needs, and runs the migrations
// of others (a store's, River's) in the same step, on the database that they are given. Nodes that
// start together take turns. Each migration is one transaction, so a process killed in
// the middle leaves whole migrations behind and the next start goes on.
func (d *DB) Migrate(ctx context.Context, others ...func(context.Context, *DB) error) (err error) {
	locked, unlock, err := d.lockMigrations(ctx)
	if err != nil {
		return fmt.Errorf("lock the migrations: %w", err)
	}
	defer func() { err = errorsOf(err, unlock()) }()

	p, done, err := locked.provider()
	if err != nil {
		return err
	}
	defer func() { err = errorsOf(err, done()) }()
	if err := known(ctx, p); err != nil {
		return err
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	for _, other := range others {
		if err := other(ctx, locked); err != nil {
			return err
		}
	}
	d.ready.Store(true)
	return nil
}

// NewerSchemaError tells that a newer binary has migrated the database. This one would
// write rows that lack what the newer one relies on.
type NewerSchemaError struct {
	Tables      string // whose version it is: "" for the schema itself, or a library's
	Have, Known int64  // the version of the database, the last one that this binary knows
}

// Error says what to do.
func (e *NewerSchemaError) Error() string {
	tables := "its tables"
	if e.Tables != "" {
		tables = "the tables of " + e.Tables
	}
	return fmt.Sprintf(
		"the database is newer than this binary: %s have version %d there, and this binary knows %d at most. Start "+
			"the binary that migrated it, or a later one",
		tables,
		e.Have,
		e.Known,
	)
}

// known refuses a schema that is newer than what this binary knows.
func known(ctx context.Context, p *goose.Provider) error {
	have, most, err := p.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("read the version of the schema: %w", err)
	}
	if have > most {
		return &NewerSchemaError{Have: have, Known: most}
	}
	return nil
}

// Migrated reports whether the schema is what this binary needs. It asks until that
// is so; migrations only go forward, and a busy writer must not look like none.
func (d *DB) Migrated(ctx context.Context) (bool, error) {
	if d.ready.Load() {
		return true, nil
	}
	p, done, err := d.provider()
	if err != nil {
		return false, err
	}
	pending, err := p.HasPending(ctx)
	if err = errorsOf(err, done()); err != nil {
		return false, err
	}
	d.ready.Store(!pending)
	return !pending, nil
}

// Blank reports whether no migration has run: the database is empty, or not ours.
func (d *DB) Blank(ctx context.Context) (bool, error) {
	there, err := d.has(ctx, "goose_db_version")
	return !there, err
}

// has reports whether there is a table of a name.
func (d *DB) has(ctx context.Context, table string) (there bool, err error) {
	query := "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = $1)"
	if d.pg != nil {
		query = "SELECT to_regclass($1) IS NOT NULL"
	}
	_, err = d.One(ctx, query, []any{table}, &there)
	return there, err
}

func (d *DB) provider() (*goose.Provider, func() error, error) {
	var handle *sql.DB
	folder, done := "migrations/sqlite", func() error { return nil }
	if d.pg != nil {
		folder, handle = "migrations/postgres", stdlib.OpenDBFromPool(d.pg.pool)
		done = handle.Close
	} else {
		handle = d.lite.sql
	}
	files, err := fs.Sub(Migrations, folder)
	if err != nil {
		return nil, done, err
	}
	p, err := goose.NewProvider(d.dialect, handle, files)
	return p, done, err
}

// lockMigrations waits until nobody else migrates, and is the database to migrate on.
func (d *DB) lockMigrations(ctx context.Context) (locked *DB, unlock func() error, err error) {
	if d.pg != nil {
		return d.pg.lock(ctx)
	}
	unlock, err = d.lite.lock(ctx)
	return d, unlock, err
}

// lock is the database over a single connection, which holds the advisory lock. Where the
// process dies, the lock is free once what it did last is over on the server, too: not while
// another connection of it is still in the midst of a migration.
func (p *postgres) lock(ctx context.Context) (*DB, func() error, error) {
	config := p.pool.Config()
	config.MaxConns, config.MinConns, config.MinIdleConns = 1, 0, 0
	config.AfterConnect = func(_ context.Context, c *pgx.Conn) error {
		_, err := c.Exec(ctx, "SELECT pg_advisory_lock($1)", migrationLock)
		return err
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, nil, err
	}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		return nil, nil, err
	}
	one := &postgres{pool: pool}
	return &DB{engine: one, dialect: dialectPostgres, pg: one}, func() error { pool.Close(); return nil }, nil
}

// lock holds the write lock of an empty database beside ours, a lock between
// processes that ends with the process and works on every platform.
func (s *embedded) lock(ctx context.Context) (unlock func() error, err error) {
	path := s.path + ".migrating"
	dsn := "file:" + (&url.URL{Path: path}).EscapedPath() +
		"?_txlock=exclusive&_pragma=busy_timeout(" + busyTimeout + ")"
	guard := sql.OpenDB(connector{dsn: dsn})
	tx, err := guard.BeginTx(ctx, nil)
	if err != nil {
		return nil, errorsOf(err, guard.Close())
	}
	unlock = func() error { return errorsOf(rollback(tx), guard.Close()) }
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errorsOf(err, unlock())
	}
	return unlock, nil
}
