-- +goose Up
-- What a landlord keeps for leases that are generated. A lease has a copy of it.
CREATE TABLE lease_templates (
	portfolio_id INTEGER NOT NULL,
	id TEXT NOT NULL,
	version INTEGER NOT NULL,
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL,
	name TEXT NOT NULL,
	name_key TEXT NOT NULL, -- the name without what does not tell names apart
	state TEXT, -- NULL for leases of any state
	terms TEXT NOT NULL, -- JSON
	PRIMARY KEY (portfolio_id, id),
	FOREIGN KEY (portfolio_id) REFERENCES portfolios (id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX lease_templates_name ON lease_templates (portfolio_id, name_key);

-- PDFs that become attachments of leases, as they were cleaned.
CREATE TABLE lease_template_attachments (
	portfolio_id INTEGER NOT NULL,
	template_id TEXT NOT NULL,
	id TEXT NOT NULL,
	file_name TEXT NOT NULL,
	pages INTEGER NOT NULL,
	size INTEGER NOT NULL, -- of the content, in bytes
	sha256 TEXT NOT NULL, -- of the content
	requires_initials INTEGER NOT NULL,
	uploaded_at INTEGER NOT NULL,
	content BLOB NOT NULL,
	PRIMARY KEY (portfolio_id, template_id, id),
	FOREIGN KEY (portfolio_id, template_id) REFERENCES lease_templates (portfolio_id, id) ON DELETE CASCADE
) STRICT;

-- Templates and their attachments take room of a demo portfolio.
-- +goose StatementBegin
CREATE TRIGGER demo_lease_templates_added AFTER INSERT ON lease_templates
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 1, 0
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_lease_templates_deleted AFTER DELETE ON lease_templates
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, -1, 0
	FROM demo_usage
	WHERE portfolio_id = OLD.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_lease_template_attachments_added AFTER INSERT ON lease_template_attachments
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, 200 + length(NEW.content)
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_lease_template_attachments_deleted AFTER DELETE ON lease_template_attachments
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, -(200 + length(OLD.content))
	FROM demo_usage
	WHERE portfolio_id = OLD.portfolio_id;
END;
-- +goose StatementEnd
