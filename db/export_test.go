package db

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"modernc.org/sqlite"

	"portal/api/access"
	"portal/api/webhook"
)

// Plan is how SQLite carries out each query that do runs with the context it is
// given: the lines of EXPLAIN QUERY PLAN.
func (d *DB) Plan(ctx context.Context, do func(context.Context) error) (queries [][]string, err error) {
	e := &explainer{d: d, by: "EXPLAIN QUERY PLAN ", line: func(s scan) (step string, err error) {
		var id, parent, unused int
		return step, s(&id, &parent, &unused, &step)
	}}
	err = do(context.WithValue(ctx, txKey{}, &tx{querier: e}))
	return e.queries, err
}

// Carried is how PostgreSQL carried out each query that do ran with the context it was
// given: the lines of EXPLAIN ANALYZE.
func (d *DB) Carried(ctx context.Context, do func(context.Context) error) (queries [][]string, err error) {
	e := &explainer{d: d, by: "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ", line: func(s scan) (step string, err error) {
		return step, s(&step)
	}}
	err = do(context.WithValue(ctx, txKey{}, &tx{querier: e}))
	return e.queries, err
}

// explainer is a querier that explains and then answers. It writes nothing.
type explainer struct {
	d       *DB
	by      string                     // what makes a statement an explanation of itself
	line    func(scan) (string, error) // a line of an explanation
	queries [][]string
}

func (e *explainer) each(ctx context.Context, query string, args []any, row func(scan) error) error {
	var steps []string
	err := e.d.engine.each(ctx, e.by+query, args, func(s scan) error {
		step, err := e.line(s)
		steps = append(steps, step)
		return err
	})
	e.queries = append(e.queries, steps)
	return errors.Join(err, e.d.engine.each(ctx, query, args, row))
}

func (e *explainer) exec(ctx context.Context, query string, args ...any) (int64, error) {
	return 0, e.each(ctx, query, args, func(scan) error { return nil })
}

func (e *explainer) all(ctx context.Context, statements []stmt) error {
	for _, s := range statements {
		row := s.row
		if row == nil {
			row = func(scan) error { return nil }
		}
		if err := e.each(ctx, s.query, s.args, row); err != nil {
			return err
		}
	}
	return nil
}

func (e *explainer) later(ctx context.Context, query string, args ...any) error {
	_, err := e.exec(ctx, query, args...)
	return err
}

func (e *explainer) flush(context.Context) error { return nil }

// Commits counts the commits of the writing connection from now on.
func (d *DB) Commits(ctx context.Context) (*atomic.Int64, error) {
	var n atomic.Int64
	return &n, d.onWriter(ctx, func(c *caching) {
		c.inner.(sqlite.HookRegisterer).RegisterCommitHook(func() int32 { n.Add(1); return 0 })
	})
}

// Prepared is how many statements each connection keeps at most.
func (d *DB) Prepared(ctx context.Context) (most int, err error) {
	for range maxReaders {
		r := <-d.lite.readers.idle
		most = max(most, len(r.prepared))
		d.lite.readers.idle <- r
	}
	return most, d.onWriter(ctx, func(c *caching) { most = max(most, len(c.kept)) })
}

func (d *DB) onWriter(ctx context.Context, do func(*caching)) error {
	conn, err := d.lite.sql.Conn(ctx)
	if err != nil {
		return err
	}
	err = conn.Raw(func(c any) error {
		do(c.(*caching))
		return nil
	})
	return errors.Join(err, conn.Close())
}

// MaxPrepared is the bound of each connection's statements.
const MaxPrepared = maxPrepared

// Recent tells a version of SQLite that may be used.
func Recent(version string) bool { return recent(version) == nil }

// Query runs a query on a reading connection.
func (d *DB) Query(ctx context.Context, query string) error {
	return d.engine.each(ctx, query, nil, func(scan) error { return nil })
}

// Insert leaves an event to be written later.
func Insert(ctx context.Context, d *DB, id string, in access.Portfolio) error {
	return d.AddEvent(ctx, in, &webhook.Event{ID: id, Type: webhook.LeaseSigned, Body: []byte("{}")})
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
	_, err = d.one(ctx, "SELECT CAST(pg_current_xact_id() AS TEXT)", nil, &id)
	return id, err
}

// LookUpNoWords has searches read lists in their order, however rare a word is.
func (d *DB) LookUpNoWords() { d.rare = -1 }
