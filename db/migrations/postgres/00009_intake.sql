-- +goose Up
-- What a landlord decided about an application, and the tenant that came of it.
ALTER TABLE applications ADD COLUMN decision TEXT COLLATE "C" CHECK (decision IN ('accepted', 'declined'));
ALTER TABLE applications ADD COLUMN decided_at BIGINT;
ALTER TABLE applications ADD COLUMN tenant_id TEXT COLLATE "C";
ALTER TABLE applications ADD FOREIGN KEY (portfolio_id, tenant_id) REFERENCES tenants (portfolio_id, id);
CREATE INDEX applications_decision ON applications (portfolio_id, decision, invitation_id);
CREATE INDEX applications_tenant ON applications (portfolio_id, tenant_id) WHERE tenant_id IS NOT NULL;

-- Invitations of one status in their order.
CREATE INDEX invitations_standing ON invitations (portfolio_id, status, id);

-- Rent rolls that were uploaded. content and preview are sealed, and forgotten once the roll
-- is imported, or after a day.
CREATE TABLE imports (
	portfolio_id BIGINT NOT NULL REFERENCES portfolios (id),
	id TEXT COLLATE "C" NOT NULL,
	created_at BIGINT NOT NULL,
	user_id TEXT COLLATE "C" NOT NULL,
	name TEXT COLLATE "C" NOT NULL,
	size BIGINT NOT NULL,
	status TEXT COLLATE "C" NOT NULL CHECK (status IN ('ready', 'queued', 'done')),
	content BYTEA,
	preview BYTEA,
	records BIGINT NOT NULL,
	written BIGINT NOT NULL,
	result TEXT COLLATE "C",
	finished_at BIGINT,
	PRIMARY KEY (portfolio_id, id)
);
CREATE INDEX imports_kept ON imports (created_at) WHERE status <> 'done';
