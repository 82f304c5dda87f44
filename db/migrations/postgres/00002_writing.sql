-- +goose Up
-- Writing over REST: what a recorded answer needs to be told again.
ALTER TABLE idempotency_keys ADD COLUMN revision BIGINT NOT NULL DEFAULT 0;

-- Invitations anew, as none could be made before: the links are stored as hashes.
DROP TABLE invitations;

CREATE TABLE invitations (
	portfolio_id BIGINT NOT NULL,
	id TEXT COLLATE "C" NOT NULL,
	version BIGINT NOT NULL,
	created_at BIGINT NOT NULL,
	updated_at BIGINT NOT NULL,
	unit_id TEXT COLLATE "C" NOT NULL,
	property_id TEXT COLLATE "C" NOT NULL,
	email TEXT COLLATE "C" NOT NULL,
	first_name TEXT COLLATE "C",
	last_name TEXT COLLATE "C",
	phone TEXT COLLATE "C",
	message TEXT COLLATE "C",
	desired_move_in_date BIGINT,
	offered_rent BIGINT,
	status TEXT COLLATE "C" NOT NULL,
	email_status TEXT COLLATE "C" NOT NULL,
	expires_at BIGINT NOT NULL,
	apply_hash BYTEA NOT NULL UNIQUE,
	unsubscribe_hash BYTEA NOT NULL UNIQUE,
	PRIMARY KEY (portfolio_id, id),
	FOREIGN KEY (portfolio_id, unit_id) REFERENCES units (portfolio_id, id),
	FOREIGN KEY (portfolio_id, property_id) REFERENCES properties (portfolio_id, id)
);
CREATE INDEX invitations_email ON invitations (portfolio_id, unit_id, lower(email));
CREATE INDEX invitations_status ON invitations (portfolio_id, status, expires_at);

-- What an applicant sent; an invitation takes one.
CREATE TABLE applications (
	portfolio_id BIGINT NOT NULL,
	invitation_id TEXT COLLATE "C" NOT NULL,
	created_at BIGINT NOT NULL,
	first_name TEXT COLLATE "C" NOT NULL,
	last_name TEXT COLLATE "C" NOT NULL,
	email TEXT COLLATE "C" NOT NULL,
	phone TEXT COLLATE "C" NOT NULL,
	move_in_date BIGINT NOT NULL,
	adults BIGINT NOT NULL,
	children BIGINT NOT NULL,
	pets TEXT COLLATE "C",
	monthly_income BIGINT NOT NULL,
	notes TEXT COLLATE "C",
	PRIMARY KEY (portfolio_id, invitation_id),
	FOREIGN KEY (portfolio_id, invitation_id) REFERENCES invitations (portfolio_id, id)
);

-- Addresses, in lower case, that want no more invitations from a landlord.
CREATE TABLE mail_suppressions (
	portfolio_id BIGINT NOT NULL REFERENCES portfolios (id),
	email TEXT COLLATE "C" NOT NULL,
	created_at BIGINT NOT NULL,
	PRIMARY KEY (portfolio_id, email)
);

-- E-mail anew: what leaves, and what is kept instead. message is sealed, and forgotten
-- after a while.
DROP TABLE mails;

CREATE TABLE mails (
	id TEXT COLLATE "C" PRIMARY KEY,
	account_id TEXT COLLATE "C" REFERENCES accounts (id),
	portfolio_id BIGINT REFERENCES portfolios (id),
	mode TEXT COLLATE "C" NOT NULL CHECK (mode IN ('test', 'live')),
	about TEXT COLLATE "C",
	created_at BIGINT NOT NULL,
	recipient TEXT COLLATE "C" NOT NULL,
	subject TEXT COLLATE "C" NOT NULL,
	message BYTEA,
	status TEXT COLLATE "C" NOT NULL CHECK (status IN ('queued', 'sent', 'failed', 'kept')),
	attempts BIGINT NOT NULL,
	claimed_until BIGINT,
	last_error TEXT COLLATE "C",
	sent_at BIGINT
);
CREATE INDEX mails_account ON mails (account_id, id);
CREATE INDEX mails_status ON mails (status, id);
CREATE INDEX mails_readable ON mails (id) WHERE message IS NOT NULL;

-- What a deletion cancels is found without the history.
CREATE INDEX deliveries_queued ON deliveries (portfolio_id, endpoint_id) WHERE status = 'pending';

-- What the log says of a write.
ALTER TABLE requests ADD COLUMN idempotency_key TEXT COLLATE "C";
ALTER TABLE requests ADD COLUMN replayed BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE requests ADD COLUMN dry_run BOOLEAN NOT NULL DEFAULT false;

-- Who decided a ticket's priority and category: a caller, or triage.
ALTER TABLE tickets ADD COLUMN priority_set BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE tickets ADD COLUMN category_set BOOLEAN NOT NULL DEFAULT false;

UPDATE tickets
SET priority_set = triage IS NULL OR priority <> triage::jsonb ->> 'priority', category_set = triage IS NULL OR category <> triage::jsonb ->> 'category';
