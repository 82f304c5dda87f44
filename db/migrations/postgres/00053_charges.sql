-- +goose Up
-- What a row charges of its lease's schedule, once: many nodes and repeats write it once. Of several rows of one
-- charge, each is a part of its own.
ALTER TABLE payments ADD COLUMN charge TEXT COLLATE "C";
ALTER TABLE payments ADD COLUMN charge_part BIGINT NOT NULL DEFAULT 0;
CREATE UNIQUE INDEX payments_charge ON payments (portfolio_id, lease_id, charge, charge_part)
	WHERE charge IS NOT NULL;

-- The day on which a late fee for a row is looked at.
ALTER TABLE payments ADD COLUMN late_fee_on BIGINT;
-- The day after which the days of grace count where it is later than the due date.
ALTER TABLE payments ADD COLUMN late_after BIGINT NOT NULL DEFAULT 0;
CREATE INDEX payments_late_fee ON payments (portfolio_id, late_fee_on)
	WHERE status IN ('due', 'partially_paid', 'failed') AND late_fee_on IS NOT NULL;

-- What is owed to tenants.
CREATE INDEX payments_credit ON payments (portfolio_id, lease_id)
	WHERE status IN ('scheduled', 'due', 'partially_paid', 'failed') AND amount < 0;

-- The day on which it is looked at what a lease charges next. A lease of which that is not known is looked at soon.
ALTER TABLE leases ADD COLUMN charge_on BIGINT NOT NULL DEFAULT 0;
CREATE INDEX leases_charge ON leases (portfolio_id, charge_on) WHERE status IN ('signed', 'active');

-- Since when the ledger of a portfolio charges by itself, NULL where it does not.
ALTER TABLE portfolios ADD COLUMN auto_charge_since BIGINT;
