-- +goose Up
-- What a landlord decided about an application, anew, as it points to the tenant that came
-- of it.
CREATE TABLE decided_applications (
	portfolio_id INTEGER NOT NULL,
	invitation_id TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	first_name TEXT NOT NULL,
	last_name TEXT NOT NULL,
	email TEXT NOT NULL,
	phone TEXT NOT NULL,
	move_in_date INTEGER NOT NULL,
	adults INTEGER NOT NULL,
	children INTEGER NOT NULL,
	pets TEXT,
	monthly_income INTEGER NOT NULL,
	notes TEXT,
	decision TEXT CHECK (decision IN ('accepted', 'declined')),
	decided_at INTEGER,
	tenant_id TEXT,
	PRIMARY KEY (portfolio_id, invitation_id),
	FOREIGN KEY (portfolio_id, invitation_id) REFERENCES invitations (portfolio_id, id),
	FOREIGN KEY (portfolio_id, tenant_id) REFERENCES tenants (portfolio_id, id)
) STRICT;
INSERT INTO decided_applications (portfolio_id, invitation_id, created_at, first_name, last_name, email, phone, move_in_date, adults, children, pets, monthly_income, notes)
SELECT portfolio_id, invitation_id, created_at, first_name, last_name, email, phone, move_in_date, adults, children, pets, monthly_income, notes
FROM applications;
DROP TABLE applications;
ALTER TABLE decided_applications RENAME TO applications;
CREATE INDEX applications_decision ON applications (portfolio_id, decision, invitation_id);
CREATE INDEX applications_tenant ON applications (portfolio_id, tenant_id) WHERE tenant_id IS NOT NULL;

-- Invitations of one status in their order.
CREATE INDEX invitations_standing ON invitations (portfolio_id, status, id);

-- Rent rolls that were uploaded. content and preview are sealed, and forgotten once the roll
-- is imported, or after a day.
CREATE TABLE imports (
	portfolio_id INTEGER NOT NULL REFERENCES portfolios (id),
	id TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	user_id TEXT NOT NULL,
	name TEXT NOT NULL,
	size INTEGER NOT NULL,
	status TEXT NOT NULL CHECK (status IN ('ready', 'queued', 'done')),
	content BLOB,
	preview BLOB,
	records INTEGER NOT NULL,
	written INTEGER NOT NULL,
	result TEXT,
	finished_at INTEGER,
	PRIMARY KEY (portfolio_id, id)
) STRICT;
CREATE INDEX imports_kept ON imports (created_at) WHERE status <> 'done';
