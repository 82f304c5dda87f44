-- +goose Up
-- The orders in which pages show lists, beside that of their creation. All rows are in these indexes: only queries
-- that say id > '' use them, so that the others are read as before.
CREATE INDEX properties_address ON properties (portfolio_id, lower(street_address), id) WHERE id > '';
CREATE INDEX tenants_name ON tenants (portfolio_id, lower(first_name || ' ' || last_name), id) WHERE id > '';
CREATE INDEX leases_end ON leases (portfolio_id, end_date, id) WHERE id > '';
CREATE INDEX tickets_updated ON tickets (portfolio_id, updated_at, id) WHERE id > '';
CREATE INDEX payments_due ON payments (portfolio_id, due_date, id) WHERE id > '';
CREATE INDEX payments_unpaid_due ON payments (portfolio_id, due_date, id)
	WHERE status IN ('due', 'partially_paid', 'failed') AND id > '';

-- What lists are narrowed by, all in one index: how many rows pass any filters is counted, and few of them
-- are found, without reading the rows that do not pass.
CREATE INDEX properties_facets ON properties (portfolio_id, status, property_type, state, lower(city), id) WHERE id > '';
CREATE INDEX leases_facets ON leases (portfolio_id, status, end_date, id) WHERE id > '';
CREATE INDEX tickets_facets ON tickets (portfolio_id, status, priority, category, id) WHERE id > '';
CREATE INDEX payments_facets ON payments (portfolio_id, status, type, COALESCE(method, ''), due_date, id) WHERE id > '';
