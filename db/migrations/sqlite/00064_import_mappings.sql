-- +goose Up
-- What people have said of the columns of files with one header, sealed. It is remembered for the next such file.
CREATE TABLE import_mappings (
	account_id TEXT NOT NULL REFERENCES accounts (id),
	fingerprint TEXT NOT NULL,
	answers BLOB NOT NULL,
	used_at INTEGER NOT NULL,
	PRIMARY KEY (account_id, fingerprint)
) STRICT, WITHOUT ROWID;
