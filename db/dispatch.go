package db

import (
	"context"
	"fmt"
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
		due (endpoint_id, portfolio_id) AS (
			SELECT w.endpoint_id, (
				SELECT d.portfolio_id
				FROM deliveries d
				WHERE d.ready AND d.endpoint_id = w.endpoint_id AND d.next_attempt_at <= $1
				ORDER BY d.next_attempt_at
				LIMIT 1)
			FROM waiting w
			WHERE w.endpoint_id IS NOT NULL)
		SELECT due.endpoint_id, p.id, p.mode
		FROM due
		JOIN portfolios p ON p.id = due.portfolio_id`, []any{int64(now)}, func(s scan) error {
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
			FROM deliveries
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
		FROM deliveries d
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
	places, args := make([]string, len(work)), []any{at.Portfolio.ID, c.By, int64(c.At), int64(c.Until)}
	for i := range work {
		args = append(args, work[i].ID)
		places[i] = fmt.Sprintf("$%d", len(args))
	}
	_, err = d.exec(ctx, `UPDATE deliveries
		SET ready = false, manual = false, attempts = attempts + 1, tries = tries + 1, since = COALESCE(since, $3), next_attempt_at = NULL,
			claimed_by = $2, claimed_at = $3, claimed_until = $4
		WHERE portfolio_id = $1 AND id IN (`+strings.Join(places, ", ")+`)`, args...)
	return work, err
}

// Conclude notes how attempts at an endpoint ended whose claims a process still has. The
// endpoint comes first, as in all that changes both.
func (d *DB) Conclude(ctx context.Context, at webhook.Place, by string, all []webhook.Conclusion) (out webhook.Concluded, err error) {
	err = d.Atomically(ctx, func(ctx context.Context) (err error) {
		out = webhook.Concluded{Waiting: make([]bool, len(all))}
		if out.FailingSince, err = d.noteEndpoint(ctx, at, all); err != nil {
			return err
		}
		for i := range all {
			held, waiting, err := d.noteDelivery(ctx, at.Portfolio, by, &all[i])
			if err != nil {
				return err
			}
			out.Waiting[i] = waiting
			if !held {
				out.Lost++
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
		if c.Unsent {
			continue
		}
		end := c.Attempt.At + clock.Time(c.Attempt.DurationMS)
		last = later(last, c.Attempt.At)
		switch {
		case c.Broken:
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

// noteDelivery notes how an attempt ended, unless another process has taken its claim
// over: held tells. waiting tells whether the delivery is tried again at its time. A
// delivery that was cancelled meanwhile stays so, unless it was acknowledged after all.
func (d *DB) noteDelivery(ctx context.Context, in access.Portfolio, by string, c *webhook.Conclusion) (held, waiting bool, err error) {
	mine := []any{in.ID, c.Work.ID, by, c.Work.Attempt}
	const whose = " WHERE portfolio_id = $1 AND id = $2 AND claimed_by = $3 AND attempts = $4 AND status "
	const free = "claimed_by = NULL, claimed_at = NULL, claimed_until = NULL"
	if c.Unsent {
		n, err := d.exec(ctx, "UPDATE deliveries SET "+free+", attempts = attempts - 1, tries = tries - 1, ready = (status = 'pending'), next_attempt_at = CASE WHEN status = 'pending' THEN CAST($5 AS BIGINT) END"+whose+"IS NOT NULL",
			append(mine, int64(c.Attempt.At))...)
		return n == 1, false, err
	}
	n, err := d.exec(ctx, "UPDATE deliveries SET "+free+", status = $5, ready = $6, next_attempt_at = $7"+whose+"= 'pending'",
		append(mine, string(c.Status), c.Status == webhook.Pending && c.Next == nil, next(c))...)
	if err != nil {
		return false, false, err
	}
	waiting = n == 1 && c.Next != nil
	if n == 0 {
		if n, err = d.exec(ctx, "UPDATE deliveries SET "+free+", status = CASE WHEN $5 THEN 'succeeded' ELSE status END"+whose+"= 'cancelled'",
			append(mine, c.Status == webhook.Succeeded)...); err != nil || n == 0 {
			return false, false, err
		}
	}
	return true, waiting, d.addAttempt(ctx, in, c.Work.ID, &c.Attempt)
}

// next is when a delivery is due again: at once where no moment is named.
func next(c *webhook.Conclusion) any {
	switch {
	case c.Status != webhook.Pending:
		return nil
	case c.Next == nil:
		return int64(c.Attempt.At)
	}
	return int64(*c.Next)
}

func (d *DB) addAttempt(ctx context.Context, in access.Portfolio, delivery string, a *webhook.Attempt) error {
	var request, response any
	if a.RequestHeaders != nil {
		request = jsonOf(&a.RequestHeaders)
	}
	if a.ResponseHeaders != nil {
		response = jsonOf(&a.ResponseHeaders)
	}
	var body []byte
	if a.ResponseBody != nil {
		body = []byte(*a.ResponseBody)
	}
	_, err := d.exec(ctx, `INSERT INTO delivery_attempts (portfolio_id, delivery_id, number, at, duration_ms, status_code, error, request_headers, response_headers, response_body, cause)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
		in.ID, delivery, a.Number, int64(a.At), a.DurationMS, a.StatusCode, a.Error, request, response, body, string(a.Trigger))
	return err
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
				LIMIT $2)`, int64(overdue), int64(most))
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
	args, whose := []any{int64(now), int64(most)}, ""
	for _, p := range processes {
		args = append(args, p)
		whose += fmt.Sprintf(" OR claimed_by = $%d", len(args))
	}
	err = d.each(ctx, `SELECT portfolio_id, id, attempts, claimed_at
		FROM deliveries
		WHERE claimed_by IS NOT NULL AND (claimed_until <= $1`+whose+`)
		LIMIT $2 + 0`+d.locking(" FOR UPDATE SKIP LOCKED"), args, func(s scan) error {
		left = append(left, leftover{})
		l := &left[len(left)-1]
		return s(&l.in.ID, &l.delivery, &l.number, &l.at)
	})
	return left, err
}

// interrupt ends the claim of an attempt and notes that nobody knows how it ended.
func (d *DB) interrupt(ctx context.Context, l leftover) error {
	if _, err := d.exec(ctx, `UPDATE deliveries
		SET claimed_by = NULL, claimed_at = NULL, claimed_until = NULL, ready = (status = 'pending'), next_attempt_at = CASE WHEN status = 'pending' THEN claimed_at END
		WHERE portfolio_id = $1 AND id = $2`, l.in.ID, l.delivery); err != nil {
		return err
	}
	a := webhook.Interrupted(l.number, l.at)
	return d.addAttempt(ctx, l.in, l.delivery, &a)
}
