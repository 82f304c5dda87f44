-- +goose Up
-- Notices to the tenants of leases. They never change.
CREATE TABLE lease_notices (
	portfolio_id BIGINT NOT NULL,
	lease_id TEXT COLLATE "C" NOT NULL,
	id TEXT COLLATE "C" NOT NULL,
	created_at BIGINT NOT NULL,
	created_by TEXT COLLATE "C",
	kind TEXT COLLATE "C" NOT NULL,
	given_on BIGINT NOT NULL,
	effective_on BIGINT NOT NULL,
	emailed_at BIGINT, -- the latest time
	content TEXT COLLATE "C" NOT NULL, -- the parties, the amounts and the rule, as JSON
	PRIMARY KEY (portfolio_id, lease_id, id),
	FOREIGN KEY (portfolio_id, lease_id) REFERENCES leases (portfolio_id, id) ON DELETE CASCADE
);
ALTER TABLE lease_notices ALTER COLUMN portfolio_id SET (n_distinct = 2);

-- Notices take room of a demo portfolio.
-- +goose StatementBegin
CREATE FUNCTION demo_lease_notices_growth() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END,
		CASE TG_OP WHEN 'INSERT' THEN 200 + length(NEW.content) ELSE -(200 + length(OLD.content)) END
	FROM demo_usage
	WHERE portfolio_id = CASE TG_OP WHEN 'DELETE' THEN OLD.portfolio_id ELSE NEW.portfolio_id END;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER demo_lease_notices AFTER INSERT OR DELETE ON lease_notices
FOR EACH ROW EXECUTE FUNCTION demo_lease_notices_growth();
