-- +goose Up
-- Who signs a lease: its tenants in their order, and the landlord last where the lease has a document
-- of ours. id, name and title are those of the document, NULL where it has none.
CREATE TABLE lease_signers (
	portfolio_id INTEGER NOT NULL,
	lease_id TEXT NOT NULL,
	position INTEGER NOT NULL,
	tenant_id TEXT, -- NULL: the landlord
	role TEXT NOT NULL,
	signed_at INTEGER,
	id TEXT,
	name TEXT,
	title TEXT,
	viewed_at INTEGER,
	viewed_version INTEGER, -- the latest one
	consented_at INTEGER,
	signed_version INTEGER,
	signed_name TEXT, -- as it was typed
	declined_at INTEGER,
	decline_reason TEXT,
	PRIMARY KEY (portfolio_id, lease_id, position),
	UNIQUE (portfolio_id, tenant_id, lease_id),
	FOREIGN KEY (portfolio_id, lease_id) REFERENCES leases (portfolio_id, id),
	FOREIGN KEY (portfolio_id, tenant_id) REFERENCES tenants (portfolio_id, id)
) STRICT;
INSERT INTO lease_signers (portfolio_id, lease_id, position, tenant_id, role, signed_at)
SELECT portfolio_id, lease_id, position, tenant_id, role, signed_at FROM lease_tenants;
DROP TABLE lease_tenants;
CREATE INDEX lease_signers_id ON lease_signers (id) WHERE id IS NOT NULL; -- a link names the signer alone

-- Each state of a document, in order. One that nobody has viewed is emptied when the next is made; its
-- hash stays. documents.content is empty then, but for documents of the version before, which have none.
CREATE TABLE document_versions (
	portfolio_id INTEGER NOT NULL,
	document_id TEXT NOT NULL,
	number INTEGER NOT NULL, -- from 1
	created_at INTEGER NOT NULL,
	sha256 TEXT NOT NULL, -- of the content
	body TEXT NOT NULL, -- what it says, as JSON
	content BLOB NOT NULL, -- the PDF
	viewed_at INTEGER,
	PRIMARY KEY (portfolio_id, document_id, number),
	FOREIGN KEY (portfolio_id, document_id) REFERENCES documents (portfolio_id, id)
) STRICT;
CREATE INDEX document_versions_kept ON document_versions (created_at) WHERE length(content) > 0;

-- What happened to a document, as package api/agreement/evidence has it.
CREATE TABLE document_evidence (
	portfolio_id INTEGER NOT NULL,
	document_id TEXT NOT NULL,
	number INTEGER NOT NULL, -- from 1
	at INTEGER NOT NULL,
	kind TEXT NOT NULL,
	party TEXT NOT NULL,
	name TEXT NOT NULL,
	address TEXT NOT NULL,
	browser TEXT NOT NULL,
	document TEXT NOT NULL,
	note TEXT NOT NULL,
	previous TEXT NOT NULL,
	hash TEXT NOT NULL,
	PRIMARY KEY (portfolio_id, document_id, number),
	FOREIGN KEY (portfolio_id, document_id) REFERENCES documents (portfolio_id, id)
) STRICT;

ALTER TABLE documents ADD COLUMN version INTEGER NOT NULL DEFAULT 0; -- the latest one, 0 for none
ALTER TABLE documents ADD COLUMN evidence_key BLOB; -- sealed
ALTER TABLE documents ADD COLUMN evidence_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE documents ADD COLUMN evidence_head TEXT NOT NULL DEFAULT '';
ALTER TABLE documents ADD COLUMN evidence_mac TEXT NOT NULL DEFAULT '';

-- Versions and evidence take room of a demo portfolio.
-- +goose StatementBegin
CREATE TRIGGER demo_document_versions_added AFTER INSERT ON document_versions
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, 200 + length(NEW.content) + octet_length(NEW.body)
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_document_versions_deleted AFTER DELETE ON document_versions
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, -(200 + length(OLD.content) + octet_length(OLD.body))
	FROM demo_usage
	WHERE portfolio_id = OLD.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_document_versions_changed AFTER UPDATE OF content, body ON document_versions
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, length(NEW.content) + octet_length(NEW.body) - length(OLD.content) - octet_length(OLD.body)
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_document_evidence_added AFTER INSERT ON document_evidence
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, 500
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_document_evidence_deleted AFTER DELETE ON document_evidence
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, -500
	FROM demo_usage
	WHERE portfolio_id = OLD.portfolio_id;
END;
-- +goose StatementEnd
