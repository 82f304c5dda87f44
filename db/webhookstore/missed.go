package webhookstore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/event"
	"portal/api/id"
	"portal/api/list"
	"portal/api/webhook"
	"portal/db"
	"portal/db/rows"
)

// Missed reads events of a time that an endpoint chose and that neither reached it nor
// are on their way, in ascending id behind a position.
func (s *Store) Missed(
	ctx context.Context, in access.Portfolio, e *webhook.Endpoint, m webhook.Span, position string, most int,
) ([]webhook.Missed, error) {
	query, args := s.missed(in, e, m, position)
	args = append(args, int64(most))
	missed := []webhook.Missed{}
	err := s.db.Each(ctx, query+fmt.Sprintf(`
		ORDER BY e.id
		LIMIT $%d`, len(args)), args, func(scan db.Scan) error {
		missed = append(missed, webhook.Missed{})
		one := &missed[len(missed)-1]
		return scan(&one.EventID, &one.DeliveryID, &one.Type)
	})
	return missed, err
}

// CountMissed counts all that Missed would read.
func (s *Store) CountMissed(
	ctx context.Context, in access.Portfolio, e *webhook.Endpoint, m webhook.Span,
) (n int, err error) {
	query, args := s.missed(in, e, m, "")
	_, err = s.db.One(ctx, "SELECT count(*) FROM ("+query+") missed", args, &n)
	return n, err
}

// MissedLately looks at the newest events up to before a moment, list.Most and one at most, and counts those that
// an endpoint has missed since each of other moments. Where older events of such a time were not looked at, the
// count has More.
func (s *Store) MissedLately(
	ctx context.Context, in access.Portfolio, e *webhook.Endpoint, since []clock.Time, to clock.Time,
) (missed []list.Count, err error) {
	kinds, args := chosen(e, []any{in.ID, behind(slices.Min(since)), behind(to), e.ID, int64(list.Most + 1)})
	sums, found := make([]string, len(since)), make([]int, len(since))
	looked, oldest := 0, ""
	targets := []any{&looked, &oldest}
	for i, at := range since {
		args = append(args, behind(at))
		sums[i] = fmt.Sprintf("COALESCE(sum(CASE WHEN e.id > $%d THEN 1 ELSE 0 END), 0)", len(args))
		targets = append(targets, &found[i])
	}
	_, err = s.db.One(ctx, `WITH newest AS (
			SELECT id, type, body IS NOT NULL AS kept
			FROM events
			WHERE portfolio_id = $1 AND id > $2 AND id <= $3
			ORDER BY id DESC
			LIMIT $5
		)
		SELECT (SELECT count(*) FROM newest), (SELECT COALESCE(min(id), '') FROM newest), `+strings.Join(sums, ", ")+`
		FROM newest e
		WHERE e.kept AND `+kinds+` AND (
			SELECT 1
			FROM deliveries d`+s.db.IndexedBy("deliveries_event")+`
			WHERE d.portfolio_id = $1 AND d.event_id = e.id AND d.endpoint_id = $4 AND `+notMissed+`
			LIMIT 1
		) IS NULL`, args, targets...)
	if err != nil {
		return nil, err
	}
	missed = make([]list.Count, len(since))
	for i, at := range since {
		missed[i] = list.CountOf(found[i])
		missed[i].More = missed[i].More || looked > list.Most && behind(at) < oldest
	}
	return missed, nil
}

// behind is the position of the first event that is no longer before a moment.
func behind(at clock.Time) string { return id.After(id.Event, (at - 1).Std()) }

// notMissed is said of deliveries whose event the receiver has, or may get yet.
var notMissed = "(" + rows.OneOf("d.status", webhook.DeliveriesNotMissed()) + " OR d.claimed_by IS NOT NULL)"

// chosen is the condition of the events that an endpoint gets, with the arguments it adds.
func chosen(e *webhook.Endpoint, args []any) (kinds string, all []any) {
	if slices.Contains(e.Events, webhook.EveryKind) {
		return "e.type <> '" + event.EndpointTest + "'", args
	}
	marks := make([]string, len(e.Events))
	for i, k := range e.Events {
		args = append(args, string(k))
		marks[i] = fmt.Sprintf("$%d", len(args))
	}
	return "e.type IN (" + strings.Join(marks, ", ") + ")", args
}

// missed is the query of what an endpoint has missed in a time behind a position, and its
// arguments.
func (s *Store) missed(
	in access.Portfolio, e *webhook.Endpoint, m webhook.Span, position string,
) (query string, args []any) {
	kinds, args := chosen(e, []any{in.ID, max(position, behind(m.From)), behind(m.To), e.ID})
	return `SELECT e.id, COALESCE(max(d.id), ''), max(e.type)
		FROM events e
		LEFT JOIN deliveries d` + s.db.IndexedBy("deliveries_event") + ` ON d.portfolio_id = e.portfolio_id AND d.event_id = e.id AND d.endpoint_id = $4
		WHERE e.portfolio_id = $1 AND e.id > $2 AND e.id <= $3 AND e.body IS NOT NULL AND ` + kinds + `
		GROUP BY e.id
		HAVING sum(CASE WHEN ` + notMissed + ` THEN 1 ELSE 0 END) = 0`, args
}
