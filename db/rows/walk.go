package rows

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"portal/api/fault"
	"portal/api/list"
	"portal/db"
)

// A list whose filter no index leads to is walked: the rows of an index are read in its order and those that
// do not pass are passed over. Where next to none pass, that is all of them. So it is done in steps, and ends
// with what was found once it has passed so many rows or taken so long. Between two steps it holds no
// connection and rests for as long as the step took, so that it has half a processor at most. A portfolio has
// two such walks at once; but the first step, in which most pages are full, waits for nobody. Nor is it
// interrupted, so that each page gets on, and what fits into it is read as a whole.
const (
	walkRows     = 20_000
	walkTime     = 250 * time.Millisecond
	walkStep     = 500   // on SQLite, some 0.5 ms
	walkStepAway = 2_000 // on PostgreSQL, as each step takes two round trips
	walksAtOnce  = 2
	walkWait     = 10 * time.Second
)

// walks are those of a database.
type walks struct {
	rows, step int           // instead of the above, 0 for those
	time       time.Duration // likewise

	mu  sync.Mutex
	all map[int64]*portfolioWalks
}

// portfolioWalks has the slots of a portfolio.
type portfolioWalks struct {
	slots *semaphore.Weighted
	users int // those that have one or wait for one
}

// BoundWalks has the lists of a database pass so many rows at most, in steps, within some time, each 0 for what it
// is otherwise. So a test needs few rows.
func BoundWalks(d *db.DB, rows, step int, within time.Duration) {
	w := db.Beside[walks](d)
	w.rows, w.step, w.time = rows, step, within
}

// walked is Rows of a list that passes rows over.
func walked[T any](ctx context.Context, d *db.DB, l *Listing, read func(db.Scan, *T) error) ([]T, error) {
	w := newWalk(d, l)
	defer func() { w.leave() }()
	found := make([]T, 0, min(l.Limit, list.Max)+1)
	for {
		had := len(found)
		took, err := w.step(ctx, func(scan db.Scan) error {
			found = append(found, *new(T))
			return read(scan, &found[len(found)-1])
		})
		if db.Interrupted(err) {
			found, err, w.stopped = found[:had], nil, true
		}
		if err != nil || w.over || len(found) > l.Limit {
			return found[:min(len(found), l.Limit+1)], err
		}
		if w.spent() {
			l.walk.Reached = w.position
			return found, nil
		}
		if err := w.rest(ctx, took); err != nil {
			return nil, err
		}
	}
}

// walk is a list on its way.
type walk struct {
	d        *db.DB
	l        *Listing
	position string // of the last row that was passed
	passed   int    // rows
	size     int    // rows that a step passes
	most     int    // rows that are passed
	until    time.Time
	over     bool   // the list is at its end
	stopped  bool   // a step was interrupted
	slot     bool   // it has one of its portfolio
	leave    func() // gives that back
}

func newWalk(d *db.DB, l *Listing) *walk {
	all, size := db.Beside[walks](d), walkStep
	if d.OnPostgres() {
		size = walkStepAway
	}
	return &walk{
		d:        d,
		l:        l,
		position: l.Args[1].(string),
		size:     cmp.Or(all.step, size),
		most:     cmp.Or(all.rows, walkRows),
		until:    walkClock().Add(cmp.Or(all.time, walkTime)),
		leave:    func() {},
	}
}

// walkClock measures spans.
func walkClock() time.Time { return time.Now() } //nolint:forbidigo // a measured span, not a moment anybody sees

// step passes the next rows, calls back with those that the list has, and tells how long that took.
func (w *walk) step(ctx context.Context, row func(db.Scan) error) (took time.Duration, err error) {
	began, last := walkClock(), ""
	query, args := w.l.lastOf(min(w.size, w.most-w.passed), w.position)
	if w.l.whole {
		query, args = w.l.lastOf(w.size, w.position)
	}
	if err = w.each(ctx, query, args, func(scan db.Scan) error { return scan(&last) }); err != nil {
		return 0, err
	}
	query, args = w.l.between(w.position, last)
	if err = w.each(ctx, query, args, row); err != nil {
		return 0, err
	}
	w.position, w.over = last, last == ""
	w.passed += w.size
	return walkClock().Sub(began), nil
}

// each is a statement that ends with the time of the walk, behind its first step.
func (w *walk) each(ctx context.Context, query string, args []any, row func(db.Scan) error) error {
	if w.l.whole || w.passed == 0 {
		return w.d.Each(ctx, query, args, row)
	}
	return w.d.EachWithin(ctx, max(time.Millisecond, w.until.Sub(walkClock())), query, args, row)
}

// lastOf is the query of the id of the last of the next n rows. It finds none where there are fewer.
func (l *Listing) lastOf(n int, position string) (query string, args []any) {
	args = []any{l.Args[0], position}
	lead := ""
	if l.lead != "" {
		lead = " AND " + strings.ReplaceAll(l.lead, "?", "$3")
	}
	if l.leadArg != nil {
		args = append(args, l.leadArg)
	}
	behind, order := l.way()
	return "SELECT id FROM " + l.table + " WHERE portfolio_id = $1 AND id " + behind + " $2" + lead +
		" ORDER BY id" + order + " LIMIT 1 OFFSET " + strconv.Itoa(n-1), args
}

// between is the query of the rows of the list behind a position and up to another one, "" for the end.
func (l *Listing) between(position, last string) (query string, args []any) {
	args = append(append(make([]any, 0, len(l.Args)+2), l.Args...), int64(l.Limit+1))
	args[1] = position
	behind, order := l.way()
	query = l.SQL.String()
	if last != "" {
		args = append(args, last)
		upTo := map[string]string{">": "<=", "<": ">="}[behind]
		query += fmt.Sprintf(" AND id %s $%d", upTo, len(args))
	}
	return query + fmt.Sprintf(" ORDER BY id%s LIMIT $%d", order, len(l.Args)+1), args
}

func (l *Listing) way() (behind, order string) {
	if l.Newest {
		return "<", " DESC"
	}
	return ">", ""
}

// spent reports whether the walk has passed or taken as much as it may.
func (w *walk) spent() bool {
	return !w.l.whole && (w.stopped || w.passed >= w.most || !walkClock().Before(w.until))
}

// rest waits between two steps: for a slot first, and then for as long as the step took. In a transaction,
// for which others wait, it does not.
func (w *walk) rest(ctx context.Context, took time.Duration) error {
	if db.Inside(ctx) {
		return nil
	}
	if !w.slot {
		waited := walkClock()
		leave, err := enterWalk(ctx, w.d, w.l.Args[0].(int64))
		if err != nil {
			return err
		}
		w.slot, w.leave = true, leave
		w.until = w.until.Add(walkClock().Sub(waited))
	}
	t := time.NewTimer(took)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// enterWalk waits for one of the slots of a portfolio, which leave gives back. A transaction, for which others
// wait, needs none.
func enterWalk(ctx context.Context, d *db.DB, portfolio int64) (leave func(), err error) {
	if db.Inside(ctx) {
		return func() {}, nil
	}
	p, gone := db.Beside[walks](d).of(portfolio)
	wait, cancel := context.WithTimeout(ctx, walkWait)
	defer cancel()
	if err := p.slots.Acquire(wait, 1); err != nil {
		gone()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		f := fault.New(fault.Unavailable, "Other searches of this portfolio are still running, and this one did not "+
			"get its turn. Nothing was done. Run fewer at a time, and send it again in a moment.")
		f.Retry = 1
		return nil, f.Because(err)
	}
	return func() { p.slots.Release(1); gone() }, nil
}

// of are the slots of a portfolio, which are remembered until all who asked for them are gone.
func (w *walks) of(portfolio int64) (p *portfolioWalks, gone func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.all == nil {
		w.all = map[int64]*portfolioWalks{}
	}
	if p = w.all[portfolio]; p == nil {
		p = &portfolioWalks{slots: semaphore.NewWeighted(walksAtOnce)}
		w.all[portfolio] = p
	}
	p.users++
	return p, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if p.users--; p.users == 0 {
			delete(w.all, portfolio)
		}
	}
}
