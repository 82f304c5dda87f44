-- +goose Up
-- How many links of a signer have ended: those that were sent to an address that the tenant has no more.
ALTER TABLE lease_signers ADD COLUMN ended_links INTEGER NOT NULL DEFAULT 0;
