-- +goose Up
-- Verifying: what landlords say shows that a property is theirs, and what the staff decided.
CREATE TABLE verifications (
	portfolio_id INTEGER NOT NULL,
	id TEXT NOT NULL,
	property_id TEXT NOT NULL,
	asked_at INTEGER NOT NULL,
	asked_by TEXT NOT NULL REFERENCES users (id),
	note TEXT NOT NULL,
	status TEXT NOT NULL CHECK (status IN ('pending', 'verified', 'declined')),
	decided_at INTEGER,
	decided_by TEXT REFERENCES users (id),
	words TEXT,
	PRIMARY KEY (portfolio_id, id),
	FOREIGN KEY (portfolio_id, property_id) REFERENCES properties (portfolio_id, id)
) STRICT;
CREATE INDEX verifications_property ON verifications (portfolio_id, property_id, id);
CREATE UNIQUE INDEX verifications_open ON verifications (portfolio_id, property_id) WHERE status = 'pending';
CREATE UNIQUE INDEX verifications_id ON verifications (id);
CREATE INDEX verifications_status ON verifications (status, id);

-- Searching: by the beginning of an address, with and without its number, of what a
-- property is called, of a name and of a last name.
CREATE INDEX properties_street ON properties (portfolio_id, lower(street_address), id);
CREATE INDEX properties_road ON properties (portfolio_id, ltrim(lower(street_address), '0123456789- '), id);
CREATE INDEX properties_name ON properties (portfolio_id, lower(name), id);
CREATE INDEX tenants_name ON tenants (portfolio_id, lower(first_name || ' ' || last_name), id);
CREATE INDEX tenants_last_name ON tenants (portfolio_id, lower(last_name), id);
