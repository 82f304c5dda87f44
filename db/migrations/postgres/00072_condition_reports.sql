-- +goose Up
-- Reports of the condition of homes at moving in and moving out, which landlord and tenants fill in and sign.
CREATE TABLE condition_reports (
	portfolio_id BIGINT NOT NULL,
	id TEXT COLLATE "C" NOT NULL,
	version BIGINT NOT NULL,
	created_at BIGINT NOT NULL,
	updated_at BIGINT NOT NULL,
	lease_id TEXT COLLATE "C" NOT NULL,
	kind TEXT COLLATE "C" NOT NULL, -- move_in or move_out
	began_with TEXT COLLATE "C", -- the move-in report whose areas and items it began with
	areas TEXT COLLATE "C" NOT NULL, -- JSON, with their items and what both sides say of them
	signatures TEXT COLLATE "C" NOT NULL, -- JSON
	shared_at BIGINT, -- since when the tenants see it
	landlord_signed_at BIGINT,
	completed_at BIGINT, -- when all had signed
	PRIMARY KEY (portfolio_id, id),
	UNIQUE (portfolio_id, lease_id, kind),
	FOREIGN KEY (portfolio_id, lease_id) REFERENCES leases (portfolio_id, id) ON DELETE CASCADE
);
ALTER TABLE condition_reports ALTER COLUMN portfolio_id SET (n_distinct = 2);

-- The photos of their items.
CREATE TABLE condition_photos (
	portfolio_id BIGINT NOT NULL,
	id TEXT COLLATE "C" NOT NULL,
	report_id TEXT COLLATE "C" NOT NULL,
	item_id TEXT COLLATE "C" NOT NULL, -- within the areas of the report
	side TEXT COLLATE "C" NOT NULL, -- landlord or tenant
	tenant_id TEXT COLLATE "C", -- who uploaded it, NULL for the landlord's
	uploaded_at BIGINT NOT NULL,
	sha256 TEXT COLLATE "C" NOT NULL, -- of the content
	size BIGINT NOT NULL, -- of the content, in bytes
	width BIGINT NOT NULL, -- in pixels
	height BIGINT NOT NULL,
	content BYTEA NOT NULL, -- JPEG
	thumbnail BYTEA NOT NULL, -- JPEG
	PRIMARY KEY (portfolio_id, id),
	FOREIGN KEY (portfolio_id, report_id) REFERENCES condition_reports (portfolio_id, id) ON DELETE CASCADE,
	FOREIGN KEY (portfolio_id, tenant_id) REFERENCES tenants (portfolio_id, id)
);
ALTER TABLE condition_photos ALTER COLUMN portfolio_id SET (n_distinct = 2);
CREATE INDEX condition_photos_report ON condition_photos (portfolio_id, report_id, id);
CREATE INDEX condition_photos_tenant ON condition_photos (portfolio_id, tenant_id);
CREATE INDEX condition_photos_id ON condition_photos (id);

-- Reports and their photos take room of a demo portfolio.
-- +goose StatementBegin
CREATE FUNCTION demo_condition_reports_room() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, CASE TG_OP WHEN 'INSERT' THEN 1 WHEN 'DELETE' THEN -1 ELSE 0 END,
		CASE TG_OP WHEN 'INSERT' THEN 200 + octet_length(NEW.areas) + octet_length(NEW.signatures)
			WHEN 'DELETE' THEN -(200 + octet_length(OLD.areas) + octet_length(OLD.signatures))
			ELSE octet_length(NEW.areas) + octet_length(NEW.signatures)
				- (octet_length(OLD.areas) + octet_length(OLD.signatures)) END
	FROM demo_usage
	WHERE portfolio_id = CASE TG_OP WHEN 'DELETE' THEN OLD.portfolio_id ELSE NEW.portfolio_id END;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER demo_condition_reports AFTER INSERT OR DELETE OR UPDATE OF areas, signatures ON condition_reports
FOR EACH ROW EXECUTE FUNCTION demo_condition_reports_room();
-- +goose StatementBegin
CREATE FUNCTION demo_condition_photos_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, CASE TG_OP WHEN 'INSERT' THEN 200 + octet_length(NEW.content) + octet_length(NEW.thumbnail)
		ELSE -(200 + octet_length(OLD.content) + octet_length(OLD.thumbnail)) END
	FROM demo_usage
	WHERE portfolio_id = CASE TG_OP WHEN 'INSERT' THEN NEW.portfolio_id ELSE OLD.portfolio_id END;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER demo_condition_photos AFTER INSERT OR DELETE ON condition_photos
FOR EACH ROW EXECUTE FUNCTION demo_condition_photos_bytes();
