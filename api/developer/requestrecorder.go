package developer

import (
	"context"
	"log/slog"
)

// maxRequests is how many lines wait at most.
const maxRequests = 50_000

// RequestRecorder writes the request log behind the requests' back.
type RequestRecorder struct {
	log     RequestLog
	lines   *Recorder[logLine]
	unkeyed *unkeyed
}

// logLine is a request, or a count that has grown since it was written.
type logLine struct {
	Request
	tally *tally // nil for a request
}

// NewRecorder makes the recorder of the request log; Run must be running.
func NewRecorder(log RequestLog, lines *slog.Logger) *RequestRecorder {
	r := &RequestRecorder{log: log, unkeyed: newUnkeyed()}
	r.lines = newRecorder(outlet[logLine]{
		write: r.write,
		size:  func(*logLine) int { return 1 },
		room:  maxRequests,
		failed: func(n int, err error) {
			lines.Error("request log not written yet", "requests", n, "error", err)
		},
	})
	return r
}

// Record takes a request. It never waits. One without a valid key is shortened, and
// beyond the first ten of its client in a minute only counted.
func (r *RequestRecorder) Record(line Request) {
	if line.AccountID != "" {
		r.lines.Record(logLine{Request: line})
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

// Run writes what was recorded until the context ends, and then the rest.
func (r *RequestRecorder) Run(ctx context.Context) { r.lines.Run(ctx) }

// Dropped counts the lines that found no room.
func (r *RequestRecorder) Dropped() int64 { return r.lines.Dropped() }

func (r *RequestRecorder) write(ctx context.Context, lines []logLine) error {
	b := LogBatch{Requests: make([]Request, 0, len(lines))}
	read := map[*tally]bool{} // one may come again behind a batch that failed
	for i := range lines {
		switch t := lines[i].tally; {
		case t == nil:
			b.Requests = append(b.Requests, lines[i].Request)
		case !read[t]:
			read[t] = true
			b.Counts = append(b.Counts, r.unkeyed.read(t))
		}
	}
	return r.log.AddLog(ctx, b)
}
