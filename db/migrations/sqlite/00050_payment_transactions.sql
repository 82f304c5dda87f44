-- +goose Up
-- The movements of the money of ledger rows, which are added and never changed. A row that was written before has none:
-- what it tells is its first transaction, and is stored with the next one.
CREATE TABLE payment_transactions (
	portfolio_id INTEGER NOT NULL,
	payment_id TEXT NOT NULL,
	position INTEGER NOT NULL, -- from 0
	id TEXT NOT NULL,
	kind TEXT NOT NULL,
	method TEXT,
	amount INTEGER NOT NULL, -- what it adds to what is paid, in cents
	status TEXT NOT NULL,
	reference TEXT,
	failure_code TEXT,
	failure_message TEXT,
	occurred_at INTEGER NOT NULL,
	recorded_by TEXT NOT NULL,
	corrects TEXT, -- the transaction that a correction takes back
	reason TEXT,
	PRIMARY KEY (portfolio_id, payment_id, position),
	FOREIGN KEY (portfolio_id, payment_id) REFERENCES payments (portfolio_id, id) ON DELETE CASCADE
) STRICT;
