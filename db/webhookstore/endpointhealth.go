package webhookstore

import (
	"context"
	"fmt"
	"strings"

	"portal/api/access"
	"portal/api/webhook"
	"portal/db"
	"portal/db/rows"
)

// EndpointHealth reads how endpoints fare, in ascending id. Of what is retried it counts at
// most webhook.MostRetrying at each.
func (s *Store) EndpointHealth(ctx context.Context, in access.Portfolio, endpoints []string) ([]webhook.Health, error) {
	found := []webhook.Health{}
	if len(endpoints) == 0 {
		return found, nil
	}
	args, marks := []any{in.ID, int64(webhook.MostRetrying)}, make([]string, len(endpoints))
	for i, id := range endpoints {
		args = append(args, id)
		marks[i] = fmt.Sprintf("$%d", len(args))
	}
	err := s.db.Each(ctx, `SELECT e.id, e.failing_since, e.last_status_code, e.last_error, (
			SELECT count(*)
			FROM (
				SELECT 1
				FROM deliveries`+s.db.IndexedBy("deliveries_endpoint_shown")+`
				WHERE portfolio_id = e.portfolio_id AND endpoint_id = e.id AND `+rows.Is(shownStatus, webhook.Retrying)+`
				LIMIT $2) r)
		FROM webhook_endpoints e
		WHERE e.portfolio_id = $1 AND e.id IN (`+strings.Join(marks, ", ")+`)
		ORDER BY e.id`, args, func(scan db.Scan) error {
		found = append(found, webhook.Health{})
		h := &found[len(found)-1]
		return scan(&h.EndpointID, &h.FailingSince, &h.LastStatusCode, &h.LastError, &h.Retrying)
	})
	return found, err
}
