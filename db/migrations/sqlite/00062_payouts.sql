-- +goose Up
-- When money of an attempt cleared, went back, and came again after a dispute, by the portfolio's clock.
ALTER TABLE payment_attempts ADD COLUMN cleared_at INTEGER;
ALTER TABLE payment_attempts ADD COLUMN back_at INTEGER;
ALTER TABLE payment_attempts ADD COLUMN restored_at INTEGER;
ALTER TABLE payment_refunds ADD COLUMN made_at INTEGER;
CREATE INDEX payment_attempts_reference ON payment_attempts (portfolio_id, reference) WHERE reference IS NOT NULL;
CREATE INDEX payment_attempts_cleared ON payment_attempts (portfolio_id, cleared_at) WHERE cleared_at IS NOT NULL;
CREATE INDEX payment_attempts_back ON payment_attempts (portfolio_id, back_at) WHERE back_at IS NOT NULL;
CREATE INDEX payment_attempts_restored ON payment_attempts (portfolio_id, restored_at) WHERE restored_at IS NOT NULL;
CREATE INDEX payment_refunds_made ON payment_refunds (portfolio_id, made_at) WHERE made_at IS NOT NULL;
-- When the dispute of a simulated payment was answered, and whether the answer wins.
ALTER TABLE simulated_payments ADD COLUMN answered_on INTEGER;
ALTER TABLE simulated_payments ADD COLUMN wins INTEGER NOT NULL DEFAULT 0;

-- What a processor has paid out to the landlord's bank. Amounts are in cents.
CREATE TABLE payouts (
	portfolio_id INTEGER NOT NULL,
	reference TEXT NOT NULL, -- of the processor
	amount INTEGER NOT NULL,
	status TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	arrives_on INTEGER NOT NULL,
	failure TEXT,
	PRIMARY KEY (portfolio_id, reference)
) STRICT;
CREATE INDEX payouts_created ON payouts (portfolio_id, created_at);

-- What payouts contain.
CREATE TABLE payout_movements (
	portfolio_id INTEGER NOT NULL,
	payout TEXT NOT NULL,
	position INTEGER NOT NULL, -- from 0
	reference TEXT NOT NULL, -- of the processor
	kind TEXT NOT NULL,
	payment TEXT, -- what the processor calls the payment that it is of
	attempt_id TEXT,
	amount INTEGER NOT NULL,
	fee INTEGER NOT NULL,
	moved_at INTEGER NOT NULL,
	words TEXT,
	PRIMARY KEY (portfolio_id, payout, position),
	FOREIGN KEY (portfolio_id, payout) REFERENCES payouts (portfolio_id, reference) ON DELETE CASCADE
) STRICT;
CREATE INDEX payout_movements_attempt ON payout_movements (portfolio_id, attempt_id) WHERE attempt_id IS NOT NULL;

-- Accounts of live portfolios with a processor that asks for one.
CREATE TABLE payment_accounts (
	portfolio_id INTEGER PRIMARY KEY REFERENCES portfolios (id),
	processor TEXT NOT NULL,
	reference TEXT NOT NULL, -- of the account at the processor
	created_at INTEGER NOT NULL,
	submitted INTEGER NOT NULL DEFAULT 0, -- the landlord has said what was asked
	charges INTEGER NOT NULL DEFAULT 0, -- payments are taken
	pays_out INTEGER NOT NULL DEFAULT 0, -- money is paid out
	due TEXT, -- what the processor asks for, a line each
	compared_on INTEGER, -- the latest day of which payments were compared
	differences TEXT -- what differed then, a line each
) STRICT;
CREATE UNIQUE INDEX payment_accounts_reference ON payment_accounts (processor, reference);
