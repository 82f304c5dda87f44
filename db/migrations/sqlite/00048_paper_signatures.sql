-- +goose Up
-- The day on which a party signed a lease on paper, as the landlord recorded it.
ALTER TABLE lease_signers ADD COLUMN paper_signed_on INTEGER;

-- The scans of signatures on paper, as they were uploaded.
CREATE TABLE lease_scans (
	portfolio_id INTEGER NOT NULL,
	lease_id TEXT NOT NULL,
	signer_id TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	signed_on INTEGER NOT NULL,
	media_type TEXT NOT NULL, -- application/pdf, image/jpeg or image/png
	sha256 TEXT NOT NULL, -- of the content
	content BLOB NOT NULL,
	PRIMARY KEY (portfolio_id, lease_id, signer_id),
	FOREIGN KEY (portfolio_id, lease_id) REFERENCES leases (portfolio_id, id) ON DELETE CASCADE
) STRICT;

-- Scans take room of a demo portfolio.
-- +goose StatementBegin
CREATE TRIGGER demo_lease_scans_added AFTER INSERT ON lease_scans
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, 200 + length(NEW.content)
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_lease_scans_deleted AFTER DELETE ON lease_scans
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, -(200 + length(OLD.content))
	FROM demo_usage
	WHERE portfolio_id = OLD.portfolio_id;
END;
-- +goose StatementEnd
