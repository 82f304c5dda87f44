-- +goose Up
-- The movements of the money of ledger rows, which are added and never changed. A row that was written before has none:
-- what it tells is its first transaction, and is stored with the next one.
CREATE TABLE payment_transactions (
	portfolio_id BIGINT NOT NULL,
	payment_id TEXT COLLATE "C" NOT NULL,
	position BIGINT NOT NULL, -- from 0
	id TEXT COLLATE "C" NOT NULL,
	kind TEXT COLLATE "C" NOT NULL,
	method TEXT COLLATE "C",
	amount BIGINT NOT NULL, -- what it adds to what is paid, in cents
	status TEXT COLLATE "C" NOT NULL,
	reference TEXT COLLATE "C",
	failure_code TEXT COLLATE "C",
	failure_message TEXT COLLATE "C",
	occurred_at BIGINT NOT NULL,
	recorded_by TEXT COLLATE "C" NOT NULL,
	corrects TEXT COLLATE "C", -- the transaction that a correction takes back
	reason TEXT COLLATE "C",
	PRIMARY KEY (portfolio_id, payment_id, position),
	FOREIGN KEY (portfolio_id, payment_id) REFERENCES payments (portfolio_id, id) ON DELETE CASCADE
);
ALTER TABLE payment_transactions ALTER COLUMN portfolio_id SET (n_distinct = 2);
