-- +goose Up
-- What tenants pay on top of each online payment, in cents: 0 where the landlord bears what payments cost.
ALTER TABLE portfolios ADD COLUMN online_fee BIGINT NOT NULL DEFAULT 0;
