-- +goose Up
-- Keys that were made for the documentation in a session, which end with what its owner may do.
ALTER TABLE api_keys ADD COLUMN of_session INTEGER NOT NULL DEFAULT 0;
CREATE INDEX api_keys_creator ON api_keys (account_id, created_by);
