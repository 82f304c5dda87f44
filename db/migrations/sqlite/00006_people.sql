-- +goose Up
-- People: signing up and in, second factors, sessions, teams, and who did what. Of every
-- token and code only the SHA-256 is stored; times are milliseconds since 1970, UTC.

-- totp_step is the last time step whose code was used.
ALTER TABLE users ADD COLUMN totp_secret BLOB;
ALTER TABLE users ADD COLUMN totp_since INTEGER;
ALTER TABLE users ADD COLUMN totp_step INTEGER NOT NULL DEFAULT 0;

ALTER TABLE accounts ADD COLUMN closed_at INTEGER;
ALTER TABLE accounts ADD COLUMN erased_at INTEGER;

-- Who has signed up and not yet shown that the address is theirs. A later one takes the
-- place of an earlier one.
CREATE TABLE sign_ups (
	email TEXT PRIMARY KEY,
	token_hash BLOB NOT NULL UNIQUE,
	claim_hash BLOB NOT NULL,
	account_name TEXT NOT NULL,
	password_hash TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sign_ups_age ON sign_ups (expires_at);

-- Links in e-mails to users. A link that was used is gone.
CREATE TABLE user_links (
	token_hash BLOB PRIMARY KEY,
	user_id TEXT NOT NULL REFERENCES users (id),
	purpose TEXT NOT NULL CHECK (purpose IN ('reset', 'email', 'undo')),
	email TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX user_links_user ON user_links (user_id, purpose);
CREATE INDEX user_links_age ON user_links (expires_at);

CREATE TABLE recovery_codes (
	user_id TEXT NOT NULL REFERENCES users (id),
	code_hash BLOB NOT NULL,
	PRIMARY KEY (user_id, code_hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE passkeys (
	id TEXT PRIMARY KEY,
	user_id TEXT NOT NULL REFERENCES users (id),
	credential_id BLOB NOT NULL UNIQUE,
	credential BLOB NOT NULL,
	name TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	last_used_at INTEGER,
	cloned_at INTEGER
) STRICT;
CREATE INDEX passkeys_user ON passkeys (user_id, id);

-- What a browser was asked and has to answer once, within minutes.
CREATE TABLE ceremonies (
	id_hash BLOB PRIMARY KEY,
	user_id TEXT REFERENCES users (id),
	purpose TEXT NOT NULL,
	data BLOB NOT NULL,
	expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX ceremonies_age ON ceremonies (expires_at);

-- A session of a browser. data is what the pages keep there; user_id and what follows are
-- set when somebody signs in. A session that has ended stays until it would have expired,
-- so that a page that is still being made does not bring it back.
CREATE TABLE sessions (
	token_hash TEXT PRIMARY KEY,
	data BLOB,
	created_at INTEGER NOT NULL,
	expires_at INTEGER NOT NULL,
	ended TEXT CHECK (ended IN ('deleted', 'revoked')),
	id TEXT,
	user_id TEXT REFERENCES users (id),
	account_id TEXT REFERENCES accounts (id),
	pending INTEGER NOT NULL DEFAULT 0,
	authenticated_at INTEGER,
	last_seen_at INTEGER,
	idle_time INTEGER,
	address TEXT,
	user_agent TEXT
) STRICT;
CREATE INDEX sessions_user ON sessions (user_id, id);
CREATE INDEX sessions_age ON sessions (expires_at);

-- Attempts that are counted: a subject is over its limit while its moment lies too far
-- ahead.
CREATE TABLE throttles (
	subject TEXT PRIMARY KEY,
	until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX throttles_age ON throttles (until);

CREATE TABLE member_invitations (
	id TEXT PRIMARY KEY,
	account_id TEXT NOT NULL REFERENCES accounts (id),
	email TEXT NOT NULL,
	role TEXT NOT NULL CHECK (role IN ('owner', 'manager')),
	token_hash BLOB NOT NULL UNIQUE,
	invited_by TEXT NOT NULL REFERENCES users (id),
	created_at INTEGER NOT NULL,
	expires_at INTEGER NOT NULL,
	UNIQUE (account_id, email)
) STRICT;
CREATE INDEX member_invitations_age ON member_invitations (expires_at);

-- Only added to. Of what is there address and details may be emptied, as they may tell of
-- persons who are to be forgotten.
CREATE TABLE audit (
	id TEXT PRIMARY KEY,
	at INTEGER NOT NULL,
	account_id TEXT,
	user_id TEXT,
	action TEXT NOT NULL,
	target TEXT NOT NULL,
	address TEXT NOT NULL,
	request_id TEXT NOT NULL,
	details TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX audit_account ON audit (account_id, id);
CREATE INDEX audit_user ON audit (user_id, id);

-- +goose StatementBegin
CREATE TRIGGER audit_stays BEFORE DELETE ON audit
BEGIN
	SELECT RAISE(ABORT, 'the audit trail is only added to');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_is_not_rewritten BEFORE UPDATE ON audit
WHEN (NEW.id, NEW.at, NEW.account_id, NEW.user_id, NEW.action, NEW.target, NEW.request_id)
	IS NOT (OLD.id, OLD.at, OLD.account_id, OLD.user_id, OLD.action, OLD.target, OLD.request_id)
	OR NEW.address NOT IN (OLD.address, '') OR NEW.details NOT IN (OLD.details, '{}')
BEGIN
	SELECT RAISE(ABORT, 'the audit trail is only added to');
END;
-- +goose StatementEnd
