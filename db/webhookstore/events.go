package webhookstore

import (
	"context"
	"strings"

	"portal/api/access"
	"portal/api/id"
	"portal/api/webhook"
	"portal/db"
	"portal/db/rows"
)

// Events reads events, the newest first, without their bytes unless these are asked for.
func (s *Store) Events(ctx context.Context, in access.Portfolio, f webhook.EventFilter) ([]webhook.Event, error) {
	after, before, order := rows.SpanFrom(id.Event, f.From, f.To, f.Before, f.Ascending)
	body, args := "NULL", []any{in.ID, after, before, int64(f.Limit)}
	if f.Bodies {
		body = "body"
	}
	if f.Type != "" {
		args = append(args, string(f.Type))
	}
	found := []webhook.Event{}
	err := s.db.Each(
		ctx,
		`SELECT id, created_at, type, `+body+s.eventsOf(f.Type != "", "", order),
		args,
		func(scan db.Scan) error {
			found = append(found, webhook.Event{})
			e := &found[len(found)-1]
			return scan(&e.ID, &e.CreatedAt, &e.Type, &e.Body)
		},
	)
	return found, err
}

// eventsOf is the rest of a query of events: of the portfolio $1, between the ids $2 and $3, $4 at most, and of the
// type $5 where one is named. The order of a type is one that no index but that of types has. PostgreSQL would else
// look for a rare type among all events, wherever it believes that one type is as frequent as another.
func (s *Store) eventsOf(typed bool, kept, order string) string {
	index, between := "", "id > $2 AND id < $3"
	if typed {
		index, between = s.db.IndexedBy("events_type"), "(type, id) > ($5, $2) AND (type, id) < ($5, $3)"
		order = strings.Replace(order, "id", "type", 1) + ", " + order
	}
	return `
		FROM events` + index + `
		WHERE portfolio_id = $1 AND ` + between + kept + `
		ORDER BY ` + order + `
		LIMIT $4`
}
