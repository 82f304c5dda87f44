package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// A group takes at most this many writes or this long before it commits.
const (
	groupSize = 128
	groupTime = 10 * time.Millisecond
)

// group commits writes together: each one runs in a savepoint of a common
// transaction, and is answered after the fsync that covers all of them. One that
// fails is rolled back alone.
type group struct {
	sql     *sql.DB
	queue   chan *write
	stopped chan struct{}
}

type write struct {
	ctx    context.Context
	do     func(context.Context, querier) error
	err    error
	caught any // a panic of do, raised again where the write was asked for
	done   chan struct{}
	taken  atomic.Bool // by the group, or by the caller who left before its turn
}

// errBroken says that SQLite has rolled back the common transaction by itself,
// after a full disk for example: anybody who was in it must run again.
var errBroken = errors.New("the common transaction was rolled back")

func newGroup(db *sql.DB) *group {
	g := &group{sql: db, queue: make(chan *write, groupSize), stopped: make(chan struct{})}
	go g.run()
	return g
}

// write runs do in a transaction and returns when it is durable.
func (g *group) write(ctx context.Context, do func(context.Context, querier) error) error {
	w := &write{ctx: ctx, do: do, done: make(chan struct{})}
	select {
	case g.queue <- w:
	case <-ctx.Done():
		return ctx.Err()
	case <-g.stopped:
		return errClosed
	}
	if err := g.wait(w); err != nil {
		return err
	}
	if w.caught != nil {
		panic(w.caught)
	}
	return w.err
}

// wait waits for a write's end. A caller who leaves before its turn does not wait
// for it; the group will pass over the write.
func (g *group) wait(w *write) error {
	left := w.ctx.Done()
	for {
		select {
		case <-w.done:
			return nil
		case <-left:
			if w.taken.CompareAndSwap(false, true) {
				return w.ctx.Err()
			}
			left = nil
		case <-g.stopped:
			select {
			case <-w.done:
				return nil
			default:
				return errClosed
			}
		}
	}
}

// stop ends the group after the writes that wait in its queue.
func (g *group) stop() {
	end := &write{done: make(chan struct{})}
	g.queue <- end
	<-end.done
	close(g.stopped)
}

func (g *group) run() {
	for w := range g.queue {
		if w.do == nil {
			close(w.done)
			return
		}
		g.commit(w)
	}
}

// commit runs a write and those that arrive meanwhile in one transaction.
func (g *group) commit(first *write) {
	members, err := g.together(first)
	for _, w := range members {
		switch {
		case err != nil && len(members) > 1:
			w.err = g.alone(w)
		case err != nil:
			w.err = err
		}
	}
	for _, w := range members {
		close(w.done)
	}
}

// together returns the writes that took part, and an error if none of them is
// durable.
func (g *group) together(first *write) ([]*write, error) {
	tx, err := g.sql.BeginTx(context.Background(), nil)
	if err != nil {
		return []*write{first}, err
	}
	var members []*write
	began := time.Now() //nolint:forbidigo // a measured span, not a moment anybody sees
	for w := first; w != nil; w = g.next(len(members), began) {
		if !w.taken.CompareAndSwap(false, true) {
			continue // its caller has left
		}
		members = append(members, w)
		if w.err = w.run(tx); errors.Is(w.err, errBroken) {
			return members, errorsOf(w.err, rollback(tx))
		}
	}
	return members, tx.Commit()
}

// next is a write that waits already, while the group has room for it.
func (g *group) next(size int, began time.Time) *write {
	if size >= groupSize || time.Since(began) > groupTime {
		return nil
	}
	select {
	case w := <-g.queue:
		if w.do == nil {
			go func() { g.queue <- w }() // the end comes after this group
			return nil
		}
		return w
	default:
		return nil
	}
}

// alone runs a write again in a transaction of its own.
func (g *group) alone(w *write) error {
	if w.caught != nil {
		return nil
	}
	tx, err := g.sql.BeginTx(context.Background(), nil)
	if err != nil {
		return err
	}
	if err := w.run(tx); err != nil {
		return errorsOf(err, rollback(tx))
	}
	return tx.Commit()
}

// run is one write in its savepoint. A caller that has gone away before its turn
// is not served; from then on it cannot interrupt, since SQLite would roll back
// everybody's work.
func (w *write) run(tx *sql.Tx) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	ctx := context.WithoutCancel(w.ctx)
	if _, err := tx.ExecContext(ctx, "SAVEPOINT member"); err != nil {
		return fmt.Errorf("%w: %w", errBroken, err)
	}
	err := w.call(ctx, sqlTx{tx})
	if err != nil || w.caught != nil {
		if _, back := tx.ExecContext(ctx, "ROLLBACK TO member"); back != nil {
			return fmt.Errorf("%w: %w", errBroken, errorsOf(err, back))
		}
	}
	if _, release := tx.ExecContext(ctx, "RELEASE member"); release != nil {
		return fmt.Errorf("%w: %w", errBroken, errorsOf(err, release))
	}
	return err
}

func (w *write) call(ctx context.Context, q querier) error {
	defer func() { w.caught = recover() }()
	return w.do(ctx, q)
}

// rollback ends a transaction that SQLite may have ended already.
func rollback(tx *sql.Tx) error {
	if err := tx.Rollback(); err != nil && !errors.Is(err, sql.ErrTxDone) {
		return err
	}
	return nil
}

// errorsOf joins errors and keeps a single one as it is.
func errorsOf(errs ...error) error {
	var only error
	for _, err := range errs {
		if err != nil && only != nil {
			return errors.Join(errs...)
		}
		if err != nil {
			only = err
		}
	}
	return only
}

// sqlTx is a transaction of database/sql as a querier.
type sqlTx struct{ *sql.Tx }

func (t sqlTx) each(ctx context.Context, query string, args []any, row func(Scan) error) error {
	rows, err := t.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // Err tells
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (t sqlTx) exec(ctx context.Context, query string, args ...any) (int64, error) {
	result, err := t.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}
