package webhookstore

import (
	"context"

	"portal/api/access"
	"portal/api/id"
	"portal/api/webhook"
	"portal/db"
	"portal/db/rows"
)

// Events reads events, the newest first, without their bytes unless these are asked for.
func (s Deliveries) Events(ctx context.Context, in access.Portfolio, f webhook.EventFilter) ([]webhook.Event, error) {
	after, before, order := rows.SpanFrom(id.Event, f.From, f.To, f.Before, f.Ascending)
	index, kind, args := "", "", []any{in.ID, after, before, int64(f.Limit)}
	if f.Type != "" {
		args = append(args, string(f.Type))
		index, kind = s.db.IndexedBy("events_type"), " AND type = $5"
	}
	body := "NULL"
	if f.Bodies {
		body = "body"
	}
	found := []webhook.Event{}
	err := s.db.Each(ctx, `SELECT id, created_at, type, `+body+`
		FROM events`+index+`
		WHERE portfolio_id = $1 AND id > $2 AND id < $3`+kind+`
		ORDER BY `+order+`
		LIMIT $4 + 0`, args, func(scan db.Scan) error {
		found = append(found, webhook.Event{})
		e := &found[len(found)-1]
		return scan(&e.ID, &e.CreatedAt, &e.Type, &e.Body)
	})
	return found, err
}
