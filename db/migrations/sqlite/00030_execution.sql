-- +goose Up
-- Leases as all have signed them: the PDF with signatures, certificate and seal. It never changes.
CREATE TABLE executed_documents (
	portfolio_id INTEGER NOT NULL,
	document_id TEXT NOT NULL,
	version INTEGER NOT NULL, -- of the document, which was signed
	created_at INTEGER NOT NULL,
	sha256 TEXT NOT NULL, -- of the content
	content BLOB NOT NULL,
	PRIMARY KEY (portfolio_id, document_id),
	FOREIGN KEY (portfolio_id, document_id) REFERENCES documents (portfolio_id, id)
) STRICT;
-- A file that somebody has is looked up by its hash, or by the number of the lease that it carries.
CREATE INDEX executed_documents_sha256 ON executed_documents (sha256);
CREATE INDEX document_versions_sha256 ON document_versions (sha256);
CREATE INDEX documents_lease_id ON documents (lease_id);

-- The keys that executed leases are sealed with, which the service has made itself; the latest one is used.
CREATE TABLE seal_keys (
	id INTEGER PRIMARY KEY, -- from 1
	created_at INTEGER NOT NULL,
	certificate BLOB NOT NULL, -- X.509, DER
	private_key BLOB NOT NULL -- PKCS #8, sealed
) STRICT;

-- Up to which entry the last hash of a log was told outside of the database, once a day; and which
-- members want it by email.
ALTER TABLE documents ADD COLUMN evidence_told INTEGER NOT NULL DEFAULT 0;
CREATE INDEX documents_untold ON documents (portfolio_id) WHERE evidence_count > evidence_told;
ALTER TABLE members ADD COLUMN evidence_mail INTEGER NOT NULL DEFAULT 0;

-- Executed documents take room of a demo portfolio.
-- +goose StatementBegin
CREATE TRIGGER demo_executed_documents_added AFTER INSERT ON executed_documents
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, 200 + length(NEW.content)
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_executed_documents_deleted AFTER DELETE ON executed_documents
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, -(200 + length(OLD.content))
	FROM demo_usage
	WHERE portfolio_id = OLD.portfolio_id;
END;
-- +goose StatementEnd
