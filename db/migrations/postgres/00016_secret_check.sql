-- +goose Up
-- The check value: a known text, sealed. A key that does not open it is not the key of this
-- database.
CREATE TABLE secret_check (
	id BIGINT PRIMARY KEY CHECK (id = 1),
	sealed BYTEA NOT NULL
);
