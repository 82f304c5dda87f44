package webhookstore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/event"
	"portal/api/id"
	"portal/api/webhook"
	"portal/db"
	"portal/db/rows"
)

// Missed reads events of a time that an endpoint chose and that neither reached it nor
// are on their way, in ascending id behind a position.
func (s Deliveries) Missed(
	ctx context.Context, in access.Portfolio, e *webhook.Endpoint, m webhook.Span, position string, most int,
) ([]webhook.Missed, error) {
	query, args := s.missed(in, e, m, position)
	args = append(args, int64(most))
	missed := []webhook.Missed{}
	err := s.db.Each(ctx, query+fmt.Sprintf(`
		ORDER BY e.id
		LIMIT $%d + 0`, len(args)), args, func(scan db.Scan) error {
		missed = append(missed, webhook.Missed{})
		one := &missed[len(missed)-1]
		return scan(&one.EventID, &one.DeliveryID, &one.Type)
	})
	return missed, err
}

// CountMissed counts all that Missed would read.
func (s Deliveries) CountMissed(
	ctx context.Context, in access.Portfolio, e *webhook.Endpoint, m webhook.Span,
) (n int, err error) {
	query, args := s.missed(in, e, m, "")
	_, err = s.db.One(ctx, "SELECT count(*) FROM ("+query+") missed", args, &n)
	return n, err
}

// missed is the query of what an endpoint has missed in a time behind a position, and its
// arguments.
func (s Deliveries) missed(
	in access.Portfolio, e *webhook.Endpoint, m webhook.Span, position string,
) (query string, args []any) {
	after, end := max(position, id.After(id.Event, (m.From-1).Std())), id.After(id.Event, (m.To-1).Std())
	kinds, args := "e.type <> '"+event.EndpointTest+"'", []any{in.ID, after, end, e.ID}
	if !slices.Contains(e.Events, webhook.EveryKind) {
		marks := make([]string, len(e.Events))
		for i, k := range e.Events {
			args = append(args, string(k))
			marks[i] = fmt.Sprintf("$%d", len(args))
		}
		kinds = "e.type IN (" + strings.Join(marks, ", ") + ")"
	}
	return `SELECT e.id, COALESCE(max(d.id), ''), max(e.type)
		FROM events e
		LEFT JOIN deliveries d` + s.db.IndexedBy("deliveries_event") + ` ON d.portfolio_id = e.portfolio_id AND d.event_id = e.id AND d.endpoint_id = $4
		WHERE e.portfolio_id = $1 AND e.id > $2 AND e.id <= $3 AND e.body IS NOT NULL AND ` + kinds + `
		GROUP BY e.id
		HAVING sum(CASE WHEN ` + rows.OneOf(
		"d.status",
		webhook.DeliveriesNotMissed(),
	) + ` OR d.claimed_by IS NOT NULL THEN 1 ELSE 0 END) = 0`, args
}
