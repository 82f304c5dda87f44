-- +goose Up
-- The test clock of a demo portfolio: how many days its today is ahead of the real one, and while it is being advanced,
-- from which day and to which, counted from 1970-01-01.
ALTER TABLE portfolios ADD COLUMN ahead_days BIGINT NOT NULL DEFAULT 0;
ALTER TABLE portfolios ADD COLUMN advance_to BIGINT;
ALTER TABLE portfolios ADD COLUMN advance_from BIGINT;
CREATE INDEX portfolios_advancing ON portfolios (id) WHERE advance_to IS NOT NULL;
