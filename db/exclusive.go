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
	"portal/api/change"
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
		return d.Atomically(context.WithValue(ctx, portfolioKey{}, in), alone)
	}
	d.strict.check(ctx)
	m := &member{ctx: ctx, do: d.strict.wrap(do), done: make(chan struct{}), refusable: change.IsRefusable(ctx)}
	if err := d.exclusive.add(in, m, func(first *member) { d.share(in, first) }); err != nil {
		return err
	}
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
	change.Changed(ctx)
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
	took   time.Duration
	caught any  // a panic of do, raised again where the change was asked for
	alone  bool // it is to run in a transaction of its own
	done   chan struct{}

	came      time.Time
	refusable bool
	late      bool // it has waited for too long, and is refused
}

// exclusive are the changes that wait, by portfolio.
type exclusive struct {
	mu   sync.Mutex
	all  map[int64][]*member // of portfolios of which one runs
	pace pace
	most time.Duration // that a change waits before it is refused

	time            time.Duration // how long changes join a transaction; 0 for sharedTime
	length, refused atomic.Int64
}

// add has a change run with those that wait; the goroutine that runs them ends when none
// is left. A change that would wait for too long is refused.
func (e *exclusive) add(in access.Portfolio, m *member, run func(first *member)) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.all == nil {
		e.all = map[int64][]*member{}
	}
	if err := e.admit(standing{in.ID, classOf(in), m.refusable}); err != nil {
		return err
	}
	m.came = time.Now() //nolint:forbidigo // a measured span, not a moment anybody sees
	waiting, busy := e.all[in.ID]
	e.all[in.ID] = append(waiting, m)
	e.length.Add(1)
	if busy {
		return nil
	}
	go func() {
		for first := e.next(in.ID, true); first != nil; first = e.next(in.ID, true) {
			run(first)
		}
	}()
	return nil
}

// admit refuses a change that would wait for too long, while nobody else comes.
func (e *exclusive) admit(s standing) error {
	var ahead [classes]int
	ahead[s.class] = len(e.all[s.portfolio])
	if wait := e.pace.of(ahead); s.refusable && wait > e.most {
		e.refused.Add(1)
		return tooMany(wait)
	}
	return nil
}

// overdue refuses a change that has waited for longer than was to be expected when it came: for a connection, for
// other nodes, or since the database is slow.
func (e *exclusive) overdue(m *member) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if m.late = m.refusable && time.Since(m.came) > e.most+e.most/4; m.late {
		e.refused.Add(1)
		m.err = tooMany(e.most)
	}
	return m.late
}

// foresee refuses what would wait for its portfolio for too long, and does not stand in the line yet: a preview
// waits at the database.
func (e *exclusive) foresee(s standing) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.admit(s)
}

// next returns the change that has waited longest; nil ends the loop. A change whose caller has
// left is skipped. With end, the portfolio is forgotten once nothing waits.
func (e *exclusive) next(portfolio int64, end bool) *member {
	e.mu.Lock()
	defer e.mu.Unlock()
	for all := e.all[portfolio]; len(all) > 0; all = e.all[portfolio] {
		e.all[portfolio] = all[1:]
		e.length.Add(-1)
		if all[0].taken.CompareAndSwap(false, true) {
			return all[0]
		}
	}
	if end {
		delete(e.all, portfolio)
	}
	return nil
}

// note counts what changes took that shared a transaction, and what that took in all.
func (e *exclusive) note(in access.Portfolio, members []*member, took time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, m := range members {
		e.pace.writes[classOf(in)].note(m.took)
		took -= m.took
	}
	e.pace.commits.note(took)
}

// share runs changes in one transaction: the first and those that arrive meanwhile. Changes that
// cannot be isolated run alone afterwards.
func (d *DB) share(in access.Portfolio, first *member) {
	ctx, cancel := context.WithTimeout(context.Background(), sharedLimit)
	defer cancel()
	members, committing, changed := []*member{first}, false, false
	began := time.Now() //nolint:forbidigo // a measured span, not a moment anybody sees
	err := pgx.BeginFunc(ctx, d.pg.pool, func(inner pgx.Tx) error {
		t := &pgxTx{Tx: inner}
		locking := &tx{querier: t, locked: map[int64]bool{}}
		if err := d.Lock(context.WithValue(ctx, txKey{}, locking), in); err != nil {
			return err
		}
		locked := time.Now() //nolint:forbidigo // as above
		for m := first; m != nil; {
			turn := time.Now() //nolint:forbidigo // as above
			if !d.exclusive.overdue(m) {
				err := m.run(ctx, t, in)
				if m.took = time.Since(turn); err != nil {
					return err
				}
			}
			changed = changed || m.err == nil && m.caught == nil
			if len(members) == sharedSize || time.Since(locked) > cmp.Or(d.exclusive.time, sharedTime) {
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
	d.exclusive.note(in, members, time.Since(began))
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
	case err == nil || m.caught != nil || m.late:
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
