// Package intake bounds what large requests take of the process: how many of them are read at
// once, and what of them is in memory, which a File on the disk is not.
//
// It knows no HTTP, no form and no record.
package intake

import (
	"context"
	"slices"
	"sync"
	"time"

	"portal/api/fault"
)

// Gate lets a few in at a time; the others wait, in the order in which they came.
type Gate struct {
	patience time.Duration
	mu       sync.Mutex
	free     int
	waiting  [2][]chan struct{} // whose turn it is when they are closed; the second ones go behind all of the first
}

// NewGate makes a gate that lets most in at a time, and has others wait for so long; 0 for as
// long as their context lasts.
func NewGate(most int, patience time.Duration) *Gate { return &Gate{patience: patience, free: most} }

// Enter waits until there is room. Who has entered has to call leave; who has waited in vain
// gets fault.Unavailable with the seconds after which to try again.
func (g *Gate) Enter(ctx context.Context) (leave func(), err error) { return g.enter(ctx, 0) }

// EnterLast is Enter for those who let all others go first, those too that come later.
func (g *Gate) EnterLast(ctx context.Context) (leave func(), err error) { return g.enter(ctx, 1) }

func (g *Gate) enter(ctx context.Context, rank int) (leave func(), err error) {
	turn := g.queue(rank)
	if turn == nil {
		return g.leave, nil
	}
	var over <-chan time.Time
	if g.patience > 0 {
		timer := time.NewTimer(g.patience)
		defer timer.Stop()
		over = timer.C
	}
	select {
	case <-turn:
		return g.leave, nil
	case <-over:
		err = busy(g.patience)
	case <-ctx.Done():
		err = ctx.Err()
	}
	g.giveUp(rank, turn)
	return nil, err
}

// queue is what is closed when it is the caller's turn, nil where there is room.
func (g *Gate) queue(rank int) chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.free > 0 {
		g.free--
		return nil
	}
	turn := make(chan struct{})
	g.waiting[rank] = append(g.waiting[rank], turn)
	return turn
}

// giveUp takes a caller out who has waited in vain. One whose turn has come just now passes it on.
func (g *Gate) giveUp(rank int, turn chan struct{}) {
	g.mu.Lock()
	at := slices.Index(g.waiting[rank], turn)
	if at >= 0 {
		g.waiting[rank] = slices.Delete(g.waiting[rank], at, at+1)
	}
	g.mu.Unlock()
	if at < 0 {
		g.leave()
	}
}

// leave gives room to the next one.
func (g *Gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for rank, all := range g.waiting {
		if len(all) > 0 {
			g.waiting[rank] = all[1:]
			close(all[0])
			return
		}
	}
	g.free++
}

// busy refuses a caller who has waited in vain, and who is to wait for as long again.
func busy(patience time.Duration) error {
	seconds := max(1, int(patience.Seconds()))
	f := fault.New(fault.Unavailable, "The service is busy. Try again in %d seconds.", seconds)
	f.Retry = seconds
	return f
}

// Queues have what belongs to one name wait for what else does: each name has a gate of its own, for as long as
// anything is before or behind it.
type Queues struct {
	most     int
	patience time.Duration
	mu       sync.Mutex
	gates    map[string]*namedGate
}

// namedGate is the gate of a name, and how many are before or behind it.
type namedGate struct {
	*Gate
	users int
}

// NewQueues lets most of each name in at a time, and has others of it wait for so long.
func NewQueues(most int, patience time.Duration) *Queues {
	return &Queues{most: most, patience: patience, gates: map[string]*namedGate{}}
}

// Enter waits until there is room for one more of a name; see Gate.Enter.
func (q *Queues) Enter(ctx context.Context, name string) (leave func(), err error) {
	q.mu.Lock()
	g := q.gates[name]
	if g == nil {
		g = &namedGate{Gate: NewGate(q.most, q.patience)}
		q.gates[name] = g
	}
	g.users++
	q.mu.Unlock()
	gone := func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		if g.users--; g.users == 0 {
			delete(q.gates, name)
		}
	}
	inner, err := g.Enter(ctx)
	if err != nil {
		gone()
		return nil, err
	}
	return func() { inner(); gone() }, nil
}
