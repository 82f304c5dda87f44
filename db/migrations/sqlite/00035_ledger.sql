-- +goose Up
-- What the ledger adds up is in the index that finds it.
DROP INDEX payments_facets;
CREATE INDEX payments_facets ON payments (
	portfolio_id, status, type, COALESCE(method, ''), due_date, id, amount, amount_paid
) WHERE id > '';

-- The order of due dates of one status: what is due next is not paid, and all of it would be skipped.
CREATE INDEX payments_status_due ON payments (portfolio_id, status, due_date, id) WHERE id >= '';
