-- +goose Up
-- What assistants did, anew, as nothing could be recorded before. It is a log: what it
-- names may be gone, and stops no line from being written.
DROP TABLE tool_calls;

CREATE TABLE tool_calls (
	portfolio_id BIGINT NOT NULL,
	id TEXT COLLATE "C" NOT NULL,
	at BIGINT NOT NULL,
	account_id TEXT COLLATE "C" NOT NULL,
	key_id TEXT COLLATE "C" NOT NULL,
	request_id TEXT COLLATE "C" NOT NULL,
	client TEXT COLLATE "C" NOT NULL,
	client_version TEXT COLLATE "C" NOT NULL,
	protocol TEXT COLLATE "C" NOT NULL,
	user_agent TEXT COLLATE "C" NOT NULL,
	tool TEXT COLLATE "C" NOT NULL,
	arguments TEXT COLLATE "C" NOT NULL,
	dry_run BOOLEAN NOT NULL,
	replayed BOOLEAN NOT NULL,
	outcome TEXT COLLATE "C" NOT NULL,
	message TEXT COLLATE "C",
	record_id TEXT COLLATE "C",
	change TEXT COLLATE "C",
	duration_us BIGINT NOT NULL,
	PRIMARY KEY (portfolio_id, id)
);
CREATE INDEX tool_calls_key ON tool_calls (portfolio_id, key_id, id);
CREATE INDEX tool_calls_tool ON tool_calls (portfolio_id, tool, id);
CREATE INDEX tool_calls_failed ON tool_calls (portfolio_id, id) WHERE outcome <> 'ok';
CREATE INDEX tool_calls_previews ON tool_calls (portfolio_id, id) WHERE dry_run;
CREATE INDEX tool_calls_saved ON tool_calls (portfolio_id, id) WHERE change IS NOT NULL AND NOT dry_run;
CREATE INDEX tool_calls_age ON tool_calls (at);

-- Who comes with a key: older protocols let a client tell its name only once.
CREATE TABLE assistant_clients (
	portfolio_id BIGINT NOT NULL,
	key_id TEXT COLLATE "C" NOT NULL,
	user_agent TEXT COLLATE "C" NOT NULL,
	name TEXT COLLATE "C" NOT NULL,
	version TEXT COLLATE "C" NOT NULL,
	protocol TEXT COLLATE "C" NOT NULL,
	first_seen_at BIGINT NOT NULL,
	last_seen_at BIGINT NOT NULL,
	PRIMARY KEY (portfolio_id, key_id, user_agent)
);
CREATE INDEX assistant_clients_seen ON assistant_clients (portfolio_id, last_seen_at);
CREATE INDEX assistant_clients_age ON assistant_clients (last_seen_at);
