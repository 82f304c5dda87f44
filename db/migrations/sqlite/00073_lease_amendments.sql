-- +goose Up
-- Changes of active leases that all their parties sign.
CREATE TABLE lease_amendments (
	portfolio_id INTEGER NOT NULL,
	id TEXT NOT NULL,
	version INTEGER NOT NULL,
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL,
	lease_id TEXT NOT NULL,
	created_by TEXT,
	status TEXT NOT NULL,
	effective_on INTEGER NOT NULL,
	changes TEXT NOT NULL, -- JSON
	content TEXT, -- what the parties sign, as JSON; NULL for a draft
	signatures TEXT NOT NULL, -- JSON
	reason TEXT, -- why it was declined, withdrawn or void
	sent_at INTEGER,
	signed_at INTEGER, -- by the last party
	closed_at INTEGER,
	document_sha256 TEXT,
	document BLOB, -- what all have signed, as PDF
	PRIMARY KEY (portfolio_id, id),
	FOREIGN KEY (portfolio_id, lease_id) REFERENCES leases (portfolio_id, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX lease_amendments_lease ON lease_amendments (portfolio_id, lease_id, id);
-- A lease has one at a time that may still change it.
CREATE UNIQUE INDEX lease_amendments_open ON lease_amendments (portfolio_id, lease_id)
	WHERE status IN ('draft', 'sent', 'signed');

-- Amendments take room of a demo portfolio.
-- +goose StatementBegin
CREATE TRIGGER demo_lease_amendments_added AFTER INSERT ON lease_amendments
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 1, 200 + length(CAST(NEW.changes AS BLOB)) + COALESCE(length(CAST(NEW.content AS BLOB)), 0)
		+ length(CAST(NEW.signatures AS BLOB)) + COALESCE(length(NEW.document), 0)
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_lease_amendments_changed
AFTER UPDATE OF changes, content, signatures, document ON lease_amendments
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, length(CAST(NEW.changes AS BLOB)) + COALESCE(length(CAST(NEW.content AS BLOB)), 0)
		+ length(CAST(NEW.signatures AS BLOB)) + COALESCE(length(NEW.document), 0)
		- (length(CAST(OLD.changes AS BLOB)) + COALESCE(length(CAST(OLD.content AS BLOB)), 0)
		+ length(CAST(OLD.signatures AS BLOB)) + COALESCE(length(OLD.document), 0))
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_lease_amendments_deleted AFTER DELETE ON lease_amendments
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, -1, -(200 + length(CAST(OLD.changes AS BLOB))
		+ COALESCE(length(CAST(OLD.content AS BLOB)), 0) + length(CAST(OLD.signatures AS BLOB))
		+ COALESCE(length(OLD.document), 0))
	FROM demo_usage
	WHERE portfolio_id = OLD.portfolio_id;
END;
-- +goose StatementEnd
