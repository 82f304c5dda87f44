package developer

import (
	"context"
	"log/slog"
	"sync/atomic"

	"portal/api/secret"
)

// How much waits at most: lines, and bytes of what was sent with them. Where the database
// does not keep up, what was sent is dropped long before lines are.
const (
	maxRequests  = 50_000
	maxSentBytes = 16 << 20
)

// RequestRecorder writes the request log behind the requests' back.
type RequestRecorder struct {
	log     RequestLog
	lines   *Recorder[logLine]
	unkeyed *unkeyed
	packer  *exchangeSealer // used by Run alone

	sent    atomic.Int64 // bytes that wait
	dropped atomic.Int64 // exchanges
}

// logLine is a request, or a count that has grown since it was written.
type logLine struct {
	Request
	tally *unkeyedCount // nil for a request
	sent  *waiting
}

// waiting is an exchange that waits to be written, sealed once a write was tried.
type waiting struct {
	Sent
	sealed []byte
	size   int
}

// NewRecorder makes the recorder of the request log; Run must be running.
func NewRecorder(log RequestLog, box *secret.Box, lines *slog.Logger) *RequestRecorder {
	r := &RequestRecorder{log: log, unkeyed: newUnkeyed(), packer: newPacker(box)}
	r.lines = newRecorder(recorderTarget[logLine]{
		write: r.write,
		size:  func(*logLine) int { return 1 },
		room:  maxRequests,
		failed: func(n int, err error) {
			lines.Error("request log not written yet", "requests", n, "error", err)
		},
		lost: r.forget,
	})
	return r
}

// Record takes a request, and what is kept of what was sent with it, nil for nothing. It
// never waits. One without a valid key is shortened, and beyond the first ten of its client
// in a minute only counted.
func (r *RequestRecorder) Record(line Request, sent *Sent) {
	if line.AccountID != "" {
		r.keyed(line, sent)
		return
	}
	tally, own := r.unkeyed.admit(&line)
	switch {
	case own:
		line.shorten()
		r.lines.Record(logLine{Request: line})
	case tally != nil && !r.lines.Record(logLine{tally: tally}):
		r.unkeyed.postpone(tally)
	}
}

func (r *RequestRecorder) keyed(line Request, sent *Sent) {
	one := logLine{Request: line}
	if sent != nil {
		one.sent = r.admit(sent)
	}
	if !r.lines.Record(one) {
		r.forget(&one)
	}
}

// admit lets an exchange wait, if there is room for it.
func (r *RequestRecorder) admit(sent *Sent) *waiting {
	size := sent.size()
	if r.sent.Add(int64(size)) > maxSentBytes {
		r.sent.Add(-int64(size))
		r.dropped.Add(1)
		return nil
	}
	return &waiting{Sent: *sent, size: size}
}

// forget makes the room of a line's exchange free that is never written.
func (r *RequestRecorder) forget(line *logLine) {
	if line.sent != nil {
		r.sent.Add(-int64(line.sent.size))
		r.dropped.Add(1)
	}
}

// Run writes what was recorded until the context ends, and then the rest.
func (r *RequestRecorder) Run(ctx context.Context) { r.lines.Run(ctx) }

// Dropped counts the lines that found no room.
func (r *RequestRecorder) Dropped() int64 { return r.lines.Dropped() }

// DroppedExchanges counts the exchanges that found no room.
func (r *RequestRecorder) DroppedExchanges() int64 { return r.dropped.Load() }

func (r *RequestRecorder) write(ctx context.Context, lines []logLine) error {
	b := LogBatch{Requests: make([]Request, 0, len(lines))}
	read := map[*unkeyedCount]bool{} // one may come again behind a batch that failed
	for i := range lines {
		line := &lines[i]
		switch t := line.tally; {
		case t == nil:
			b.Requests = append(b.Requests, line.Request)
		case !read[t]:
			read[t] = true
			b.Counts = append(b.Counts, r.unkeyed.read(t))
		}
		if line.sent != nil {
			b.Exchanges = append(b.Exchanges, SealedExchange{line.ID, line.PortfolioID, r.seal(line.sent)})
		}
	}
	if err := r.log.AddLog(ctx, b); err != nil {
		return err
	}
	for i := range lines {
		if w := lines[i].sent; w != nil {
			r.sent.Add(-int64(w.size))
		}
	}
	return nil
}

// seal seals an exchange once, however often it must be written; then it takes less room.
func (r *RequestRecorder) seal(w *waiting) []byte {
	if w.sealed == nil {
		w.sealed = r.packer.seal(&w.Sent)
		w.Sent = Sent{}
		r.sent.Add(int64(len(w.sealed) - w.size))
		w.size = len(w.sealed)
	}
	return w.sealed
}
