package developer

import (
	"cmp"
	"context"
	"slices"
	"time"

	"portal/api/access"
	"portal/api/clock"
)

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
