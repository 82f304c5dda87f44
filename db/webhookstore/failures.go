package webhookstore

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/webhook"
	"portal/db"
	"portal/db/rows"
)

// UnnoticedFailures finds enabled endpoints that have had only failures since began or earlier, whose
// owners have not been told, and that were last sent to after sent. The limit is most.
func (s *Store) UnnoticedFailures(
	ctx context.Context, began, sent clock.Time, most int,
) ([]webhook.EndpointRef, error) {
	var found []webhook.EndpointRef
	err := s.db.Each(ctx, `SELECT e.id, p.id, p.mode
		FROM webhook_endpoints e
		JOIN portfolios p ON p.id = e.portfolio_id
		WHERE e.failing_since IS NOT NULL AND e.failing_since <= $1 AND `+rows.Is("e.status", webhook.Enabled)+`
			AND (e.failing_told IS NULL OR e.failing_told <> e.failing_since) AND e.last_delivery_at > $2
		ORDER BY e.failing_since
		LIMIT $3`, []any{int64(began), int64(sent), int64(most)}, func(scan db.Scan) error {
		found = append(found, webhook.EndpointRef{})
		p := &found[len(found)-1]
		return scan(&p.Endpoint, &p.Portfolio.ID, &p.Portfolio.Mode)
	})
	return found, err
}

// ClaimFailureNotice records that the owners of an enabled endpoint are told that it fails, and returns
// since when. It is nil if the endpoint has not failed since began or longer, or if they were told
// before. The caller has a transaction.
func (s *Store) ClaimFailureNotice(
	ctx context.Context, at webhook.EndpointRef, began clock.Time,
) (since *clock.Time, err error) {
	_, err = s.db.One(ctx, `UPDATE webhook_endpoints
		SET failing_told = failing_since
		WHERE portfolio_id = $1 AND id = $2 AND `+rows.Is("status", webhook.Enabled)+` AND failing_since <= $3
			AND (failing_told IS NULL OR failing_told <> failing_since)
		RETURNING failing_since`, []any{at.Portfolio.ID, at.Endpoint, int64(began)}, &since)
	return since, err
}

// recentDeliveries is among how many deliveries the last failure is looked for.
const recentDeliveries = 100

// LastFailure reads the latest failed attempt of the newest deliveries to an endpoint, nil
// where none of them has failed.
func (s *Store) LastFailure(
	ctx context.Context, in access.Portfolio, endpointID string,
) (a *webhook.Attempt, err error) {
	err = s.db.Each(ctx, `WITH newest (id) AS (
			SELECT id
			FROM deliveries`+s.db.IndexedBy("deliveries_endpoint")+`
			WHERE portfolio_id = $1 AND endpoint_id = $2
			ORDER BY id DESC
			LIMIT $3)
		SELECT `+attemptColumns+`
		FROM newest
		JOIN delivery_attempts a ON a.portfolio_id = $1 AND a.delivery_id = newest.id
		WHERE a.error IS NOT NULL
		ORDER BY a.at DESC
		LIMIT 1`, []any{in.ID, endpointID, recentDeliveries}, func(scan db.Scan) (err error) {
		a, err = readAttempt(scan)
		return err
	})
	return a, err
}
