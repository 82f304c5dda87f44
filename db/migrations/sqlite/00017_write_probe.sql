-- +goose Up
-- One row that a health check writes, to learn whether a write would succeed.
CREATE TABLE write_probe (
	id INTEGER PRIMARY KEY,
	at INTEGER NOT NULL
) STRICT;
