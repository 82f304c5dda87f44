-- +goose Up
-- What the last attempt at an endpoint was answered: the status, NULL where no answer came,
-- and what went wrong, NULL where it was acknowledged. For attempts of before, those at the
-- newest delivery count.
ALTER TABLE webhook_endpoints ADD COLUMN last_status_code INTEGER;
ALTER TABLE webhook_endpoints ADD COLUMN last_error TEXT;
UPDATE webhook_endpoints
SET last_status_code = (
		SELECT a.status_code
		FROM deliveries d
		JOIN delivery_attempts a ON a.portfolio_id = d.portfolio_id AND a.delivery_id = d.id
		WHERE d.portfolio_id = webhook_endpoints.portfolio_id AND d.endpoint_id = webhook_endpoints.id
		ORDER BY d.id DESC, a.number DESC
		LIMIT 1),
	last_error = (
		SELECT a.error
		FROM deliveries d
		JOIN delivery_attempts a ON a.portfolio_id = d.portfolio_id AND a.delivery_id = d.id
		WHERE d.portfolio_id = webhook_endpoints.portfolio_id AND d.endpoint_id = webhook_endpoints.id
		ORDER BY d.id DESC, a.number DESC
		LIMIT 1);
