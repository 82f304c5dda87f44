package webhookstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/event"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/webhook"
	"portal/db"
	"portal/db/rows"
)

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
func (s *Store) Event(ctx context.Context, in access.Portfolio, id string) (webhook.Event, error) {
	return eventTable.Record(ctx, s.db, "event", in, id)
}

// NoteStreamed keeps when the first event of a portfolio was streamed.
func (s *Store) NoteStreamed(ctx context.Context, in access.Portfolio, at clock.Time) error {
	return s.db.Run(
		ctx, `UPDATE portfolios SET streamed_at = $2 WHERE id = $1 AND streamed_at IS NULL`, in.ID, int64(at),
	)
}

// EventsAfter reads events behind a position, in ascending id.
func (s *Store) EventsAfter(
	ctx context.Context, in access.Portfolio, position string, most int,
) ([]webhook.Event, error) {
	return eventTable.All(ctx, s.db, `WHERE portfolio_id = $1 AND id > $2
		ORDER BY id
		LIMIT $3`, in.ID, position, int64(most))
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
	return rows.All(
		ctx,
		s.db,
		`SELECT `+eventTable.Columns+s.eventsOf(kind != "", " AND body IS NOT NULL", "id"),
		args,
		eventTable.Scan,
	)
}

// AddDeliveries queues deliveries for an attempt at once.
func (s *Store) AddDeliveries(ctx context.Context, in access.Portfolio, all []webhook.Delivery) error {
	const columns = "portfolio_id, id, created_at, event_id, endpoint_id, event_type, next_attempt_at, status, " +
		"ready, manual, attempts, tries"
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

const attemptColumns = "a.number, a.at, a.duration_ms, a.status_code, a.error, a.request_headers, " +
	"a.response_headers, a.response_body, a.cause"

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
	return s.db.Changes(ctx, `UPDATE deliveries
		SET `+rows.Is("status", webhook.Pending)+`, ready = true, manual = true, tries = 0, since = NULL,
			next_attempt_at = $3, changes = changes + 1, changed_at = $3
		WHERE portfolio_id = $1 AND id = $2 AND claimed_by IS NULL`, in.ID, id, int64(at))
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
				WHERE d.portfolio_id = e.portfolio_id AND d.event_id = e.id
					AND `+rows.Is("d.status", webhook.Pending)+`)
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
	return s.db.Run(ctx, `UPDATE deliveries`+s.db.IndexedBy("deliveries_endpoint_shown")+`
		SET `+rows.Is("status", webhook.Cancelled)+`, ready = false, next_attempt_at = NULL, changes = changes + 1,
			changed_at = $3
		WHERE portfolio_id = $1 AND endpoint_id = $2 AND `+rows.OneOf(
		shownStatus, webhook.QueuedDeliveries(),
	), in.ID, endpointID, int64(at))
}

// shownStatus is the status of a delivery as it is shown, in the words of the indexes
// deliveries_shown and deliveries_endpoint_shown. Both databases read an index on an
// expression only for that very expression.
var shownStatus = shownStatusOf("")

// shownStatusOf is shownStatus of the deliveries that a query calls by an alias, such as d.
func shownStatusOf(alias string) string {
	return "CASE WHEN " + rows.Is(alias+"status", webhook.Pending) + " AND " + alias + "failing THEN " +
		rows.Literal(webhook.Retrying) + " ELSE " + alias + "status END"
}

// Deliveries reads deliveries without their attempts, the newest first unless they are to
// ascend. Whatever the filter, about as many rows are read as are found.
func (s *Store) Deliveries(
	ctx context.Context, in access.Portfolio, f webhook.DeliveryFilter,
) ([]webhook.Delivery, error) {
	positions, args := s.deliveryPositions(in, f)
	found := []webhook.Delivery{}
	err := s.db.Each(ctx, `SELECT `+deliveryColumns+`
		FROM (`+positions+`) f
		JOIN deliveries d ON d.portfolio_id = $1 AND d.id = f.id`+lastAttempt, args, func(scan db.Scan) error {
		found = append(found, webhook.Delivery{})
		r := deliveryRow{Delivery: &found[len(found)-1]}
		err := scan(r.into()...)
		r.complete(in.Mode)
		return err
	})
	slices.SortFunc(found, func(a, b webhook.Delivery) int {
		if f.Ascending {
			return cmp.Compare(a.ID, b.ID)
		}
		return cmp.Compare(b.ID, a.ID)
	})
	return found, err
}

// deliveryPositions is the query of the ids that a filter finds, with its arguments. Each
// member of its union looks up all columns of one index but the last, the id: SQLite merges
// the members in the order of the list and stops at its end, PostgreSQL reads at most a page
// of each.
func (s *Store) deliveryPositions(in access.Portfolio, f webhook.DeliveryFilter) (query string, args []any) {
	q := s.deliveryQuery(in, f, f.Limit)
	members := q.members(f)
	order := `
			ORDER BY id DESC
			LIMIT $4`
	if f.Ascending {
		order = `
			ORDER BY id
			LIMIT $4`
	}
	if s.db.OnPostgres() && len(members) > 1 { // it sorts the members whole, unless each one ends by itself
		for i := range members {
			members[i] = "(" + members[i] + order + ")"
		}
	}
	return strings.Join(members, union) + order, q.args
}

// DeliveryCounts counts the deliveries that pass a filter by their status as it is shown, one more than
// list.Most at most of each, with one query. The status and the position of the filter are not looked at.
func (s *Store) DeliveryCounts(
	ctx context.Context, in access.Portfolio, f webhook.DeliveryFilter,
) (list.Counts[webhook.DeliveryStatus], error) {
	f.Before, f.After = "", ""
	q := s.deliveryQuery(in, f, list.Most+1)
	var each []string
	for _, status := range f.Status.Values() {
		f.Status = webhook.DeliveryStatus(status)
		each = append(each, `SELECT `+rows.Literal(f.Status)+` AS value, (SELECT count(*)
			FROM (`+strings.Join(q.members(f), union)+`
			LIMIT $4) n)`)
	}
	found := map[string]int{}
	err := s.db.Each(ctx, strings.Join(each, union), q.args, rows.Numbers(found))
	return rows.Counts[webhook.DeliveryStatus](found, err)
}

const union = `
			UNION ALL
			`

// deliveryQuery is a query of deliveries that is written member by member. Its arguments are the portfolio,
// the ids between which it looks, and how many rows it takes; then the values that it looks up.
type deliveryQuery struct {
	db   *db.DB
	args []any
}

func (s *Store) deliveryQuery(in access.Portfolio, f webhook.DeliveryFilter, most int) *deliveryQuery {
	after, before := deliverySpan(f)
	return &deliveryQuery{s.db, []any{in.ID, after, before, int64(most)}}
}

// is looks up a value of a column, "" for any.
func (q *deliveryQuery) is(column, value string) string {
	const first = 4
	if value == "" {
		return ""
	}
	i := slices.Index(q.args[first:], any(value)) + first
	if i < first {
		q.args = append(q.args, value)
		i = len(q.args) - 1
	}
	return fmt.Sprintf(" AND %s = $%d", column, i+1)
}

// members are the parts of a union that find the ids of a filter.
func (q *deliveryQuery) members(f webhook.DeliveryFilter) (all []string) {
	index, statuses, types := deliveryIndex(f)
	for _, status := range statuses {
		for _, kind := range types {
			all = append(all, `SELECT id
			FROM deliveries`+q.db.IndexedBy(index)+`
			WHERE portfolio_id = $1 AND id > $2 AND id < $3`+q.is("endpoint_id", f.EndpointID)+
				q.is("event_id", f.EventID)+q.is(shownStatus, status)+q.is("event_type", kind))
		}
	}
	return all
}

// deliveryIndex is the index that a filter is read from, "" for the primary key, with the
// statuses and the types of event to look up in it. An index begins with the status and the
// type: where only one of them is asked for, the other one is looked up by all its values.
func deliveryIndex(f webhook.DeliveryFilter) (index string, statuses, types []string) {
	statuses, types = []string{string(f.Status)}, []string{string(f.EventType)}
	switch narrow := f.Status != "" || f.EventType != ""; {
	case f.EventID != "": // has a delivery for each endpoint, and so few
		return "deliveries_event", statuses, types
	case !narrow && f.EndpointID != "":
		return "deliveries_endpoint", statuses, types
	case !narrow:
		return "", statuses, types
	}
	if f.Status == "" {
		statuses = webhook.DeliveryStatus("").Values()
	}
	if f.EventType == "" {
		types = event.Type("").Values()
	}
	if f.EndpointID != "" {
		return "deliveries_endpoint_shown", statuses, types
	}
	return "deliveries_shown", statuses, types
}

// deliverySpan are the positions between which the deliveries of a filter lie.
func deliverySpan(f webhook.DeliveryFilter) (after, before string) {
	after, before = rows.Span(id.Delivery, f.From, f.To, f.Before)
	return max(after, f.After), before
}

// Events reads events, the newest first, without their bytes unless these are asked for.
func (s *Store) Events(ctx context.Context, in access.Portfolio, f webhook.EventFilter) ([]webhook.Event, error) {
	after, before, order := rows.SpanFrom(id.Event, f.From, f.To, f.Before, f.Ascending)
	body, args := "NULL", []any{in.ID, after, before, int64(f.Limit)}
	if f.Bodies {
		body = "body"
	}
	if f.Type != "" {
		args = append(args, string(f.Type))
	}
	return rows.All(
		ctx,
		s.db,
		`SELECT id, created_at, type, `+body+s.eventsOf(f.Type != "", "", order),
		args,
		func(scan db.Scan, e *webhook.Event) error {
			return scan(&e.ID, &e.CreatedAt, &e.Type, &e.Body)
		},
	)
}

// eventsOf is the rest of a query of events: of the portfolio $1, between the ids $2 and $3, $4 at most, and of the
// type $5 where one is named. The order of a type is one that no index but that of types has. PostgreSQL would else
// look for a rare type among all events, wherever it believes that one type is as frequent as another.
func (s *Store) eventsOf(typed bool, kept, order string) string {
	index, between := "", "id > $2 AND id < $3"
	if typed {
		index, between = s.db.IndexedBy("events_type"), "(type, id) > ($5, $2) AND (type, id) < ($5, $3)"
		order = strings.Replace(order, "id", "type", 1) + ", " + order
	}
	return `
		FROM events` + index + `
		WHERE portfolio_id = $1 AND ` + between + kept + `
		ORDER BY ` + order + `
		LIMIT $4`
}

// Missed reads events of a time that an endpoint chose and that neither reached it nor
// are on their way, in ascending id behind a position.
func (s *Store) Missed(
	ctx context.Context, in access.Portfolio, e *webhook.Endpoint, m webhook.Span, position string, most int,
) ([]webhook.Missed, error) {
	query, args := s.missed(in, e, m, position)
	args = append(args, int64(most))
	return rows.All(ctx, s.db, query+fmt.Sprintf(`
		ORDER BY e.id
		LIMIT $%d`, len(args)), args, func(scan db.Scan, one *webhook.Missed) error {
		return scan(&one.EventID, &one.DeliveryID, &one.Type)
	})
}

// CountMissed counts all that Missed would read.
func (s *Store) CountMissed(
	ctx context.Context, in access.Portfolio, e *webhook.Endpoint, m webhook.Span,
) (n int, err error) {
	query, args := s.missed(in, e, m, "")
	_, err = s.db.One(ctx, "SELECT count(*) FROM ("+query+") missed", args, &n)
	return n, err
}

// MissedLately looks at the newest events up to before a moment, list.Most and one at most, and counts those that
// an endpoint has missed since each of other moments. Where older events of such a time were not looked at, the
// count has More.
func (s *Store) MissedLately(
	ctx context.Context, in access.Portfolio, e *webhook.Endpoint, since []clock.Time, to clock.Time,
) (missed []list.Count, err error) {
	kinds, args := chosen(e, []any{in.ID, behind(slices.Min(since)), behind(to), e.ID, int64(list.Most + 1)})
	sums, found := make([]string, len(since)), make([]int, len(since))
	looked, oldest := 0, ""
	targets := []any{&looked, &oldest}
	for i, at := range since {
		args = append(args, behind(at))
		sums[i] = fmt.Sprintf("COALESCE(sum(CASE WHEN e.id > $%d THEN 1 ELSE 0 END), 0)", len(args))
		targets = append(targets, &found[i])
	}
	_, err = s.db.One(ctx, `WITH newest AS (
			SELECT id, type, body IS NOT NULL AS kept
			FROM events
			WHERE portfolio_id = $1 AND id > $2 AND id <= $3
			ORDER BY id DESC
			LIMIT $5
		)
		SELECT (SELECT count(*) FROM newest), (SELECT COALESCE(min(id), '') FROM newest), `+strings.Join(sums, ", ")+`
		FROM newest e
		WHERE e.kept AND `+kinds+` AND (
			SELECT 1
			FROM deliveries d`+s.db.IndexedBy("deliveries_event")+`
			WHERE d.portfolio_id = $1 AND d.event_id = e.id AND d.endpoint_id = $4 AND `+notMissed+`
			LIMIT 1
		) IS NULL`, args, targets...)
	if err != nil {
		return nil, err
	}
	missed = make([]list.Count, len(since))
	for i, at := range since {
		missed[i] = list.CountOf(found[i])
		missed[i].More = missed[i].More || looked > list.Most && behind(at) < oldest
	}
	return missed, nil
}

// behind is the position of the first event that is no longer before a moment.
func behind(at clock.Time) string { return id.After(id.Event, (at - 1).Std()) }

// notMissed is said of deliveries whose event the receiver has, or may get yet.
var notMissed = "(" + rows.OneOf("d.status", webhook.DeliveriesNotMissed()) + " OR d.claimed_by IS NOT NULL)"

// chosen is the condition of the events that an endpoint gets, with the arguments it adds.
func chosen(e *webhook.Endpoint, args []any) (kinds string, all []any) {
	if slices.Contains(e.Events, webhook.EveryKind) {
		return "e.type <> '" + event.EndpointTest + "'", args
	}
	marks := make([]string, len(e.Events))
	for i, k := range e.Events {
		args = append(args, string(k))
		marks[i] = fmt.Sprintf("$%d", len(args))
	}
	return "e.type IN (" + strings.Join(marks, ", ") + ")", args
}

// missed is the query of what an endpoint has missed in a time behind a position, and its
// arguments.
func (s *Store) missed(
	in access.Portfolio, e *webhook.Endpoint, m webhook.Span, position string,
) (query string, args []any) {
	kinds, args := chosen(e, []any{in.ID, max(position, behind(m.From)), behind(m.To), e.ID})
	return `SELECT e.id, COALESCE(max(d.id), ''), max(e.type)
		FROM events e
		LEFT JOIN deliveries d` + s.db.IndexedBy("deliveries_event") + ` ON d.portfolio_id = e.portfolio_id AND
			d.event_id = e.id AND d.endpoint_id = $4
		WHERE e.portfolio_id = $1 AND e.id > $2 AND e.id <= $3 AND e.body IS NOT NULL AND ` + kinds + `
		GROUP BY e.id
		HAVING sum(CASE WHEN ` + notMissed + ` THEN 1 ELSE 0 END) = 0`, args
}
