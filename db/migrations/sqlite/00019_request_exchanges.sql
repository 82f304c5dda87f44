-- +goose Up
-- What was sent with requests and with their answers, without secrets: compressed and sealed.
CREATE TABLE request_exchanges (
	id TEXT PRIMARY KEY,
	portfolio_id INTEGER NOT NULL,
	sealed BLOB NOT NULL
) STRICT;
