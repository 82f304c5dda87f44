package servicestore

import (
	"context"
	"maps"
	"slices"

	"portal/api/clock"
	"portal/db"
)

// Limits keeps how much of each rate limit is used.
type Limits struct{ db *db.DB }

// NewLimits is the store over a database.
func NewLimits(d *db.DB) Limits { return Limits{d} }

// SaveLimits stores the state of the rate limiter of each subject; nil forgets it.
func (s Limits) SaveLimits(ctx context.Context, states map[string][]byte, at clock.Time) error {
	return s.db.Atomically(ctx, func(ctx context.Context) error {
		// Nodes that lock rows in one order never deadlock.
		for _, subject := range slices.Sorted(maps.Keys(states)) {
			var err error
			if state := states[subject]; state == nil {
				_, err = s.db.Exec(ctx, "DELETE FROM rate_limits WHERE subject = $1", subject)
			} else {
				_, err = s.db.Exec(ctx, `INSERT INTO rate_limits (subject, state, updated_at)
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
func (s Limits) Limits(ctx context.Context, each func(subject string, state []byte) error) error {
	return s.db.Each(ctx, "SELECT subject, state FROM rate_limits", nil, func(scan db.Scan) error {
		var subject string
		var state []byte
		if err := scan(&subject, &state); err != nil {
			return err
		}
		return each(subject, state)
	})
}
