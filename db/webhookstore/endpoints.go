package webhookstore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
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
		_, err := s.db.Exec(ctx, `UPDATE webhook_endpoints
			SET failing_since = NULL
			WHERE portfolio_id = $1 AND id = $2`, in.ID, e.ID)
		return err
	})
}

// PortfolioWith finds whose a record is, by one look-up in each portfolio.
func (s *Store) PortfolioWith(ctx context.Context, noun, id string) (in access.Portfolio, err error) {
	table := map[string]string{
		"webhook endpoint": "webhook_endpoints",
		"delivery":         "deliveries",
		"event":            "events",
	}[noun]
	found, err := s.db.One(ctx, `SELECT p.id, p.mode
		FROM portfolios p
		WHERE EXISTS (SELECT 1 FROM `+table+` r WHERE r.portfolio_id = p.id AND r.id = $1)`, []any{
		id,
	}, &in.ID, &in.Mode)
	if err == nil && !found {
		err = fault.NotFound(noun)
	}
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
)

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

func readEndpoint(mode access.Mode) func(db.Scan, *webhook.Endpoint) error {
	return func(scan db.Scan, e *webhook.Endpoint) error {
		e.Object, e.Mode = "webhook_endpoint", mode
		return endpointTable.Scan(scan, e)
	}
}

// Endpoints reads the webhook endpoints of a portfolio, one more than the limit.
func (s *Store) Endpoints(ctx context.Context, in access.Portfolio, q list.Query) ([]webhook.Endpoint, error) {
	return rows.Rows(
		ctx,
		s.db,
		rows.Listed(s.db, endpointTable.Columns, endpointTable.Name, in, id.Endpoint, q),
		readEndpoint(in.Mode),
	)
}

// Endpoint reads one webhook endpoint, or fault.NotFound.
func (s *Store) Endpoint(ctx context.Context, in access.Portfolio, id string) (webhook.Endpoint, error) {
	e, found, err := rows.Record(ctx, s.db, endpointTable.Columns, endpointTable.Name, in, id, readEndpoint(in.Mode))
	if err == nil && !found {
		err = fault.NotFound("webhook endpoint")
	}
	return e, err
}

// EnabledEndpoints reads all endpoints that are enabled, in ascending id.
func (s *Store) EnabledEndpoints(ctx context.Context, in access.Portfolio) ([]webhook.Endpoint, error) {
	if kept, known := s.db.Kept(ctx, in, "webhook_endpoints").([]webhook.Endpoint); known {
		return slices.Clone(kept), nil
	}
	endpoints, read := []webhook.Endpoint{}, readEndpoint(in.Mode)
	query := `SELECT ` + endpointTable.Columns + `
		FROM webhook_endpoints
		WHERE portfolio_id = $1 AND ` + rows.Is("status", webhook.Enabled) + `
		ORDER BY id`
	err := s.db.Each(ctx, query, []any{in.ID}, func(scan db.Scan) error {
		endpoints = append(endpoints, webhook.Endpoint{})
		return read(scan, &endpoints[len(endpoints)-1])
	})
	if err == nil { // nobody changes endpoints without the lock
		s.db.Keep(ctx, in, "webhook_endpoints", slices.Clone(endpoints))
	}
	return endpoints, err
}

// AddEndpoint writes a webhook endpoint with its sealed secret.
func (s *Store) AddEndpoint(ctx context.Context, in access.Portfolio, e webhook.Endpoint, sealed []byte) error {
	_, err := endpointTable.Add(
		ctx,
		s.db,
		&e,
		"",
		rows.Cell{Column: "portfolio_id", Value: in.ID},
		rows.Cell{Column: "secret", Value: sealed},
		rows.Cell{Column: "last_delivery_at", Value: e.LastDeliveryAt},
		rows.Cell{Column: "last_success_at", Value: e.LastSuccessAt},
	)
	return err
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
		_, err := s.db.Exec(ctx, `UPDATE webhook_endpoints
			SET secret = $3,
				previous_secret = CASE WHEN previous_secret_expires_at IS NULL THEN NULL ELSE secret END
			WHERE portfolio_id = $1 AND id = $2`, in.ID, e.ID, sealed)
		return err
	})
}
