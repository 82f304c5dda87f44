-- +goose Up
-- Whether tenants of a portfolio get emails about rent. Those of accounts that exist get none until an owner turns them
-- on.
ALTER TABLE portfolios ADD COLUMN rent_notices BIGINT NOT NULL DEFAULT 0;
UPDATE portfolios SET rent_notices = 1 WHERE mode = 'test';

-- When a tenant stopped emails about rent, NULL where they get them.
ALTER TABLE tenants ADD COLUMN rent_notices_stopped_at BIGINT;

-- The days on which a tenant was emailed about rent: at most once each.
CREATE TABLE rent_notices (
	portfolio_id BIGINT NOT NULL,
	tenant_id TEXT COLLATE "C" NOT NULL,
	day BIGINT NOT NULL,
	PRIMARY KEY (portfolio_id, tenant_id, day),
	FOREIGN KEY (portfolio_id, tenant_id) REFERENCES tenants (portfolio_id, id)
);

-- What a tenant's next email about rent tells besides what is due: transactions of ledger rows, and late fees, which
-- have the position -1. Triggers add it, so that older nodes do so too.
CREATE TABLE rent_news (
	portfolio_id BIGINT NOT NULL,
	tenant_id TEXT COLLATE "C" NOT NULL,
	payment_id TEXT COLLATE "C" NOT NULL,
	position BIGINT NOT NULL,
	PRIMARY KEY (portfolio_id, tenant_id, payment_id, position),
	FOREIGN KEY (portfolio_id, tenant_id) REFERENCES tenants (portfolio_id, id),
	FOREIGN KEY (portfolio_id, payment_id) REFERENCES payments (portfolio_id, id) ON DELETE CASCADE
);
ALTER TABLE rent_notices ALTER COLUMN portfolio_id SET (n_distinct = 2);
ALTER TABLE rent_news ALTER COLUMN portfolio_id SET (n_distinct = 2);
CREATE INDEX rent_news_payment ON rent_news (portfolio_id, payment_id);

-- +goose StatementBegin
CREATE FUNCTION rent_news_of_transaction() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO rent_news (portfolio_id, tenant_id, payment_id, position)
	SELECT t.portfolio_id, t.id, NEW.payment_id, NEW.position
	FROM portfolios f
	JOIN payments p ON p.portfolio_id = f.id AND p.id = NEW.payment_id
	JOIN lease_signers l ON l.portfolio_id = p.portfolio_id AND l.lease_id = p.lease_id
	JOIN tenants t ON t.portfolio_id = l.portfolio_id AND t.id = l.tenant_id
	WHERE f.id = NEW.portfolio_id AND f.rent_notices = 1 AND f.auto_charge_since IS NOT NULL
		AND l.role <> 'guarantor' AND t.email IS NOT NULL AND t.rent_notices_stopped_at IS NULL;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER rent_news_of_transactions AFTER INSERT ON payment_transactions
FOR EACH ROW
WHEN (NEW.kind = 'payment' AND NEW.status IN ('succeeded', 'failed') OR NEW.kind = 'return' AND NEW.status = 'succeeded')
EXECUTE FUNCTION rent_news_of_transaction();

-- +goose StatementBegin
CREATE FUNCTION rent_news_of_late_fee() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO rent_news (portfolio_id, tenant_id, payment_id, position)
	SELECT t.portfolio_id, t.id, NEW.id, -1
	FROM portfolios f
	JOIN lease_signers l ON l.portfolio_id = f.id AND l.lease_id = NEW.lease_id
	JOIN tenants t ON t.portfolio_id = l.portfolio_id AND t.id = l.tenant_id
	WHERE f.id = NEW.portfolio_id AND f.rent_notices = 1 AND f.auto_charge_since IS NOT NULL
		AND l.role <> 'guarantor' AND t.email IS NOT NULL AND t.rent_notices_stopped_at IS NULL;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER rent_news_of_late_fees AFTER INSERT ON payments
FOR EACH ROW
WHEN (NEW.fee_type = 'late' AND NEW.charge IS NOT NULL)
EXECUTE FUNCTION rent_news_of_late_fee();
