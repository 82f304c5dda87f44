-- +goose Up
-- PDFs of the landlord's that are part of a lease, as they were cleaned.
CREATE TABLE lease_attachments (
	portfolio_id INTEGER NOT NULL,
	lease_id TEXT NOT NULL,
	id TEXT NOT NULL,
	file_name TEXT NOT NULL,
	pages INTEGER NOT NULL,
	size INTEGER NOT NULL, -- of the content, in bytes
	sha256 TEXT NOT NULL, -- of the content
	requires_initials INTEGER NOT NULL,
	uploaded_at INTEGER NOT NULL,
	removed_at INTEGER, -- somebody may have looked at it before
	content BLOB NOT NULL,
	PRIMARY KEY (portfolio_id, lease_id, id),
	FOREIGN KEY (portfolio_id, lease_id) REFERENCES leases (portfolio_id, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX lease_attachments_kept ON lease_attachments (uploaded_at) WHERE length(content) > 0;

-- Attachments take room of a demo portfolio.
-- +goose StatementBegin
CREATE TRIGGER demo_lease_attachments_added AFTER INSERT ON lease_attachments
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, 200 + length(NEW.content)
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_lease_attachments_deleted AFTER DELETE ON lease_attachments
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, -(200 + length(OLD.content))
	FROM demo_usage
	WHERE portfolio_id = OLD.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_lease_attachments_changed AFTER UPDATE OF content ON lease_attachments
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, length(NEW.content) - length(OLD.content)
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
