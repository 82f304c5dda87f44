-- +goose Up
-- Delivering: the tables of events and deliveries anew, as none could be made before.
DROP TABLE delivery_attempts;
DROP TABLE deliveries;

-- Since when nothing but failures has come of an endpoint, NULL after a success.
ALTER TABLE webhook_endpoints ADD COLUMN failing_since BIGINT;

-- Events by age, to forget their bodies.
CREATE INDEX events_readable ON events (id) WHERE body IS NOT NULL;

-- A delivery is ready when an attempt may start now, and claimed while one runs: by a
-- process, until a moment after which another may take it over. since is when the
-- first attempt of its schedule started, tries how many there were of it, attempts how
-- many in all.
CREATE TABLE deliveries (
	portfolio_id BIGINT NOT NULL,
	id TEXT COLLATE "C" NOT NULL,
	created_at BIGINT NOT NULL,
	event_id TEXT COLLATE "C" NOT NULL,
	endpoint_id TEXT COLLATE "C" NOT NULL,
	status TEXT COLLATE "C" NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed', 'cancelled')),
	ready BOOLEAN NOT NULL,
	manual BOOLEAN NOT NULL,
	attempts BIGINT NOT NULL,
	tries BIGINT NOT NULL,
	since BIGINT,
	next_attempt_at BIGINT,
	claimed_by TEXT COLLATE "C",
	claimed_at BIGINT,
	claimed_until BIGINT,
	PRIMARY KEY (portfolio_id, id),
	FOREIGN KEY (portfolio_id, event_id) REFERENCES events (portfolio_id, id),
	FOREIGN KEY (portfolio_id, endpoint_id) REFERENCES webhook_endpoints (portfolio_id, id)
);
CREATE INDEX deliveries_endpoint ON deliveries (portfolio_id, endpoint_id, id);
CREATE INDEX deliveries_event ON deliveries (portfolio_id, event_id, id);
CREATE INDEX deliveries_queued ON deliveries (portfolio_id, endpoint_id) WHERE status = 'pending';
CREATE INDEX deliveries_ready ON deliveries (endpoint_id, portfolio_id, next_attempt_at) WHERE ready;
CREATE INDEX deliveries_claimed ON deliveries (endpoint_id, portfolio_id, claimed_until) WHERE claimed_by IS NOT NULL;
CREATE INDEX deliveries_waiting ON deliveries (next_attempt_at) WHERE status = 'pending' AND NOT ready AND claimed_by IS NULL;

CREATE TABLE delivery_attempts (
	portfolio_id BIGINT NOT NULL,
	delivery_id TEXT COLLATE "C" NOT NULL,
	number BIGINT NOT NULL,
	at BIGINT NOT NULL,
	duration_ms BIGINT NOT NULL,
	status_code BIGINT,
	error TEXT COLLATE "C",
	request_headers TEXT COLLATE "C",
	response_headers TEXT COLLATE "C",
	response_body BYTEA,
	cause TEXT COLLATE "C" NOT NULL,
	PRIMARY KEY (portfolio_id, delivery_id, number),
	FOREIGN KEY (portfolio_id, delivery_id) REFERENCES deliveries (portfolio_id, id)
);
CREATE INDEX delivery_attempts_readable ON delivery_attempts (at) WHERE request_headers IS NOT NULL;
