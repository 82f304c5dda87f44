-- +goose Up
-- What the processor calls its page of an attempt, what the tenant pays on top of the rows, and the autopay that paid
-- it.
ALTER TABLE payment_attempts ADD COLUMN session TEXT;
ALTER TABLE payment_attempts ADD COLUMN fee INTEGER NOT NULL DEFAULT 0;
ALTER TABLE payment_attempts ADD COLUMN autopay_id TEXT;

-- What tenants have agreed to: that charges of a lease are paid each month.
CREATE TABLE payment_autopays (
	portfolio_id INTEGER NOT NULL,
	id TEXT NOT NULL,
	version INTEGER NOT NULL,
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL,
	lease_id TEXT NOT NULL,
	tenant_id TEXT NOT NULL,
	processor TEXT NOT NULL,
	account TEXT, -- of the landlord at the processor
	session TEXT, -- of the page on which the tenant gave the card or the account
	customer TEXT, -- the tenant at the processor
	reference TEXT, -- of the card or the account at the processor
	method TEXT,
	day INTEGER NOT NULL, -- of the month
	most INTEGER NOT NULL, -- that is paid in a month
	text TEXT NOT NULL, -- what the tenant has agreed to, as shown
	language TEXT NOT NULL,
	status TEXT NOT NULL,
	agreed_at INTEGER,
	ended_at INTEGER,
	ended_why TEXT,
	next_on INTEGER, -- the day of the next payment
	act_on INTEGER, -- when the tenant is told of it, or it is made
	told INTEGER, -- what the tenant was told is paid then
	failures INTEGER NOT NULL DEFAULT 0, -- in a row
	released INTEGER NOT NULL DEFAULT 0, -- 1 once the processor has forgotten the card or the account
	look_at INTEGER, -- when the processor is asked again, in real time; NULL for never
	PRIMARY KEY (portfolio_id, id),
	FOREIGN KEY (portfolio_id, lease_id) REFERENCES leases (portfolio_id, id),
	FOREIGN KEY (portfolio_id, tenant_id) REFERENCES tenants (portfolio_id, id)
) STRICT;
CREATE INDEX payment_autopays_lease ON payment_autopays (portfolio_id, lease_id, id);
CREATE INDEX payment_autopays_act ON payment_autopays (portfolio_id, act_on) WHERE act_on IS NOT NULL;
CREATE INDEX payment_autopays_look ON payment_autopays (look_at) WHERE look_at IS NOT NULL;

-- What the simulated processor charges for autopay.
CREATE TABLE simulated_sources (
	portfolio_id INTEGER NOT NULL,
	autopay_id TEXT NOT NULL,
	method TEXT NOT NULL,
	outcome TEXT NOT NULL,
	PRIMARY KEY (portfolio_id, autopay_id),
	FOREIGN KEY (portfolio_id, autopay_id) REFERENCES payment_autopays (portfolio_id, id) ON DELETE CASCADE
) STRICT;

-- Autopay takes room of a demo portfolio.
-- +goose StatementBegin
CREATE TRIGGER demo_payment_autopays_added AFTER INSERT ON payment_autopays
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 1, 2000
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
