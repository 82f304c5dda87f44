-- +goose Up
-- The ledger of many properties or tenants is counted and added up without its rows.
DROP INDEX payments_property;
DROP INDEX payments_tenant;
CREATE INDEX payments_property ON payments (portfolio_id, property_id, id) INCLUDE (status, due_date, amount, amount_paid);
CREATE INDEX payments_tenant ON payments (portfolio_id, tenant_id, id) INCLUDE (status, due_date, amount, amount_paid);
