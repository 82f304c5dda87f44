-- +goose Up
-- Changes of active leases that all their parties sign.
CREATE TABLE lease_amendments (
	portfolio_id BIGINT NOT NULL,
	id TEXT COLLATE "C" NOT NULL,
	version BIGINT NOT NULL,
	created_at BIGINT NOT NULL,
	updated_at BIGINT NOT NULL,
	lease_id TEXT COLLATE "C" NOT NULL,
	created_by TEXT COLLATE "C",
	status TEXT COLLATE "C" NOT NULL,
	effective_on BIGINT NOT NULL,
	changes TEXT COLLATE "C" NOT NULL, -- JSON
	content TEXT COLLATE "C", -- what the parties sign, as JSON; NULL for a draft
	signatures TEXT COLLATE "C" NOT NULL, -- JSON
	reason TEXT COLLATE "C", -- why it was declined, withdrawn or void
	sent_at BIGINT,
	signed_at BIGINT, -- by the last party
	closed_at BIGINT,
	document_sha256 TEXT COLLATE "C",
	document BYTEA, -- what all have signed, as PDF
	PRIMARY KEY (portfolio_id, id),
	FOREIGN KEY (portfolio_id, lease_id) REFERENCES leases (portfolio_id, id) ON DELETE CASCADE
);
ALTER TABLE lease_amendments ALTER COLUMN portfolio_id SET (n_distinct = 2);
CREATE INDEX lease_amendments_lease ON lease_amendments (portfolio_id, lease_id, id);
-- A lease has one at a time that may still change it.
CREATE UNIQUE INDEX lease_amendments_open ON lease_amendments (portfolio_id, lease_id)
	WHERE status IN ('draft', 'sent', 'signed');

-- Amendments take room of a demo portfolio.
-- +goose StatementBegin
CREATE FUNCTION demo_lease_amendments_room() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	was BIGINT := 0;
	now_has BIGINT := 0;
BEGIN
	IF TG_OP <> 'INSERT' THEN
		was := octet_length(OLD.changes) + COALESCE(octet_length(OLD.content), 0) + octet_length(OLD.signatures)
			+ COALESCE(octet_length(OLD.document), 0);
	END IF;
	IF TG_OP <> 'DELETE' THEN
		now_has := octet_length(NEW.changes) + COALESCE(octet_length(NEW.content), 0) + octet_length(NEW.signatures)
			+ COALESCE(octet_length(NEW.document), 0);
	END IF;
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, CASE TG_OP WHEN 'INSERT' THEN 1 WHEN 'DELETE' THEN -1 ELSE 0 END,
		now_has - was + CASE TG_OP WHEN 'INSERT' THEN 200 WHEN 'DELETE' THEN -200 ELSE 0 END
	FROM demo_usage
	WHERE portfolio_id = CASE TG_OP WHEN 'DELETE' THEN OLD.portfolio_id ELSE NEW.portfolio_id END;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER demo_lease_amendments
AFTER INSERT OR DELETE OR UPDATE OF changes, content, signatures, document ON lease_amendments
FOR EACH ROW EXECUTE FUNCTION demo_lease_amendments_room();
