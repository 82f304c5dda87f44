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

// Claim takes deliveries of an endpoint whose attempts may start, the longest due first.
// It is nil where another process is at the endpoint. Two processes cannot take the same,
// and what is taken together with what runs elsewhere stays within InFlight.
func (d *DB) Claim(ctx context.Context, at webhook.Place, c webhook.Claim) (claimed *webhook.Claimed, err error) {
	err = d.Atomically(ctx, func(ctx context.Context) error {
		claimed = nil
		var out webhook.Claimed
		var status webhook.EndpointStatus
		found, err := d.one(ctx, `SELECT url, status, secret, previous_secret, previous_secret_expires_at
			FROM webhook_endpoints
			WHERE portfolio_id = $1 AND id = $2`+d.locking(" FOR NO KEY UPDATE SKIP LOCKED"),
			[]any{at.Portfolio.ID, at.Endpoint}, &out.URL, &status, &out.Secret, &out.Previous, &out.PreviousUntil)
		if err != nil || !found {
			return err
		}
		claimed = &out
		if status != webhook.Enabled {
			return d.CancelDeliveries(ctx, at.Portfolio, at.Endpoint)
		}
		var running int
		if _, err := d.one(ctx, `SELECT count(*)
			FROM deliveries`+d.by("deliveries_claimed")+`
			WHERE portfolio_id = $1 AND endpoint_id = $2 AND claimed_by IS NOT NULL AND claimed_until > $3`,
			[]any{at.Portfolio.ID, at.Endpoint, int64(c.At)}, &running); err != nil {
			return err
		}
		if most := min(c.Most, c.InFlight-running); most > 0 {
			out.Work, err = d.take(ctx, at, c, most)
		}
		return err
	})
	return claimed, err
}

// take reads what is due and marks it as taken.
func (d *DB) take(ctx context.Context, at webhook.Place, c webhook.Claim, most int) ([]webhook.Work, error) {
	work := make([]webhook.Work, 0, most)
	err := d.each(ctx, `SELECT d.id, d.event_id, e.type, e.body, d.attempts + 1, d.tries + 1, COALESCE(d.since, $3), CASE WHEN d.manual THEN 'manual' ELSE 'schedule' END
		FROM deliveries d`+d.by("deliveries_ready")+`
		JOIN events e ON e.portfolio_id = d.portfolio_id AND e.id = d.event_id
		WHERE d.ready AND d.endpoint_id = $2 AND d.portfolio_id = $1 AND d.next_attempt_at <= $3
		ORDER BY d.next_attempt_at
		LIMIT $4 + 0`+d.locking(" FOR UPDATE OF d SKIP LOCKED"), []any{at.Portfolio.ID, at.Endpoint, int64(c.At), int64(most)}, func(s scan) error {
		work = append(work, webhook.Work{})
		w := &work[len(work)-1]
		return s(&w.ID, &w.EventID, &w.Type, &w.Body, &w.Attempt, &w.Try, &w.Since, &w.Trigger)
	})
	if err != nil || len(work) == 0 {
		return nil, err
	}
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
	_, err = d.exec(ctx, query+strings.Join(ids, ", ")+")", m.args...)
	return work, err
}

// Conclude notes how attempts at an endpoint ended whose claims a process still has. The
// endpoint comes first, as in all that changes both.
func (d *DB) Conclude(ctx context.Context, at webhook.Place, by string, all []webhook.Conclusion) (out webhook.Concluded, err error) {
	err = d.Atomically(ctx, func(ctx context.Context) (err error) {
		out = webhook.Concluded{}
		if out.FailingSince, err = d.noteEndpoint(ctx, at, all); err != nil {
			return err
		}
		for part := range slices.Chunk(all, bulk) {
			if err := d.noteDeliveries(ctx, at, by, part, &out); err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

// noteEndpoint notes when an endpoint was last sent to, and since when it fails.
func (d *DB) noteEndpoint(ctx context.Context, at webhook.Place, all []webhook.Conclusion) (since *clock.Time, err error) {
	var last, good, bad *clock.Time // bad is the first failure since the last success
	for i := range all {
		c := &all[i]
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
		return nil, nil //nolint:nilnil // nothing was sent
	}
	_, err = d.one(ctx, `UPDATE webhook_endpoints
		SET last_delivery_at = CASE WHEN last_delivery_at > $3 THEN last_delivery_at ELSE $3 END,
			last_success_at = CASE WHEN last_success_at > CAST($4 AS BIGINT) THEN last_success_at ELSE COALESCE($4, last_success_at) END,
			failing_since = CASE WHEN CAST($4 AS BIGINT) IS NULL THEN COALESCE(failing_since, $5) ELSE CAST($5 AS BIGINT) END
		WHERE portfolio_id = $1 AND id = $2
		RETURNING failing_since`, []any{at.Portfolio.ID, at.Endpoint, last, good, bad}, &since)
	return since, err
}

func later(a *clock.Time, b clock.Time) *clock.Time {
	if a != nil && *a > b {
		return a
	}
	return &b
}

// noteDeliveries notes how attempts ended, but for those whose claim another process has
// taken over. A delivery that was cancelled meanwhile stays so, unless it was acknowledged
// after all.
func (d *DB) noteDeliveries(ctx context.Context, at webhook.Place, by string, all []webhook.Conclusion, out *webhook.Concluded) error {
	rows, m := make([]string, len(all)), marker{pg: d.pg != nil}
	for i := range all {
		c := &all[i]
		due, ready := next(c)
		rows[i] = "(" + m.typed("TEXT", c.Work.ID) + ", " + m.typed("BIGINT", c.Work.Attempt) + ", " + m.typed("TEXT", string(c.Status)) + ", " +
			m.typed("BIGINT", due) + ", " + m.typed("BOOLEAN", ready) + ", " + m.typed("BIGINT", unsent(c)) + ")"
	}
	held := make(map[string]bool, len(all)) // whether it is still to be delivered
	err := d.each(ctx, `WITH ended (delivery_id, attempt, status, due_at, due_now, unsent) AS (VALUES `+strings.Join(rows, ", ")+`)
		UPDATE deliveries
		SET claimed_by = NULL, claimed_at = NULL, claimed_until = NULL, attempts = attempts - unsent, tries = tries - unsent,
			status = CASE WHEN deliveries.status = 'pending' OR ended.status = 'succeeded' THEN ended.status ELSE deliveries.status END,
			ready = deliveries.status = 'pending' AND due_now,
			next_attempt_at = CASE WHEN deliveries.status = 'pending' THEN due_at END
		FROM ended
		WHERE portfolio_id = `+m.mark(at.Portfolio.ID)+` AND id = delivery_id AND claimed_by = `+m.mark(by)+` AND attempts = attempt
		RETURNING id, deliveries.status = 'pending'`, m.args, func(s scan) error {
		var id string
		var pending bool
		err := s(&id, &pending)
		held[id] = pending
		return err
	})
	if err != nil {
		return err
	}
	var attempts []webhook.Conclusion
	for i := range all {
		pending, mine := held[all[i].Work.ID]
		switch {
		case !mine:
			out.Lost++
		case !all[i].Unsent:
			attempts = append(attempts, all[i])
		}
		out.Waiting = append(out.Waiting, pending && all[i].Next != nil)
	}
	if err := d.addAttempts(ctx, at.Portfolio, attempts); err != nil {
		return err
	}
	return d.countAttempts(ctx, at, attempts)
}

func unsent(c *webhook.Conclusion) int64 {
	if c.Unsent {
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
	return insert(ctx, d, in, "delivery_attempts", attemptRow, all, func(c *webhook.Conclusion) ([]any, error) {
		a := &c.Attempt
		var body []byte
		if a.ResponseBody != nil {
			body = []byte(*a.ResponseBody)
		}
		return []any{c.Work.ID, a.Number, int64(a.At), a.DurationMS, a.StatusCode, a.Error, headers(a.RequestHeaders), headers(a.ResponseHeaders), body, string(a.Trigger)}, nil
	})
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
		SET claimed_by = NULL, claimed_at = NULL, claimed_until = NULL,
			status = CASE WHEN status = 'pending' AND claimed_at - since > $3 THEN 'failed' ELSE status END,
			ready = (status = 'pending' AND claimed_at - since <= $3),
			next_attempt_at = CASE WHEN status = 'pending' AND claimed_at - since <= $3 THEN claimed_at END
		WHERE portfolio_id = $1 AND id = $2`, l.in.ID, l.delivery, webhook.GiveUp.Milliseconds()); err != nil {
		return err
	}
	return d.addAttempts(ctx, l.in, []webhook.Conclusion{{Work: &webhook.Work{ID: l.delivery}, Attempt: webhook.Interrupted(l.number, l.at)}})
}
