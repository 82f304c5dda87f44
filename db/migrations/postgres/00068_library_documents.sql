-- +goose Up
-- PDFs that a landlord keeps for leases, as they were cleaned. A lease has a copy of those that it asks for.
CREATE TABLE library_documents (
	portfolio_id BIGINT NOT NULL,
	id TEXT COLLATE "C" NOT NULL,
	version BIGINT NOT NULL,
	created_at BIGINT NOT NULL,
	updated_at BIGINT NOT NULL,
	title TEXT COLLATE "C" NOT NULL,
	edition TEXT COLLATE "C",
	kind TEXT COLLATE "C" NOT NULL,
	states TEXT COLLATE "C" NOT NULL, -- JSON, an empty list for all
	disclosures TEXT COLLATE "C" NOT NULL, -- JSON, an empty list for each lease
	file_id TEXT COLLATE "C" NOT NULL,
	file_name TEXT COLLATE "C" NOT NULL, -- that attachments of leases begin with
	pages BIGINT NOT NULL,
	size BIGINT NOT NULL, -- of the content, in bytes
	sha256 TEXT COLLATE "C" NOT NULL, -- of the content
	requires_initials BOOLEAN NOT NULL,
	uploaded_at BIGINT NOT NULL,
	content BYTEA NOT NULL,
	PRIMARY KEY (portfolio_id, id),
	FOREIGN KEY (portfolio_id) REFERENCES portfolios (id)
);
ALTER TABLE library_documents ALTER COLUMN portfolio_id SET (n_distinct = 2);

-- What an attachment from the library answers.
ALTER TABLE lease_attachments ADD COLUMN disclosures TEXT COLLATE "C" NOT NULL DEFAULT '[]'; -- JSON

-- The Lead Warning Statement as an owner has entered it.
ALTER TABLE lease_details ADD COLUMN lead_warning TEXT COLLATE "C" NOT NULL DEFAULT '';

-- Documents of the library take room of a demo portfolio.
-- +goose StatementBegin
CREATE FUNCTION demo_library_documents_room() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, CASE TG_OP WHEN 'INSERT' THEN 1 WHEN 'DELETE' THEN -1 ELSE 0 END,
		CASE TG_OP WHEN 'INSERT' THEN 200 + octet_length(NEW.content)
			WHEN 'DELETE' THEN -(200 + octet_length(OLD.content))
			ELSE octet_length(NEW.content) - octet_length(OLD.content) END
	FROM demo_usage
	WHERE portfolio_id = CASE TG_OP WHEN 'DELETE' THEN OLD.portfolio_id ELSE NEW.portfolio_id END;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER demo_library_documents AFTER INSERT OR DELETE OR UPDATE OF content ON library_documents
FOR EACH ROW EXECUTE FUNCTION demo_library_documents_room();
