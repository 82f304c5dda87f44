-- +goose Up
-- Redelivering: what is known of a delivery beside its attempts.

-- failing says that the last attempt that ended has failed: a delivery that is pending and
-- failing is shown as retrying. changes and changed_at count what changes a delivery besides
-- its attempts: that it is queued again, or cancelled.
ALTER TABLE deliveries ADD COLUMN failing BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE deliveries ADD COLUMN changes BIGINT NOT NULL DEFAULT 0;
ALTER TABLE deliveries ADD COLUMN changed_at BIGINT;
UPDATE deliveries
SET failing = COALESCE((
	SELECT a.error IS NOT NULL
	FROM delivery_attempts a
	WHERE a.portfolio_id = deliveries.portfolio_id AND a.delivery_id = deliveries.id
	ORDER BY a.number DESC
	LIMIT 1), false)
WHERE status = 'pending';

-- What is still to be delivered, in the order of a list, of all endpoints and of one.
DROP INDEX deliveries_queued;
CREATE INDEX deliveries_queued ON deliveries (portfolio_id, failing, id, endpoint_id) WHERE status = 'pending';

-- What was given up or cancelled, of one endpoint.
CREATE INDEX deliveries_endpoint_failed ON deliveries (portfolio_id, endpoint_id, id) WHERE status = 'failed';
CREATE INDEX deliveries_endpoint_cancelled ON deliveries (portfolio_id, endpoint_id, id) WHERE status = 'cancelled';

-- failing_told is the failing_since of which the owners were told by e-mail.
ALTER TABLE webhook_endpoints ADD COLUMN failing_told BIGINT;
CREATE INDEX webhook_endpoints_failing ON webhook_endpoints (failing_since) WHERE failing_since IS NOT NULL;
