// Package intake bounds what large requests take of the process: how many of them are read at
// once, and what of them is in memory, which a File on the disk is not.
//
// It knows no HTTP, no form and no record.
package intake

import (
	"context"
	"sync"
	"time"

	"portal/api/fault"
)

// Gate lets a few in at a time; the others wait.
type Gate struct {
	inside   chan struct{}
	patience time.Duration
}

// NewGate makes a gate that lets most in at a time, and has others wait for so long; 0 for as
// long as their context lasts.
func NewGate(most int, patience time.Duration) *Gate {
	return &Gate{make(chan struct{}, most), patience}
}

// Enter waits until there is room. Who has entered has to call leave; who has waited in vain
// gets fault.Unavailable with the seconds after which to try again.
func (g *Gate) Enter(ctx context.Context) (leave func(), err error) {
	var over <-chan time.Time
	if g.patience > 0 {
		timer := time.NewTimer(g.patience)
		defer timer.Stop()
		over = timer.C
	}
	select {
	case g.inside <- struct{}{}:
		return func() { <-g.inside }, nil
	case <-over:
		return nil, busy(g.patience)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
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
