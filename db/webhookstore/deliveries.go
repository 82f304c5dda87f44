package webhookstore

import (
	"context"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/event"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/webhook"
	"portal/db"
	"portal/db/rows"
)

// eventTable has the columns of events, and where in one their values are.
var eventTable = rows.NewTable(
	"events",
	rows.At("id", func(r *webhook.Event) *string { return &r.ID }),
	rows.At("created_at", func(r *webhook.Event) *clock.Time { return &r.CreatedAt }),
	rows.At("type", func(r *webhook.Event) *webhook.Kind { return &r.Type }),
	rows.At("body", func(r *webhook.Event) *[]byte { return &r.Body }),
)

// AddEvent writes an event with its final bytes.
func (s *Store) AddEvent(ctx context.Context, in access.Portfolio, e *webhook.Event) error {
	sql, args, err := eventTable.Insertion(s.db, in, []webhook.Event{*e})
	if err != nil {
		return err
	}
	return s.db.Later(ctx, sql, args...)
}

// Event reads one event, or fault.NotFound.
func (s *Store) Event(ctx context.Context, in access.Portfolio, id string) (e webhook.Event, err error) {
	found, err := s.db.One(ctx, `SELECT `+eventTable.Columns+`
		FROM events
		WHERE portfolio_id = $1 AND id = $2`, []any{in.ID, id}, eventTable.Targets(&e)...)
	if err == nil && !found {
		err = fault.NotFound("event")
	}
	return e, err
}

// NoteStreamed keeps when the first event of a portfolio was streamed.
func (s *Store) NoteStreamed(ctx context.Context, in access.Portfolio, at clock.Time) error {
	_, err := s.db.Exec(
		ctx, `UPDATE portfolios SET streamed_at = $2 WHERE id = $1 AND streamed_at IS NULL`, in.ID, int64(at),
	)
	return err
}

// EventsAfter reads events behind a position, in ascending id.
func (s *Store) EventsAfter(
	ctx context.Context, in access.Portfolio, position string, most int,
) ([]webhook.Event, error) {
	events := []webhook.Event{}
	err := s.db.Each(ctx, `SELECT `+eventTable.Columns+`
		FROM events
		WHERE portfolio_id = $1 AND id > $2
		ORDER BY id
		LIMIT $3`, []any{in.ID, position, int64(most)}, func(scan db.Scan) error {
		events = append(events, webhook.Event{})
		return eventTable.Scan(scan, &events[len(events)-1])
	})
	return events, err
}

// SentEvents reads the events behind a position whose bytes are kept, of a type where one
// is named, in ascending id.
func (s *Store) SentEvents(
	ctx context.Context, in access.Portfolio, position string, kind event.Type, most int,
) ([]webhook.Event, error) {
	args := []any{in.ID, position, id.Event + "_~", int64(most)}
	if kind != "" {
		args = append(args, string(kind))
	}
	events := []webhook.Event{}
	err := s.db.Each(
		ctx,
		`SELECT `+eventTable.Columns+s.eventsOf(kind != "", " AND body IS NOT NULL", "id"),
		args,
		func(scan db.Scan) error {
			events = append(events, webhook.Event{})
			return eventTable.Scan(scan, &events[len(events)-1])
		},
	)
	return events, err
}

// AddDeliveries queues deliveries for an attempt at once.
func (s *Store) AddDeliveries(ctx context.Context, in access.Portfolio, all []webhook.Delivery) error {
	const columns = "portfolio_id, id, created_at, event_id, endpoint_id, event_type, next_attempt_at, status, ready, manual, attempts, tries"
	for part := range slices.Chunk(all, rows.Bulk) {
		m, tuples := rows.NewMarker(s.db), make([]string, len(part))
		for i := range part {
			v := &part[i]
			tuples[i] = "(" + strings.Join([]string{
				m.Mark(in.ID),
				m.Mark(v.ID),
				m.Mark(int64(v.CreatedAt)),
				m.Mark(v.EventID),
				m.Mark(v.EndpointID),
				m.Mark(string(v.EventType)),
				m.Mark(int64(v.CreatedAt)),
			}, ", ") + ", " + rows.Literal(webhook.Pending) + ", true, false, 0, 0)"
		}
		err := s.db.Later(ctx, "INSERT INTO deliveries ("+columns+") VALUES "+strings.Join(tuples, ", "), m.Args...)
		if err != nil {
			return err
		}
	}
	return nil
}

var deliveryColumns = `d.id, d.created_at, d.event_id, d.event_type, d.endpoint_id,
	` + shownStatusOf("d.") + `, d.next_attempt_at, d.attempts,
	1 + d.changes + d.attempts - CASE WHEN d.claimed_by IS NULL THEN 0 ELSE 1 END, d.changed_at,
	l.duration_ms + l.at, l.duration_ms, l.status_code, l.error`

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
	return []any{
		&v.ID,
		&v.CreatedAt,
		&v.EventID,
		&v.EventType,
		&v.EndpointID,
		&v.Status,
		&v.NextAttemptAt,
		&v.AttemptCount,
		&v.Version,
		&r.changed,
		&r.attempted,
		&v.LastDurationMS,
		&v.LastStatusCode,
		&v.LastError,
	}
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
func (s *Store) Delivery(ctx context.Context, in access.Portfolio, id string) (v webhook.Delivery, err error) {
	v.Attempts = []webhook.Attempt{}
	r := deliveryRow{Delivery: &v}
	err = s.db.Each(ctx, `SELECT `+deliveryColumns+`, `+attemptColumns+`
		FROM deliveries d`+lastAttempt+`
		LEFT JOIN delivery_attempts a ON a.portfolio_id = d.portfolio_id AND a.delivery_id = d.id
		WHERE d.portfolio_id = $1 AND d.id = $2
		ORDER BY a.number`, []any{in.ID, id}, func(scan db.Scan) error {
		a, err := readAttempt(scan, r.into()...)
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
func readAttempt(scan db.Scan, others ...any) (*webhook.Attempt, error) {
	var a webhook.Attempt
	var number *int
	var at *clock.Time
	var took *int64
	var cause *webhook.Trigger
	var request, response *map[string][]string
	var body []byte
	err := scan(append(
		others,
		&number,
		&at,
		&took,
		&a.StatusCode,
		&a.Error,
		rows.JSONInto(&request),
		rows.JSONInto(&response),
		&body,
		&cause,
	)...)
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

// Redeliver queues a delivery on which no attempt runs, with a schedule that begins anew.
func (s *Store) Redeliver(ctx context.Context, in access.Portfolio, id string, at clock.Time) (bool, error) {
	n, err := s.db.Exec(ctx, `UPDATE deliveries
		SET `+rows.Is("status", webhook.Pending)+`, ready = true, manual = true, tries = 0, since = NULL, next_attempt_at = $3, changes = changes + 1, changed_at = $3
		WHERE portfolio_id = $1 AND id = $2 AND claimed_by IS NULL`, in.ID, id, int64(at))
	return n == 1, err
}

// ForgetEvents forgets the bytes of events from before a moment, a bounded number at a
// time, and tells how many. Those that are still on their way are forgotten later.
func (s *Store) ForgetEvents(ctx context.Context, before clock.Time, most int) (int64, error) {
	return s.db.Exec(ctx, `UPDATE events
		SET body = NULL
		WHERE (portfolio_id, id) IN (
			SELECT e.portfolio_id, e.id
			FROM events e
			WHERE e.id < $1 AND e.body IS NOT NULL AND NOT EXISTS (
				SELECT 1
				FROM deliveries d`+s.db.IndexedBy("deliveries_event")+`
				WHERE d.portfolio_id = e.portfolio_id AND d.event_id = e.id AND `+rows.Is("d.status", webhook.Pending)+`)
			ORDER BY e.id
			LIMIT $2)`, id.After(id.Event, (before-1).Std()), most)
}

// ForgetAttempts forgets what was sent and answered in attempts from before a moment, a
// bounded number at a time, and tells how many.
func (s *Store) ForgetAttempts(ctx context.Context, before clock.Time, most int) (int64, error) {
	return s.db.Exec(ctx, `UPDATE delivery_attempts
		SET request_headers = NULL, response_headers = NULL, response_body = NULL
		WHERE (portfolio_id, delivery_id, number) IN (
			SELECT portfolio_id, delivery_id, number
			FROM delivery_attempts
			WHERE at < $1 AND request_headers IS NOT NULL
			ORDER BY at
			LIMIT $2)`, int64(before), most)
}

// CancelDeliveries cancels the deliveries that are queued for an endpoint; they and
// their attempts stay as history.
func (s *Store) CancelDeliveries(ctx context.Context, in access.Portfolio, endpointID string, at clock.Time) error {
	_, err := s.db.Exec(ctx, `UPDATE deliveries`+s.db.IndexedBy("deliveries_endpoint_shown")+`
		SET `+rows.Is("status", webhook.Cancelled)+`, ready = false, next_attempt_at = NULL, changes = changes + 1, changed_at = $3
		WHERE portfolio_id = $1 AND endpoint_id = $2 AND `+rows.OneOf(
		shownStatus, webhook.QueuedDeliveries(),
	), in.ID, endpointID, int64(at))
	return err
}
