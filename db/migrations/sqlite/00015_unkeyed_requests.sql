-- +goose Up
-- What came without a valid key belongs to no account: of its rows the index has nothing.
DROP INDEX requests_account;
CREATE INDEX requests_account ON requests (account_id, id) WHERE account_id IS NOT NULL;

-- How many requests without a valid key and without a row of their own came of a client in
-- a minute, that of the id, which is the first one's. '' is all clients that have no row.
-- Codes are counted as "code=number", with blanks between them.
CREATE TABLE request_counts (
	id TEXT PRIMARY KEY,
	client TEXT NOT NULL,
	total INTEGER NOT NULL,
	codes TEXT NOT NULL
) STRICT, WITHOUT ROWID;
