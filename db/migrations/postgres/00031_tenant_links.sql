-- +goose Up
-- What opens the page of a tenant: one link at a time, which holds until it is renewed or revoked, and the
-- hashes of the tokens that were given out for it, one with each email.
CREATE TABLE tenant_links (
	portfolio_id BIGINT NOT NULL,
	id TEXT COLLATE "C" NOT NULL,
	created_at BIGINT NOT NULL,
	tenant_id TEXT COLLATE "C" NOT NULL,
	ended_at BIGINT, -- renewed or revoked
	sent_at BIGINT, -- the latest email with a token
	email_status TEXT COLLATE "C",
	PRIMARY KEY (portfolio_id, id),
	FOREIGN KEY (portfolio_id, tenant_id) REFERENCES tenants (portfolio_id, id)
);
CREATE UNIQUE INDEX tenant_links_live ON tenant_links (portfolio_id, tenant_id) WHERE ended_at IS NULL;
CREATE INDEX tenant_links_tenant ON tenant_links (portfolio_id, tenant_id);

CREATE TABLE tenant_link_tokens (
	hash BYTEA PRIMARY KEY, -- SHA-256
	portfolio_id BIGINT NOT NULL,
	link_id TEXT COLLATE "C" NOT NULL,
	created_at BIGINT NOT NULL,
	FOREIGN KEY (portfolio_id, link_id) REFERENCES tenant_links (portfolio_id, id)
);
CREATE INDEX tenant_link_tokens_link ON tenant_link_tokens (portfolio_id, link_id);
