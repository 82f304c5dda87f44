-- +goose Up
-- What is owed under leases, by lease: the rows that are not paid, with all that a sum looks at.
CREATE INDEX payments_balance ON payments (portfolio_id, lease_id, due_date, type, amount, amount_paid, status)
	WHERE status IN ('scheduled', 'due', 'partially_paid', 'failed');

-- What is held of deposits, by lease.
CREATE INDEX payments_deposit ON payments (portfolio_id, lease_id, status, amount_paid) WHERE type = 'deposit';
