package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// postgres is the engine for several nodes.
type postgres struct {
	pool   *pgxpool.Pool
	prompt *pgxpool.Pool // for transactions that are not to wait for those of pool
	reads  *pgxpool.Pool // for prompt reads, see Prompt
	closed atomic.Bool
}

// promptConns is how many connections there are for transactions that are not to wait, as many
// as the dispatcher of webhooks has at a time. They are opened when they are needed, as are the
// promptReads for reads.
const (
	promptConns = 4
	promptReads = 2
)

// OpenPostgres connects to the database of a postgres:// URL.
func OpenPostgres(ctx context.Context, url string) (*DB, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("DATABASE_URL: %w", err)
	}
	if config.MaxConns < 10 {
		config.MaxConns = 10
	}
	config.ConnConfig.ConnectTimeout = 5 * time.Second
	if hooks != nil {
		hooks.Connecting(config.ConnConfig)
	}
	few := config.Copy()
	few.MaxConns, few.MinConns, few.MinIdleConns = promptConns, 0, 0
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	p := &postgres{pool: pool}
	if p.prompt, err = pgxpool.NewWithConfig(ctx, few); err == nil {
		few = few.Copy()
		few.MaxConns = promptReads
		p.reads, err = pgxpool.NewWithConfig(ctx, few)
	}
	if err == nil {
		err = p.ping(ctx)
	}
	if err != nil {
		_ = p.close() // of what was opened
		return nil, err
	}
	d := &DB{engine: p, dialect: dialectPostgres, pg: p}
	d.exclusive.most, d.exclusive.pace = mostWait, pace{most: sharedSize, span: sharedTime}
	return d, nil
}

// rowser is what a pool and a transaction of pgx have in common.
type rowser interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}

type pgxQuerier struct{ rowser }

func (q pgxQuerier) each(ctx context.Context, query string, args []any, row func(Scan) error) error {
	rows, err := q.Query(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (q pgxQuerier) exec(ctx context.Context, query string, args ...any) (int64, error) {
	tag, err := q.Exec(ctx, query, args...)
	return tag.RowsAffected(), err
}

func (p *postgres) each(ctx context.Context, query string, args []any, row func(Scan) error) error {
	pool := p.pool
	if isPrompt(ctx) {
		pool = p.reads
	}
	return p.orClosed(pgxQuerier{pool}.each(ctx, query, args, row))
}

// planOnce has the statements planned once that are sent in the same message behind it. They are read in the order
// of an index, up to a limit: a plan that sorts what another index gives, or gathers all its pages first, reads all
// charges of a day for a page of them.
const planOnce = `SELECT set_config('plan_cache_mode', 'force_generic_plan', true),
	set_config('enable_bitmapscan', 'off', true), set_config('enable_incremental_sort', 'off', true)`

// eachPlanned is each with the plan that fits any arguments.
func (p *postgres) eachPlanned(ctx context.Context, query string, args []any, row func(Scan) error) (err error) {
	var batch pgx.Batch
	batch.Queue(planOnce)
	batch.Queue(query, args...)
	return p.second(ctx, &batch, row)
}

// eachWithin is each, and ends with errInterrupted where the statement has taken longer.
func (p *postgres) eachWithin(
	ctx context.Context, most time.Duration, query string, args []any, row func(Scan) error,
) error {
	var batch pgx.Batch
	batch.Queue("SELECT set_config('statement_timeout', $1, true)",
		strconv.FormatInt(max(1, most.Milliseconds()), 10))
	batch.Queue(query, args...)
	err := p.second(ctx, &batch, row)
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Code == "57014" && ctx.Err() == nil { // query_canceled
		err = errInterrupted
	}
	return err
}

// second is the rows of the second statement of a batch, which begins with a setting for it.
func (p *postgres) second(ctx context.Context, batch *pgx.Batch, row func(Scan) error) (err error) {
	answers := p.pool.SendBatch(ctx, batch)
	if _, err = answers.Exec(); err == nil {
		err = (&Statement{Row: row}).read(answers)
	}
	if closed := answers.Close(); err == nil {
		err = closed
	}
	return p.orClosed(err)
}

// write runs a transaction, once more where PostgreSQL chose it as the victim of
// a deadlock or of a conflict between transactions.
func (p *postgres) write(ctx context.Context, do func(context.Context, querier) error) error {
	return p.writeOn(ctx, p.pool, do)
}

// writePromptly is write on a connection that is not shared with other transactions.
func (p *postgres) writePromptly(ctx context.Context, do func(context.Context, querier) error) error {
	return p.writeOn(ctx, p.prompt, do)
}

func (p *postgres) writeOn(ctx context.Context, pool *pgxpool.Pool, do func(context.Context, querier) error) error {
	for try := 1; ; try++ {
		err := pgx.BeginFunc(ctx, pool, func(inner pgx.Tx) error {
			t := &pgxTx{Tx: inner}
			if err := do(ctx, t); err != nil {
				return err
			}
			return t.flush(ctx)
		})
		if again(err) && try < 5 {
			continue
		}
		return p.orClosed(err)
	}
}

func (p *postgres) ping(ctx context.Context) error { return p.orClosed(p.reads.Ping(ctx)) }

func (p *postgres) close() error {
	p.closed.Store(true)
	p.pool.Close()
	for _, few := range []*pgxpool.Pool{p.prompt, p.reads} {
		if few != nil {
			few.Close()
		}
	}
	return nil
}

// orClosed adds to an error that the pool is closed, which the pool says in words only.
func (p *postgres) orClosed(err error) error {
	if err != nil && p.closed.Load() {
		return fmt.Errorf("%w: %w", errClosed, err)
	}
	return err
}

// presenceTime is how often a process looks whether its presence is still known.
const presenceTime = 5 * time.Second

// presenceLock is the advisory lock that a process holds while it lives. PostgreSQL lets
// go of it when the connection ends, so that no clock is asked who is alive.
const presenceLock = "(hashtextextended('portal dispatcher ' || $1, 0))"

// channel is what processes tell each other on.
const channel = "portal_dispatchers"

// Present lets other processes know that this one is alive, until the context ends, and has
// it hear what they tell. A connection that breaks is replaced; meanwhile others may take
// this process for dead, and it hears nothing. Present returns once the others know, or
// cannot be told for the time being. SQLite has one process that sends.
func (d *DB) Present(ctx context.Context, process string, heard func(message string)) {
	if d.pg == nil {
		return
	}
	told := make(chan struct{})
	go d.pg.present(ctx, &presence{process, heard, told})
	select {
	case <-told:
	case <-time.After(presenceTime):
	case <-ctx.Done():
	}
}

// Tell tells all processes that are present, this one too. It is not part of the context's
// transaction, and no promise: one whose connection is just being replaced does not hear it.
func (d *DB) Tell(ctx context.Context, message string) error {
	if d.pg == nil {
		return nil
	}
	return classify(d.pg.each(ctx, "SELECT pg_notify('"+channel+"', $1)", []any{
		message,
	}, func(Scan) error { return nil }))
}

// presence is a process that others are to know of.
type presence struct {
	process string
	heard   func(message string)
	told    chan struct{} // closed once they know
}

func (p *postgres) present(ctx context.Context, who *presence) {
	again := time.NewTicker(presenceTime)
	defer again.Stop()
	for ctx.Err() == nil {
		if c, err := p.pool.Acquire(ctx); err == nil && who.keepLock(ctx, c) {
			continue // it was held and has broken: at once another
		}
		select {
		case <-again.C:
		case <-ctx.Done():
		}
	}
}

// keepLock keeps the lock as long as its connection lasts, and reports whether it did.
func (p *presence) keepLock(ctx context.Context, c *pgxpool.Conn) bool {
	conn := c.Hijack() // what holds a lock goes to nobody else
	defer func() {
		_ = conn.Close(context.WithoutCancel(ctx)) // broken already, or over
	}()
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock"+presenceLock, p.process); err != nil {
		return false
	}
	if _, err := conn.Exec(ctx, "LISTEN "+channel); err != nil {
		return false
	}
	select {
	case <-p.told:
	default:
		close(p.told)
	}
	for p.listen(ctx, conn) {
		continue
	}
	return true
}

// listen waits for a while and reports whether a connection has lasted. Nothing is sent on it
// meanwhile, so that waiting ends at once when it breaks, or when there is something to hear.
func (p *presence) listen(ctx context.Context, conn *pgx.Conn) bool {
	wait, cancel := context.WithTimeout(ctx, presenceTime)
	defer cancel()
	n, err := conn.WaitForNotification(wait)
	if err == nil {
		p.heard(n.Payload)
		return true
	}
	return ctx.Err() == nil && wait.Err() != nil && conn.Ping(ctx) == nil
}

// Gone are those of some processes that are not alive. Nobody knows of one on SQLite.
func (d *DB) Gone(ctx context.Context, processes []string) (gone []string, err error) {
	if d.pg == nil {
		return nil, nil
	}
	for _, p := range processes {
		var free bool
		if _, err := d.One(ctx, "SELECT pg_try_advisory_xact_lock"+presenceLock, []any{p}, &free); err != nil {
			return nil, err
		}
		if free {
			gone = append(gone, p)
		}
	}
	return gone, nil
}

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
// wrong in it takes back what that member of the group has written, no more. There is no error.
func (d *DB) SQLiteTx(ctx context.Context) (*sql.Tx, bool, error) {
	t, inside := ctx.Value(txKey{}).(*tx)
	if !inside {
		return nil, false, nil
	}
	q, lite := t.querier.(sqlTx)
	return q.Tx, lite, nil
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
