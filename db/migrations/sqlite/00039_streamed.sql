-- +goose Up
-- When the first event of a portfolio was streamed to a program: a step of the way of an account.
ALTER TABLE portfolios ADD COLUMN streamed_at INTEGER;
