-- +goose Up
-- What the ledger adds up is in the index that finds it, and the column of its expression, without which the
-- rows themselves are read.
DROP INDEX payments_facets;
CREATE INDEX payments_facets ON payments (portfolio_id, status, type, COALESCE(method, ''), due_date, id)
	INCLUDE (method, amount, amount_paid) WHERE id > '';

-- The order of due dates of one status: what is due next is not paid, and all of it would be skipped.
-- All rows are in it, as in that of all due dates: only queries that say id >= '' use it, and they not the other.
CREATE INDEX payments_status_due ON payments (portfolio_id, status, due_date, id) WHERE id >= '';
