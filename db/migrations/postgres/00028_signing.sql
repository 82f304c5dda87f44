-- +goose Up
-- Who signs a lease: its tenants in their order, and the landlord last where the lease has a document
-- of ours. id, name and title are those of the document, NULL where it has none.
ALTER TABLE lease_tenants RENAME TO lease_signers;
ALTER TABLE lease_signers RENAME CONSTRAINT lease_tenants_pkey TO lease_signers_pkey;
ALTER TABLE lease_signers ALTER COLUMN tenant_id DROP NOT NULL; -- NULL: the landlord
ALTER TABLE lease_signers ADD COLUMN id TEXT COLLATE "C";
ALTER TABLE lease_signers ADD COLUMN name TEXT COLLATE "C";
ALTER TABLE lease_signers ADD COLUMN title TEXT COLLATE "C";
ALTER TABLE lease_signers ADD COLUMN viewed_at BIGINT;
ALTER TABLE lease_signers ADD COLUMN viewed_version BIGINT; -- the latest one
ALTER TABLE lease_signers ADD COLUMN consented_at BIGINT;
ALTER TABLE lease_signers ADD COLUMN signed_version BIGINT;
ALTER TABLE lease_signers ADD COLUMN signed_name TEXT COLLATE "C"; -- as it was typed
ALTER TABLE lease_signers ADD COLUMN declined_at BIGINT;
ALTER TABLE lease_signers ADD COLUMN decline_reason TEXT COLLATE "C";
CREATE INDEX lease_signers_id ON lease_signers (id) WHERE id IS NOT NULL; -- a link names the signer alone

-- Nodes of the version before may run on until the next version: they read and write the tenants here.
CREATE VIEW lease_tenants AS
SELECT portfolio_id, lease_id, position, tenant_id, role, signed_at
FROM lease_signers
WHERE tenant_id IS NOT NULL;

-- Each state of a document, in order. One that nobody has viewed is emptied when the next is made; its
-- hash stays. documents.content is empty then, but for documents of the version before, which have none.
CREATE TABLE document_versions (
	portfolio_id BIGINT NOT NULL,
	document_id TEXT COLLATE "C" NOT NULL,
	number BIGINT NOT NULL, -- from 1
	created_at BIGINT NOT NULL,
	sha256 TEXT COLLATE "C" NOT NULL, -- of the content
	body TEXT COLLATE "C" NOT NULL, -- what it says, as JSON
	content BYTEA NOT NULL, -- the PDF
	viewed_at BIGINT,
	PRIMARY KEY (portfolio_id, document_id, number),
	FOREIGN KEY (portfolio_id, document_id) REFERENCES documents (portfolio_id, id)
);
CREATE INDEX document_versions_kept ON document_versions (created_at) WHERE length(content) > 0;

-- What happened to a document, as package api/agreement/evidence has it.
CREATE TABLE document_evidence (
	portfolio_id BIGINT NOT NULL,
	document_id TEXT COLLATE "C" NOT NULL,
	number BIGINT NOT NULL, -- from 1
	at BIGINT NOT NULL,
	kind TEXT COLLATE "C" NOT NULL,
	party TEXT COLLATE "C" NOT NULL,
	name TEXT COLLATE "C" NOT NULL,
	address TEXT COLLATE "C" NOT NULL,
	browser TEXT COLLATE "C" NOT NULL,
	document TEXT COLLATE "C" NOT NULL,
	note TEXT COLLATE "C" NOT NULL,
	previous TEXT COLLATE "C" NOT NULL,
	hash TEXT COLLATE "C" NOT NULL,
	PRIMARY KEY (portfolio_id, document_id, number),
	FOREIGN KEY (portfolio_id, document_id) REFERENCES documents (portfolio_id, id)
);

ALTER TABLE documents ADD COLUMN version BIGINT NOT NULL DEFAULT 0; -- the latest one, 0 for none
ALTER TABLE documents ADD COLUMN evidence_key BYTEA; -- sealed
ALTER TABLE documents ADD COLUMN evidence_count BIGINT NOT NULL DEFAULT 0;
ALTER TABLE documents ADD COLUMN evidence_head TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE documents ADD COLUMN evidence_mac TEXT COLLATE "C" NOT NULL DEFAULT '';

-- Versions and evidence take room of a demo portfolio.
-- +goose StatementBegin
CREATE FUNCTION demo_document_versions_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	whose BIGINT;
	grown BIGINT := 0;
BEGIN
	IF TG_OP <> 'DELETE' THEN
		whose := NEW.portfolio_id;
		grown := 200 + octet_length(NEW.content) + octet_length(NEW.body);
	END IF;
	IF TG_OP <> 'INSERT' THEN
		whose := OLD.portfolio_id;
		grown := grown - (200 + octet_length(OLD.content) + octet_length(OLD.body));
	END IF;
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, grown
	FROM demo_usage
	WHERE portfolio_id = whose AND grown <> 0;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER demo_document_versions AFTER INSERT OR DELETE OR UPDATE OF content, body ON document_versions
FOR EACH ROW EXECUTE FUNCTION demo_document_versions_bytes();
-- +goose StatementBegin
CREATE FUNCTION demo_document_evidence_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, CASE TG_OP WHEN 'INSERT' THEN 500 ELSE -500 END
	FROM demo_usage
	WHERE portfolio_id = CASE TG_OP WHEN 'INSERT' THEN NEW.portfolio_id ELSE OLD.portfolio_id END;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER demo_document_evidence AFTER INSERT OR DELETE ON document_evidence
FOR EACH ROW EXECUTE FUNCTION demo_document_evidence_bytes();
