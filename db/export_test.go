package db

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"modernc.org/sqlite"

	"portal/api/access"
)

// Commits counts the commits of the writing connection from now on.
func (d *DB) Commits(ctx context.Context) (*atomic.Int64, error) {
	var n atomic.Int64
	return &n, d.onWriter(ctx, func(c *caching) {
		c.inner.(sqlite.HookRegisterer).RegisterCommitHook(func() int32 { n.Add(1); return 0 })
	})
}

// Readers is how many connections lists are read by.
func Readers(d *DB) int {
	if d.pg != nil {
		return int(d.pg.pool.Config().MaxConns)
	}
	return maxReaders
}

// UsedReaders is how many reading connections have been asked anything.
func (d *DB) UsedReaders(ctx context.Context) (used int) {
	_ = d.lite.readers.opened(ctx, func(r *reader) {
		if len(r.prepared) > 1 { // all are told how much to keep
			used++
		}
	})
	return used
}

// Prepared is how many statements each connection keeps at most.
func (d *DB) Prepared(ctx context.Context) (most int, err error) {
	err = d.lite.readers.opened(ctx, func(r *reader) { most = max(most, len(r.prepared)) })
	return most, errors.Join(err, d.onWriter(ctx, func(c *caching) { most = max(most, len(c.kept)) }))
}

// MaxPrepared is the bound of each connection's statements.
const MaxPrepared = maxPrepared

// Recent tells a version of SQLite that may be used.
func Recent(version string) bool { return recent(version) == nil }

// Query runs a query on a reading connection.
func (d *DB) Query(ctx context.Context, query string) error {
	return d.engine.each(ctx, query, nil, func(Scan) error { return nil })
}

// ShareFor has changes of a portfolio share a transaction for so long, so that a busy machine
// does not part what a test wants together.
func (d *DB) ShareFor(t time.Duration) { d.exclusive.time = t }

// Waiting is how many changes of a portfolio wait for their turn on PostgreSQL, besides those
// whose transaction runs; -1 where none runs.
func (d *DB) Waiting(in access.Portfolio) int {
	d.exclusive.mu.Lock()
	defer d.exclusive.mu.Unlock()
	all, runs := d.exclusive.all[in.ID]
	if !runs {
		return -1
	}
	return len(all)
}

// Transaction is the transaction that a context is in, on PostgreSQL.
func Transaction(ctx context.Context, d *DB) (id string, err error) {
	_, err = d.One(ctx, "SELECT CAST(pg_current_xact_id() AS TEXT)", nil, &id)
	return id, err
}
