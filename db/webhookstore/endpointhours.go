package webhookstore

import (
	"context"
	"fmt"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/webhook"
	"portal/db"
)

// hour is how many milliseconds an hour has.
const hour = clock.Time(time.Hour / time.Millisecond)

// countAttempts adds attempts to the hours in which they started. What says nothing of
// the receiver is not counted.
func (s *Store) countAttempts(ctx context.Context, at webhook.EndpointRef, all []webhook.Conclusion) error {
	hours := map[clock.Time]*webhook.Hour{}
	for i := range all {
		a := &all[i].Attempt
		if all[i].Broken {
			continue
		}
		h := hours[a.At-a.At%hour]
		if h == nil {
			h = &webhook.Hour{At: a.At - a.At%hour}
			hours[h.At] = h
		}
		h.Attempts++
		h.DurationMS += a.DurationMS
		h.SlowestMS = max(h.SlowestMS, a.DurationMS)
		if a.Error != nil {
			h.Failed++
		}
	}
	for _, h := range hours {
		err := s.db.Later(
			ctx,
			`INSERT INTO endpoint_hours (portfolio_id, endpoint_id, hour, attempts, failed, duration_ms, slowest_ms)
			VALUES ($1, $2, $3, $4, $5, $6, $7)
			ON CONFLICT (portfolio_id, endpoint_id, hour) DO UPDATE
			SET attempts = endpoint_hours.attempts + excluded.attempts,
				failed = endpoint_hours.failed + excluded.failed,
				duration_ms = endpoint_hours.duration_ms + excluded.duration_ms,
				slowest_ms = CASE WHEN excluded.slowest_ms > endpoint_hours.slowest_ms THEN excluded.slowest_ms ELSE endpoint_hours.slowest_ms END`,
			at.Portfolio.ID,
			at.Endpoint,
			int64(h.At),
			h.Attempts,
			h.Failed,
			h.DurationMS,
			h.SlowestMS,
		)
		if err != nil {
			return err
		}
	}
	return nil
}

// AttemptSpans reads what came of the attempts at all endpoints of a portfolio since an hour,
// summed up over spans of time that begin with it. Spans without an attempt are left out.
func (s *Store) AttemptSpans(
	ctx context.Context, in access.Portfolio, endpoints []string, since clock.Time, span time.Duration,
) ([]webhook.AttemptSpan, error) {
	var found []webhook.AttemptSpan
	if len(endpoints) == 0 {
		return found, nil
	}
	args, marks := []any{in.ID, int64(since), int64(span / time.Millisecond)}, make([]string, len(endpoints))
	for i, id := range endpoints {
		args = append(args, id)
		marks[i] = fmt.Sprintf("$%d", len(args))
	}
	err := s.db.Each(ctx, `SELECT endpoint_id, (hour - $2) / $3, CAST(sum(attempts) AS BIGINT),
			CAST(sum(failed) AS BIGINT)
		FROM endpoint_hours
		WHERE portfolio_id = $1 AND hour >= $2 AND endpoint_id IN (`+strings.Join(marks, ", ")+`)
		GROUP BY endpoint_id, (hour - $2) / $3`, args, func(scan db.Scan) error {
		found = append(found, webhook.AttemptSpan{})
		a := &found[len(found)-1]
		return scan(&a.EndpointID, &a.Index, &a.Attempts, &a.Failed)
	})
	return found, err
}

// EndpointHours reads what came of the attempts at endpoints since a moment, by the hour,
// in the order of the endpoints' ids and the time.
func (s *Store) EndpointHours(
	ctx context.Context, in access.Portfolio, endpoints []string, since clock.Time,
) ([]webhook.Hour, error) {
	found := []webhook.Hour{}
	if len(endpoints) == 0 {
		return found, nil
	}
	args, marks := []any{in.ID, int64(since - hour)}, make([]string, len(endpoints))
	for i, id := range endpoints {
		args = append(args, id)
		marks[i] = fmt.Sprintf("$%d", len(args))
	}
	err := s.db.Each(ctx, `SELECT endpoint_id, hour, attempts, failed, duration_ms, slowest_ms
		FROM endpoint_hours
		WHERE portfolio_id = $1 AND hour > $2 AND endpoint_id IN (`+strings.Join(marks, ", ")+`)
		ORDER BY endpoint_id, hour`, args, func(scan db.Scan) error {
		found = append(found, webhook.Hour{})
		h := &found[len(found)-1]
		return scan(&h.EndpointID, &h.At, &h.Attempts, &h.Failed, &h.DurationMS, &h.SlowestMS)
	})
	return found, err
}
