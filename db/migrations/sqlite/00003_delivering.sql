-- +goose Up
-- Delivering: the tables of events and deliveries anew, as none could be made before.
DROP TABLE delivery_attempts;
DROP TABLE deliveries;

-- Since when nothing but failures has come of an endpoint, NULL after a success.
ALTER TABLE webhook_endpoints ADD COLUMN failing_since INTEGER;

-- Events by age, to forget their bodies.
CREATE INDEX events_readable ON events (id) WHERE body IS NOT NULL;

-- A delivery is ready when an attempt may start now, and claimed while one runs: by a
-- process, until a moment after which another may take it over. since is when the
-- first attempt of its schedule started, tries how many there were of it, attempts how
-- many in all.
CREATE TABLE deliveries (
	portfolio_id INTEGER NOT NULL,
	id TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	event_id TEXT NOT NULL,
	endpoint_id TEXT NOT NULL,
	status TEXT NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed', 'cancelled')),
	ready INTEGER NOT NULL,
	manual INTEGER NOT NULL,
	attempts INTEGER NOT NULL,
	tries INTEGER NOT NULL,
	since INTEGER,
	next_attempt_at INTEGER,
	claimed_by TEXT,
	claimed_at INTEGER,
	claimed_until INTEGER,
	PRIMARY KEY (portfolio_id, id),
	FOREIGN KEY (portfolio_id, event_id) REFERENCES events (portfolio_id, id),
	FOREIGN KEY (portfolio_id, endpoint_id) REFERENCES webhook_endpoints (portfolio_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX deliveries_endpoint ON deliveries (portfolio_id, endpoint_id, id);
CREATE INDEX deliveries_event ON deliveries (portfolio_id, event_id, id);
CREATE INDEX deliveries_queued ON deliveries (portfolio_id, endpoint_id) WHERE status = 'pending';
CREATE INDEX deliveries_ready ON deliveries (endpoint_id, portfolio_id, next_attempt_at) WHERE ready;
CREATE INDEX deliveries_claimed ON deliveries (endpoint_id, portfolio_id, claimed_until) WHERE claimed_by IS NOT NULL;
CREATE INDEX deliveries_waiting ON deliveries (next_attempt_at) WHERE status = 'pending' AND NOT ready AND claimed_by IS NULL;

CREATE TABLE delivery_attempts (
	portfolio_id INTEGER NOT NULL,
	delivery_id TEXT NOT NULL,
	number INTEGER NOT NULL,
	at INTEGER NOT NULL,
	duration_ms INTEGER NOT NULL,
	status_code INTEGER,
	error TEXT,
	request_headers TEXT,
	response_headers TEXT,
	response_body BLOB,
	cause TEXT NOT NULL,
	PRIMARY KEY (portfolio_id, delivery_id, number),
	FOREIGN KEY (portfolio_id, delivery_id) REFERENCES deliveries (portfolio_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX delivery_attempts_readable ON delivery_attempts (at) WHERE request_headers IS NOT NULL;
