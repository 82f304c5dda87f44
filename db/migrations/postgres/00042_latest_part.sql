-- +goose Up
-- The day of the latest part that was paid of a charge, which is paid in full on that day: parts may be
-- noted in another order than that in which they came. Null where nothing was paid since this column is
-- there.
ALTER TABLE payments ADD COLUMN received_at BIGINT;
