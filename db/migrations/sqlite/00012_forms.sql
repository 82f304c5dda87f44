-- +goose Up
-- Sending forms: each form that creates something is taken once. The name is a hash of the
-- reader, the address and the random value in the form.
CREATE TABLE sent_forms (
	name BLOB PRIMARY KEY,
	leads_to TEXT NOT NULL,
	said TEXT NOT NULL,
	expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sent_forms_end ON sent_forms (expires_at);
