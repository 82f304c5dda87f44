-- +goose Up
-- Writing over REST: what a recorded answer needs to be told again.
ALTER TABLE idempotency_keys ADD COLUMN revision BIGINT NOT NULL DEFAULT 0;
