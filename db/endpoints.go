package db

import (
	"context"
	"strings"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/webhook"
)

const endpointColumns = `id, version, created_at, updated_at, url, events, description, status, disabled_at, disabled_reason, secret_prefix,
	previous_secret_expires_at, last_delivery_at, last_success_at`

func readEndpoint(mode access.Mode) func(scan, *webhook.Endpoint) error {
	return func(s scan, e *webhook.Endpoint) error {
		var kinds string
		err := s(&e.ID, &e.Version, &e.CreatedAt, &e.UpdatedAt, &e.URL, &kinds, &e.Description, &e.Status, &e.DisabledAt, &e.DisabledReason, &e.SecretPrefix,
			&e.PreviousSecretExpiresAt, &e.LastDeliveryAt, &e.LastSuccessAt)
		e.Object, e.Mode = "webhook_endpoint", mode
		for kind := range strings.SplitSeq(kinds, ",") {
			e.Events = append(e.Events, webhook.Kind(kind))
		}
		return err
	}
}

// Endpoints reads the webhook endpoints of a portfolio, one more than the limit.
func (d *DB) Endpoints(ctx context.Context, in access.Portfolio, q list.Query) ([]webhook.Endpoint, error) {
	return rows(ctx, d, d.listed(endpointColumns, "webhook_endpoints", in, id.Endpoint, q), readEndpoint(in.Mode))
}

// Endpoint reads one webhook endpoint, or fault.NotFound.
func (d *DB) Endpoint(ctx context.Context, in access.Portfolio, id string) (webhook.Endpoint, error) {
	e, found, err := record(ctx, d, endpointColumns, "webhook_endpoints", in, id, readEndpoint(in.Mode))
	if err == nil && !found {
		err = fault.NotFound("webhook endpoint")
	}
	return e, err
}

// EnabledEndpoints reads all endpoints that are enabled, in ascending id.
func (d *DB) EnabledEndpoints(ctx context.Context, in access.Portfolio) ([]webhook.Endpoint, error) {
	locked := lockedBy(ctx, in)
	if locked != nil {
		if all, known := locked.enabledIn(in.ID); known {
			return all, nil
		}
	}
	endpoints, read := []webhook.Endpoint{}, readEndpoint(in.Mode)
	query := `SELECT ` + endpointColumns + `
		FROM webhook_endpoints
		WHERE portfolio_id = $1 AND status = 'enabled'
		ORDER BY id`
	err := d.each(ctx, query, []any{in.ID}, func(s scan) error {
		endpoints = append(endpoints, webhook.Endpoint{})
		return read(s, &endpoints[len(endpoints)-1])
	})
	if locked != nil && err == nil {
		locked.keepEnabled(in.ID, endpoints)
	}
	return endpoints, err
}

// lockedBy is the transaction of PostgreSQL that a context is in, where it has locked a
// portfolio; nil otherwise. Nobody else changes endpoints of the portfolio then, so that changes
// that share the transaction read them once.
func lockedBy(ctx context.Context, in access.Portfolio) *pgxTx {
	t, inside := ctx.Value(txKey{}).(*tx)
	if !inside || !t.held[in.ID] {
		return nil
	}
	q, _ := t.querier.(*pgxTx)
	return q
}

// AddEndpoint writes a webhook endpoint with its sealed secret.
func (d *DB) AddEndpoint(ctx context.Context, in access.Portfolio, e webhook.Endpoint, sealed []byte) error {
	_, err := d.exec(ctx, `INSERT INTO webhook_endpoints (portfolio_id, secret, `+endpointColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
		in.ID, sealed, e.ID, e.Version, e.CreatedAt, e.UpdatedAt, e.URL, joined(e.Events), e.Description, e.Status, e.DisabledAt,
		e.DisabledReason, e.SecretPrefix, e.PreviousSecretExpiresAt, e.LastDeliveryAt, e.LastSuccessAt)
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
func (d *DB) SaveEndpoint(ctx context.Context, in access.Portfolio, e *webhook.Endpoint) error {
	const columns = `id, version, updated_at, url, events, description, status, disabled_at, disabled_reason, secret_prefix, previous_secret_expires_at`
	return save(ctx, d, in, "webhook_endpoints", columns, []any{e.ID, e.Version, e.UpdatedAt, e.URL, joined(e.Events), e.Description,
		e.Status, e.DisabledAt, e.DisabledReason, e.SecretPrefix, e.PreviousSecretExpiresAt})
}

// RotateEndpoint saves an endpoint with a new sealed secret. The one that it replaces
// is kept where the endpoint says until when it signs, and the one before it is gone.
func (d *DB) RotateEndpoint(ctx context.Context, in access.Portfolio, e *webhook.Endpoint, sealed []byte) error {
	return d.Atomically(ctx, func(ctx context.Context) error {
		if err := d.SaveEndpoint(ctx, in, e); err != nil {
			return err
		}
		_, err := d.exec(ctx, `UPDATE webhook_endpoints
			SET secret = $3,
				previous_secret = CASE WHEN previous_secret_expires_at IS NULL THEN NULL ELSE secret END
			WHERE portfolio_id = $1 AND id = $2`, in.ID, e.ID, sealed)
		return err
	})
}

// CancelDeliveries cancels the deliveries that are queued for an endpoint; they and
// their attempts stay as history.
func (d *DB) CancelDeliveries(ctx context.Context, in access.Portfolio, endpointID string, at clock.Time) error {
	_, err := d.exec(ctx, `UPDATE deliveries`+d.by("deliveries_endpoint_shown")+`
		SET status = 'cancelled', ready = false, next_attempt_at = NULL, changes = changes + 1, changed_at = $3
		WHERE portfolio_id = $1 AND endpoint_id = $2 AND `+shownStatus+` IN ('pending', 'retrying')`, in.ID, endpointID, int64(at))
	return err
}
