-- +goose Up
-- What the processor calls its page of an attempt, what the tenant pays on top of the rows, and the autopay that paid
-- it.
ALTER TABLE payment_attempts ADD COLUMN session TEXT COLLATE "C";
ALTER TABLE payment_attempts ADD COLUMN fee BIGINT NOT NULL DEFAULT 0;
ALTER TABLE payment_attempts ADD COLUMN autopay_id TEXT COLLATE "C";

-- What tenants have agreed to: that charges of a lease are paid each month.
CREATE TABLE payment_autopays (
	portfolio_id BIGINT NOT NULL,
	id TEXT COLLATE "C" NOT NULL,
	version BIGINT NOT NULL,
	created_at BIGINT NOT NULL,
	updated_at BIGINT NOT NULL,
	lease_id TEXT COLLATE "C" NOT NULL,
	tenant_id TEXT COLLATE "C" NOT NULL,
	processor TEXT COLLATE "C" NOT NULL,
	account TEXT COLLATE "C", -- of the landlord at the processor
	session TEXT COLLATE "C", -- of the page on which the tenant gave the card or the account
	customer TEXT COLLATE "C", -- the tenant at the processor
	reference TEXT COLLATE "C", -- of the card or the account at the processor
	method TEXT COLLATE "C",
	day BIGINT NOT NULL, -- of the month
	most BIGINT NOT NULL, -- that is paid in a month
	text TEXT COLLATE "C" NOT NULL, -- what the tenant has agreed to, as shown
	language TEXT COLLATE "C" NOT NULL,
	status TEXT COLLATE "C" NOT NULL,
	agreed_at BIGINT,
	ended_at BIGINT,
	ended_why TEXT COLLATE "C",
	next_on BIGINT, -- the day of the next payment
	act_on BIGINT, -- when the tenant is told of it, or it is made
	told BIGINT, -- what the tenant was told is paid then
	failures BIGINT NOT NULL DEFAULT 0, -- in a row
	released BOOLEAN NOT NULL DEFAULT FALSE, -- once the processor has forgotten the card or the account
	look_at BIGINT, -- when the processor is asked again, in real time; NULL for never
	PRIMARY KEY (portfolio_id, id),
	FOREIGN KEY (portfolio_id, lease_id) REFERENCES leases (portfolio_id, id),
	FOREIGN KEY (portfolio_id, tenant_id) REFERENCES tenants (portfolio_id, id)
);
ALTER TABLE payment_autopays ALTER COLUMN portfolio_id SET (n_distinct = 2);
CREATE INDEX payment_autopays_lease ON payment_autopays (portfolio_id, lease_id, id);
CREATE INDEX payment_autopays_act ON payment_autopays (portfolio_id, act_on) WHERE act_on IS NOT NULL;
CREATE INDEX payment_autopays_look ON payment_autopays (look_at) WHERE look_at IS NOT NULL;

-- What the simulated processor charges for autopay.
CREATE TABLE simulated_sources (
	portfolio_id BIGINT NOT NULL,
	autopay_id TEXT COLLATE "C" NOT NULL,
	method TEXT COLLATE "C" NOT NULL,
	outcome TEXT COLLATE "C" NOT NULL,
	PRIMARY KEY (portfolio_id, autopay_id),
	FOREIGN KEY (portfolio_id, autopay_id) REFERENCES payment_autopays (portfolio_id, id) ON DELETE CASCADE
);
ALTER TABLE simulated_sources ALTER COLUMN portfolio_id SET (n_distinct = 2);

-- Autopay takes room of a demo portfolio.
-- +goose StatementBegin
CREATE FUNCTION demo_payment_autopays_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 1, 2000
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER demo_payment_autopays AFTER INSERT ON payment_autopays
FOR EACH ROW EXECUTE FUNCTION demo_payment_autopays_bytes();
