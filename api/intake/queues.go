package intake

import (
	"context"
	"sync"
	"time"
)

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
