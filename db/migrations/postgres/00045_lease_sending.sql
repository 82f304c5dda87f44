-- +goose Up
-- When somebody asked for a lease to be sent for signature, and when its links were emailed: NULL while something
-- blocks a signature. What was made before was sent when it was made.
ALTER TABLE documents ADD COLUMN send_requested_at BIGINT;
ALTER TABLE documents ADD COLUMN sent_at BIGINT;
UPDATE documents SET send_requested_at = created_at, sent_at = created_at;
CREATE INDEX documents_waiting ON documents (lease_id) WHERE send_requested_at IS NOT NULL AND sent_at IS NULL;
