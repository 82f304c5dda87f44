package frame

import (
	"context"
	"strconv"
	"sync"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/portfolio"
	"portal/views/kit"
)

// MostWaiting is how many of a kind are counted; more are shown as 999+.
const MostWaiting = 1000

// kept is for how long numbers stand, and most how many readers' are kept.
const (
	kept     = 5 * time.Second
	mostKept = 10_000
)

// WaitingConfig is what is counted, up to so many, and when.
type WaitingConfig struct {
	Records  func(ctx context.Context, in access.Portfolio, most int) (portfolio.Waiting, error)
	Troubled func(ctx context.Context, in access.Portfolio, most int) (int, error) // endpoints that need attention
	Requests func(ctx context.Context, most int) (int, error)                      // for access
	Units    func(ctx context.Context, most int) (int, error)                      // requests for more of them
	Verify   func(ctx context.Context, most int) (int, error)                      // properties
	Now      clock.Clock
}

// Waiting counts what waits for the reader of a page, and keeps what it has counted for a few seconds.
type Waiting struct {
	WaitingConfig
	mu  sync.Mutex
	all map[int64]counted // by portfolio, 0 for the staff
}

// counted is numbers and until when they stand.
type counted struct {
	numbers map[string]kit.NavCount
	until   time.Time
}

// NewWaiting counts from nothing.
func NewWaiting(c WaitingConfig) *Waiting {
	return &Waiting{WaitingConfig: c, all: map[int64]counted{}}
}

// Counts is the numbers of a portfolio, by the paths of the navigation. What nothing waits at has none.
func (s *Waiting) Counts(ctx context.Context, in access.Portfolio) (map[string]kit.NavCount, error) {
	return s.of(in.ID, func() (map[string]kit.NavCount, error) {
		w, err := s.Records(ctx, in, MostWaiting)
		if err != nil {
			return nil, err
		}
		troubled, err := s.Troubled(ctx, in, MostWaiting)
		return numbered(map[string]kit.NavCount{
			"/{mode}/webhooks":     count(troubled, " needs attention", " need attention", true),
			"/{mode}/leases":       count(w.Leases, " out for signature", " out for signature", false),
			"/{mode}/tickets":      count(w.Tickets, " open", " open", false),
			"/{mode}/applications": count(w.Applications, " new", " new", false),
		}), err
	})
}

// ForStaff is the numbers of what the staff review.
func (s *Waiting) ForStaff(ctx context.Context) (map[string]kit.NavCount, error) {
	return s.of(0, func() (map[string]kit.NavCount, error) {
		requests, err := s.Requests(ctx, MostWaiting)
		if err != nil {
			return nil, err
		}
		units, err := s.Units(ctx, MostWaiting)
		if err != nil {
			return nil, err
		}
		properties, err := s.Verify(ctx, MostWaiting)
		return numbered(map[string]kit.NavCount{
			"/staff/requests":   count(requests, " to review", " to review", false),
			"/staff/accounts":   count(units, " asks for units", " ask for units", false),
			"/staff/properties": count(properties, " to verify", " to verify", false),
		}), err
	})
}

// of is the numbers that are kept of somebody, or new ones.
func (s *Waiting) of(who int64, count func() (map[string]kit.NavCount, error)) (map[string]kit.NavCount, error) {
	now := s.Now()
	s.mu.Lock()
	before, has := s.all[who]
	s.mu.Unlock()
	if has && now.Before(before.until) {
		return before.numbers, nil
	}
	numbers, err := count()
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.all) >= mostKept {
		clear(s.all)
	}
	s.all[who] = counted{numbers, now.Add(kept)}
	return numbers, nil
}

func count(n int, one, several string, bad bool) kit.NavCount {
	c := kit.NavCount{Number: strconv.Itoa(n), Words: several, Bad: bad}
	switch {
	case n == 0:
		return kit.NavCount{}
	case n == 1:
		c.Words = one
	case n >= MostWaiting:
		c.Number = strconv.Itoa(MostWaiting-1) + "+"
	}
	return c
}

// numbered is numbers without those that are none.
func numbered(all map[string]kit.NavCount) map[string]kit.NavCount {
	for path, c := range all {
		if c.Number == "" {
			delete(all, path)
		}
	}
	return all
}
