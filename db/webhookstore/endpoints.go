package webhookstore

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/list"
	"portal/api/webhook"
	"portal/db"
	"portal/db/rows"
)

// FailingSince reads since when nothing but failures has come of an endpoint, nil where
// that is not so.
func (s *Store) FailingSince(
	ctx context.Context, in access.Portfolio, endpointID string,
) (since *clock.Time, err error) {
	_, err = s.db.One(ctx, `SELECT failing_since
		FROM webhook_endpoints
		WHERE portfolio_id = $1 AND id = $2`, []any{in.ID, endpointID}, &since)
	return since, err
}

// EnableEndpoint saves an endpoint and forgets since when it has failed.
func (s *Store) EnableEndpoint(ctx context.Context, in access.Portfolio, e *webhook.Endpoint) error {
	return s.db.Atomically(ctx, func(ctx context.Context) error {
		if err := s.SaveEndpoint(ctx, in, e); err != nil {
			return err
		}
		return s.db.Run(ctx, `UPDATE webhook_endpoints
			SET failing_since = NULL
			WHERE portfolio_id = $1 AND id = $2`, in.ID, e.ID)
	})
}

// PortfolioWith finds whose a record is, by one look-up in each portfolio.
func (s *Store) PortfolioWith(ctx context.Context, noun, id string) (in access.Portfolio, err error) {
	table := map[string]string{
		"webhook endpoint": "webhook_endpoints",
		"delivery":         "deliveries",
		"event":            "events",
	}[noun]
	err = rows.Find(ctx, s.db, noun, `SELECT p.id, p.mode
		FROM portfolios p
		WHERE EXISTS (SELECT 1 FROM `+table+` r WHERE r.portfolio_id = p.id AND r.id = $1)`, []any{
		id,
	}, &in.ID, &in.Mode)
	return in, err
}

// endpointTable has the columns of endpoints, and where in a record their values are. When one was last sent
// to is noted by deliveries, which wait for no rule.
var endpointTable = rows.NewTable(
	"webhook_endpoints",
	rows.At("id", func(r *webhook.Endpoint) *string { return &r.ID }),
	rows.At("version", func(r *webhook.Endpoint) *int64 { return &r.Version }),
	rows.At("created_at", func(r *webhook.Endpoint) *clock.Time { return &r.CreatedAt }),
	rows.At("updated_at", func(r *webhook.Endpoint) *clock.Time { return &r.UpdatedAt }),
	rows.At("url", func(r *webhook.Endpoint) *string { return &r.URL }),
	rows.Column[webhook.Endpoint]{
		Name:   "events",
		Target: func(r *webhook.Endpoint) any { return (*kinds)(&r.Events) },
		Value:  func(r *webhook.Endpoint) (any, error) { return joined(r.Events), nil },
	},
	rows.At("description", func(r *webhook.Endpoint) **string { return &r.Description }),
	rows.At("status", func(r *webhook.Endpoint) *webhook.EndpointStatus { return &r.Status }),
	rows.At("disabled_at", func(r *webhook.Endpoint) **clock.Time { return &r.DisabledAt }),
	rows.At("disabled_reason", func(r *webhook.Endpoint) **webhook.DisabledReason { return &r.DisabledReason }),
	rows.At("secret_prefix", func(r *webhook.Endpoint) *string { return &r.SecretPrefix }),
	rows.At("previous_secret_expires_at", func(r *webhook.Endpoint) **clock.Time { return &r.PreviousSecretExpiresAt }),
	rows.Read("last_delivery_at", func(r *webhook.Endpoint) **clock.Time { return &r.LastDeliveryAt }),
	rows.Read("last_success_at", func(r *webhook.Endpoint) **clock.Time { return &r.LastSuccessAt }),
).Completed(func(e *webhook.Endpoint, mode access.Mode) {
	e.Object, e.Mode = "webhook_endpoint", mode
})

// kinds is a column with kinds of event, parted by commas.
type kinds []webhook.Kind

// Scan is sql.Scanner.
func (k *kinds) Scan(src any) error {
	all, err := rows.Text(src)
	if err != nil {
		return fmt.Errorf("the kinds of event: %w", err)
	}
	*k = nil
	for kind := range strings.SplitSeq(all, ",") {
		*k = append(*k, webhook.Kind(kind))
	}
	return nil
}

// Endpoints reads the webhook endpoints of a portfolio, one more than the limit.
func (s *Store) Endpoints(ctx context.Context, in access.Portfolio, q list.Query) ([]webhook.Endpoint, error) {
	l := rows.Listed(s.db, endpointTable.Columns, endpointTable.Name, in, id.Endpoint, q)
	return rows.Rows(ctx, s.db, l, endpointTable.Read(in))
}

// Endpoint reads one webhook endpoint, or fault.NotFound.
func (s *Store) Endpoint(ctx context.Context, in access.Portfolio, id string) (webhook.Endpoint, error) {
	return endpointTable.Record(ctx, s.db, "webhook endpoint", in, id)
}

// EnabledEndpoints reads all endpoints that are enabled, in ascending id.
func (s *Store) EnabledEndpoints(ctx context.Context, in access.Portfolio) ([]webhook.Endpoint, error) {
	if kept, known := s.db.Kept(ctx, in, "webhook_endpoints").([]webhook.Endpoint); known {
		return slices.Clone(kept), nil
	}
	endpoints, err := endpointTable.In(ctx, s.db, in,
		"WHERE portfolio_id = $1 AND "+rows.Is("status", webhook.Enabled)+" ORDER BY id", in.ID)
	if err == nil { // nobody changes endpoints without the lock
		s.db.Keep(ctx, in, "webhook_endpoints", slices.Clone(endpoints))
	}
	return endpoints, err
}

// AddEndpoint writes a webhook endpoint with its sealed secret.
func (s *Store) AddEndpoint(ctx context.Context, in access.Portfolio, e webhook.Endpoint, sealed []byte) error {
	return endpointTable.Add(
		ctx,
		s.db,
		&e,
		"portfolio_id",
		in.ID,
		"secret",
		sealed,
		"last_delivery_at",
		e.LastDeliveryAt,
		"last_success_at",
		e.LastSuccessAt,
	)
}

func joined(kinds []webhook.Kind) string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = string(k)
	}
	return strings.Join(names, ",")
}

// SaveEndpoint writes an endpoint that has changed, but not its secrets nor when it
// was last sent to: that is noted by deliveries, which wait for no rule.
func (s *Store) SaveEndpoint(ctx context.Context, in access.Portfolio, e *webhook.Endpoint) error {
	return endpointTable.Save(ctx, s.db, in, e)
}

// RotateEndpoint saves an endpoint with a new sealed secret. The one that it replaces
// is kept where the endpoint says until when it signs, and the one before it is gone.
func (s *Store) RotateEndpoint(ctx context.Context, in access.Portfolio, e *webhook.Endpoint, sealed []byte) error {
	return s.db.Atomically(ctx, func(ctx context.Context) error {
		if err := s.SaveEndpoint(ctx, in, e); err != nil {
			return err
		}
		return s.db.Run(ctx, `UPDATE webhook_endpoints
			SET secret = $3,
				previous_secret = CASE WHEN previous_secret_expires_at IS NULL THEN NULL ELSE secret END
			WHERE portfolio_id = $1 AND id = $2`, in.ID, e.ID, sealed)
	})
}

// EndpointHealth reads how endpoints fare, in ascending id. Of what is retried it counts at
// most webhook.MostRetrying at each.
func (s *Store) EndpointHealth(ctx context.Context, in access.Portfolio, endpoints []string) ([]webhook.Health, error) {
	if len(endpoints) == 0 {
		return []webhook.Health{}, nil
	}
	args := db.With([]any{in.ID, int64(webhook.MostRetrying)}, endpoints)
	return rows.All(ctx, s.db, `SELECT e.id, e.failing_since, e.last_status_code, e.last_error, (
			SELECT count(*)
			FROM (
				SELECT 1
				FROM deliveries`+s.db.IndexedBy("deliveries_endpoint_shown")+`
				WHERE portfolio_id = e.portfolio_id AND endpoint_id = e.id
					AND `+rows.Is(shownStatus, webhook.Retrying)+`
				LIMIT $2) r)
		FROM webhook_endpoints e
		WHERE e.portfolio_id = $1 AND e.id IN (`+db.Placeholders(2, len(endpoints))+`)
		ORDER BY e.id`, args, func(scan db.Scan, h *webhook.Health) error {
		return scan(&h.EndpointID, &h.FailingSince, &h.LastStatusCode, &h.LastError, &h.Retrying)
	})
}

// hour is how many milliseconds an hour has.
const hour = clock.Time(time.Hour / time.Millisecond)

// countAttempts adds attempts to the hours in which they started. What says nothing of
// the receiver is not counted.
func (s *Store) countAttempts(ctx context.Context, at webhook.EndpointRef, all []webhook.Conclusion) error {
	hours := map[clock.Time]*webhook.Hour{}
	for i := range all {
		a := &all[i].Attempt
		if all[i].Broken {
			continue
		}
		h := hours[a.At-a.At%hour]
		if h == nil {
			h = &webhook.Hour{At: a.At - a.At%hour}
			hours[h.At] = h
		}
		h.Attempts++
		h.DurationMS += a.DurationMS
		h.SlowestMS = max(h.SlowestMS, a.DurationMS)
		if a.Error != nil {
			h.Failed++
		}
	}
	for _, h := range hours {
		err := s.db.Later(
			ctx,
			`INSERT INTO endpoint_hours (portfolio_id, endpoint_id, hour, attempts, failed, duration_ms, slowest_ms)
			VALUES ($1, $2, $3, $4, $5, $6, $7)
			ON CONFLICT (portfolio_id, endpoint_id, hour) DO UPDATE
			SET attempts = endpoint_hours.attempts + excluded.attempts,
				failed = endpoint_hours.failed + excluded.failed,
				duration_ms = endpoint_hours.duration_ms + excluded.duration_ms,
				slowest_ms = CASE WHEN excluded.slowest_ms > endpoint_hours.slowest_ms THEN excluded.slowest_ms
					ELSE endpoint_hours.slowest_ms END`,
			at.Portfolio.ID,
			at.Endpoint,
			int64(h.At),
			h.Attempts,
			h.Failed,
			h.DurationMS,
			h.SlowestMS,
		)
		if err != nil {
			return err
		}
	}
	return nil
}

// AttemptSpans reads what came of the attempts at all endpoints of a portfolio since an hour,
// summed up over spans of time that begin with it. Spans without an attempt are left out.
func (s *Store) AttemptSpans(
	ctx context.Context, in access.Portfolio, endpoints []string, since clock.Time, span time.Duration,
) ([]webhook.AttemptSpan, error) {
	if len(endpoints) == 0 {
		return []webhook.AttemptSpan{}, nil
	}
	args := db.With([]any{in.ID, int64(since), int64(span / time.Millisecond)}, endpoints)
	return rows.All(ctx, s.db, `SELECT endpoint_id, (hour - $2) / $3, CAST(sum(attempts) AS BIGINT),
			CAST(sum(failed) AS BIGINT)
		FROM endpoint_hours
		WHERE portfolio_id = $1 AND hour >= $2 AND endpoint_id IN (`+db.Placeholders(3, len(endpoints))+`)
		GROUP BY endpoint_id, (hour - $2) / $3`, args, func(scan db.Scan, a *webhook.AttemptSpan) error {
		return scan(&a.EndpointID, &a.Index, &a.Attempts, &a.Failed)
	})
}

// EndpointHours reads what came of the attempts at endpoints since a moment, by the hour,
// in the order of the endpoints' ids and the time.
func (s *Store) EndpointHours(
	ctx context.Context, in access.Portfolio, endpoints []string, since clock.Time,
) ([]webhook.Hour, error) {
	if len(endpoints) == 0 {
		return []webhook.Hour{}, nil
	}
	args := db.With([]any{in.ID, int64(since - hour)}, endpoints)
	return rows.All(ctx, s.db, `SELECT endpoint_id, hour, attempts, failed, duration_ms, slowest_ms
		FROM endpoint_hours
		WHERE portfolio_id = $1 AND hour > $2 AND endpoint_id IN (`+db.Placeholders(2, len(endpoints))+`)
		ORDER BY endpoint_id, hour`, args, func(scan db.Scan, h *webhook.Hour) error {
		return scan(&h.EndpointID, &h.At, &h.Attempts, &h.Failed, &h.DurationMS, &h.SlowestMS)
	})
}

// UnnoticedFailures finds enabled endpoints that have had only failures since began or earlier, whose
// owners have not been told, and that were last sent to after sent. The limit is most.
func (s *Store) UnnoticedFailures(
	ctx context.Context, began, sent clock.Time, most int,
) ([]webhook.EndpointRef, error) {
	return rows.All(ctx, s.db, `SELECT e.id, p.id, p.mode
		FROM webhook_endpoints e
		JOIN portfolios p ON p.id = e.portfolio_id
		WHERE e.failing_since IS NOT NULL AND e.failing_since <= $1 AND `+rows.Is("e.status", webhook.Enabled)+`
			AND (e.failing_told IS NULL OR e.failing_told <> e.failing_since) AND e.last_delivery_at > $2
		ORDER BY e.failing_since
		LIMIT $3`, []any{int64(began), int64(sent), int64(most)}, func(scan db.Scan, p *webhook.EndpointRef) error {
		return scan(&p.Endpoint, &p.Portfolio.ID, &p.Portfolio.Mode)
	})
}

// ClaimFailureNotice records that the owners of an enabled endpoint are told that it fails, and returns
// since when. It is nil if the endpoint has not failed since began or longer, or if they were told
// before. The caller has a transaction.
func (s *Store) ClaimFailureNotice(
	ctx context.Context, at webhook.EndpointRef, began clock.Time,
) (since *clock.Time, err error) {
	_, err = s.db.One(ctx, `UPDATE webhook_endpoints
		SET failing_told = failing_since
		WHERE portfolio_id = $1 AND id = $2 AND `+rows.Is("status", webhook.Enabled)+` AND failing_since <= $3
			AND (failing_told IS NULL OR failing_told <> failing_since)
		RETURNING failing_since`, []any{at.Portfolio.ID, at.Endpoint, int64(began)}, &since)
	return since, err
}

// recentDeliveries is among how many deliveries the last failure is looked for.
const recentDeliveries = 100

// LastFailure reads the latest failed attempt of the newest deliveries to an endpoint, nil
// where none of them has failed.
func (s *Store) LastFailure(
	ctx context.Context, in access.Portfolio, endpointID string,
) (a *webhook.Attempt, err error) {
	err = s.db.Each(ctx, `WITH newest (id) AS (
			SELECT id
			FROM deliveries`+s.db.IndexedBy("deliveries_endpoint")+`
			WHERE portfolio_id = $1 AND endpoint_id = $2
			ORDER BY id DESC
			LIMIT $3)
		SELECT `+attemptColumns+`
		FROM newest
		JOIN delivery_attempts a ON a.portfolio_id = $1 AND a.delivery_id = newest.id
		WHERE a.error IS NOT NULL
		ORDER BY a.at DESC
		LIMIT 1`, []any{in.ID, endpointID, recentDeliveries}, func(scan db.Scan) (err error) {
		a, err = readAttempt(scan)
		return err
	})
	return a, err
}

// Troubled counts the endpoints of a portfolio of which nothing but failures comes, and those that were
// disabled for it, at most so many.
func (s *Store) Troubled(ctx context.Context, in access.Portfolio, most int) (int, error) {
	return rows.AtMost(ctx, s.db, most, "webhook_endpoints WHERE portfolio_id = $2 AND (failing_since IS NOT NULL OR "+
		rows.Is("disabled_reason", webhook.ByFailures)+")", in.ID)
}
