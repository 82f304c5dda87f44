-- +goose Up
-- Writing over REST: what a recorded answer needs to be told again.
ALTER TABLE idempotency_keys ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;

-- Invitations anew, as none could be made before: the links are stored as hashes.
DROP TABLE invitations;

CREATE TABLE invitations (
	portfolio_id INTEGER NOT NULL,
	id TEXT NOT NULL,
	version INTEGER NOT NULL,
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL,
	unit_id TEXT NOT NULL,
	property_id TEXT NOT NULL,
	email TEXT NOT NULL,
	first_name TEXT,
	last_name TEXT,
	phone TEXT,
	message TEXT,
	desired_move_in_date INTEGER,
	offered_rent INTEGER,
	status TEXT NOT NULL,
	email_status TEXT NOT NULL,
	expires_at INTEGER NOT NULL,
	apply_hash BLOB NOT NULL UNIQUE,
	unsubscribe_hash BLOB NOT NULL UNIQUE,
	PRIMARY KEY (portfolio_id, id),
	FOREIGN KEY (portfolio_id, unit_id) REFERENCES units (portfolio_id, id),
	FOREIGN KEY (portfolio_id, property_id) REFERENCES properties (portfolio_id, id)
) STRICT;
CREATE INDEX invitations_email ON invitations (portfolio_id, unit_id, lower(email));
CREATE INDEX invitations_status ON invitations (portfolio_id, status, expires_at);

-- What an applicant sent; an invitation takes one.
CREATE TABLE applications (
	portfolio_id INTEGER NOT NULL,
	invitation_id TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	first_name TEXT NOT NULL,
	last_name TEXT NOT NULL,
	email TEXT NOT NULL,
	phone TEXT NOT NULL,
	move_in_date INTEGER NOT NULL,
	adults INTEGER NOT NULL,
	children INTEGER NOT NULL,
	pets TEXT,
	monthly_income INTEGER NOT NULL,
	notes TEXT,
	PRIMARY KEY (portfolio_id, invitation_id),
	FOREIGN KEY (portfolio_id, invitation_id) REFERENCES invitations (portfolio_id, id)
) STRICT;

-- Addresses, in lower case, that want no more invitations from a landlord.
CREATE TABLE mail_suppressions (
	portfolio_id INTEGER NOT NULL REFERENCES portfolios (id),
	email TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	PRIMARY KEY (portfolio_id, email)
) STRICT;

-- E-mail anew: what leaves, and what is kept instead. message is sealed, and forgotten
-- after a while.
DROP TABLE mails;

CREATE TABLE mails (
	id TEXT PRIMARY KEY,
	account_id TEXT REFERENCES accounts (id),
	portfolio_id INTEGER REFERENCES portfolios (id),
	mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
	about TEXT,
	created_at INTEGER NOT NULL,
	recipient TEXT NOT NULL,
	subject TEXT NOT NULL,
	message BLOB,
	status TEXT NOT NULL CHECK (status IN ('queued', 'sent', 'failed', 'kept')),
	attempts INTEGER NOT NULL,
	claimed_until INTEGER,
	last_error TEXT,
	sent_at INTEGER
) STRICT;
CREATE INDEX mails_account ON mails (account_id, id);
CREATE INDEX mails_status ON mails (status, id);
CREATE INDEX mails_readable ON mails (id) WHERE message IS NOT NULL;

-- What a deletion cancels is found without the history.
CREATE INDEX deliveries_queued ON deliveries (portfolio_id, endpoint_id) WHERE status = 'pending';

-- What the log says of a write.
ALTER TABLE requests ADD COLUMN idempotency_key TEXT;
ALTER TABLE requests ADD COLUMN replayed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE requests ADD COLUMN dry_run INTEGER NOT NULL DEFAULT 0;

-- Who decided a ticket's priority and category: a caller, or triage.
ALTER TABLE tickets ADD COLUMN priority_set INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tickets ADD COLUMN category_set INTEGER NOT NULL DEFAULT 0;

UPDATE tickets
SET priority_set = triage IS NULL OR priority <> triage ->> 'priority', category_set = triage IS NULL OR category <> triage ->> 'category';
