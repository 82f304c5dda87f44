-- +goose Up
-- Counting e-mails: when a sender had the last ones sent to a recipient. The subject names
-- both, the recipient as a hash; the times are milliseconds since 1970, the oldest first.
CREATE TABLE sent_mails (
	subject TEXT COLLATE "C" PRIMARY KEY,
	times TEXT COLLATE "C" NOT NULL,
	expires_at BIGINT NOT NULL
);
CREATE INDEX sent_mails_end ON sent_mails (expires_at);
