-- +goose Up
-- What became of the deposit of a lease after the tenancy. A lease has one statement at most, and it never changes.
CREATE TABLE deposit_statements (
	portfolio_id BIGINT NOT NULL,
	lease_id TEXT COLLATE "C" NOT NULL,
	created_at BIGINT NOT NULL,
	created_by TEXT COLLATE "C",
	ended_on BIGINT NOT NULL,
	deadline BIGINT NOT NULL,
	paid_on BIGINT NOT NULL,
	held BIGINT NOT NULL, -- in cents
	refunded BIGINT NOT NULL, -- in cents
	method TEXT COLLATE "C",
	reference TEXT COLLATE "C",
	content TEXT COLLATE "C" NOT NULL, -- the parties and the lines, as JSON
	PRIMARY KEY (portfolio_id, lease_id),
	FOREIGN KEY (portfolio_id, lease_id) REFERENCES leases (portfolio_id, id) ON DELETE CASCADE
);
ALTER TABLE deposit_statements ALTER COLUMN portfolio_id SET (n_distinct = 2);

-- The day on which owners are reminded to return the deposit, NULL for never.
ALTER TABLE leases ADD COLUMN deposit_reminder_on BIGINT;
CREATE INDEX leases_deposit_reminder ON leases (portfolio_id, deposit_reminder_on)
	WHERE deposit_reminder_on IS NOT NULL;
