-- +goose Up
-- Requests to the tenants of signed leases to agree by email that they end before they start.
CREATE TABLE lease_endings (
	portfolio_id INTEGER NOT NULL,
	lease_id TEXT NOT NULL,
	number INTEGER NOT NULL, -- from 1 within a lease
	created_at INTEGER NOT NULL,
	ends_on INTEGER NOT NULL,
	reason TEXT NOT NULL,
	status TEXT NOT NULL, -- open, agreed, refused or withdrawn
	PRIMARY KEY (portfolio_id, lease_id, number),
	FOREIGN KEY (portfolio_id, lease_id) REFERENCES leases (portfolio_id, id) ON DELETE CASCADE
) STRICT;
CREATE UNIQUE INDEX lease_endings_open ON lease_endings (portfolio_id, lease_id) WHERE status = 'open';

-- What each tenant has answered.
CREATE TABLE lease_ending_answers (
	portfolio_id INTEGER NOT NULL,
	lease_id TEXT NOT NULL,
	number INTEGER NOT NULL,
	signer_id TEXT NOT NULL,
	answered_at INTEGER NOT NULL,
	agreed INTEGER NOT NULL, -- 1 or 0
	reason TEXT NOT NULL, -- of who did not agree
	PRIMARY KEY (portfolio_id, lease_id, number, signer_id),
	FOREIGN KEY (portfolio_id, lease_id, number) REFERENCES lease_endings (portfolio_id, lease_id, number)
		ON DELETE CASCADE
) STRICT;
