package db

import (
	"context"
	"maps"
	"slices"

	"portal/api/clock"
)

// SaveLimits stores the state of the rate limiter of each subject; nil forgets it.
func (d *DB) SaveLimits(ctx context.Context, states map[string][]byte, at clock.Time) error {
	return d.Atomically(ctx, func(ctx context.Context) error {
		for _, subject := range slices.Sorted(maps.Keys(states)) { // nodes that take rows in one order never lock each other out
			var err error
			if state := states[subject]; state == nil {
				_, err = d.exec(ctx, "DELETE FROM rate_limits WHERE subject = $1", subject)
			} else {
				_, err = d.exec(ctx, `INSERT INTO rate_limits (subject, state, updated_at)
					VALUES ($1, $2, $3)
					ON CONFLICT (subject) DO UPDATE SET state = excluded.state, updated_at = excluded.updated_at`, subject, state, at)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Limits calls back with each state that was stored.
func (d *DB) Limits(ctx context.Context, each func(subject string, state []byte) error) error {
	return d.each(ctx, "SELECT subject, state FROM rate_limits", nil, func(s scan) error {
		var subject string
		var state []byte
		if err := s(&subject, &state); err != nil {
			return err
		}
		return each(subject, state)
	})
}
