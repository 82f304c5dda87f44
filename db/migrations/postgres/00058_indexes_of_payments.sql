-- +goose Up
-- The ledger row of a transaction, by the transaction's id.
CREATE INDEX payment_transactions_id ON payment_transactions (portfolio_id, id, payment_id);

-- What is overdue, with its type: credits pay no deposit.
DROP INDEX payments_overdue;
CREATE INDEX payments_overdue ON payments (portfolio_id, due_date, lease_id, amount, amount_paid, status, type)
	WHERE status IN ('due', 'partially_paid', 'failed');
