package db

import (
	"context"
	"strings"

	"portal/api/clock"
	"portal/api/webhook"
)

// Claim is ClaimEach for one place.
func (d *DB) Claim(ctx context.Context, at webhook.Place, c webhook.Claim) (*webhook.Claimed, error) {
	claimed, err := d.ClaimEach(ctx, c, []webhook.Wanted{{Place: at, Most: c.Most}})
	if err != nil {
		return nil, err
	}
	return claimed[0], nil
}

// ClaimEach takes deliveries of endpoints whose attempts may start, the longest due first.
// It is nil where another process is at the endpoint. Two processes cannot take the same,
// and what is taken together with what runs elsewhere stays within InFlight.
func (d *DB) ClaimEach(ctx context.Context, c webhook.Claim, places []webhook.Wanted) (claimed []*webhook.Claimed, err error) {
	err = d.Atomically(ctx, func(ctx context.Context) error {
		if err := d.planAnew(ctx); err != nil {
			return err
		}
		taken, err := d.lockEndpoints(ctx, c, places)
		if err != nil {
			return err
		}
		claimed = make([]*webhook.Claimed, len(places))
		for i, t := range taken {
			if t == nil {
				continue
			}
			claimed[i] = &t.Claimed
			if err := d.claimAt(ctx, c, places[i], t); err != nil {
				return err
			}
		}
		return nil
	})
	return claimed, err
}

// claimAt takes what is due at a place that this process has locked. What is queued for a
// disabled endpoint is cancelled instead.
func (d *DB) claimAt(ctx context.Context, c webhook.Claim, at webhook.Wanted, t *locked) error {
	if t.status != webhook.Enabled {
		t.Work = nil
		return d.CancelDeliveries(ctx, at.Portfolio, at.Endpoint, c.At)
	}
	t.Work = t.Work[:max(0, min(len(t.Work), c.InFlight-t.running))]
	if len(t.Work) == 0 {
		return nil
	}
	return d.take(ctx, at.Place, c, t.Work)
}

// locked is an endpoint that nobody else claims from meanwhile.
type locked struct {
	webhook.Claimed
	status  webhook.EndpointStatus
	running int // attempts, in all processes
}

// lockEndpoints takes the endpoints that no other process is at, with what is due there; the
// others are nil. All of it is asked at once, as each round trip would be waited for.
func (d *DB) lockEndpoints(ctx context.Context, c webhook.Claim, places []webhook.Wanted) ([]*locked, error) {
	all, free, statements := make([]locked, len(places)), make([]bool, len(places)), []stmt(nil)
	for i, p := range places {
		t := &all[i]
		statements = append(statements, stmt{
			query: `SELECT url, status, secret, previous_secret, previous_secret_expires_at
				FROM webhook_endpoints
				WHERE portfolio_id = $1 AND id = $2` + d.locking(" FOR NO KEY UPDATE SKIP LOCKED"),
			args: []any{p.Portfolio.ID, p.Endpoint},
			row: func(s scan) error {
				free[i] = true
				return s(&t.URL, &t.status, &t.Secret, &t.Previous, &t.PreviousUntil)
			},
		}, stmt{
			query: `SELECT count(*)
				FROM deliveries` + d.by("deliveries_claimed") + `
				WHERE portfolio_id = $1 AND endpoint_id = $2 AND claimed_by IS NOT NULL AND claimed_until > $3`,
			args: []any{p.Portfolio.ID, p.Endpoint, int64(c.At)},
			row:  func(s scan) error { return s(&t.running) },
		}, d.dueAt(p.Place, c.At, min(p.Most, c.InFlight), &t.Work))
	}
	if err := d.all(ctx, statements); err != nil {
		return nil, err
	}
	taken := make([]*locked, len(places))
	for i := range all {
		if free[i] {
			taken[i] = &all[i]
		}
	}
	return taken, nil
}

// dueAt reads so many deliveries at a place that are due.
func (d *DB) dueAt(at webhook.Place, now clock.Time, most int, into *[]webhook.Work) stmt {
	return stmt{
		query: `SELECT d.id, d.event_id, e.type, e.body, d.attempts + 1, d.tries + 1, COALESCE(d.since, $3),
				CASE WHEN d.manual THEN 'manual' ELSE 'schedule' END
			FROM deliveries d` + d.by("deliveries_ready") + `
			JOIN events e ON e.portfolio_id = d.portfolio_id AND e.id = d.event_id
			WHERE d.ready AND d.endpoint_id = $2 AND d.portfolio_id = $1 AND d.next_attempt_at <= $3
			ORDER BY d.next_attempt_at
			LIMIT $4 + 0` + d.locking(" FOR UPDATE OF d SKIP LOCKED"),
		args: []any{at.Portfolio.ID, at.Endpoint, int64(now), int64(most)},
		row: func(s scan) error {
			*into = append(*into, webhook.Work{})
			w := &(*into)[len(*into)-1]
			return s(&w.ID, &w.EventID, &w.Type, &w.Body, &w.Attempt, &w.Try, &w.Since, &w.Trigger)
		},
	}
}

// take marks deliveries as taken.
func (d *DB) take(ctx context.Context, at webhook.Place, c webhook.Claim, work []webhook.Work) error {
	m := marker{pg: d.pg != nil}
	query := `UPDATE deliveries
		SET ready = false, manual = false, attempts = attempts + 1, tries = tries + 1, next_attempt_at = NULL,
			since = COALESCE(since, ` + m.mark(int64(c.At)) + `), claimed_by = ` + m.mark(c.By) + `,
			claimed_at = ` + m.mark(int64(c.At)) + `, claimed_until = ` + m.mark(int64(c.Until)) + `
		WHERE portfolio_id = ` + m.mark(at.Portfolio.ID) + ` AND id IN (`
	ids := make([]string, len(work))
	for i := range work {
		ids[i] = m.mark(work[i].ID)
	}
	return d.later(ctx, query+strings.Join(ids, ", ")+")", m.args...)
}
