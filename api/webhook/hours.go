package webhook

import (
	"context"
	"time"

	"portal/api/access"
	"portal/api/clock"
)

// Hour is what came of the attempts at an endpoint that started within an hour.
type Hour struct {
	EndpointID string     `json:"endpoint_id"`
	At         clock.Time `json:"at"` // the start of the hour, in UTC
	Attempts   int        `json:"attempts"`
	Failed     int        `json:"failed"`
	DurationMS int64      `json:"duration_ms"` // of all together
	SlowestMS  int64      `json:"slowest_ms"`
}

// Hours are what came of the attempts at endpoints since a moment, in the order of the
// endpoints' ids and the time. Hours without an attempt are left out.
func (s *Service) Hours(ctx context.Context, by access.Actor, endpoints []string, since clock.Time) ([]Hour, error) {
	return s.store.EndpointHours(ctx, by.Portfolio, endpoints, since)
}

// AttemptSpan is what came of the attempts at an endpoint within some time.
type AttemptSpan struct {
	EndpointID       string
	Index            int // of the span, the first of which is 0
	Attempts, Failed int
}

// AttemptSpans are what came of the attempts at endpoints since the hour (UTC) in which a
// moment is, by spans of time from it on. Those without an attempt are left out.
func (s *Service) AttemptSpans(
	ctx context.Context, by access.Actor, endpoints []string, since clock.Time, span time.Duration,
) ([]AttemptSpan, error) {
	from := clock.At(since.Std().Truncate(time.Hour))
	return s.store.AttemptSpans(ctx, by.Portfolio, endpoints, from, span)
}
