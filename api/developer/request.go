package developer

import (
	"context"
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

	First time.Duration // until an answer began that went on for long, else 0. Counted, not kept

	Cost int // of the rate limit: 1, or the messages of a batch; 0 where it was refused. Counted, not kept
}

// Identity is the id of the request.
func (r *Request) Identity() string { return r.ID }

// Revision is always the same: a line of the log does not change.
func (r *Request) Revision() int64 { return 1 }

// LogBatch is what is written to the request log at once.
type LogBatch struct {
	Requests  []Request
	Counts    []RequestCount
	Exchanges []SealedExchange // of some of the requests
}

// RequestLog keeps the log of requests and when each key was last used.
type RequestLog interface {
	// AddLog writes a batch in one transaction. Lines that are there already stay as they
	// are, counts take the place of what was counted before under their id: after an error
	// the batch is written again, and may have been written all the same.
	AddLog(ctx context.Context, b LogBatch) error
}
