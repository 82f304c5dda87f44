-- +goose Up
-- Payments of ledger rows through processors. Amounts are in cents.
CREATE TABLE payment_attempts (
	portfolio_id INTEGER NOT NULL,
	id TEXT NOT NULL,
	version INTEGER NOT NULL,
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL,
	lease_id TEXT NOT NULL,
	tenant_id TEXT NOT NULL, -- who pays
	processor TEXT NOT NULL,
	account TEXT, -- of the landlord at the processor
	reference TEXT, -- of the payment at the processor
	method TEXT,
	amount INTEGER NOT NULL,
	status TEXT NOT NULL,
	started_on INTEGER NOT NULL, -- the day by the portfolio's clock
	expires_at INTEGER NOT NULL, -- in real time; until then what it is to pay is kept for it
	surplus INTEGER NOT NULL DEFAULT 0, -- what cleared of it that no row owed
	credit_id TEXT, -- the row that the surplus became
	refunded INTEGER NOT NULL DEFAULT 0,
	failure_code TEXT,
	failure_message TEXT,
	back TEXT, -- how the money went back: return or dispute
	back_on INTEGER,
	dispute_due_on INTEGER, -- until when a dispute can be answered
	dispute_status TEXT,
	problem TEXT, -- what the processor says differently
	look_at INTEGER, -- when the processor is asked again, in real time; NULL for never
	PRIMARY KEY (portfolio_id, id),
	FOREIGN KEY (portfolio_id, lease_id) REFERENCES leases (portfolio_id, id),
	FOREIGN KEY (portfolio_id, tenant_id) REFERENCES tenants (portfolio_id, id)
) STRICT;
CREATE INDEX payment_attempts_lease ON payment_attempts (portfolio_id, lease_id, id);
CREATE INDEX payment_attempts_look ON payment_attempts (look_at) WHERE look_at IS NOT NULL;

-- What an attempt pays of each row.
CREATE TABLE payment_shares (
	portfolio_id INTEGER NOT NULL,
	attempt_id TEXT NOT NULL,
	position INTEGER NOT NULL, -- from 0
	payment_id TEXT NOT NULL,
	amount INTEGER NOT NULL,
	PRIMARY KEY (portfolio_id, attempt_id, position),
	FOREIGN KEY (portfolio_id, attempt_id) REFERENCES payment_attempts (portfolio_id, id) ON DELETE CASCADE,
	FOREIGN KEY (portfolio_id, payment_id) REFERENCES payments (portfolio_id, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX payment_shares_payment ON payment_shares (portfolio_id, payment_id, attempt_id);

-- Refunds of what an attempt has paid of a row.
CREATE TABLE payment_refunds (
	portfolio_id INTEGER NOT NULL,
	id TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	attempt_id TEXT NOT NULL,
	payment_id TEXT NOT NULL,
	amount INTEGER NOT NULL,
	status TEXT NOT NULL,
	reason TEXT NOT NULL,
	reference TEXT,
	PRIMARY KEY (portfolio_id, id),
	FOREIGN KEY (portfolio_id, attempt_id) REFERENCES payment_attempts (portfolio_id, id) ON DELETE CASCADE,
	FOREIGN KEY (portfolio_id, payment_id) REFERENCES payments (portfolio_id, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX payment_refunds_attempt ON payment_refunds (portfolio_id, attempt_id, id);

-- What the simulated processor of demo portfolios knows: how a payment was sent, and what becomes of it.
CREATE TABLE simulated_payments (
	portfolio_id INTEGER NOT NULL,
	attempt_id TEXT NOT NULL,
	method TEXT,
	outcome TEXT NOT NULL,
	sent_at INTEGER NOT NULL, -- by the portfolio's clock
	sent_on INTEGER NOT NULL,
	next_on INTEGER, -- the day on which something happens to it, NULL for never
	PRIMARY KEY (portfolio_id, attempt_id),
	FOREIGN KEY (portfolio_id, attempt_id) REFERENCES payment_attempts (portfolio_id, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX simulated_payments_next ON simulated_payments (portfolio_id, next_on) WHERE next_on IS NOT NULL;

-- The payment that a transaction is a part of, and the latest one that a row was part of.
ALTER TABLE payment_transactions ADD COLUMN attempt_id TEXT;
ALTER TABLE payments ADD COLUMN attempt_id TEXT;
-- What is under way of a row.
ALTER TABLE payments ADD COLUMN under_way INTEGER NOT NULL DEFAULT 0;
UPDATE payments SET under_way = amount - amount_paid WHERE status = 'processing';
-- Which payments tenants can make online: all, whole charges alone, or none.
ALTER TABLE leases ADD COLUMN online_payments TEXT NOT NULL DEFAULT 'all';

-- Attempts take room of a demo portfolio.
-- +goose StatementBegin
CREATE TRIGGER demo_payment_attempts_added AFTER INSERT ON payment_attempts
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 1, 1000
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
