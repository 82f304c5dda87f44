-- +goose Up
-- What was sent with requests and with their answers, without secrets: compressed and sealed.
CREATE TABLE request_exchanges (
	id TEXT COLLATE "C" PRIMARY KEY,
	portfolio_id BIGINT NOT NULL,
	sealed BYTEA NOT NULL
);
