-- +goose Up
-- PDFs that a landlord keeps for leases, as they were cleaned. A lease has a copy of those that it asks for.
CREATE TABLE library_documents (
	portfolio_id INTEGER NOT NULL,
	id TEXT NOT NULL,
	version INTEGER NOT NULL,
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL,
	title TEXT NOT NULL,
	edition TEXT,
	kind TEXT NOT NULL,
	states TEXT NOT NULL, -- JSON, an empty list for all
	disclosures TEXT NOT NULL, -- JSON, an empty list for each lease
	file_id TEXT NOT NULL,
	file_name TEXT NOT NULL, -- that attachments of leases begin with
	pages INTEGER NOT NULL,
	size INTEGER NOT NULL, -- of the content, in bytes
	sha256 TEXT NOT NULL, -- of the content
	requires_initials INTEGER NOT NULL,
	uploaded_at INTEGER NOT NULL,
	content BLOB NOT NULL,
	PRIMARY KEY (portfolio_id, id),
	FOREIGN KEY (portfolio_id) REFERENCES portfolios (id)
) STRICT;

-- What an attachment from the library answers.
ALTER TABLE lease_attachments ADD COLUMN disclosures TEXT NOT NULL DEFAULT '[]'; -- JSON

-- The Lead Warning Statement as an owner has entered it.
ALTER TABLE lease_details ADD COLUMN lead_warning TEXT NOT NULL DEFAULT '';

-- Documents of the library take room of a demo portfolio.
-- +goose StatementBegin
CREATE TRIGGER demo_library_documents_added AFTER INSERT ON library_documents
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 1, 200 + length(NEW.content)
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_library_documents_changed AFTER UPDATE OF content ON library_documents
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, length(NEW.content) - length(OLD.content)
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_library_documents_deleted AFTER DELETE ON library_documents
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, -1, -(200 + length(OLD.content))
	FROM demo_usage
	WHERE portfolio_id = OLD.portfolio_id;
END;
-- +goose StatementEnd
