package db

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"portal/api/access"
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
		if err := d.due(ctx, c, places, taken); err != nil {
			return err
		}
		claimed = make([]*webhook.Claimed, len(places))
		for i, t := range taken {
			if t != nil {
				claimed[i] = &t.Claimed
			}
			if t == nil || len(t.Work) == 0 {
				continue
			}
			if err := d.take(ctx, places[i].Place, c, t.Work); err != nil {
				return err
			}
		}
		return nil
	})
	return claimed, err
}

// locked is an endpoint that nobody else claims from meanwhile.
type locked struct {
	webhook.Claimed
	status  webhook.EndpointStatus
	running int // attempts, in all processes
}

// lockEndpoints takes the endpoints that no other process is at; the others are nil.
func (d *DB) lockEndpoints(ctx context.Context, c webhook.Claim, places []webhook.Wanted) ([]*locked, error) {
	taken, counts, statements := make([]*locked, len(places)), make([]int, len(places)), []stmt(nil)
	for i, p := range places {
		statements = append(statements, stmt{`SELECT url, status, secret, previous_secret, previous_secret_expires_at
			FROM webhook_endpoints
			WHERE portfolio_id = $1 AND id = $2` + d.locking(" FOR NO KEY UPDATE SKIP LOCKED"),
			[]any{p.Portfolio.ID, p.Endpoint}, func(s scan) error {
				t := &locked{}
				taken[i] = t
				return s(&t.URL, &t.status, &t.Secret, &t.Previous, &t.PreviousUntil)
			}}, stmt{`SELECT count(*)
			FROM deliveries` + d.by("deliveries_claimed") + `
			WHERE portfolio_id = $1 AND endpoint_id = $2 AND claimed_by IS NOT NULL AND claimed_until > $3`,
			[]any{p.Portfolio.ID, p.Endpoint, int64(c.At)}, func(s scan) error { return s(&counts[i]) }})
	}
	err := d.all(ctx, statements)
	for i, t := range taken {
		if t != nil {
			t.running = counts[i]
		}
	}
	return taken, err
}

// due reads what may be taken at each place. What is queued for a disabled endpoint is
// cancelled instead.
func (d *DB) due(ctx context.Context, c webhook.Claim, places []webhook.Wanted, taken []*locked) error {
	var statements []stmt
	for i, t := range taken {
		if t == nil {
			continue
		}
		if t.status != webhook.Enabled {
			if err := d.CancelDeliveries(ctx, places[i].Portfolio, places[i].Endpoint, c.At); err != nil {
				return err
			}
			continue
		}
		if most := min(places[i].Most, c.InFlight-t.running); most > 0 {
			statements = append(statements, d.dueAt(places[i].Place, c.At, most, &t.Work))
		}
	}
	return d.all(ctx, statements)
}

// dueAt reads so many deliveries at a place that are due.
func (d *DB) dueAt(at webhook.Place, now clock.Time, most int, into *[]webhook.Work) stmt {
	return stmt{`SELECT d.id, d.event_id, e.type, e.body, d.attempts + 1, d.tries + 1, COALESCE(d.since, $3),
			CASE WHEN d.manual THEN 'manual' ELSE 'schedule' END
		FROM deliveries d` + d.by("deliveries_ready") + `
		JOIN events e ON e.portfolio_id = d.portfolio_id AND e.id = d.event_id
		WHERE d.ready AND d.endpoint_id = $2 AND d.portfolio_id = $1 AND d.next_attempt_at <= $3
		ORDER BY d.next_attempt_at
		LIMIT $4 + 0` + d.locking(" FOR UPDATE OF d SKIP LOCKED"),
		[]any{at.Portfolio.ID, at.Endpoint, int64(now), int64(most)}, func(s scan) error {
			*into = append(*into, webhook.Work{})
			w := &(*into)[len(*into)-1]
			return s(&w.ID, &w.EventID, &w.Type, &w.Body, &w.Attempt, &w.Try, &w.Since, &w.Trigger)
		}}
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

// Conclude is ConcludeEach for one place.
func (d *DB) Conclude(ctx context.Context, at webhook.Place, by string, all []webhook.Conclusion) (webhook.Concluded, error) {
	out, err := d.ConcludeEach(ctx, by, []webhook.Ended{{Place: at, All: all}})
	if err != nil {
		return webhook.Concluded{}, err
	}
	return out[0], nil
}

// ConcludeEach notes how attempts at endpoints ended whose claims a process still has, in
// the order of the endpoints' ids. The endpoint comes first, as in all that changes both.
func (d *DB) ConcludeEach(ctx context.Context, by string, ended []webhook.Ended) (out []webhook.Concluded, err error) {
	err = d.Atomically(ctx, func(ctx context.Context) (err error) {
		out = make([]webhook.Concluded, len(ended))
		held := make([]map[string]bool, len(ended)) // whether a delivery is still to be delivered
		var statements []stmt
		for i, e := range ended {
			held[i] = make(map[string]bool, len(e.All))
			statements = d.noteEndpoint(statements, e, &out[i])
			for part := range slices.Chunk(e.All, bulk) {
				statements = append(statements, d.noteDeliveries(e.Place, by, part, held[i]))
			}
		}
		if err := errorsOf(d.planAnew(ctx), d.all(ctx, statements)); err != nil {
			return err
		}
		for i, e := range ended {
			if err := d.noteAttempts(ctx, e, held[i], &out[i]); err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

// noteEndpoint adds what notes when an endpoint was last sent to, and since when it fails;
// nothing where nothing was sent.
func (d *DB) noteEndpoint(to []stmt, e webhook.Ended, out *webhook.Concluded) []stmt {
	var last, good, bad *clock.Time // bad is the first failure since the last success
	for i := range e.All {
		c := &e.All[i]
		if c.Unsent || c.Broken {
			continue
		}
		end := c.Attempt.At + clock.Time(c.Attempt.DurationMS)
		last = later(last, c.Attempt.At)
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
	return append(to, stmt{`UPDATE webhook_endpoints
		SET last_delivery_at = CASE WHEN last_delivery_at > $3 THEN last_delivery_at ELSE $3 END,
			last_success_at = CASE WHEN last_success_at > CAST($4 AS BIGINT) THEN last_success_at ELSE COALESCE($4, last_success_at) END,
			failing_since = CASE WHEN CAST($4 AS BIGINT) IS NULL THEN COALESCE(failing_since, $5) ELSE CAST($5 AS BIGINT) END
		WHERE portfolio_id = $1 AND id = $2
		RETURNING failing_since`, []any{e.Portfolio.ID, e.Endpoint, last, good, bad}, func(s scan) error { return s(&out.FailingSince) }})
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
func (d *DB) noteDeliveries(at webhook.Place, by string, all []webhook.Conclusion, held map[string]bool) stmt {
	rows, m := make([]string, len(all)), marker{pg: d.pg != nil}
	for i := range all {
		c := &all[i]
		due, ready := next(c)
		rows[i] = "(" + strings.Join([]string{m.typed("TEXT", c.Work.ID), m.typed("BIGINT", c.Work.Attempt),
			m.typed("TEXT", string(c.Status)), m.typed("BIGINT", due), m.typed("BOOLEAN", ready),
			m.typed("BIGINT", bit(c.Unsent)), m.typed("BIGINT", bit(c.Unsent || c.Repeat))}, ", ") + ")"
	}
	return stmt{`WITH ended (delivery_id, attempt, status, due_at, due_now, unsent, untried) AS (VALUES ` + strings.Join(rows, ", ") + `)
		UPDATE deliveries
		SET claimed_by = NULL, claimed_at = NULL, claimed_until = NULL, attempts = attempts - unsent, tries = tries - untried,
			status = CASE WHEN deliveries.status = 'pending' OR ended.status = 'succeeded' THEN ended.status ELSE deliveries.status END,
			failing = CASE WHEN unsent = 1 THEN failing ELSE ended.status <> 'succeeded' END,
			ready = deliveries.status = 'pending' AND due_now,
			next_attempt_at = CASE WHEN deliveries.status = 'pending' THEN due_at END
		FROM ended
		WHERE portfolio_id = ` + m.mark(at.Portfolio.ID) + ` AND id = delivery_id AND claimed_by = ` + m.mark(by) + ` AND attempts = attempt
		RETURNING id, deliveries.status = 'pending'`, m.args, func(s scan) error {
		var id string
		var pending bool
		err := s(&id, &pending)
		held[id] = pending
		return err
	}}
}

// noteAttempts writes the attempts of what was noted, and tells what came of it.
func (d *DB) noteAttempts(ctx context.Context, e webhook.Ended, held map[string]bool, out *webhook.Concluded) error {
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
	if err := d.addAttempts(ctx, e.Portfolio, attempts); err != nil {
		return err
	}
	return d.countAttempts(ctx, e.Place, attempts)
}

// bit is 1 for true and 0 for false.
func bit(is bool) int64 {
	if is {
		return 1
	}
	return 0
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

const attemptRow = "delivery_id, number, at, duration_ms, status_code, error, request_headers, response_headers, response_body, cause"

func (d *DB) addAttempts(ctx context.Context, in access.Portfolio, all []webhook.Conclusion) error {
	for part := range slices.Chunk(all, bulk) {
		sql, args, err := insertion(d, in, "delivery_attempts", attemptRow, part, attemptValues)
		if err != nil {
			return err
		}
		if err := d.later(ctx, sql, args...); err != nil {
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
	return jsonOf(&h)
}

// Due lets the attempts of deliveries start that wait for their time.
func (d *DB) Due(ctx context.Context, portfolio int64, deliveries []string) error {
	return d.Atomically(ctx, func(ctx context.Context) error {
		for _, id := range deliveries {
			if _, err := d.exec(ctx, `UPDATE deliveries
				SET ready = true
				WHERE portfolio_id = $1 AND id = $2 AND status = 'pending' AND claimed_by IS NULL`, portfolio, id); err != nil {
				return err
			}
		}
		return nil
	})
}

// TakeOver ends claims that have run out at a moment and those of processes that are gone,
// each with an attempt that was interrupted, and lets retries start whose time lies before
// another moment: at most so many.
func (d *DB) TakeOver(ctx context.Context, now, overdue clock.Time, most int) (n int, err error) {
	err = d.Atomically(ctx, func(ctx context.Context) error {
		left, err := d.runOut(ctx, now, most)
		if err != nil {
			return err
		}
		for _, l := range left {
			if err := d.interrupt(ctx, l); err != nil {
				return err
			}
		}
		rows, err := d.exec(ctx, `UPDATE deliveries
			SET ready = true
			WHERE (portfolio_id, id) IN (
				SELECT portfolio_id, id
				FROM deliveries
				WHERE status = 'pending' AND NOT ready AND claimed_by IS NULL AND next_attempt_at <= $1
				LIMIT $2`+d.locking(" FOR UPDATE SKIP LOCKED")+`)`, int64(overdue), int64(most))
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

// runOut reads claims that have run out at a moment, and those of processes that are gone.
func (d *DB) runOut(ctx context.Context, now clock.Time, most int) (left []leftover, err error) {
	processes, err := d.gone(ctx)
	if err != nil {
		return nil, err
	}
	args, over := []any{int64(now), int64(most)}, []string{"claimed_until <= $1"}
	for _, p := range processes {
		args = append(args, p)
		over = append(over, fmt.Sprintf("claimed_by = $%d", len(args)))
	}
	err = d.each(ctx, `SELECT portfolio_id, id, attempts, claimed_at
		FROM deliveries
		WHERE claimed_by IS NOT NULL AND (`+strings.Join(over, " OR ")+`)
		LIMIT $2 + 0`+d.locking(" FOR UPDATE SKIP LOCKED"), args, func(s scan) error {
		left = append(left, leftover{})
		l := &left[len(left)-1]
		return s(&l.in.ID, &l.delivery, &l.number, &l.at)
	})
	return left, err
}

// interrupt ends the claim of an attempt and notes that nobody knows how it ended. The
// delivery is tried again at once, but not longer than any other is: one that ends its
// process each time must not do so for ever.
func (d *DB) interrupt(ctx context.Context, l leftover) error {
	if _, err := d.exec(ctx, `UPDATE deliveries
		SET claimed_by = NULL, claimed_at = NULL, claimed_until = NULL, failing = true,
			status = CASE WHEN status = 'pending' AND claimed_at - since > $3 THEN 'failed' ELSE status END,
			ready = (status = 'pending' AND claimed_at - since <= $3),
			next_attempt_at = CASE WHEN status = 'pending' AND claimed_at - since <= $3 THEN claimed_at END
		WHERE portfolio_id = $1 AND id = $2`, l.in.ID, l.delivery, webhook.GiveUp.Milliseconds()); err != nil {
		return err
	}
	return d.addAttempts(ctx, l.in, []webhook.Conclusion{{Work: &webhook.Work{ID: l.delivery}, Attempt: webhook.Interrupted(l.number, l.at)}})
}
