-- +goose Up
-- Reports of the condition of homes at moving in and moving out, which landlord and tenants fill in and sign.
CREATE TABLE condition_reports (
	portfolio_id INTEGER NOT NULL,
	id TEXT NOT NULL,
	version INTEGER NOT NULL,
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL,
	lease_id TEXT NOT NULL,
	kind TEXT NOT NULL, -- move_in or move_out
	began_with TEXT, -- the move-in report whose areas and items it began with
	areas TEXT NOT NULL, -- JSON, with their items and what both sides say of them
	signatures TEXT NOT NULL, -- JSON
	shared_at INTEGER, -- since when the tenants see it
	landlord_signed_at INTEGER,
	completed_at INTEGER, -- when all had signed
	PRIMARY KEY (portfolio_id, id),
	UNIQUE (portfolio_id, lease_id, kind),
	FOREIGN KEY (portfolio_id, lease_id) REFERENCES leases (portfolio_id, id) ON DELETE CASCADE
) STRICT;

-- The photos of their items.
CREATE TABLE condition_photos (
	portfolio_id INTEGER NOT NULL,
	id TEXT NOT NULL,
	report_id TEXT NOT NULL,
	item_id TEXT NOT NULL, -- within the areas of the report
	side TEXT NOT NULL, -- landlord or tenant
	tenant_id TEXT, -- who uploaded it, NULL for the landlord's
	uploaded_at INTEGER NOT NULL,
	sha256 TEXT NOT NULL, -- of the content
	size INTEGER NOT NULL, -- of the content, in bytes
	width INTEGER NOT NULL, -- in pixels
	height INTEGER NOT NULL,
	content BLOB NOT NULL, -- JPEG
	thumbnail BLOB NOT NULL, -- JPEG
	PRIMARY KEY (portfolio_id, id),
	FOREIGN KEY (portfolio_id, report_id) REFERENCES condition_reports (portfolio_id, id) ON DELETE CASCADE,
	FOREIGN KEY (portfolio_id, tenant_id) REFERENCES tenants (portfolio_id, id)
) STRICT;
CREATE INDEX condition_photos_report ON condition_photos (portfolio_id, report_id, id);
CREATE INDEX condition_photos_tenant ON condition_photos (portfolio_id, tenant_id);
CREATE INDEX condition_photos_id ON condition_photos (id);

-- Reports and their photos take room of a demo portfolio.
-- +goose StatementBegin
CREATE TRIGGER demo_condition_reports_added AFTER INSERT ON condition_reports
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 1, 200 + length(CAST(NEW.areas AS BLOB)) + length(CAST(NEW.signatures AS BLOB))
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_condition_reports_changed AFTER UPDATE OF areas, signatures ON condition_reports
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, length(CAST(NEW.areas AS BLOB)) + length(CAST(NEW.signatures AS BLOB))
		- (length(CAST(OLD.areas AS BLOB)) + length(CAST(OLD.signatures AS BLOB)))
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_condition_reports_deleted AFTER DELETE ON condition_reports
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, -1, -(200 + length(CAST(OLD.areas AS BLOB)) + length(CAST(OLD.signatures AS BLOB)))
	FROM demo_usage
	WHERE portfolio_id = OLD.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_condition_photos_added AFTER INSERT ON condition_photos
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, 200 + length(NEW.content) + length(NEW.thumbnail)
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_condition_photos_deleted AFTER DELETE ON condition_photos
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, -(200 + length(OLD.content) + length(OLD.thumbnail))
	FROM demo_usage
	WHERE portfolio_id = OLD.portfolio_id;
END;
-- +goose StatementEnd
