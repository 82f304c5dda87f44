package developer

import (
	"cmp"
	"context"
	"slices"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/list"
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

// RequestsKept is for how long a request can be looked up (docs/operations.md).
const RequestsKept = 90 * 24 * time.Hour

// RequestsSearched is how many requests a page of those that pass a filter looks at. Its next page goes on
// behind them.
const RequestsSearched = 5_000

// RequestFilter narrows a list of requests. Its zero value is the latest ones of all.
type RequestFilter struct {
	Limit         int    // 1 to 100; 0 is 20
	StartingAfter string // the next_cursor of the page before
	Ascending     bool   // the oldest first
	KeyID         string
	Method        string
	Operation     string
	Class         int         // of the status: 2 for 2xx; 0 for all
	Path          string      // is a part of the path
	From, To      *clock.Time // from the one on, before the other
}

// Requests lists what was asked in a portfolio in the last 90 days, the newest first unless the filter says otherwise.
// A page with fewer than its limit and with a next page has looked at RequestsSearched requests, as far as its cursor.
func (s *Service) Requests(ctx context.Context, by access.Actor, f RequestFilter) (*list.Page[Request], error) {
	if f.Limit == 0 {
		f.Limit = list.Default
	}
	f.Limit = max(1, min(f.Limit, list.Max))
	if first := s.requestsSince(); f.From == nil || *f.From < first {
		f.From = &first
	}
	rows, reached, err := s.store.Requests(ctx, by.Portfolio, f)
	found := list.Of(rows, f.Limit, func(r *Request) string { return r.ID })
	if !found.HasMore && reached != "" {
		found.HasMore, found.NextCursor = true, &reached
	}
	return found, err
}

// Request is one request of the last 90 days.
func (s *Service) Request(ctx context.Context, by access.Actor, id string) (*Request, error) {
	r, err := s.store.Request(ctx, by.Portfolio, id, s.requestsSince())
	if err != nil {
		return nil, err
	}
	return &r, nil
}

func (s *Service) requestsSince() clock.Time {
	return clock.At(s.now().Add(-RequestsKept))
}

// RequestSpan is what came of the requests of a portfolio within some time.
type RequestSpan struct {
	At           clock.Time // when it begins
	Succeeded    int        // answers below 400
	ClientFailed int        // 4xx without 429
	ServerFailed int        // 5xx
	Throttled    int        // 429
	Took         Durations
}

// durationBounds are the milliseconds up to which durations are counted together; those that
// are longer than the last one are counted, too.
var durationBounds = [...]float64{2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000}

// Durations is how many requests took how long, by durationBounds.
type Durations [len(durationBounds) + 1]int

// Count adds a request.
func (s *RequestSpan) Count(r *Request) {
	switch {
	case r.Status == 429:
		s.Throttled++
	case r.Status >= 500:
		s.ServerFailed++
	case r.Status >= 400:
		s.ClientFailed++
	default:
		s.Succeeded++
	}
	ms := float64(cmp.Or(r.First, r.Duration)) / float64(time.Millisecond)
	i, _ := slices.BinarySearch(durationBounds[:], ms)
	s.Took[i]++
}

// Add adds what came of other requests.
func (s *RequestSpan) Add(o *RequestSpan) {
	s.Succeeded += o.Succeeded
	s.ClientFailed += o.ClientFailed
	s.ServerFailed += o.ServerFailed
	s.Throttled += o.Throttled
	for i, n := range o.Took {
		s.Took[i] += n
	}
}

// Requests is how many there were.
func (s *RequestSpan) Requests() int { return s.Succeeded + s.Failed() + s.Throttled }

// Failed is how many failed on either side, without those that the rate limit refused.
func (s *RequestSpan) Failed() int { return s.ClientFailed + s.ServerFailed }

// Within is within how many milliseconds a share of the requests was answered, such as 0.95,
// as far as what was counted together tells: between two bounds the requests are taken to be
// spread evenly. It is 0 where there was none.
func (d *Durations) Within(share float64) float64 {
	total := 0
	for _, n := range d {
		total += n
	}
	want, below := share*float64(total), 0.0
	for i, n := range d {
		if n == 0 || below+float64(n) < want {
			below += float64(n)
			continue
		}
		if i == len(durationBounds) {
			break
		}
		from := 0.0
		if i > 0 {
			from = durationBounds[i-1]
		}
		return from + (durationBounds[i]-from)*(want-below)/float64(n)
	}
	if total == 0 {
		return 0
	}
	return durationBounds[len(durationBounds)-1]
}

// RequestSpans are what came of the requests of a portfolio since the hour (UTC) in which a
// moment is, by spans of a number of hours from it on. Those without a request are left out.
func (s *Service) RequestSpans(
	ctx context.Context, by access.Actor, since clock.Time, span time.Duration,
) ([]RequestSpan, error) {
	return s.store.RequestSpans(ctx, by.Portfolio, clock.At(since.Std().Truncate(time.Hour)), span)
}
