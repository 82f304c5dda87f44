package db

import (
	"context"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/webhook"
)

// AddEvent writes an event with its final bytes.
func (d *DB) AddEvent(ctx context.Context, in access.Portfolio, e *webhook.Event) error {
	return d.later(ctx, `INSERT INTO events (portfolio_id, id, created_at, type, body)
		VALUES ($1, $2, $3, $4, $5)`, in.ID, e.ID, int64(e.CreatedAt), string(e.Type), e.Body)
}

const eventColumns = "id, created_at, type, body"

func eventInto(e *webhook.Event) []any { return []any{&e.ID, &e.CreatedAt, &e.Type, &e.Body} }

// Event reads one event, or fault.NotFound.
func (d *DB) Event(ctx context.Context, in access.Portfolio, id string) (e webhook.Event, err error) {
	found, err := d.one(ctx, `SELECT `+eventColumns+`
		FROM events
		WHERE portfolio_id = $1 AND id = $2`, []any{in.ID, id}, eventInto(&e)...)
	if err == nil && !found {
		err = fault.NotFound("event")
	}
	return e, err
}

// EventsAfter reads events behind a position, in ascending id.
func (d *DB) EventsAfter(ctx context.Context, in access.Portfolio, position string, most int) ([]webhook.Event, error) {
	events := []webhook.Event{}
	err := d.each(ctx, `SELECT `+eventColumns+`
		FROM events
		WHERE portfolio_id = $1 AND id > $2
		ORDER BY id
		LIMIT $3 + 0`, []any{in.ID, position, int64(most)}, func(s scan) error {
		events = append(events, webhook.Event{})
		return s(eventInto(&events[len(events)-1])...)
	})
	return events, err
}

// SentEvents reads the events behind a position whose bytes are kept, of a type where one
// is named, in ascending id.
func (d *DB) SentEvents(ctx context.Context, in access.Portfolio, position string, kind webhook.EventType, most int) ([]webhook.Event, error) {
	index, ofKind, args := "", "", []any{in.ID, position, int64(most)}
	if kind != "" {
		args = append(args, string(kind))
		index, ofKind = d.by("events_type"), " AND type = $4"
	}
	events := []webhook.Event{}
	err := d.each(ctx, `SELECT `+eventColumns+`
		FROM events`+index+`
		WHERE portfolio_id = $1 AND id > $2 AND body IS NOT NULL`+ofKind+`
		ORDER BY id
		LIMIT $3 + 0`, args, func(s scan) error {
		events = append(events, webhook.Event{})
		return s(eventInto(&events[len(events)-1])...)
	})
	return events, err
}

// AddDeliveries queues deliveries for an attempt at once.
func (d *DB) AddDeliveries(ctx context.Context, in access.Portfolio, all []webhook.Delivery) error {
	const columns = "portfolio_id, id, created_at, event_id, endpoint_id, event_type, next_attempt_at, status, ready, manual, attempts, tries"
	for part := range slices.Chunk(all, bulk) {
		m, rows := marker{pg: d.pg != nil}, make([]string, len(part))
		for i := range part {
			v := &part[i]
			rows[i] = "(" + strings.Join([]string{m.mark(in.ID), m.mark(v.ID), m.mark(int64(v.CreatedAt)), m.mark(v.EventID),
				m.mark(v.EndpointID), m.mark(string(v.EventType)), m.mark(int64(v.CreatedAt))}, ", ") + ", 'pending', true, false, 0, 0)"
		}
		if err := d.later(ctx, "INSERT INTO deliveries ("+columns+") VALUES "+strings.Join(rows, ", "), m.args...); err != nil {
			return err
		}
	}
	return nil
}

const deliveryColumns = `d.id, d.created_at, d.event_id, d.event_type, d.endpoint_id,
	CASE WHEN d.status = 'pending' AND d.failing THEN 'retrying' ELSE d.status END, d.next_attempt_at, d.attempts,
	1 + d.changes + d.attempts - CASE WHEN d.claimed_by IS NULL THEN 0 ELSE 1 END, d.changed_at, l.at + l.duration_ms, l.status_code, l.error`

// lastAttempt is the attempt at a delivery that ended last.
const lastAttempt = `
		LEFT JOIN delivery_attempts l ON l.portfolio_id = d.portfolio_id AND l.delivery_id = d.id AND l.number = (
			SELECT max(n.number)
			FROM delivery_attempts n
			WHERE n.portfolio_id = d.portfolio_id AND n.delivery_id = d.id)`

// deliveryRow reads a delivery. What changed it last was its creation, the end of an
// attempt, or that it was queued again or cancelled.
type deliveryRow struct {
	*webhook.Delivery
	changed, attempted *clock.Time
}

func (r *deliveryRow) into() []any {
	v := r.Delivery
	return []any{&v.ID, &v.CreatedAt, &v.EventID, &v.EventType, &v.EndpointID, &v.Status, &v.NextAttemptAt, &v.AttemptCount,
		&v.Version, &r.changed, &r.attempted, &v.LastStatusCode, &v.LastError}
}

func (r *deliveryRow) complete(mode access.Mode) {
	v := r.Delivery
	v.Object, v.Mode, v.UpdatedAt = "delivery", mode, v.CreatedAt
	for _, at := range []*clock.Time{r.changed, r.attempted} {
		if at != nil {
			v.UpdatedAt = max(v.UpdatedAt, *at)
		}
	}
}

// Delivery reads one delivery with its attempts, all as of one moment, or fault.NotFound.
func (d *DB) Delivery(ctx context.Context, in access.Portfolio, id string) (v webhook.Delivery, err error) {
	v.Attempts = []webhook.Attempt{}
	r := deliveryRow{Delivery: &v}
	err = d.each(ctx, `SELECT `+deliveryColumns+`, `+attemptColumns+`
		FROM deliveries d`+lastAttempt+`
		LEFT JOIN delivery_attempts a ON a.portfolio_id = d.portfolio_id AND a.delivery_id = d.id
		WHERE d.portfolio_id = $1 AND d.id = $2
		ORDER BY a.number`, []any{in.ID, id}, func(s scan) error {
		a, err := readAttempt(s, r.into()...)
		if a != nil {
			v.Attempts = append(v.Attempts, *a)
		}
		return err
	})
	if err == nil && v.ID == "" {
		err = fault.NotFound("delivery")
	}
	r.complete(in.Mode)
	return v, err
}

const attemptColumns = "a.number, a.at, a.duration_ms, a.status_code, a.error, a.request_headers, a.response_headers, a.response_body, a.cause"

// readAttempt reads an attempt that stands behind other columns, nil where there is none.
func readAttempt(s scan, others ...any) (*webhook.Attempt, error) {
	var a webhook.Attempt
	var number *int
	var at *clock.Time
	var took *int64
	var cause *webhook.Trigger
	var request, response *map[string][]string
	var body []byte
	err := s(append(others, &number, &at, &took, &a.StatusCode, &a.Error, jsonInto(&request), jsonInto(&response), &body, &cause)...)
	if err != nil || number == nil {
		return nil, err
	}
	a.Number, a.At, a.DurationMS, a.Trigger = *number, *at, *took, *cause
	if request != nil {
		a.RequestHeaders = *request
	}
	if response != nil {
		a.ResponseHeaders = *response
	}
	if body != nil {
		a.ResponseBody = new(strings.ToValidUTF8(string(body), "\ufffd"))
	}
	return &a, nil
}

// FailingSince reads since when nothing but failures has come of an endpoint, nil where
// that is not so.
func (d *DB) FailingSince(ctx context.Context, in access.Portfolio, endpointID string) (since *clock.Time, err error) {
	_, err = d.one(ctx, `SELECT failing_since
		FROM webhook_endpoints
		WHERE portfolio_id = $1 AND id = $2`, []any{in.ID, endpointID}, &since)
	return since, err
}

// Redeliver queues a delivery on which no attempt runs, with a schedule that begins anew.
func (d *DB) Redeliver(ctx context.Context, in access.Portfolio, id string, at clock.Time) (bool, error) {
	n, err := d.exec(ctx, `UPDATE deliveries
		SET status = 'pending', ready = true, manual = true, tries = 0, since = NULL, next_attempt_at = $3, changes = changes + 1, changed_at = $3
		WHERE portfolio_id = $1 AND id = $2 AND claimed_by IS NULL`, in.ID, id, int64(at))
	return n == 1, err
}

// EnableEndpoint saves an endpoint and forgets since when it has failed.
func (d *DB) EnableEndpoint(ctx context.Context, in access.Portfolio, e *webhook.Endpoint) error {
	return d.Atomically(ctx, func(ctx context.Context) error {
		if err := d.SaveEndpoint(ctx, in, e); err != nil {
			return err
		}
		_, err := d.exec(ctx, `UPDATE webhook_endpoints
			SET failing_since = NULL
			WHERE portfolio_id = $1 AND id = $2`, in.ID, e.ID)
		return err
	})
}

// PortfolioWith finds whose a record is, by one look-up in each portfolio.
func (d *DB) PortfolioWith(ctx context.Context, noun, id string) (in access.Portfolio, err error) {
	table := map[string]string{"webhook endpoint": "webhook_endpoints", "delivery": "deliveries", "event": "events"}[noun]
	found, err := d.one(ctx, `SELECT p.id, p.mode
		FROM portfolios p
		WHERE EXISTS (SELECT 1 FROM `+table+` r WHERE r.portfolio_id = p.id AND r.id = $1)`, []any{id}, &in.ID, &in.Mode)
	if err == nil && !found {
		err = fault.NotFound(noun)
	}
	return in, err
}

// ForgetEvents forgets the bytes of events from before a moment, a bounded number at a
// time, and tells how many. Those that are still on their way are forgotten later.
func (d *DB) ForgetEvents(ctx context.Context, before clock.Time, most int) (int64, error) {
	return d.exec(ctx, `UPDATE events
		SET body = NULL
		WHERE (portfolio_id, id) IN (
			SELECT e.portfolio_id, e.id
			FROM events e
			WHERE e.id < $1 AND e.body IS NOT NULL AND NOT EXISTS (
				SELECT 1
				FROM deliveries d`+d.by("deliveries_event")+`
				WHERE d.portfolio_id = e.portfolio_id AND d.event_id = e.id AND d.status = 'pending')
			ORDER BY e.id
			LIMIT $2)`, id.After(id.Event, (before-1).Std()), most)
}

// ForgetAttempts forgets what was sent and answered in attempts from before a moment, a
// bounded number at a time, and tells how many.
func (d *DB) ForgetAttempts(ctx context.Context, before clock.Time, most int) (int64, error) {
	return d.exec(ctx, `UPDATE delivery_attempts
		SET request_headers = NULL, response_headers = NULL, response_body = NULL
		WHERE (portfolio_id, delivery_id, number) IN (
			SELECT portfolio_id, delivery_id, number
			FROM delivery_attempts
			WHERE at < $1 AND request_headers IS NOT NULL
			ORDER BY at
			LIMIT $2)`, int64(before), most)
}
