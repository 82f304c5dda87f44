-- +goose Up
-- Leases as all have signed them: the PDF with signatures, certificate and seal. It never changes.
CREATE TABLE executed_documents (
	portfolio_id BIGINT NOT NULL,
	document_id TEXT COLLATE "C" NOT NULL,
	version BIGINT NOT NULL, -- of the document, which was signed
	created_at BIGINT NOT NULL,
	sha256 TEXT COLLATE "C" NOT NULL, -- of the content
	content BYTEA NOT NULL,
	PRIMARY KEY (portfolio_id, document_id),
	FOREIGN KEY (portfolio_id, document_id) REFERENCES documents (portfolio_id, id)
);
-- A file that somebody has is looked up by its hash, or by the number of the lease that it carries.
CREATE INDEX executed_documents_sha256 ON executed_documents (sha256);
CREATE INDEX document_versions_sha256 ON document_versions (sha256);
CREATE INDEX documents_lease_id ON documents (lease_id);

-- The keys that executed leases are sealed with, which the service has made itself; the latest one is used.
CREATE TABLE seal_keys (
	id BIGINT PRIMARY KEY, -- from 1
	created_at BIGINT NOT NULL,
	certificate BYTEA NOT NULL, -- X.509, DER
	private_key BYTEA NOT NULL -- PKCS #8, sealed
);

-- Up to which entry the last hash of a log was told outside of the database, once a day; and which
-- members want it by email.
ALTER TABLE documents ADD COLUMN evidence_told BIGINT NOT NULL DEFAULT 0;
CREATE INDEX documents_untold ON documents (portfolio_id) WHERE evidence_count > evidence_told;
ALTER TABLE members ADD COLUMN evidence_mail BIGINT NOT NULL DEFAULT 0;

-- Executed documents take room of a demo portfolio.
-- +goose StatementBegin
CREATE FUNCTION demo_executed_documents_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, CASE TG_OP WHEN 'INSERT' THEN 200 + octet_length(NEW.content)
		ELSE -(200 + octet_length(OLD.content)) END
	FROM demo_usage
	WHERE portfolio_id = CASE TG_OP WHEN 'INSERT' THEN NEW.portfolio_id ELSE OLD.portfolio_id END;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER demo_executed_documents AFTER INSERT OR DELETE ON executed_documents
FOR EACH ROW EXECUTE FUNCTION demo_executed_documents_bytes();
