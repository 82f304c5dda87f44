-- +goose Up
-- Payments of ledger rows through processors. Amounts are in cents.
CREATE TABLE payment_attempts (
	portfolio_id BIGINT NOT NULL,
	id TEXT COLLATE "C" NOT NULL,
	version BIGINT NOT NULL,
	created_at BIGINT NOT NULL,
	updated_at BIGINT NOT NULL,
	lease_id TEXT COLLATE "C" NOT NULL,
	tenant_id TEXT COLLATE "C" NOT NULL, -- who pays
	processor TEXT COLLATE "C" NOT NULL,
	account TEXT COLLATE "C", -- of the landlord at the processor
	reference TEXT COLLATE "C", -- of the payment at the processor
	method TEXT COLLATE "C",
	amount BIGINT NOT NULL,
	status TEXT COLLATE "C" NOT NULL,
	started_on BIGINT NOT NULL, -- the day by the portfolio's clock
	expires_at BIGINT NOT NULL, -- in real time; until then what it is to pay is kept for it
	surplus BIGINT NOT NULL DEFAULT 0, -- what cleared of it that no row owed
	credit_id TEXT COLLATE "C", -- the row that the surplus became
	refunded BIGINT NOT NULL DEFAULT 0,
	failure_code TEXT COLLATE "C",
	failure_message TEXT COLLATE "C",
	back TEXT COLLATE "C", -- how the money went back: return or dispute
	back_on BIGINT,
	dispute_due_on BIGINT, -- until when a dispute can be answered
	dispute_status TEXT COLLATE "C",
	problem TEXT COLLATE "C", -- what the processor says differently
	look_at BIGINT, -- when the processor is asked again, in real time; NULL for never
	PRIMARY KEY (portfolio_id, id),
	FOREIGN KEY (portfolio_id, lease_id) REFERENCES leases (portfolio_id, id),
	FOREIGN KEY (portfolio_id, tenant_id) REFERENCES tenants (portfolio_id, id)
);
ALTER TABLE payment_attempts ALTER COLUMN portfolio_id SET (n_distinct = 2);
CREATE INDEX payment_attempts_lease ON payment_attempts (portfolio_id, lease_id, id);
CREATE INDEX payment_attempts_look ON payment_attempts (look_at) WHERE look_at IS NOT NULL;

-- What an attempt pays of each row.
CREATE TABLE payment_shares (
	portfolio_id BIGINT NOT NULL,
	attempt_id TEXT COLLATE "C" NOT NULL,
	position BIGINT NOT NULL, -- from 0
	payment_id TEXT COLLATE "C" NOT NULL,
	amount BIGINT NOT NULL,
	PRIMARY KEY (portfolio_id, attempt_id, position),
	FOREIGN KEY (portfolio_id, attempt_id) REFERENCES payment_attempts (portfolio_id, id) ON DELETE CASCADE,
	FOREIGN KEY (portfolio_id, payment_id) REFERENCES payments (portfolio_id, id) ON DELETE CASCADE
);
ALTER TABLE payment_shares ALTER COLUMN portfolio_id SET (n_distinct = 2);
CREATE INDEX payment_shares_payment ON payment_shares (portfolio_id, payment_id, attempt_id);

-- Refunds of what an attempt has paid of a row.
CREATE TABLE payment_refunds (
	portfolio_id BIGINT NOT NULL,
	id TEXT COLLATE "C" NOT NULL,
	created_at BIGINT NOT NULL,
	attempt_id TEXT COLLATE "C" NOT NULL,
	payment_id TEXT COLLATE "C" NOT NULL,
	amount BIGINT NOT NULL,
	status TEXT COLLATE "C" NOT NULL,
	reason TEXT COLLATE "C" NOT NULL,
	reference TEXT COLLATE "C",
	PRIMARY KEY (portfolio_id, id),
	FOREIGN KEY (portfolio_id, attempt_id) REFERENCES payment_attempts (portfolio_id, id) ON DELETE CASCADE,
	FOREIGN KEY (portfolio_id, payment_id) REFERENCES payments (portfolio_id, id) ON DELETE CASCADE
);
ALTER TABLE payment_refunds ALTER COLUMN portfolio_id SET (n_distinct = 2);
CREATE INDEX payment_refunds_attempt ON payment_refunds (portfolio_id, attempt_id, id);

-- What the simulated processor of demo portfolios knows: how a payment was sent, and what becomes of it.
CREATE TABLE simulated_payments (
	portfolio_id BIGINT NOT NULL,
	attempt_id TEXT COLLATE "C" NOT NULL,
	method TEXT COLLATE "C",
	outcome TEXT COLLATE "C" NOT NULL,
	sent_at BIGINT NOT NULL, -- by the portfolio's clock
	sent_on BIGINT NOT NULL,
	next_on BIGINT, -- the day on which something happens to it, NULL for never
	PRIMARY KEY (portfolio_id, attempt_id),
	FOREIGN KEY (portfolio_id, attempt_id) REFERENCES payment_attempts (portfolio_id, id) ON DELETE CASCADE
);
ALTER TABLE simulated_payments ALTER COLUMN portfolio_id SET (n_distinct = 2);
CREATE INDEX simulated_payments_next ON simulated_payments (portfolio_id, next_on) WHERE next_on IS NOT NULL;

-- The payment that a transaction is a part of, and the latest one that a row was part of.
ALTER TABLE payment_transactions ADD COLUMN attempt_id TEXT COLLATE "C";
ALTER TABLE payments ADD COLUMN attempt_id TEXT COLLATE "C";
-- What is under way of a row.
ALTER TABLE payments ADD COLUMN under_way BIGINT NOT NULL DEFAULT 0;
UPDATE payments SET under_way = amount - amount_paid WHERE status = 'processing';
-- Which payments tenants can make online: all, whole charges alone, or none.
ALTER TABLE leases ADD COLUMN online_payments TEXT COLLATE "C" NOT NULL DEFAULT 'all';

-- Attempts take room of a demo portfolio.
-- +goose StatementBegin
CREATE FUNCTION demo_payment_attempts_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 1, 1000
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER demo_payment_attempts AFTER INSERT ON payment_attempts
FOR EACH ROW EXECUTE FUNCTION demo_payment_attempts_bytes();
