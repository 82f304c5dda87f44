-- +goose Up
-- The row of which this one takes a part back.
ALTER TABLE payments ADD COLUMN reverses_payment_id TEXT COLLATE "C";
