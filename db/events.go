package db

import (
	"context"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/webhook"
)

// Events reads events without their bytes, the newest first.
func (d *DB) Events(ctx context.Context, in access.Portfolio, f webhook.EventFilter) ([]webhook.Event, error) {
	after, before := span(id.Event, f.From, f.To, f.Before)
	index, kind, args := "", "", []any{in.ID, after, before, int64(f.Limit)}
	if f.Type != "" {
		args = append(args, string(f.Type))
		index, kind = d.by("events_type"), " AND type = $5"
	}
	found := []webhook.Event{}
	err := d.each(ctx, `SELECT id, created_at, type
		FROM events`+index+`
		WHERE portfolio_id = $1 AND id > $2 AND id < $3`+kind+`
		ORDER BY id DESC
		LIMIT $4 + 0`, args, func(s scan) error {
		found = append(found, webhook.Event{})
		e := &found[len(found)-1]
		return s(&e.ID, &e.CreatedAt, &e.Type)
	})
	return found, err
}

// span is the positions between which lie the records of a prefix that were made from one
// moment on, before another, and before a record.
func span(prefix string, from, to *clock.Time, before string) (after, end string) {
	end = prefix + "_~"
	if from != nil {
		after = id.After(prefix, from.Std().Add(-time.Millisecond))
	}
	if to != nil {
		end = id.After(prefix, to.Std().Add(-time.Millisecond))
	}
	if before != "" {
		end = min(end, before)
	}
	return after, end
}
