package db

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"portal/api/access"
	"portal/api/fault"
)

// Changes of one portfolio run one after the other. On PostgreSQL those that come while
// another runs share its successor's transaction, so that they pay for one lock and one
// commit together: at most this many, and no longer than this.
const (
	sharedSize = 32
	sharedTime = 20 * time.Millisecond
)

// sharedLimit ends a shared transaction that the database does not answer, as the callers
// cannot: none of them may end what the others share.
const sharedLimit = 30 * time.Second

// Exclusively runs do in one transaction that no other change of the portfolio comes
// between, on every node. It is Atomically otherwise.
func (d *DB) Exclusively(ctx context.Context, in access.Portfolio, do func(context.Context) error) error {
	return prepared(ctx, func(ctx context.Context) error { return d.exclusively(ctx, in, do) })
}

func (d *DB) exclusively(ctx context.Context, in access.Portfolio, do func(context.Context) error) error {
	alone := func(ctx context.Context) error {
		if err := d.Lock(ctx, in); err != nil {
			return err
		}
		return do(ctx)
	}
	if _, inside := ctx.Value(txKey{}).(*tx); inside || d.pg == nil {
		return d.Atomically(ctx, alone)
	}
	d.strict.check(ctx)
	m := &member{ctx: ctx, do: d.strict.wrap(do), done: make(chan struct{})}
	d.exclusive.add(in.ID, m, func(first *member) { d.share(in, first) })
	select {
	case <-m.done:
	case <-ctx.Done():
		if m.taken.CompareAndSwap(false, true) {
			return classify(ctx.Err())
		}
		<-m.done
	}
	switch {
	case m.caught != nil:
		panic(m.caught)
	case m.alone:
		return d.Atomically(ctx, alone)
	case m.err != nil:
		return classify(m.err)
	}
	for _, then := range m.tx.then {
		then()
	}
	return nil
}

// Lock blocks other transactions on this portfolio until this one ends. Every change takes it
// first, on every node, so what the change counts stays true until it has written. Lock also
// raises the revision, which shows that figures counted before the change are out of date.
func (d *DB) Lock(ctx context.Context, in access.Portfolio) error {
	t, inside := ctx.Value(txKey{}).(*tx)
	if inside && t.locked[in.ID] {
		return nil
	}
	n, err := d.Exec(ctx, "UPDATE portfolios SET revision = revision + 1 WHERE id = $1", in.ID)
	if err == nil && n != 1 {
		err = fault.NotFound("portfolio")
	}
	if err == nil && inside && t.locked != nil {
		t.locked[in.ID] = true
	}
	return err
}

// member is a change that waits for its turn in a shared transaction.
type member struct {
	ctx    context.Context
	do     func(context.Context) error
	taken  atomic.Bool // by the transaction, or by a caller who left before that
	tx     *tx
	err    error
	caught any  // a panic of do, raised again where the change was asked for
	alone  bool // it is to run in a transaction of its own
	done   chan struct{}
}

// exclusive are the changes that wait, by portfolio.
type exclusive struct {
	mu  sync.Mutex
	all map[int64][]*member // of portfolios of which one runs

	time time.Duration // how long changes join a transaction; 0 for sharedTime
}

// add has a change run with those that wait; the goroutine that runs them ends when none
// is left.
func (e *exclusive) add(portfolio int64, m *member, run func(first *member)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.all == nil {
		e.all = map[int64][]*member{}
	}
	_, busy := e.all[portfolio]
	e.all[portfolio] = append(e.all[portfolio], m)
	if busy {
		return
	}
	go func() {
		for first := e.next(portfolio, true); first != nil; first = e.next(portfolio, true) {
			run(first)
		}
	}()
}

// next returns the change that has waited longest; nil ends the loop. A change whose caller has
// left is skipped. With end, the portfolio is forgotten once nothing waits.
func (e *exclusive) next(portfolio int64, end bool) *member {
	e.mu.Lock()
	defer e.mu.Unlock()
	for all := e.all[portfolio]; len(all) > 0; all = e.all[portfolio] {
		e.all[portfolio] = all[1:]
		if all[0].taken.CompareAndSwap(false, true) {
			return all[0]
		}
	}
	if end {
		delete(e.all, portfolio)
	}
	return nil
}

// share runs changes in one transaction: the first and those that arrive meanwhile. Changes that
// cannot be isolated run alone afterwards.
func (d *DB) share(in access.Portfolio, first *member) {
	ctx, cancel := context.WithTimeout(context.Background(), sharedLimit)
	defer cancel()
	members, committing, changed := []*member{first}, false, false
	err := pgx.BeginFunc(ctx, d.pg.pool, func(inner pgx.Tx) error {
		t := &pgxTx{Tx: inner}
		locking := &tx{querier: t, locked: map[int64]bool{}}
		if err := d.Lock(context.WithValue(ctx, txKey{}, locking), in); err != nil {
			return err
		}
		began := time.Now() //nolint:forbidigo // a measured span, not a moment anybody sees
		for m := first; m != nil; {
			if err := m.run(ctx, t, in); err != nil {
				return err
			}
			changed = changed || m.err == nil && m.caught == nil
			if len(members) == sharedSize || time.Since(began) > cmp.Or(d.exclusive.time, sharedTime) {
				break
			}
			if m = d.exclusive.next(in.ID, false); m != nil {
				members = append(members, m)
			}
		}
		if !changed {
			return errUnchanged
		}
		committing = true
		return nil
	})
	if errors.Is(err, errUnchanged) {
		err = nil
	}
	unknown := err != nil && committing && !refused(err)
	for _, m := range members {
		m.end(err, unknown)
	}
}

// end tells the caller of a change what came of the transaction that it shared. Where it is
// unknown whether that was committed, nothing that was done is run again, which could do it
// twice. What was taken back is: it may have failed, or have been answered, by what another
// change had written and nobody knows of now.
func (m *member) end(err error, unknown bool) {
	switch {
	case err == nil || m.caught != nil:
	case unknown && m.err == nil:
		m.err, m.alone = err, false
	default:
		m.alone = true
	}
	close(m.done)
}

// errUnchanged ends a transaction of which nothing is left.
var errUnchanged = errors.New("every change has failed")

// refused tells an error of PostgreSQL by which nothing was committed.
func refused(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) || errors.Is(err, pgx.ErrTxCommitRollback)
}

// run runs a change within the shared transaction. What it returns ends the transaction for
// all; a change that fails by itself is taken back alone.
func (m *member) run(ctx context.Context, t *pgxTx, in access.Portfolio) error {
	if m.err = m.ctx.Err(); m.err != nil {
		return nil
	}
	if err := t.later(ctx, "SAVEPOINT member"); err != nil {
		return err
	}
	m.tx = &tx{querier: t, locked: map[int64]bool{in.ID: true}}
	limit, _ := ctx.Deadline()
	inner, cancel := context.WithDeadline(context.WithoutCancel(m.ctx), limit)
	defer cancel()
	err := m.call(context.WithValue(inner, txKey{}, m.tx))
	if err == nil && m.caught == nil {
		err = t.all(ctx, []Statement{{Query: "RELEASE SAVEPOINT member"}})
	}
	if err == nil && m.caught == nil {
		return nil
	}
	m.err, m.alone = err, again(err)
	return t.back(ctx)
}

func (m *member) call(ctx context.Context) (err error) {
	defer func() { m.caught = recover() }()
	return m.do(ctx)
}

// again tells an error for which a transaction is worth to be run anew.
func again(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && (e.Code == "40001" || e.Code == "40P01")
}

// back takes back what was done since the savepoint, which may not have been sent yet.
func (t *pgxTx) back(ctx context.Context) error {
	t.kept = nil
	for i, s := range t.queued {
		if s.Query == "SAVEPOINT member" {
			t.queued = t.queued[:i]
			return nil
		}
	}
	t.queued = nil
	for _, statement := range []string{"ROLLBACK TO SAVEPOINT member", "RELEASE SAVEPOINT member"} {
		if _, err := t.Exec(ctx, statement); err != nil {
			return fmt.Errorf("take back a change: %w", err)
		}
	}
	return nil
}
