-- +goose Up
-- What assistants did, anew, as nothing could be recorded before. It is a log: what it
-- names may be gone, and stops no line from being written.
DROP TABLE tool_calls;

CREATE TABLE tool_calls (
	portfolio_id INTEGER NOT NULL,
	id TEXT NOT NULL,
	at INTEGER NOT NULL,
	account_id TEXT NOT NULL,
	key_id TEXT NOT NULL,
	request_id TEXT NOT NULL,
	client TEXT NOT NULL,
	client_version TEXT NOT NULL,
	protocol TEXT NOT NULL,
	user_agent TEXT NOT NULL,
	tool TEXT NOT NULL,
	arguments TEXT NOT NULL,
	dry_run INTEGER NOT NULL,
	replayed INTEGER NOT NULL,
	outcome TEXT NOT NULL,
	message TEXT,
	record_id TEXT,
	change TEXT,
	duration_us INTEGER NOT NULL,
	PRIMARY KEY (portfolio_id, id)
) STRICT;
CREATE INDEX tool_calls_key ON tool_calls (portfolio_id, key_id, id);
CREATE INDEX tool_calls_tool ON tool_calls (portfolio_id, tool, id);
CREATE INDEX tool_calls_failed ON tool_calls (portfolio_id, id) WHERE outcome <> 'ok';
CREATE INDEX tool_calls_previews ON tool_calls (portfolio_id, id) WHERE dry_run;
CREATE INDEX tool_calls_saved ON tool_calls (portfolio_id, id) WHERE change IS NOT NULL AND NOT dry_run;
CREATE INDEX tool_calls_age ON tool_calls (at);

-- Who comes with a key: older protocols let a client tell its name only once.
CREATE TABLE assistant_clients (
	portfolio_id INTEGER NOT NULL,
	key_id TEXT NOT NULL,
	user_agent TEXT NOT NULL,
	name TEXT NOT NULL,
	version TEXT NOT NULL,
	protocol TEXT NOT NULL,
	first_seen_at INTEGER NOT NULL,
	last_seen_at INTEGER NOT NULL,
	PRIMARY KEY (portfolio_id, key_id, user_agent)
) STRICT, WITHOUT ROWID;
CREATE INDEX assistant_clients_seen ON assistant_clients (portfolio_id, last_seen_at);
CREATE INDEX assistant_clients_age ON assistant_clients (last_seen_at);
