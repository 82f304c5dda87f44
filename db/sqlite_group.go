package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"portal/api/change"
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
	sql   *sql.DB
	line  *line
	ended chan struct{}
}

type write struct {
	standing
	ctx    context.Context
	do     func(context.Context, querier) error
	err    error
	caught any // a panic of do, raised again where the write was asked for
	done   chan struct{}
	taken  atomic.Bool   // by the group, or by the caller who left before its turn
	came   time.Duration // what was spent on others when it came
	took   time.Duration // without the commit
}

// errBroken says that SQLite has rolled back the common transaction by itself,
// after a full disk for example: anybody who was in it must run again.
var errBroken = errors.New("the common transaction was rolled back")

func newGroup(db *sql.DB) *group {
	g := &group{sql: db, line: newLine(), ended: make(chan struct{})}
	go g.run()
	return g
}

// write runs do in a transaction and returns when it is durable.
func (g *group) write(ctx context.Context, do func(context.Context, querier) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	w := &write{standing: standingOf(ctx), ctx: ctx, do: do, done: make(chan struct{})}
	if err := g.line.add(w); err != nil {
		return err
	}
	select {
	case <-w.done:
	case <-ctx.Done(): // who leaves before its turn does not wait for it
		if w.taken.CompareAndSwap(false, true) {
			g.line.leave(w)
			return ctx.Err()
		}
		<-w.done
	}
	if w.caught != nil {
		panic(w.caught)
	}
	if w.err == nil && w.portfolio != 0 {
		change.Changed(ctx)
	}
	return w.err
}

// stop ends the group after the writes that wait.
func (g *group) stop() {
	g.line.close()
	<-g.ended
}

func (g *group) run() {
	defer close(g.ended)
	for w := g.line.first(); w != nil; w = g.line.first() {
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
	asked := time.Now() //nolint:forbidigo // a measured span, not a moment anybody sees
	tx, err := g.sql.BeginTx(context.Background(), nil)
	if err != nil {
		return g.unbegun(first), err
	}
	var members []*write
	began := time.Now() //nolint:forbidigo // as above
	for w, last := first, classes-1; w != nil; w = g.next(len(members), began, last) {
		if !w.taken.CompareAndSwap(false, true) {
			continue // its caller has left
		}
		members, last = append(members, w), min(last, w.class)
		turn := time.Now() //nolint:forbidigo // as above
		w.err = w.run(tx)
		w.took = time.Since(turn)
		if errors.Is(w.err, errBroken) {
			return members, errorsOf(w.err, rollback(tx))
		}
	}
	ran := time.Now() //nolint:forbidigo // as above
	err = tx.Commit()
	g.line.note(members, began.Sub(asked)+time.Since(ran))
	return members, err
}

// unbegun is a write whose transaction has not begun, unless its caller has left.
func (g *group) unbegun(w *write) []*write {
	if w.taken.CompareAndSwap(false, true) {
		return []*write{w}
	}
	return nil
}

// next is a write that waits already, while the group has room for it. None goes behind one of a class that
// goes first, which would wait for its end.
func (g *group) next(size int, began time.Time, last class) *write {
	if size >= groupSize || time.Since(began) > groupTime {
		return nil
	}
	return g.line.next(last)
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
