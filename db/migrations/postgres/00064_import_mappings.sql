-- +goose Up
-- What people have said of the columns of files with one header, sealed. It is remembered for the next such file.
CREATE TABLE import_mappings (
	account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
	fingerprint TEXT COLLATE "C" NOT NULL,
	answers BYTEA NOT NULL,
	used_at BIGINT NOT NULL,
	PRIMARY KEY (account_id, fingerprint)
);
