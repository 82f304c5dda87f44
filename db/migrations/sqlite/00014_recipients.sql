-- +goose Up
-- Counting e-mails: when a sender had the last ones sent to a recipient. The subject names
-- both, the recipient as a hash; the times are milliseconds since 1970, the oldest first.
CREATE TABLE sent_mails (
	subject TEXT PRIMARY KEY,
	times TEXT NOT NULL,
	expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sent_mails_end ON sent_mails (expires_at);
