-- +goose Up
-- The ledger row of a transaction, by the transaction's id.
CREATE INDEX payment_transactions_id ON payment_transactions (portfolio_id, id, payment_id);
