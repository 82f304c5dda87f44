-- +goose Up
-- Requests of accounts for more units than their plan has. An account has at most one that is open; one that
-- was answered has a reason where it was declined, and none where the units were granted.
CREATE TABLE unit_requests (
	id TEXT PRIMARY KEY,
	account_id TEXT NOT NULL REFERENCES accounts (id),
	user_id TEXT NOT NULL REFERENCES users (id),
	units INTEGER NOT NULL CHECK (units > 0),
	asked_at INTEGER NOT NULL,
	answered_at INTEGER,
	reason TEXT
) STRICT;
CREATE UNIQUE INDEX unit_requests_open ON unit_requests (account_id) WHERE answered_at IS NULL;
CREATE INDEX unit_requests_queue ON unit_requests (id) WHERE answered_at IS NULL;
CREATE INDEX unit_requests_account ON unit_requests (account_id, id);
