-- +goose Up
-- PDFs of the landlord's that are part of a lease, as they were cleaned.
CREATE TABLE lease_attachments (
	portfolio_id BIGINT NOT NULL,
	lease_id TEXT COLLATE "C" NOT NULL,
	id TEXT COLLATE "C" NOT NULL,
	file_name TEXT COLLATE "C" NOT NULL,
	pages BIGINT NOT NULL,
	size BIGINT NOT NULL, -- of the content, in bytes
	sha256 TEXT COLLATE "C" NOT NULL, -- of the content
	requires_initials BOOLEAN NOT NULL,
	uploaded_at BIGINT NOT NULL,
	removed_at BIGINT, -- somebody may have looked at it before
	content BYTEA NOT NULL,
	PRIMARY KEY (portfolio_id, lease_id, id),
	FOREIGN KEY (portfolio_id, lease_id) REFERENCES leases (portfolio_id, id) ON DELETE CASCADE
);
ALTER TABLE lease_attachments ALTER COLUMN portfolio_id SET (n_distinct = 2);
CREATE INDEX lease_attachments_kept ON lease_attachments (uploaded_at) WHERE length(content) > 0;

-- Attachments take room of a demo portfolio.
-- +goose StatementBegin
CREATE FUNCTION demo_lease_attachments_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, CASE TG_OP WHEN 'INSERT' THEN 200 + octet_length(NEW.content)
		WHEN 'UPDATE' THEN octet_length(NEW.content) - octet_length(OLD.content)
		ELSE -(200 + octet_length(OLD.content)) END
	FROM demo_usage
	WHERE portfolio_id = CASE TG_OP WHEN 'DELETE' THEN OLD.portfolio_id ELSE NEW.portfolio_id END;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER demo_lease_attachments AFTER INSERT OR DELETE OR UPDATE OF content ON lease_attachments
FOR EACH ROW EXECUTE FUNCTION demo_lease_attachments_bytes();
