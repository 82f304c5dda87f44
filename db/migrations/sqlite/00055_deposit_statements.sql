-- +goose Up
-- What became of the deposit of a lease after the tenancy. A lease has one statement at most, and it never changes.
CREATE TABLE deposit_statements (
	portfolio_id INTEGER NOT NULL,
	lease_id TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	created_by TEXT,
	ended_on INTEGER NOT NULL,
	deadline INTEGER NOT NULL,
	paid_on INTEGER NOT NULL,
	held INTEGER NOT NULL, -- in cents
	refunded INTEGER NOT NULL, -- in cents
	method TEXT,
	reference TEXT,
	content TEXT NOT NULL, -- the parties and the lines, as JSON
	PRIMARY KEY (portfolio_id, lease_id),
	FOREIGN KEY (portfolio_id, lease_id) REFERENCES leases (portfolio_id, id) ON DELETE CASCADE
) STRICT;

-- The day on which owners are reminded to return the deposit, NULL for never.
ALTER TABLE leases ADD COLUMN deposit_reminder_on INTEGER;
CREATE INDEX leases_deposit_reminder ON leases (portfolio_id, deposit_reminder_on)
	WHERE deposit_reminder_on IS NOT NULL;
