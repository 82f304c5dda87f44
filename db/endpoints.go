package db

import (
	"context"
	"strings"

	"portal/api/access"
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

// AddEndpoint writes a webhook endpoint with its sealed secret.
func (d *DB) AddEndpoint(ctx context.Context, in access.Portfolio, e webhook.Endpoint, sealed []byte) error {
	kinds := make([]string, len(e.Events))
	for i, k := range e.Events {
		kinds[i] = string(k)
	}
	_, err := d.exec(ctx, `INSERT INTO webhook_endpoints (portfolio_id, secret, `+endpointColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
		in.ID, sealed, e.ID, e.Version, e.CreatedAt, e.UpdatedAt, e.URL, strings.Join(kinds, ","), e.Description, e.Status, e.DisabledAt,
		e.DisabledReason, e.SecretPrefix, e.PreviousSecretExpiresAt, e.LastDeliveryAt, e.LastSuccessAt)
	return err
}
