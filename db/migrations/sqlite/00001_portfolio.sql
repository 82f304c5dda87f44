-- +goose Up
-- People and their accounts. E-mail addresses of users are stored in lower case.
CREATE TABLE users (
	id TEXT PRIMARY KEY,
	email TEXT NOT NULL UNIQUE,
	password_hash TEXT NOT NULL,
	role TEXT NOT NULL CHECK (role IN ('landlord', 'staff')),
	created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE accounts (
	id TEXT PRIMARY KEY,
	name TEXT NOT NULL,
	time_zone TEXT NOT NULL,
	plan TEXT NOT NULL CHECK (plan IN ('starter', 'pro', 'prime')),
	sustained INTEGER,
	burst INTEGER CHECK (burst >= 20),
	unit_ceiling INTEGER,
	created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE members (
	account_id TEXT NOT NULL REFERENCES accounts (id),
	user_id TEXT NOT NULL REFERENCES users (id),
	role TEXT NOT NULL CHECK (role IN ('owner', 'manager')),
	created_at INTEGER NOT NULL,
	PRIMARY KEY (account_id, user_id)
) STRICT;
CREATE INDEX members_user ON members (user_id);

CREATE TABLE portfolios (
	id INTEGER PRIMARY KEY,
	account_id TEXT NOT NULL REFERENCES accounts (id),
	mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
	next_ticket_number INTEGER NOT NULL DEFAULT 1001,
	UNIQUE (account_id, mode)
) STRICT;

-- Access: requests, keys, what each of them did. Times are milliseconds since 1970, UTC.
CREATE TABLE access_requests (
	id TEXT PRIMARY KEY,
	account_id TEXT NOT NULL REFERENCES accounts (id),
	user_id TEXT NOT NULL REFERENCES users (id),
	status TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'denied', 'withdrawn', 'revoked')),
	company_name TEXT,
	contact_email TEXT NOT NULL,
	use_case TEXT NOT NULL,
	expected_monthly_calls INTEGER,
	integration_type TEXT,
	website_url TEXT,
	submitted_at INTEGER NOT NULL,
	reviewed_at INTEGER,
	reviewed_by TEXT REFERENCES users (id),
	review_notes TEXT,
	denial_reason TEXT
) STRICT;
CREATE UNIQUE INDEX access_requests_open ON access_requests (account_id) WHERE status IN ('pending', 'approved');
CREATE INDEX access_requests_account ON access_requests (account_id, id);

CREATE TABLE api_keys (
	id TEXT PRIMARY KEY,
	account_id TEXT NOT NULL REFERENCES accounts (id),
	portfolio_id INTEGER NOT NULL REFERENCES portfolios (id),
	created_by TEXT NOT NULL REFERENCES users (id),
	name TEXT NOT NULL,
	mode TEXT NOT NULL CHECK (mode IN ('test', 'live')),
	hash BLOB NOT NULL UNIQUE,
	key_prefix TEXT NOT NULL,
	scopes TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	last_used_at INTEGER,
	revoked_at INTEGER,
	expires_at INTEGER
) STRICT;
CREATE INDEX api_keys_account ON api_keys (account_id, id);

CREATE TABLE rate_limits (
	subject TEXT PRIMARY KEY,
	state BLOB NOT NULL,
	updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE requests (
	id TEXT PRIMARY KEY,
	at INTEGER NOT NULL,
	account_id TEXT,
	key_id TEXT,
	portfolio_id INTEGER,
	operation TEXT NOT NULL,
	method TEXT NOT NULL,
	path TEXT NOT NULL,
	query TEXT NOT NULL,
	status INTEGER NOT NULL,
	code TEXT,
	param TEXT,
	duration_us INTEGER NOT NULL,
	bytes INTEGER NOT NULL,
	address TEXT NOT NULL,
	user_agent TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX requests_account ON requests (account_id, id);

CREATE TABLE idempotency_keys (
	key_id TEXT NOT NULL REFERENCES api_keys (id),
	idempotency_key TEXT NOT NULL,
	fingerprint BLOB NOT NULL,
	status INTEGER NOT NULL,
	body BLOB NOT NULL,
	sealed INTEGER NOT NULL,
	created_at INTEGER NOT NULL,
	PRIMARY KEY (key_id, idempotency_key)
) STRICT;
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

-- The landlord's records. Each key begins with the portfolio, each foreign key too, so no
-- row can point into another portfolio. Amounts are cents, dates are days since 1970-01-01.
CREATE TABLE properties (
	portfolio_id INTEGER NOT NULL REFERENCES portfolios (id),
	id TEXT NOT NULL,
	version INTEGER NOT NULL,
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL,
	name TEXT,
	street_address TEXT NOT NULL,
	street_address_2 TEXT,
	city TEXT NOT NULL,
	state TEXT NOT NULL,
	postal_code TEXT,
	property_type TEXT NOT NULL,
	year_built INTEGER,
	unit_count INTEGER NOT NULL,
	occupied_unit_count INTEGER NOT NULL,
	status TEXT NOT NULL,
	verification_status TEXT NOT NULL,
	PRIMARY KEY (portfolio_id, id)
) STRICT;
CREATE INDEX properties_state ON properties (portfolio_id, state, id);
CREATE INDEX properties_city ON properties (portfolio_id, lower(city), id);
CREATE INDEX properties_type ON properties (portfolio_id, property_type, id);
CREATE INDEX properties_status ON properties (portfolio_id, status, id);

CREATE TABLE units (
	portfolio_id INTEGER NOT NULL,
	id TEXT NOT NULL,
	version INTEGER NOT NULL,
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL,
	property_id TEXT NOT NULL,
	unit_number TEXT NOT NULL,
	bedrooms INTEGER,
	bathrooms INTEGER,
	square_feet INTEGER,
	market_rent INTEGER,
	status TEXT NOT NULL,
	is_default INTEGER NOT NULL,
	current_lease_id TEXT,
	PRIMARY KEY (portfolio_id, id),
	FOREIGN KEY (portfolio_id, property_id) REFERENCES properties (portfolio_id, id)
) STRICT;
CREATE INDEX units_property ON units (portfolio_id, property_id, id);
CREATE UNIQUE INDEX units_number ON units (portfolio_id, property_id, lower(unit_number));

CREATE TABLE tenants (
	portfolio_id INTEGER NOT NULL REFERENCES portfolios (id),
	id TEXT NOT NULL,
	version INTEGER NOT NULL,
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL,
	first_name TEXT NOT NULL,
	last_name TEXT NOT NULL,
	email TEXT,
	phone TEXT,
	alternate_email TEXT,
	alternate_phone TEXT,
	preferred_contact_method TEXT,
	mailing_address TEXT,
	emergency_contact TEXT,
	status TEXT NOT NULL,
	property_id TEXT,
	unit_id TEXT,
	current_lease_id TEXT,
	move_in_date INTEGER,
	move_out_date INTEGER,
	PRIMARY KEY (portfolio_id, id),
	FOREIGN KEY (portfolio_id, property_id) REFERENCES properties (portfolio_id, id),
	FOREIGN KEY (portfolio_id, unit_id) REFERENCES units (portfolio_id, id)
) STRICT;
CREATE INDEX tenants_status ON tenants (portfolio_id, status, id);
CREATE INDEX tenants_property ON tenants (portfolio_id, property_id, id);
CREATE INDEX tenants_unit ON tenants (portfolio_id, unit_id, id);
CREATE INDEX tenants_email ON tenants (portfolio_id, lower(email), id);

CREATE TABLE leases (
	portfolio_id INTEGER NOT NULL,
	id TEXT NOT NULL,
	version INTEGER NOT NULL,
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL,
	status TEXT NOT NULL,
	property_id TEXT NOT NULL,
	unit_id TEXT NOT NULL,
	rental_address TEXT NOT NULL,
	lease_type TEXT NOT NULL,
	start_date INTEGER NOT NULL,
	end_date INTEGER,
	monthly_rent INTEGER NOT NULL,
	security_deposit INTEGER NOT NULL,
	rent_due_day INTEGER NOT NULL,
	late_fee_amount INTEGER,
	late_fee_grace_days INTEGER,
	move_in_date INTEGER,
	move_out_date INTEGER,
	notice_given_date INTEGER,
	terminated_on INTEGER,
	termination_reason TEXT,
	renewed_from_lease_id TEXT,
	renewed_to_lease_id TEXT,
	document_url TEXT,
	esign_url TEXT,
	expires_at INTEGER,
	signed_at INTEGER,
	document_sha256 TEXT,
	PRIMARY KEY (portfolio_id, id),
	FOREIGN KEY (portfolio_id, property_id) REFERENCES properties (portfolio_id, id),
	FOREIGN KEY (portfolio_id, unit_id) REFERENCES units (portfolio_id, id)
) STRICT;
CREATE INDEX leases_status ON leases (portfolio_id, status, id);
CREATE INDEX leases_property ON leases (portfolio_id, property_id, id);
CREATE INDEX leases_unit ON leases (portfolio_id, unit_id, id);

CREATE TABLE lease_tenants (
	portfolio_id INTEGER NOT NULL,
	lease_id TEXT NOT NULL,
	position INTEGER NOT NULL,
	tenant_id TEXT NOT NULL,
	role TEXT NOT NULL,
	signed_at INTEGER,
	PRIMARY KEY (portfolio_id, lease_id, position),
	UNIQUE (portfolio_id, tenant_id, lease_id),
	FOREIGN KEY (portfolio_id, lease_id) REFERENCES leases (portfolio_id, id),
	FOREIGN KEY (portfolio_id, tenant_id) REFERENCES tenants (portfolio_id, id)
) STRICT;

CREATE TABLE tickets (
	portfolio_id INTEGER NOT NULL,
	id TEXT NOT NULL,
	version INTEGER NOT NULL,
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL,
	number INTEGER NOT NULL,
	property_id TEXT NOT NULL,
	unit_id TEXT,
	tenant_id TEXT,
	lease_id TEXT,
	title TEXT NOT NULL,
	description TEXT NOT NULL,
	status TEXT NOT NULL,
	priority TEXT NOT NULL,
	category TEXT NOT NULL,
	triage TEXT,
	vendor TEXT,
	source TEXT NOT NULL,
	entry_permission TEXT NOT NULL,
	entry_notes TEXT,
	scheduled_start INTEGER,
	scheduled_end INTEGER,
	due_date INTEGER,
	estimated_cost INTEGER,
	cost_limit INTEGER,
	actual_cost INTEGER,
	completed_at INTEGER,
	cancelled_at INTEGER,
	reopened_count INTEGER NOT NULL,
	PRIMARY KEY (portfolio_id, id),
	UNIQUE (portfolio_id, number),
	FOREIGN KEY (portfolio_id, property_id) REFERENCES properties (portfolio_id, id),
	FOREIGN KEY (portfolio_id, unit_id) REFERENCES units (portfolio_id, id),
	FOREIGN KEY (portfolio_id, tenant_id) REFERENCES tenants (portfolio_id, id),
	FOREIGN KEY (portfolio_id, lease_id) REFERENCES leases (portfolio_id, id)
) STRICT;
CREATE INDEX tickets_status ON tickets (portfolio_id, status, id);
CREATE INDEX tickets_priority ON tickets (portfolio_id, priority, id);
CREATE INDEX tickets_category ON tickets (portfolio_id, category, id);
CREATE INDEX tickets_property ON tickets (portfolio_id, property_id, id);
CREATE INDEX tickets_unit ON tickets (portfolio_id, unit_id, id);
CREATE INDEX tickets_tenant ON tickets (portfolio_id, tenant_id, id);

CREATE TABLE payments (
	portfolio_id INTEGER NOT NULL,
	id TEXT NOT NULL,
	version INTEGER NOT NULL,
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL,
	lease_id TEXT NOT NULL,
	tenant_id TEXT NOT NULL,
	unit_id TEXT NOT NULL,
	property_id TEXT NOT NULL,
	type TEXT NOT NULL,
	fee_type TEXT,
	description TEXT,
	amount INTEGER NOT NULL,
	amount_paid INTEGER NOT NULL,
	status TEXT NOT NULL,
	method TEXT,
	due_date INTEGER NOT NULL,
	period_start INTEGER,
	period_end INTEGER,
	initiated_at INTEGER,
	paid_at INTEGER,
	failure_code TEXT,
	failure_message TEXT,
	reference TEXT,
	PRIMARY KEY (portfolio_id, id),
	FOREIGN KEY (portfolio_id, lease_id) REFERENCES leases (portfolio_id, id),
	FOREIGN KEY (portfolio_id, tenant_id) REFERENCES tenants (portfolio_id, id),
	FOREIGN KEY (portfolio_id, unit_id) REFERENCES units (portfolio_id, id),
	FOREIGN KEY (portfolio_id, property_id) REFERENCES properties (portfolio_id, id)
) STRICT;
CREATE INDEX payments_status ON payments (portfolio_id, status, id);
CREATE INDEX payments_type ON payments (portfolio_id, type, id);
CREATE INDEX payments_method ON payments (portfolio_id, method, id);
CREATE INDEX payments_lease ON payments (portfolio_id, lease_id, id);
CREATE INDEX payments_tenant ON payments (portfolio_id, tenant_id, id);
CREATE INDEX payments_unit ON payments (portfolio_id, unit_id, id);
CREATE INDEX payments_property ON payments (portfolio_id, property_id, id);
CREATE INDEX payments_unpaid ON payments (portfolio_id, id) WHERE status IN ('due', 'partially_paid', 'failed');

CREATE TABLE invitations (
	portfolio_id INTEGER NOT NULL,
	id TEXT NOT NULL,
	version INTEGER NOT NULL,
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL,
	unit_id TEXT NOT NULL,
	property_id TEXT NOT NULL,
	email TEXT NOT NULL,
	first_name TEXT,
	last_name TEXT,
	phone TEXT,
	message TEXT,
	desired_move_in_date INTEGER,
	offered_rent INTEGER,
	status TEXT NOT NULL,
	email_status TEXT NOT NULL,
	token_hash BLOB NOT NULL UNIQUE,
	expires_at INTEGER NOT NULL,
	PRIMARY KEY (portfolio_id, id),
	FOREIGN KEY (portfolio_id, unit_id) REFERENCES units (portfolio_id, id),
	FOREIGN KEY (portfolio_id, property_id) REFERENCES properties (portfolio_id, id)
) STRICT;

-- What is told to the outside: endpoints with sealed secrets, events with their final
-- bytes, a delivery for each endpoint, an attempt for each try.
CREATE TABLE webhook_endpoints (
	portfolio_id INTEGER NOT NULL REFERENCES portfolios (id),
	id TEXT NOT NULL,
	version INTEGER NOT NULL,
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL,
	url TEXT NOT NULL,
	events TEXT NOT NULL,
	description TEXT,
	status TEXT NOT NULL,
	disabled_at INTEGER,
	disabled_reason TEXT,
	secret BLOB NOT NULL,
	secret_prefix TEXT NOT NULL,
	previous_secret BLOB,
	previous_secret_expires_at INTEGER,
	last_delivery_at INTEGER,
	last_success_at INTEGER,
	PRIMARY KEY (portfolio_id, id)
) STRICT;

CREATE TABLE events (
	portfolio_id INTEGER NOT NULL REFERENCES portfolios (id),
	id TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	type TEXT NOT NULL,
	body BLOB,
	PRIMARY KEY (portfolio_id, id)
) STRICT;

CREATE TABLE deliveries (
	portfolio_id INTEGER NOT NULL,
	id TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	event_id TEXT NOT NULL,
	endpoint_id TEXT NOT NULL,
	status TEXT NOT NULL,
	next_attempt_at INTEGER,
	PRIMARY KEY (portfolio_id, id),
	FOREIGN KEY (portfolio_id, event_id) REFERENCES events (portfolio_id, id),
	FOREIGN KEY (portfolio_id, endpoint_id) REFERENCES webhook_endpoints (portfolio_id, id)
) STRICT;
CREATE INDEX deliveries_endpoint ON deliveries (portfolio_id, endpoint_id, id);
CREATE INDEX deliveries_event ON deliveries (portfolio_id, event_id, id);
CREATE INDEX deliveries_due ON deliveries (next_attempt_at) WHERE status = 'pending';

CREATE TABLE delivery_attempts (
	portfolio_id INTEGER NOT NULL,
	delivery_id TEXT NOT NULL,
	number INTEGER NOT NULL,
	at INTEGER NOT NULL,
	duration_ms INTEGER NOT NULL,
	status_code INTEGER,
	error TEXT,
	response_headers TEXT,
	response_body BLOB,
	cause TEXT NOT NULL,
	PRIMARY KEY (portfolio_id, delivery_id, number),
	FOREIGN KEY (portfolio_id, delivery_id) REFERENCES deliveries (portfolio_id, id)
) STRICT;

-- Mail that was kept instead of sent, documents of leases, and what assistants did.
CREATE TABLE mails (
	id TEXT PRIMARY KEY,
	account_id TEXT REFERENCES accounts (id),
	created_at INTEGER NOT NULL,
	recipient TEXT NOT NULL,
	subject TEXT NOT NULL,
	message BLOB NOT NULL
) STRICT;
CREATE INDEX mails_account ON mails (account_id, id);

CREATE TABLE documents (
	portfolio_id INTEGER NOT NULL REFERENCES portfolios (id),
	id TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	lease_id TEXT,
	media_type TEXT NOT NULL,
	sha256 TEXT NOT NULL,
	content BLOB NOT NULL,
	PRIMARY KEY (portfolio_id, id),
	FOREIGN KEY (portfolio_id, lease_id) REFERENCES leases (portfolio_id, id)
) STRICT;
CREATE INDEX documents_lease ON documents (portfolio_id, lease_id, id);

CREATE TABLE tool_calls (
	portfolio_id INTEGER NOT NULL REFERENCES portfolios (id),
	id TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	key_id TEXT NOT NULL REFERENCES api_keys (id),
	client TEXT NOT NULL,
	tool TEXT NOT NULL,
	arguments TEXT NOT NULL,
	dry_run INTEGER NOT NULL,
	outcome TEXT NOT NULL,
	change TEXT,
	PRIMARY KEY (portfolio_id, id)
) STRICT;
