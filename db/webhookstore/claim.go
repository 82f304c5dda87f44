package webhookstore

import (
	"context"
	"strings"

	"portal/api/clock"
	"portal/api/webhook"
	"portal/db"
	"portal/db/rows"
)

// Claim is ClaimEach for one endpoint.
func (s *Store) Claim(ctx context.Context, at webhook.EndpointRef, c webhook.Claim) (*webhook.Claimed, error) {
	claimed, err := s.ClaimEach(ctx, c, []webhook.Wanted{{EndpointRef: at, Most: c.Most}})
	if err != nil {
		return nil, err
	}
	return claimed[0], nil
}

// ClaimEach takes deliveries of endpoints whose attempts may start, the longest due first.
// It is nil where another process is at the endpoint. Two processes cannot take the same,
// and what is taken together with what runs elsewhere stays within InFlight.
func (s *Store) ClaimEach(
	ctx context.Context, c webhook.Claim, endpoints []webhook.Wanted,
) (claimed []*webhook.Claimed, err error) {
	err = s.db.Atomically(ctx, func(ctx context.Context) error {
		if err := s.db.PlanAnew(ctx); err != nil {
			return err
		}
		taken, err := s.lockEndpoints(ctx, c, endpoints)
		if err != nil {
			return err
		}
		claimed = make([]*webhook.Claimed, len(endpoints))
		for i, t := range taken {
			if t == nil {
				continue
			}
			claimed[i] = &t.Claimed
			if err := s.claimAt(ctx, c, endpoints[i], t); err != nil {
				return err
			}
		}
		return nil
	})
	return claimed, err
}

// claimAt takes what is due at an endpoint that this process has locked. What is queued for a
// disabled endpoint is cancelled instead.
func (s *Store) claimAt(ctx context.Context, c webhook.Claim, at webhook.Wanted, t *locked) error {
	if t.status != webhook.Enabled {
		t.Work = nil
		return s.CancelDeliveries(ctx, at.Portfolio, at.Endpoint, c.At)
	}
	t.Work = t.Work[:max(0, min(len(t.Work), c.InFlight-t.running))]
	if len(t.Work) == 0 {
		return nil
	}
	return s.take(ctx, at.EndpointRef, c, t.Work)
}

// locked is an endpoint that nobody else claims from meanwhile.
type locked struct {
	webhook.Claimed
	status  webhook.EndpointStatus
	running int // attempts, in all processes
}

// lockEndpoints takes the endpoints that no other process is at, with what is due there; the
// others are nil. All of it is asked at once, as each round trip would be waited for.
func (s *Store) lockEndpoints(ctx context.Context, c webhook.Claim, endpoints []webhook.Wanted) ([]*locked, error) {
	all, free, statements := make([]locked, len(endpoints)), make([]bool, len(endpoints)), []db.Statement(nil)
	for i, p := range endpoints {
		t := &all[i]
		statements = append(
			statements,
			db.Statement{
				Query: `SELECT url, status, secret, previous_secret, previous_secret_expires_at
				FROM webhook_endpoints
				WHERE portfolio_id = $1 AND id = $2` + s.db.Locking(" FOR NO KEY UPDATE SKIP LOCKED"),
				Args: []any{p.Portfolio.ID, p.Endpoint},
				Row: func(scan db.Scan) error {
					free[i] = true
					return scan(&t.URL, &t.status, &t.Secret, &t.Previous, &t.PreviousUntil)
				},
			},
			db.Statement{
				Query: `SELECT count(*)
				FROM deliveries` + s.db.IndexedBy("deliveries_claimed") + `
				WHERE portfolio_id = $1 AND endpoint_id = $2 AND claimed_by IS NOT NULL AND claimed_until > $3`,
				Args: []any{p.Portfolio.ID, p.Endpoint, int64(c.At)},
				Row:  func(scan db.Scan) error { return scan(&t.running) },
			},
			s.dueAt(p.EndpointRef, c.At, min(p.Most, c.InFlight), &t.Work),
		)
	}
	if err := s.db.Together(ctx, statements); err != nil {
		return nil, err
	}
	taken := make([]*locked, len(endpoints))
	for i := range all {
		if free[i] {
			taken[i] = &all[i]
		}
	}
	return taken, nil
}

// dueAt reads so many deliveries at an endpoint that are due.
func (s *Store) dueAt(at webhook.EndpointRef, now clock.Time, most int, into *[]webhook.Work) db.Statement {
	return db.Statement{
		Query: `SELECT d.id, d.event_id, e.type, e.body, d.attempts + 1, d.tries + 1, COALESCE(d.since, $3),
				CASE WHEN d.manual THEN 'manual' ELSE 'schedule' END
			FROM deliveries d` + s.db.IndexedBy("deliveries_ready") + `
			JOIN events e ON e.portfolio_id = d.portfolio_id AND e.id = d.event_id
			WHERE d.ready AND d.endpoint_id = $2 AND d.portfolio_id = $1 AND d.next_attempt_at <= $3
			ORDER BY d.next_attempt_at
			LIMIT $4` + s.db.Locking(" FOR UPDATE OF d SKIP LOCKED"),
		Args: []any{at.Portfolio.ID, at.Endpoint, int64(now), int64(most)},
		Row: func(scan db.Scan) error {
			*into = append(*into, webhook.Work{})
			w := &(*into)[len(*into)-1]
			return scan(&w.ID, &w.EventID, &w.Type, &w.Body, &w.Attempt, &w.Try, &w.Since, &w.Trigger)
		},
	}
}

// take marks deliveries as taken.
func (s *Store) take(ctx context.Context, at webhook.EndpointRef, c webhook.Claim, work []webhook.Work) error {
	m := rows.NewMarker(s.db)
	query := `UPDATE deliveries
		SET ready = false, manual = false, attempts = attempts + 1, tries = tries + 1, next_attempt_at = NULL,
			since = COALESCE(since, ` + m.Mark(int64(c.At)) + `), claimed_by = ` + m.Mark(c.By) + `,
			claimed_at = ` + m.Mark(int64(c.At)) + `, claimed_until = ` + m.Mark(int64(c.Until)) + `
		WHERE portfolio_id = ` + m.Mark(at.Portfolio.ID) + ` AND id IN (`
	ids := make([]string, len(work))
	for i := range work {
		ids[i] = m.Mark(work[i].ID)
	}
	return s.db.Later(ctx, query+strings.Join(ids, ", ")+")", m.Args...)
}
