-- +goose Up
-- Usage: what was asked with each key, by the day (UTC). It is a log: what it names may
-- be gone.
CREATE TABLE key_days (
	account_id TEXT NOT NULL,
	key_id TEXT NOT NULL,
	day INTEGER NOT NULL,
	requests INTEGER NOT NULL,
	failed INTEGER NOT NULL,
	throttled INTEGER NOT NULL,
	minute INTEGER NOT NULL,
	in_minute INTEGER NOT NULL,
	busiest INTEGER NOT NULL,
	PRIMARY KEY (account_id, key_id, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX key_days_age ON key_days (day);

-- The mail of a portfolio, the newest first.
CREATE INDEX mails_portfolio ON mails (portfolio_id, id) WHERE portfolio_id IS NOT NULL;

-- Which letters a member wants of an account, with commas between them; NULL is what their role gets.
ALTER TABLE members ADD COLUMN notices TEXT;

-- Grows with every change of the portfolio's records, so that what was counted before can
-- be told from what must be counted anew.
ALTER TABLE portfolios ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
