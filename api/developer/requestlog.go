package developer

import (
	"context"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/list"
)

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
