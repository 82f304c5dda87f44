package webhookstore

import (
	"context"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/webhook"
	"portal/db"
	"portal/db/rows"
)

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
				failing = CASE WHEN unsent = 1 THEN failing ELSE ` + rows.IsNot("ended.status", webhook.Succeeded) + ` END,
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

const attemptRow = "delivery_id, number, at, duration_ms, status_code, error, request_headers, response_headers, response_body, cause"

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
