package db

import (
	"context"

	"portal/api/clock"
	"portal/api/webhook"
)

// locking are the words by which a reading statement of PostgreSQL takes rows that no
// other process is at. SQLite writes one transaction after the other and needs none.
func (d *DB) locking(words string) string {
	if d.pg == nil {
		return ""
	}
	return words
}

// by names the index that SQLite reads deliveries by. Left to itself it prefers the primary
// key, which is the table, and so reads all deliveries of a portfolio: it takes a portfolio
// to have ten. PostgreSQL counts.
func (d *DB) by(index string) string {
	if d.pg != nil || index == "" {
		return ""
	}
	return " INDEXED BY " + index
}

// Ready reads the places that have a delivery whose attempt may start. It looks at one
// row of each endpoint, not at each delivery.
func (d *DB) Ready(ctx context.Context, now clock.Time) ([]webhook.Place, error) {
	var found []webhook.Place
	err := d.each(ctx, `WITH RECURSIVE waiting (endpoint_id) AS (
			SELECT min(endpoint_id)
			FROM deliveries
			WHERE ready
			UNION ALL
			SELECT (SELECT min(d.endpoint_id) FROM deliveries d WHERE d.ready AND d.endpoint_id > w.endpoint_id)
			FROM waiting w
			WHERE w.endpoint_id IS NOT NULL),
		place (endpoint_id, portfolio_id) AS (
			SELECT w.endpoint_id, (SELECT d.portfolio_id FROM deliveries d WHERE d.ready AND d.endpoint_id = w.endpoint_id LIMIT 1)
			FROM waiting w
			WHERE w.endpoint_id IS NOT NULL)
		SELECT place.endpoint_id, p.id, p.mode
		FROM place
		JOIN portfolios p ON p.id = place.portfolio_id
		WHERE EXISTS (
			SELECT 1
			FROM deliveries d
			WHERE d.ready AND d.endpoint_id = place.endpoint_id AND d.portfolio_id = place.portfolio_id AND d.next_attempt_at <= $1)`, []any{int64(now)}, func(s scan) error {
		found = append(found, webhook.Place{})
		p := &found[len(found)-1]
		return s(&p.Endpoint, &p.Portfolio.ID, &p.Portfolio.Mode)
	})
	return found, err
}

// planAnew has PostgreSQL plan each statement of the transaction by the size that tables have
// now. The plan that a connection keeps of a statement is made when it has run it some times:
// in a new database that is while a few deliveries are there, so that all of them would be
// read for each one, however many they become, until statistics are gathered.
func (d *DB) planAnew(ctx context.Context) error {
	if d.pg == nil {
		return nil
	}
	return d.later(ctx, "SET LOCAL plan_cache_mode = force_custom_plan")
}

// MayStart tells whether an endpoint is enabled, once all who change it now are through. On
// SQLite that is when the turn of a write comes.
func (d *DB) MayStart(ctx context.Context, at webhook.Place) (may bool, err error) {
	err = d.Atomically(ctx, func(ctx context.Context) error {
		var status webhook.EndpointStatus
		_, err := d.one(ctx, `SELECT status
			FROM webhook_endpoints
			WHERE portfolio_id = $1 AND id = $2`+d.locking(" FOR SHARE"), []any{at.Portfolio.ID, at.Endpoint}, &status)
		may = status == webhook.Enabled
		return err
	})
	return may, err
}

// Claimants are the processes that have claims at an endpoint.
func (d *DB) Claimants(ctx context.Context, at webhook.Place) (processes []string, err error) {
	err = d.each(ctx, `SELECT DISTINCT claimed_by
		FROM deliveries`+d.by("deliveries_claimed")+`
		WHERE portfolio_id = $1 AND endpoint_id = $2 AND claimed_by IS NOT NULL`,
		[]any{at.Portfolio.ID, at.Endpoint}, func(s scan) error {
			processes = append(processes, "")
			return s(&processes[len(processes)-1])
		})
	return processes, err
}

// Claimed are the places of an account at which processes have claims.
func (d *DB) Claimed(ctx context.Context, accountID string) (places []webhook.Place, err error) {
	err = d.each(ctx, `SELECT DISTINCT p.id, p.mode, d.endpoint_id
		FROM portfolios p
		JOIN deliveries d ON d.portfolio_id = p.id
		WHERE p.account_id = $1 AND d.claimed_by IS NOT NULL`, []any{accountID}, func(s scan) error {
		places = append(places, webhook.Place{})
		one := &places[len(places)-1]
		return s(&one.Portfolio.ID, &one.Portfolio.Mode, &one.Endpoint)
	})
	return places, err
}
