-- +goose Up
-- Reading: what the dashboard lists and draws.

-- A delivery knows the type of its event, so that a list of one type is read from an index.
ALTER TABLE deliveries ADD COLUMN event_type TEXT COLLATE "C" NOT NULL DEFAULT '';
UPDATE deliveries
SET event_type = (SELECT e.type FROM events e WHERE e.portfolio_id = deliveries.portfolio_id AND e.id = deliveries.event_id);
CREATE INDEX deliveries_type ON deliveries (portfolio_id, event_type, id);

-- Nearly all deliveries succeed: those that did not must not be looked for among them.
CREATE INDEX deliveries_failed ON deliveries (portfolio_id, id) WHERE status = 'failed';
CREATE INDEX deliveries_cancelled ON deliveries (portfolio_id, id) WHERE status = 'cancelled';
CREATE INDEX events_type ON events (portfolio_id, type, id);

-- What came of the attempts at an endpoint, by the hour in which they started. It is a
-- log: what it names may be gone.
CREATE TABLE endpoint_hours (
	portfolio_id BIGINT NOT NULL,
	endpoint_id TEXT COLLATE "C" NOT NULL,
	hour BIGINT NOT NULL,
	attempts BIGINT NOT NULL,
	failed BIGINT NOT NULL,
	duration_ms BIGINT NOT NULL,
	slowest_ms BIGINT NOT NULL,
	PRIMARY KEY (portfolio_id, endpoint_id, hour)
);
CREATE INDEX endpoint_hours_age ON endpoint_hours (hour);

-- Requests of a portfolio, and those that failed among them.
CREATE INDEX requests_portfolio ON requests (portfolio_id, id) WHERE portfolio_id IS NOT NULL;
CREATE INDEX requests_failed ON requests (portfolio_id, id) WHERE portfolio_id IS NOT NULL AND status >= 400;
