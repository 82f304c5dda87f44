-- +goose Up
-- What the ledger adds up is in the index that finds it, and the column of its expression, without which the
-- rows themselves are read.
DROP INDEX payments_facets;
CREATE INDEX payments_facets ON payments (portfolio_id, status, type, COALESCE(method, ''), due_date, id)
	INCLUDE (method, amount, amount_paid) WHERE id > '';

-- The order of due dates of one status: what is due next is not paid, and all of it would be skipped.
-- It has no condition, unlike that of all due dates: a query that does not say id > '' cannot use the other one.
CREATE INDEX payments_status_due ON payments (portfolio_id, status, due_date, id);
