-- +goose Up
-- Sending forms: each form that creates something is taken once. The name is a hash of the
-- reader, the address and the random value in the form.
CREATE TABLE sent_forms (
	name BYTEA PRIMARY KEY,
	leads_to TEXT COLLATE "C" NOT NULL,
	said TEXT COLLATE "C" NOT NULL,
	expires_at BIGINT NOT NULL
);
CREATE INDEX sent_forms_end ON sent_forms (expires_at);
