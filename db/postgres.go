package db

import (
	"context"
	"fmt"
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
	closed atomic.Bool
}

// promptConns is how many connections there are for transactions that are not to wait, as many
// as the dispatcher of webhooks has at a time. They are opened when they are needed.
const promptConns = 4

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
	counted(config.ConnConfig)
	few := config.Copy()
	few.MaxConns, few.MinConns, few.MinIdleConns = promptConns, 0, 0
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	p := &postgres{pool: pool}
	if p.prompt, err = pgxpool.NewWithConfig(ctx, few); err == nil {
		err = p.ping(ctx)
	}
	if err != nil {
		_ = p.close() // of what was opened
		return nil, err
	}
	return &DB{engine: p, dialect: dialectPostgres, pg: p}, nil
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
	return p.orClosed(pgxQuerier{p.pool}.each(ctx, query, args, row))
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
	answers := p.pool.SendBatch(ctx, &batch)
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

func (p *postgres) ping(ctx context.Context) error { return p.orClosed(p.pool.Ping(ctx)) }

func (p *postgres) close() error {
	p.closed.Store(true)
	p.pool.Close()
	if p.prompt != nil {
		p.prompt.Close()
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
