package developer

import (
	"context"
	"log/slog"
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

	Cost int // of the rate limit: 1, or the messages of a batch; 0 where it was refused. Counted, not kept
}

// RequestLog keeps the log of requests and when each key was last used.
type RequestLog interface {
	AddRequests(ctx context.Context, batch []Request) error
}

// maxRequests is how many lines wait at most.
const maxRequests = 50_000

// NewRecorder makes the recorder of the request log; Run must be running.
func NewRecorder(log RequestLog, lines *slog.Logger) *Recorder[Request] {
	return newRecorder(outlet[Request]{
		write: log.AddRequests,
		size:  func(*Request) int { return 1 },
		room:  maxRequests,
		failed: func(n int, err error) {
			lines.Error("request log not written yet", "requests", n, "error", err)
		},
	})
}
