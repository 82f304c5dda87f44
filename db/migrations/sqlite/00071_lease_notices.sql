-- +goose Up
-- Notices to the tenants of leases. They never change.
CREATE TABLE lease_notices (
	portfolio_id INTEGER NOT NULL,
	lease_id TEXT NOT NULL,
	id TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	created_by TEXT,
	kind TEXT NOT NULL,
	given_on INTEGER NOT NULL,
	effective_on INTEGER NOT NULL,
	emailed_at INTEGER, -- the latest time
	content TEXT NOT NULL, -- the parties, the amounts and the rule, as JSON
	PRIMARY KEY (portfolio_id, lease_id, id),
	FOREIGN KEY (portfolio_id, lease_id) REFERENCES leases (portfolio_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- Notices take room of a demo portfolio.
-- +goose StatementBegin
CREATE TRIGGER demo_lease_notices_added AFTER INSERT ON lease_notices
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 1, 200 + length(NEW.content)
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_lease_notices_deleted AFTER DELETE ON lease_notices
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, -1, -(200 + length(OLD.content))
	FROM demo_usage
	WHERE portfolio_id = OLD.portfolio_id;
END;
-- +goose StatementEnd
