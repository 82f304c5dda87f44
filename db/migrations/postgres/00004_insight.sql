-- +goose Up
-- Active leases by their last day.
CREATE INDEX leases_ending ON leases (portfolio_id, end_date, id) WHERE status = 'active';

-- Rent that is or will be owed, by lease: a few of a hundred rows of a ledger. It holds
-- all that a sum looks at.
CREATE INDEX payments_owed ON payments (portfolio_id, lease_id, due_date, amount, amount_paid, status)
	WHERE type = 'rent' AND status IN ('scheduled', 'due', 'partially_paid', 'failed');

-- Units, to be counted.
CREATE INDEX units_status ON units (portfolio_id, status);
