-- +goose Up
-- Requests to the tenants of signed leases to agree by email that they end before they start.
CREATE TABLE lease_endings (
	portfolio_id BIGINT NOT NULL,
	lease_id TEXT COLLATE "C" NOT NULL,
	number BIGINT NOT NULL, -- from 1 within a lease
	created_at BIGINT NOT NULL,
	ends_on BIGINT NOT NULL,
	reason TEXT COLLATE "C" NOT NULL,
	status TEXT COLLATE "C" NOT NULL, -- open, agreed, refused or withdrawn
	PRIMARY KEY (portfolio_id, lease_id, number),
	FOREIGN KEY (portfolio_id, lease_id) REFERENCES leases (portfolio_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX lease_endings_open ON lease_endings (portfolio_id, lease_id) WHERE status = 'open';

-- What each tenant has answered.
CREATE TABLE lease_ending_answers (
	portfolio_id BIGINT NOT NULL,
	lease_id TEXT COLLATE "C" NOT NULL,
	number BIGINT NOT NULL,
	signer_id TEXT COLLATE "C" NOT NULL,
	answered_at BIGINT NOT NULL,
	agreed BIGINT NOT NULL, -- 1 or 0
	reason TEXT COLLATE "C" NOT NULL, -- of who did not agree
	PRIMARY KEY (portfolio_id, lease_id, number, signer_id),
	FOREIGN KEY (portfolio_id, lease_id, number) REFERENCES lease_endings (portfolio_id, lease_id, number)
		ON DELETE CASCADE
);
ALTER TABLE lease_endings ALTER COLUMN portfolio_id SET (n_distinct = 2);
ALTER TABLE lease_ending_answers ALTER COLUMN portfolio_id SET (n_distinct = 2);
