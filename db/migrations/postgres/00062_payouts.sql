-- +goose Up
-- When money of an attempt cleared, went back, and came again after a dispute, by the portfolio's clock.
ALTER TABLE payment_attempts ADD COLUMN cleared_at BIGINT;
ALTER TABLE payment_attempts ADD COLUMN back_at BIGINT;
ALTER TABLE payment_attempts ADD COLUMN restored_at BIGINT;
ALTER TABLE payment_refunds ADD COLUMN made_at BIGINT;
CREATE INDEX payment_attempts_reference ON payment_attempts (portfolio_id, reference) WHERE reference IS NOT NULL;
CREATE INDEX payment_attempts_cleared ON payment_attempts (portfolio_id, cleared_at) WHERE cleared_at IS NOT NULL;
CREATE INDEX payment_attempts_back ON payment_attempts (portfolio_id, back_at) WHERE back_at IS NOT NULL;
CREATE INDEX payment_attempts_restored ON payment_attempts (portfolio_id, restored_at) WHERE restored_at IS NOT NULL;
CREATE INDEX payment_refunds_made ON payment_refunds (portfolio_id, made_at) WHERE made_at IS NOT NULL;
-- When the dispute of a simulated payment was answered, and whether the answer wins.
ALTER TABLE simulated_payments ADD COLUMN answered_on BIGINT;
ALTER TABLE simulated_payments ADD COLUMN wins BOOLEAN NOT NULL DEFAULT FALSE;

-- What a processor has paid out to the landlord's bank. Amounts are in cents.
CREATE TABLE payouts (
	portfolio_id BIGINT NOT NULL,
	reference TEXT COLLATE "C" NOT NULL, -- of the processor
	amount BIGINT NOT NULL,
	status TEXT COLLATE "C" NOT NULL,
	created_at BIGINT NOT NULL,
	arrives_on BIGINT NOT NULL,
	failure TEXT COLLATE "C",
	PRIMARY KEY (portfolio_id, reference)
);
ALTER TABLE payouts ALTER COLUMN portfolio_id SET (n_distinct = 2);
CREATE INDEX payouts_created ON payouts (portfolio_id, created_at);

-- What payouts contain.
CREATE TABLE payout_movements (
	portfolio_id BIGINT NOT NULL,
	payout TEXT COLLATE "C" NOT NULL,
	position BIGINT NOT NULL, -- from 0
	reference TEXT COLLATE "C" NOT NULL, -- of the processor
	kind TEXT COLLATE "C" NOT NULL,
	payment TEXT COLLATE "C", -- what the processor calls the payment that it is of
	attempt_id TEXT COLLATE "C",
	amount BIGINT NOT NULL,
	fee BIGINT NOT NULL,
	moved_at BIGINT NOT NULL,
	words TEXT COLLATE "C",
	PRIMARY KEY (portfolio_id, payout, position),
	FOREIGN KEY (portfolio_id, payout) REFERENCES payouts (portfolio_id, reference) ON DELETE CASCADE
);
ALTER TABLE payout_movements ALTER COLUMN portfolio_id SET (n_distinct = 2);
CREATE INDEX payout_movements_attempt ON payout_movements (portfolio_id, attempt_id) WHERE attempt_id IS NOT NULL;

-- Accounts of live portfolios with a processor that asks for one.
CREATE TABLE payment_accounts (
	portfolio_id BIGINT PRIMARY KEY REFERENCES portfolios (id),
	processor TEXT COLLATE "C" NOT NULL,
	reference TEXT COLLATE "C" NOT NULL, -- of the account at the processor
	created_at BIGINT NOT NULL,
	submitted BOOLEAN NOT NULL DEFAULT FALSE, -- the landlord has said what was asked
	charges BOOLEAN NOT NULL DEFAULT FALSE, -- payments are taken
	pays_out BOOLEAN NOT NULL DEFAULT FALSE, -- money is paid out
	due TEXT COLLATE "C", -- what the processor asks for, a line each
	compared_on BIGINT, -- the latest day of which payments were compared
	differences TEXT COLLATE "C" -- what differed then, a line each
);
ALTER TABLE payment_accounts ALTER COLUMN portfolio_id SET (n_distinct = 2);
CREATE UNIQUE INDEX payment_accounts_reference ON payment_accounts (processor, reference);
