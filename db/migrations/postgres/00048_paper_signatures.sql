-- +goose Up
-- The day on which a party signed a lease on paper, as the landlord recorded it.
ALTER TABLE lease_signers ADD COLUMN paper_signed_on BIGINT;

-- The scans of signatures on paper, as they were uploaded.
CREATE TABLE lease_scans (
	portfolio_id BIGINT NOT NULL,
	lease_id TEXT COLLATE "C" NOT NULL,
	signer_id TEXT COLLATE "C" NOT NULL,
	created_at BIGINT NOT NULL,
	signed_on BIGINT NOT NULL,
	media_type TEXT COLLATE "C" NOT NULL, -- application/pdf, image/jpeg or image/png
	sha256 TEXT COLLATE "C" NOT NULL, -- of the content
	content BYTEA NOT NULL,
	PRIMARY KEY (portfolio_id, lease_id, signer_id),
	FOREIGN KEY (portfolio_id, lease_id) REFERENCES leases (portfolio_id, id) ON DELETE CASCADE
);
ALTER TABLE lease_scans ALTER COLUMN portfolio_id SET (n_distinct = 2);

-- Scans take room of a demo portfolio.
-- +goose StatementBegin
CREATE FUNCTION demo_lease_scans_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, CASE TG_OP WHEN 'INSERT' THEN 200 + octet_length(NEW.content)
		ELSE -(200 + octet_length(OLD.content)) END
	FROM demo_usage
	WHERE portfolio_id = CASE TG_OP WHEN 'INSERT' THEN NEW.portfolio_id ELSE OLD.portfolio_id END;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER demo_lease_scans AFTER INSERT OR DELETE ON lease_scans
FOR EACH ROW EXECUTE FUNCTION demo_lease_scans_bytes();
