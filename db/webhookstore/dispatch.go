package webhookstore

import (
	"context"

	"portal/api/clock"
	"portal/api/webhook"
	"portal/db"
)

// Ready reads the endpoints that have a delivery whose attempt may start. It looks at one
// row of each endpoint, not at each delivery.
func (s *Store) Ready(ctx context.Context, now clock.Time) ([]webhook.EndpointRef, error) {
	var found []webhook.EndpointRef
	err := s.db.Each(ctx, `WITH RECURSIVE waiting (endpoint_id) AS (
			SELECT min(endpoint_id)
			FROM deliveries
			WHERE ready
			UNION ALL
			SELECT (SELECT min(d.endpoint_id) FROM deliveries d WHERE d.ready AND d.endpoint_id > w.endpoint_id)
			FROM waiting w
			WHERE w.endpoint_id IS NOT NULL),
		endpoint (id, portfolio_id) AS (
			SELECT w.endpoint_id, (SELECT d.portfolio_id FROM deliveries d WHERE d.ready
				AND d.endpoint_id = w.endpoint_id LIMIT 1)
			FROM waiting w
			WHERE w.endpoint_id IS NOT NULL)
		SELECT endpoint.id, p.id, p.mode
		FROM endpoint
		JOIN portfolios p ON p.id = endpoint.portfolio_id
		WHERE EXISTS (
			SELECT 1
			FROM deliveries d
			WHERE d.ready AND d.endpoint_id = endpoint.id AND d.portfolio_id = endpoint.portfolio_id
				AND d.next_attempt_at <= $1)`, []any{int64(now)}, func(scan db.Scan) error {
		found = append(found, webhook.EndpointRef{})
		p := &found[len(found)-1]
		return scan(&p.Endpoint, &p.Portfolio.ID, &p.Portfolio.Mode)
	})
	return found, err
}

// MayStart reports whether an endpoint is enabled, once all who change it now are through. On
// SQLite that is when the turn of a write comes.
func (s *Store) MayStart(ctx context.Context, at webhook.EndpointRef) (may bool, err error) {
	err = s.db.Atomically(ctx, func(ctx context.Context) error {
		var status webhook.EndpointStatus
		_, err := s.db.One(ctx, `SELECT status
			FROM webhook_endpoints
			WHERE portfolio_id = $1 AND id = $2`+s.db.Locking(" FOR SHARE"), []any{
			at.Portfolio.ID, at.Endpoint,
		}, &status)
		may = status == webhook.Enabled
		return err
	})
	return may, err
}

// Claimants are the processes that have claims at an endpoint.
func (s *Store) Claimants(ctx context.Context, at webhook.EndpointRef) (processes []string, err error) {
	err = s.db.Each(ctx, `SELECT DISTINCT claimed_by
		FROM deliveries`+s.db.IndexedBy("deliveries_claimed")+`
		WHERE portfolio_id = $1 AND endpoint_id = $2 AND claimed_by IS NOT NULL`,
		[]any{at.Portfolio.ID, at.Endpoint}, func(scan db.Scan) error {
			processes = append(processes, "")
			return scan(&processes[len(processes)-1])
		})
	return processes, err
}
