package developer

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"portal/api/change"
)

// ActivityLog keeps what assistants did and who they are.
type ActivityLog interface {
	change.Transactor
	// AddToolCalls writes calls, in the transaction of the context if there is one. Those
	// that are there already stay as they are. One that does not say its client is given
	// the name and version under which a client of its key and User-Agent is known.
	AddToolCalls(ctx context.Context, batch []ToolCall) error
	// SeeClients notes that clients were seen, at most MaxClients of a key.
	SeeClients(ctx context.Context, sights []Client) error
}

// maxActivity is how many bytes wait at most to be recorded.
const maxActivity = 32 << 20

// Activity records what assistants did: a call that has changed something together
// with the change, everything else behind the requests' back.
type Activity struct {
	log      ActivityLog
	recorder *Recorder[activityEntry]
}

// activityEntry is what one request tells: who came, and mostly what was called.
type activityEntry struct {
	client Client
	call   *ToolCall
}

// NewActivity makes the record of activity; Run must be running.
func NewActivity(log ActivityLog, lines *slog.Logger) *Activity {
	a := &Activity{log: log}
	a.recorder = newRecorder(recorderTarget[activityEntry]{
		write: a.write,
		size:  (*activityEntry).size,
		room:  maxActivity,
		failed: func(n int, err error) {
			lines.Error("assistant activity not written yet", "calls", n, "error", err)
		},
	})
	return a
}

func (d *activityEntry) size() int {
	if d.call == nil {
		return d.client.size()
	}
	return d.client.size() + d.call.size()
}

// Run writes what was recorded until the context ends, and then the rest.
func (a *Activity) Run(ctx context.Context) { a.recorder.Run(ctx) }

// Dropped counts what found no room.
func (a *Activity) Dropped() int64 { return a.recorder.Dropped() }

// Record takes a call that has changed nothing: a read, a preview, a refusal, an answer
// told again. It never waits.
func (a *Activity) Record(c ToolCall) {
	c.fit()
	a.recorder.Record(activityEntry{c.sight(), &c})
}

// Keep writes a call that has changed something, in the transaction of the change: both
// happen or neither does.
func (a *Activity) Keep(ctx context.Context, c ToolCall) error {
	c.fit()
	a.recorder.Record(activityEntry{client: c.sight()}) // who came has come, whatever becomes of the change
	return a.log.AddToolCalls(ctx, []ToolCall{c})
}

// See takes notice of a client at its LastSeenAt, by what it tells of itself before it
// calls anything. It never waits.
func (a *Activity) See(c Client) {
	c.fit()
	c.FirstSeenAt = c.LastSeenAt
	a.recorder.Record(activityEntry{client: c})
}

// write writes who came first: their calls may be without a name.
func (a *Activity) write(ctx context.Context, batch []activityEntry) error {
	clients, calls := clientBatch{at: map[clientKey]int{}}, make([]ToolCall, 0, len(batch))
	for _, d := range batch {
		clients.add(d.client)
		if d.call != nil {
			calls = append(calls, *d.call)
		}
	}
	return a.log.Atomically(ctx, func(ctx context.Context) error {
		if err := a.log.SeeClients(ctx, clients.all); err != nil {
			return err
		}
		return a.log.AddToolCalls(ctx, calls)
	})
}

// The recorder writes every flushEvery, so a kill loses less than half a second. A
// batch's memory is kept for the next one unless it was unusually long.
const (
	flushEvery = 200 * time.Millisecond
	usualBatch = 4096
)

// Recorder writes lines behind the requests' back, in batches.
type Recorder[T any] struct {
	recorderTarget[T]
	mu      sync.Mutex
	waiting []T
	taken   int // of the room
	spare   []T
	begun   chan struct{} // has something once a line waits
	dropped atomic.Int64
}

// recorderTarget is where lines go and how many may wait for it: above its room a recorder
// drops rather than fill the memory.
type recorderTarget[T any] struct {
	write  func(ctx context.Context, batch []T) error
	size   func(*T) int // of a line, in what the room is counted in
	room   int
	failed func(lines int, err error) // tells of a batch that could not be written yet
	lost   func(*T)                   // tells of a line that found no room again; may be nil
}

func newRecorder[T any](o recorderTarget[T]) *Recorder[T] {
	return &Recorder[T]{recorderTarget: o, begun: make(chan struct{}, 1)}
}

// Record takes a line. It never waits; false says that there was no room.
func (r *Recorder[T]) Record(line T) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	size := r.size(&line)
	if r.taken+size > r.room {
		r.dropped.Add(1)
		return false
	}
	r.waiting, r.taken = append(r.waiting, line), r.taken+size
	if len(r.waiting) == 1 {
		r.begin()
	}
	return true
}

// begin tells Run that something waits.
func (r *Recorder[T]) begin() {
	select {
	case r.begun <- struct{}{}:
	default:
	}
}

// Dropped counts the lines that found no room.
func (r *Recorder[T]) Dropped() int64 { return r.dropped.Load() }

// Run writes what was taken until the context ends, and then the rest. The end
// interrupts no batch that is being written. While nothing is taken it sleeps.
func (r *Recorder[T]) Run(ctx context.Context) {
	whole := context.WithoutCancel(ctx)
	for ctx.Err() == nil {
		select {
		case <-r.begun:
			r.gather(ctx)
			r.flush(whole)
		case <-ctx.Done():
		}
	}
	r.flush(whole)
}

// gather waits for more lines to come along.
func (r *Recorder[T]) gather(ctx context.Context) {
	select {
	case <-time.After(flushEvery):
	case <-ctx.Done():
	}
}

func (r *Recorder[T]) flush(ctx context.Context) {
	r.mu.Lock()
	batch := r.waiting
	r.waiting, r.taken, r.spare = r.spare[:0], 0, nil
	r.mu.Unlock()
	if len(batch) == 0 {
		r.spare = batch
		return
	}
	if err := r.write(ctx, batch); err != nil {
		r.failed(len(batch), err)
		r.giveBack(batch)
		return
	}
	if cap(batch) <= usualBatch {
		clear(batch)
		r.spare = batch
	}
}

// giveBack keeps a batch that could not be written for the next turn, as far as there
// is room beside what has come meanwhile.
func (r *Recorder[T]) giveBack(batch []T) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for ; n < len(batch); n++ {
		size := r.size(&batch[n])
		if r.taken+size > r.room {
			break
		}
		r.taken += size
	}
	r.dropped.Add(int64(len(batch) - n))
	if r.lost != nil {
		for i := n; i < len(batch); i++ {
			r.lost(&batch[i])
		}
	}
	r.waiting = append(batch[:n], r.waiting...)
	r.begin()
}
