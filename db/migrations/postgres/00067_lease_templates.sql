-- +goose Up
-- What a landlord keeps for leases that are generated. A lease has a copy of it.
CREATE TABLE lease_templates (
	portfolio_id BIGINT NOT NULL,
	id TEXT COLLATE "C" NOT NULL,
	version BIGINT NOT NULL,
	created_at BIGINT NOT NULL,
	updated_at BIGINT NOT NULL,
	name TEXT COLLATE "C" NOT NULL,
	name_key TEXT COLLATE "C" NOT NULL, -- the name without what does not tell names apart
	state TEXT COLLATE "C", -- NULL for leases of any state
	terms TEXT COLLATE "C" NOT NULL, -- JSON
	PRIMARY KEY (portfolio_id, id),
	FOREIGN KEY (portfolio_id) REFERENCES portfolios (id)
);
ALTER TABLE lease_templates ALTER COLUMN portfolio_id SET (n_distinct = 2);
CREATE UNIQUE INDEX lease_templates_name ON lease_templates (portfolio_id, name_key);

-- PDFs that become attachments of leases, as they were cleaned.
CREATE TABLE lease_template_attachments (
	portfolio_id BIGINT NOT NULL,
	template_id TEXT COLLATE "C" NOT NULL,
	id TEXT COLLATE "C" NOT NULL,
	file_name TEXT COLLATE "C" NOT NULL,
	pages BIGINT NOT NULL,
	size BIGINT NOT NULL, -- of the content, in bytes
	sha256 TEXT COLLATE "C" NOT NULL, -- of the content
	requires_initials BOOLEAN NOT NULL,
	uploaded_at BIGINT NOT NULL,
	content BYTEA NOT NULL,
	PRIMARY KEY (portfolio_id, template_id, id),
	FOREIGN KEY (portfolio_id, template_id) REFERENCES lease_templates (portfolio_id, id) ON DELETE CASCADE
);
ALTER TABLE lease_template_attachments ALTER COLUMN portfolio_id SET (n_distinct = 2);

-- Templates and their attachments take room of a demo portfolio.
-- +goose StatementBegin
CREATE FUNCTION demo_lease_templates_records() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END, 0
	FROM demo_usage
	WHERE portfolio_id = CASE TG_OP WHEN 'DELETE' THEN OLD.portfolio_id ELSE NEW.portfolio_id END;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER demo_lease_templates AFTER INSERT OR DELETE ON lease_templates
FOR EACH ROW EXECUTE FUNCTION demo_lease_templates_records();
-- +goose StatementBegin
CREATE FUNCTION demo_lease_template_attachments_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, CASE TG_OP WHEN 'INSERT' THEN 200 + octet_length(NEW.content)
		ELSE -(200 + octet_length(OLD.content)) END
	FROM demo_usage
	WHERE portfolio_id = CASE TG_OP WHEN 'DELETE' THEN OLD.portfolio_id ELSE NEW.portfolio_id END;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER demo_lease_template_attachments AFTER INSERT OR DELETE ON lease_template_attachments
FOR EACH ROW EXECUTE FUNCTION demo_lease_template_attachments_bytes();
