-- +goose Up
-- Usage: what was asked with each key, by the day (UTC). It is a log: what it names may
-- be gone.
CREATE TABLE key_days (
	account_id TEXT COLLATE "C" NOT NULL,
	key_id TEXT COLLATE "C" NOT NULL,
	day BIGINT NOT NULL,
	requests BIGINT NOT NULL,
	failed BIGINT NOT NULL,
	throttled BIGINT NOT NULL,
	minute BIGINT NOT NULL,
	in_minute BIGINT NOT NULL,
	busiest BIGINT NOT NULL,
	PRIMARY KEY (account_id, key_id, day)
);
CREATE INDEX key_days_age ON key_days (day);

-- The mail of a portfolio, the newest first.
CREATE INDEX mails_portfolio ON mails (portfolio_id, id) WHERE portfolio_id IS NOT NULL;

-- Which letters a member wants of an account, with commas between them; NULL is what their role gets.
ALTER TABLE members ADD COLUMN notices TEXT COLLATE "C";

-- Grows with every change of the portfolio's records, so that what was counted before can
-- be told from what must be counted anew.
ALTER TABLE portfolios ADD COLUMN revision BIGINT NOT NULL DEFAULT 0;
