-- +goose Up
-- People: signing up and in, second factors, sessions, teams, and who did what. Of every
-- token and code only the SHA-256 is stored; times are milliseconds since 1970, UTC.

-- totp_step is the last time step whose code was used.
ALTER TABLE users ADD COLUMN totp_secret BYTEA;
ALTER TABLE users ADD COLUMN totp_since BIGINT;
ALTER TABLE users ADD COLUMN totp_step BIGINT NOT NULL DEFAULT 0;

ALTER TABLE accounts ADD COLUMN closed_at BIGINT;
ALTER TABLE accounts ADD COLUMN erased_at BIGINT;

-- Who has signed up and not yet shown that the address is theirs. A later one takes the
-- place of an earlier one.
CREATE TABLE sign_ups (
	email TEXT COLLATE "C" PRIMARY KEY,
	token_hash BYTEA NOT NULL UNIQUE,
	claim_hash BYTEA NOT NULL,
	account_name TEXT COLLATE "C" NOT NULL,
	password_hash TEXT COLLATE "C" NOT NULL,
	created_at BIGINT NOT NULL,
	expires_at BIGINT NOT NULL
);
CREATE INDEX sign_ups_age ON sign_ups (expires_at);

-- Links in e-mails to users. A link that was used is gone.
CREATE TABLE user_links (
	token_hash BYTEA PRIMARY KEY,
	user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id),
	purpose TEXT COLLATE "C" NOT NULL CHECK (purpose IN ('reset', 'email', 'undo')),
	email TEXT COLLATE "C" NOT NULL,
	created_at BIGINT NOT NULL,
	expires_at BIGINT NOT NULL
);
CREATE INDEX user_links_user ON user_links (user_id, purpose);
CREATE INDEX user_links_age ON user_links (expires_at);

CREATE TABLE recovery_codes (
	user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id),
	code_hash BYTEA NOT NULL,
	PRIMARY KEY (user_id, code_hash)
);

CREATE TABLE passkeys (
	id TEXT COLLATE "C" PRIMARY KEY,
	user_id TEXT COLLATE "C" NOT NULL REFERENCES users (id),
	credential_id BYTEA NOT NULL UNIQUE,
	credential BYTEA NOT NULL,
	name TEXT COLLATE "C" NOT NULL,
	created_at BIGINT NOT NULL,
	last_used_at BIGINT,
	cloned_at BIGINT
);
CREATE INDEX passkeys_user ON passkeys (user_id, id);

-- What a browser was asked and has to answer once, within minutes.
CREATE TABLE ceremonies (
	id_hash BYTEA PRIMARY KEY,
	user_id TEXT COLLATE "C" REFERENCES users (id),
	purpose TEXT COLLATE "C" NOT NULL,
	data BYTEA NOT NULL,
	expires_at BIGINT NOT NULL
);
CREATE INDEX ceremonies_age ON ceremonies (expires_at);

-- A session of a browser. data is what the pages keep there; user_id and what follows are
-- set when somebody signs in. A session that has ended stays until it would have expired,
-- so that a page that is still being made does not bring it back.
CREATE TABLE sessions (
	token_hash TEXT COLLATE "C" PRIMARY KEY,
	data BYTEA,
	created_at BIGINT NOT NULL,
	expires_at BIGINT NOT NULL,
	ended TEXT COLLATE "C" CHECK (ended IN ('deleted', 'revoked')),
	id TEXT COLLATE "C",
	user_id TEXT COLLATE "C" REFERENCES users (id),
	account_id TEXT COLLATE "C" REFERENCES accounts (id),
	pending BOOLEAN NOT NULL DEFAULT FALSE,
	authenticated_at BIGINT,
	last_seen_at BIGINT,
	idle_time BIGINT,
	address TEXT COLLATE "C",
	user_agent TEXT COLLATE "C"
);
CREATE INDEX sessions_user ON sessions (user_id, id);
CREATE INDEX sessions_age ON sessions (expires_at);

-- Attempts that are counted: a subject is over its limit while its moment lies too far
-- ahead.
CREATE TABLE throttles (
	subject TEXT COLLATE "C" PRIMARY KEY,
	until BIGINT NOT NULL
);
CREATE INDEX throttles_age ON throttles (until);

CREATE TABLE member_invitations (
	id TEXT COLLATE "C" PRIMARY KEY,
	account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
	email TEXT COLLATE "C" NOT NULL,
	role TEXT COLLATE "C" NOT NULL CHECK (role IN ('owner', 'manager')),
	token_hash BYTEA NOT NULL UNIQUE,
	invited_by TEXT COLLATE "C" NOT NULL REFERENCES users (id),
	created_at BIGINT NOT NULL,
	expires_at BIGINT NOT NULL,
	UNIQUE (account_id, email)
);
CREATE INDEX member_invitations_age ON member_invitations (expires_at);

-- Only added to. Of what is there address and details may be emptied, as they may tell of
-- persons who are to be forgotten.
CREATE TABLE audit (
	id TEXT COLLATE "C" PRIMARY KEY,
	at BIGINT NOT NULL,
	account_id TEXT COLLATE "C",
	user_id TEXT COLLATE "C",
	action TEXT COLLATE "C" NOT NULL,
	target TEXT COLLATE "C" NOT NULL,
	address TEXT COLLATE "C" NOT NULL,
	request_id TEXT COLLATE "C" NOT NULL,
	details TEXT COLLATE "C" NOT NULL
);
CREATE INDEX audit_account ON audit (account_id, id);
CREATE INDEX audit_user ON audit (user_id, id);

-- +goose StatementBegin
CREATE FUNCTION audit_refuses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'the audit trail is only added to';
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER audit_stays BEFORE DELETE ON audit
FOR EACH ROW EXECUTE FUNCTION audit_refuses();
CREATE TRIGGER audit_is_not_rewritten BEFORE UPDATE ON audit
FOR EACH ROW
WHEN ((NEW.id, NEW.at, NEW.account_id, NEW.user_id, NEW.action, NEW.target, NEW.request_id)
	IS DISTINCT FROM (OLD.id, OLD.at, OLD.account_id, OLD.user_id, OLD.action, OLD.target, OLD.request_id)
	OR NEW.address NOT IN (OLD.address, '') OR NEW.details NOT IN (OLD.details, '{}'))
EXECUTE FUNCTION audit_refuses();
