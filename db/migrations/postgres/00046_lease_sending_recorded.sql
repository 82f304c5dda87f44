-- +goose Up
-- 1 where send_requested_at and sent_at say what happened. While nodes are replaced, those of the version before insert
-- documents without these columns and email the links at once: their rows have 0 and were sent when they were made.
ALTER TABLE documents ADD COLUMN sending_recorded BIGINT NOT NULL DEFAULT 1; -- no row is rewritten
ALTER TABLE documents ALTER COLUMN sending_recorded SET DEFAULT 0;
