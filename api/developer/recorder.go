package developer

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"portal/api/clock"
)

// Request is a line of the request log. It never holds a secret: no headers, and
// of the query what the operation knows.
type Request struct {
	ID          string
	At          clock.Time
	AccountID   string // "" without a valid key, as are KeyID and PortfolioID
	KeyID       string
	PortfolioID int64
	Operation   string // "" where no operation has the path
	Method      string
	Path        string
	Query       string
	Status      int
	Code        string // of the fault, "" on success
	Param       string
	Duration    time.Duration
	Bytes       int64 // of the answer
	Address     string
	UserAgent   string

	IdempotencyKey string // of a write that was sent with one
	Replayed       bool   // the answer is one that was given before
	DryRun         bool   // a preview
}

// RequestLog keeps the log of requests and when each key was last used.
type RequestLog interface {
	AddRequests(ctx context.Context, batch []Request) error
}

// The recorder writes every flushEvery, so a kill loses less than half a second;
// above maxWaiting lines it drops rather than fill the memory.
const (
	flushEvery = 200 * time.Millisecond
	maxWaiting = 50_000
)

// Recorder writes the request log behind the requests' back, in batches.
type Recorder struct {
	log     RequestLog
	mu      sync.Mutex
	waiting []Request
	spare   []Request
	begun   chan struct{} // has something once a line waits
	dropped atomic.Int64
	lines   *slog.Logger
}

// NewRecorder makes a recorder; Run must be running.
func NewRecorder(log RequestLog, lines *slog.Logger) *Recorder {
	return &Recorder{log: log, lines: lines, begun: make(chan struct{}, 1)}
}

// Record takes a line. It never waits.
func (r *Recorder) Record(line Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.waiting) >= maxWaiting {
		r.dropped.Add(1)
		return
	}
	r.waiting = append(r.waiting, line)
	if len(r.waiting) == 1 {
		r.begin()
	}
}

// begin tells Run that something waits.
func (r *Recorder) begin() {
	select {
	case r.begun <- struct{}{}:
	default:
	}
}

// Dropped counts the lines that found no room.
func (r *Recorder) Dropped() int64 { return r.dropped.Load() }

// Run writes what was taken until the context ends, and then the rest. The end
// interrupts no batch that is being written. While nothing is taken it sleeps.
func (r *Recorder) Run(ctx context.Context) {
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
func (r *Recorder) gather(ctx context.Context) {
	select {
	case <-time.After(flushEvery):
	case <-ctx.Done():
	}
}

func (r *Recorder) flush(ctx context.Context) {
	r.mu.Lock()
	batch := r.waiting
	r.waiting, r.spare = r.spare[:0], nil
	r.mu.Unlock()
	if len(batch) == 0 {
		r.spare = batch
		return
	}
	if err := r.log.AddRequests(ctx, batch); err != nil {
		r.lines.Error("request log not written yet", "requests", len(batch), "error", err)
		r.giveBack(batch)
		return
	}
	if cap(batch) <= 4096 {
		clear(batch)
		r.spare = batch
	}
}

// giveBack keeps a batch that could not be written for the next turn.
func (r *Recorder) giveBack(batch []Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	room := max(maxWaiting-len(r.waiting), 0)
	kept := batch[:min(room, len(batch))]
	r.dropped.Add(int64(len(batch) - len(kept)))
	r.waiting = append(kept, r.waiting...)
	r.begin()
}
