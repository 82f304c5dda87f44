// Package webhookstore keeps webhook endpoints, events and deliveries, in the database of
// package db.
//
// It knows no rules and no HTTP.
package webhookstore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/webhook"
	"portal/api/webhook/dispatch"
	"portal/db"
	"portal/db/portfoliostore"
	"portal/db/rows"
)

// Ready reads the endpoints that have a delivery whose attempt may start. It looks at one
// row of each endpoint, not at each delivery.
func (s *Store) Ready(ctx context.Context, now clock.Time) ([]webhook.EndpointRef, error) {
	return rows.All(ctx, s.db, `WITH RECURSIVE waiting (endpoint_id) AS (
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
				AND d.next_attempt_at <= $1)`, []any{int64(now)}, func(scan db.Scan, p *webhook.EndpointRef) error {
		return scan(&p.Endpoint, &p.Portfolio.ID, &p.Portfolio.Mode)
	})
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
func (s *Store) Claimants(ctx context.Context, at webhook.EndpointRef) ([]string, error) {
	return rows.All(ctx, s.db, `SELECT DISTINCT claimed_by
		FROM deliveries`+s.db.IndexedBy("deliveries_claimed")+`
		WHERE portfolio_id = $1 AND endpoint_id = $2 AND claimed_by IS NOT NULL`,
		[]any{at.Portfolio.ID, at.Endpoint}, rows.Value[string])
}

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

// Conclude is ConcludeEach for one endpoint.
func (s *Store) Conclude(
	ctx context.Context, at webhook.EndpointRef, by string, all []webhook.Conclusion,
) (webhook.Concluded, error) {
	out, err := s.ConcludeEach(ctx, by, []webhook.Ended{{EndpointRef: at, All: all}})
	if err != nil {
		return webhook.Concluded{}, err
	}
	return out[0], nil
}

// ConcludeEach records the results of attempts whose claims the process still holds. The endpoints
// come in the order of their ids. An endpoint is written before its deliveries, as everywhere.
func (s *Store) ConcludeEach(
	ctx context.Context, by string, ended []webhook.Ended,
) (out []webhook.Concluded, err error) {
	err = s.db.Atomically(ctx, func(ctx context.Context) (err error) {
		out = make([]webhook.Concluded, len(ended))
		held := make([]map[string]bool, len(ended)) // whether a delivery is still to be delivered
		var statements []db.Statement
		for i, e := range ended {
			held[i] = make(map[string]bool, len(e.All))
			statements = s.noteEndpoint(statements, e, &out[i])
			for part := range slices.Chunk(e.All, rows.Bulk) {
				statements = append(statements, s.noteDeliveries(e.EndpointRef, by, part, held[i]))
			}
		}
		if err := s.db.PlanAnew(ctx); err != nil {
			return err
		}
		if err := s.db.Together(ctx, statements); err != nil {
			return err
		}
		for i, e := range ended {
			if err := s.noteAttempts(ctx, e, held[i], &out[i]); err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

// noteEndpoint adds what notes when an endpoint was last sent to, what came of that, and
// since when it fails; nothing where nothing was sent.
func (s *Store) noteEndpoint(to []db.Statement, e webhook.Ended, out *webhook.Concluded) []db.Statement {
	var last *webhook.Attempt
	var good, bad *clock.Time // bad is the first failure since the last success
	for i := range e.All {
		c := &e.All[i]
		if c.Unsent || c.Broken {
			continue
		}
		end := c.Attempt.At + clock.Time(c.Attempt.DurationMS)
		if last == nil || c.Attempt.At >= last.At {
			last = &c.Attempt
		}
		switch {
		case c.Status == webhook.Succeeded:
			good = later(good, end)
			bad = nil
		case bad == nil:
			bad = &end
		}
	}
	if last == nil {
		return to
	}
	return append(to, db.Statement{
		Query: `UPDATE webhook_endpoints
			SET last_delivery_at = CASE WHEN last_delivery_at > $3 THEN last_delivery_at ELSE $3 END,
				last_success_at = CASE WHEN last_success_at > CAST($4 AS BIGINT)
					THEN last_success_at ELSE COALESCE($4, last_success_at) END,
				failing_since = CASE WHEN CAST($4 AS BIGINT) IS NULL
					THEN COALESCE(failing_since, $5) ELSE CAST($5 AS BIGINT) END,
				last_status_code = CASE WHEN last_delivery_at > $3 THEN last_status_code ELSE CAST($6 AS BIGINT) END,
				last_error = CASE WHEN last_delivery_at > $3 THEN last_error ELSE CAST($7 AS TEXT) END
			WHERE portfolio_id = $1 AND id = $2
			RETURNING failing_since`,
		Args: []any{e.Portfolio.ID, e.Endpoint, &last.At, good, bad, last.StatusCode, last.Error},
		Row:  func(scan db.Scan) error { return scan(&out.FailingSince) },
	})
}

func later(a *clock.Time, b clock.Time) *clock.Time {
	if a != nil && *a > b {
		return a
	}
	return &b
}

// noteDeliveries notes how attempts ended, but for those whose claim another process has
// taken over. A delivery that was cancelled meanwhile stays so, unless it was acknowledged
// after all. held tells of each one noted whether it is still to be delivered.
func (s *Store) noteDeliveries(
	at webhook.EndpointRef, by string, all []webhook.Conclusion, held map[string]bool,
) db.Statement {
	tuples, m := make([]string, len(all)), rows.NewMarker(s.db)
	for i := range all {
		c := &all[i]
		due, ready := next(c)
		tuples[i] = "(" + strings.Join([]string{m.Typed("TEXT", c.Work.ID), m.Typed("BIGINT", c.Work.Attempt),
			m.Typed("TEXT", string(c.Status)), m.Typed("BIGINT", due), m.Typed("BOOLEAN", ready),
			m.Typed("BIGINT", rows.Bit(c.Unsent)), m.Typed("BIGINT", rows.Bit(c.Unsent || c.Repeat))}, ", ") + ")"
	}
	values := strings.Join(tuples, ", ")
	queued := rows.Is("deliveries.status", webhook.Pending)
	return db.Statement{
		Query: `WITH ended (delivery_id, attempt, status, due_at, due_now, unsent, untried) AS (VALUES ` + values + `)
			UPDATE deliveries
			SET claimed_by = NULL, claimed_at = NULL, claimed_until = NULL,
				attempts = attempts - unsent, tries = tries - untried,
				status = CASE WHEN ` + queued + ` OR ` + rows.Is("ended.status", webhook.Succeeded) + `
					THEN ended.status ELSE deliveries.status END,
				failing = CASE WHEN unsent = 1 THEN failing
					ELSE ` + rows.IsNot("ended.status", webhook.Succeeded) + ` END,
				ready = ` + queued + ` AND due_now,
				next_attempt_at = CASE WHEN ` + queued + ` THEN due_at END
			FROM ended
			WHERE portfolio_id = ` + m.Mark(at.Portfolio.ID) + ` AND id = delivery_id
				AND claimed_by = ` + m.Mark(by) + ` AND attempts = attempt
			RETURNING id, ` + queued,
		Args: m.Args,
		Row: func(scan db.Scan) error {
			var id string
			var pending bool
			err := scan(&id, &pending)
			held[id] = pending
			return err
		},
	}
}

// noteAttempts writes the attempts of what was noted, and tells what came of it.
func (s *Store) noteAttempts(ctx context.Context, e webhook.Ended, held map[string]bool, out *webhook.Concluded) error {
	var attempts []webhook.Conclusion
	for i := range e.All {
		pending, mine := held[e.All[i].Work.ID]
		switch {
		case !mine:
			out.Lost++
		case !e.All[i].Unsent:
			attempts = append(attempts, e.All[i])
		}
		out.Waiting = append(out.Waiting, pending && e.All[i].Next != nil)
	}
	if err := s.addAttempts(ctx, e.Portfolio, attempts); err != nil {
		return err
	}
	return s.countAttempts(ctx, e.EndpointRef, attempts)
}

// next is when a delivery is due again, nil for never, and whether that is at once.
func next(c *webhook.Conclusion) (due any, ready bool) {
	switch {
	case c.Status != webhook.Pending:
		return nil, false
	case c.Next == nil:
		return int64(c.Attempt.At), true
	}
	return int64(*c.Next), false
}

const attemptRow = "delivery_id, number, at, duration_ms, status_code, error, request_headers, response_headers, " +
	"response_body, cause"

func (s *Store) addAttempts(ctx context.Context, in access.Portfolio, all []webhook.Conclusion) error {
	for part := range slices.Chunk(all, rows.Bulk) {
		sql, args, err := rows.Insertion(s.db, in, "delivery_attempts", attemptRow, part, attemptValues)
		if err != nil {
			return err
		}
		if err := s.db.Later(ctx, sql, args...); err != nil {
			return err
		}
	}
	return nil
}

func attemptValues(c *webhook.Conclusion) ([]any, error) {
	a := &c.Attempt
	var body []byte
	if a.ResponseBody != nil {
		body = []byte(*a.ResponseBody)
	}
	return []any{c.Work.ID, a.Number, int64(a.At), a.DurationMS, a.StatusCode, a.Error, headers(a.RequestHeaders),
		headers(a.ResponseHeaders), body, string(a.Trigger)}, nil
}

func headers(h map[string][]string) any {
	if h == nil {
		return nil
	}
	return rows.JSONOf(&h)
}

// Due lets the attempts of deliveries start that wait for their time.
func (s *Store) Due(ctx context.Context, portfolio int64, deliveries []string) error {
	return s.db.Atomically(ctx, func(ctx context.Context) error {
		for _, id := range deliveries {
			_, err := s.db.Exec(ctx, `UPDATE deliveries
				SET ready = true
				WHERE portfolio_id = $1 AND id = $2 AND `+rows.Is("status", webhook.Pending)+`
					AND claimed_by IS NULL`, portfolio, id)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// TakeOver ends claims that have run out at a moment and those of processes that are gone,
// each with an attempt that was interrupted, and lets retries start whose time lies before
// another moment: at most so many.
func (s *Store) TakeOver(ctx context.Context, now, overdue clock.Time, most int) (n int, err error) {
	err = s.db.Atomically(ctx, func(ctx context.Context) error {
		left, err := s.runOut(ctx, now, most)
		if err != nil {
			return err
		}
		for _, l := range left {
			if err := s.interrupt(ctx, l); err != nil {
				return err
			}
		}
		rows, err := s.db.Exec(ctx, `UPDATE deliveries
			SET ready = true
			WHERE (portfolio_id, id) IN (
				SELECT portfolio_id, id
				FROM deliveries
				WHERE `+rows.Is("status", webhook.Pending)+` AND NOT ready AND claimed_by IS NULL
					AND next_attempt_at <= $1
				LIMIT $2`+s.db.Locking(" FOR UPDATE SKIP LOCKED")+`)`, int64(overdue), int64(most))
		n = max(len(left), int(rows))
		return err
	})
	return n, err
}

// leftover is an attempt of a process that is gone.
type leftover struct {
	in       access.Portfolio
	delivery string
	number   int
	at       clock.Time
}

// gone are the processes that have claims and are not alive.
func (s *Store) gone(ctx context.Context) ([]string, error) {
	if !s.db.OnPostgres() {
		return nil, nil
	}
	query := "SELECT DISTINCT claimed_by FROM deliveries WHERE claimed_by IS NOT NULL"
	claimants, err := rows.All(ctx, s.db, query, nil, rows.Value[string])
	if err != nil {
		return nil, err
	}
	return s.db.Gone(ctx, claimants)
}

// runOut reads claims that have run out at a moment, and those of processes that are gone.
func (s *Store) runOut(ctx context.Context, now clock.Time, most int) ([]leftover, error) {
	processes, err := s.gone(ctx)
	if err != nil {
		return nil, err
	}
	args, over := []any{int64(now), int64(most)}, []string{"claimed_until <= $1"}
	for _, p := range processes {
		args = append(args, p)
		over = append(over, fmt.Sprintf("claimed_by = $%d", len(args)))
	}
	return rows.All(ctx, s.db, `SELECT portfolio_id, id, attempts, claimed_at
		FROM deliveries
		WHERE claimed_by IS NOT NULL AND (`+strings.Join(over, " OR ")+`)
		LIMIT $2`+s.db.Locking(" FOR UPDATE SKIP LOCKED"), args, func(scan db.Scan, l *leftover) error {
		return scan(&l.in.ID, &l.delivery, &l.number, &l.at)
	})
}

// interrupt ends the claim of an attempt and notes that nobody knows how it ended. The
// delivery is tried again at once, but not longer than any other is: one that ends its
// process each time must not do so for ever.
func (s *Store) interrupt(ctx context.Context, l leftover) error {
	queued := rows.Is("status", webhook.Pending)
	_, err := s.db.Exec(ctx, `UPDATE deliveries
		SET claimed_by = NULL, claimed_at = NULL, claimed_until = NULL, failing = true,
			status = CASE WHEN `+queued+` AND claimed_at - since > $3 THEN `+rows.Literal(webhook.Failed)+`
				ELSE status END,
			ready = (`+queued+` AND claimed_at - since <= $3),
			next_attempt_at = CASE WHEN `+queued+` AND claimed_at - since <= $3 THEN claimed_at END
		WHERE portfolio_id = $1 AND id = $2`, l.in.ID, l.delivery, webhook.GiveUp.Milliseconds())
	if err != nil {
		return err
	}
	return s.addAttempts(ctx, l.in, []webhook.Conclusion{{
		Work:    &webhook.Work{ID: l.delivery},
		Attempt: webhook.Interrupted(l.number, l.at),
	}})
}

var (
	_ webhook.Store  = (*Store)(nil)
	_ dispatch.Store = (*Store)(nil)
)

// Store keeps endpoints, events and deliveries, and hands these out to the processes that
// attempt them.
type Store struct {
	db *db.DB
	database
	*portfoliostore.Store // knows the landlord of a portfolio, and limits demo portfolios
}

// database is what the rules use of a db.DB.
type database interface {
	Promptly(ctx context.Context, do func(context.Context) error) error
	After(ctx context.Context, then func())
	Present(ctx context.Context, process string, heard func(message string))
	Tell(ctx context.Context, message string) error
}

// New is the store over a database.
func New(d *db.DB) *Store { return &Store{d, d, portfoliostore.New(d)} }
