-- +goose Up
-- The document of a lease, by its id. document_url held an address or an id. It stays until the next
-- version, as do documents.clauses and accounts.lease_details: nodes of the version before may run on.
ALTER TABLE leases ADD COLUMN document_id TEXT COLLATE "C";
UPDATE leases SET document_id = document_url WHERE document_url LIKE 'doc\_%' ESCAPE '\';

-- What the parties agree on beside dates and money, as JSON. Documents are made of it.
ALTER TABLE leases ADD COLUMN terms TEXT COLLATE "C" NOT NULL DEFAULT '{}';
UPDATE leases SET terms = '{"clauses":' || d.clauses || '}'
FROM documents d
WHERE d.portfolio_id = leases.portfolio_id AND d.id = leases.document_id AND d.clauses IS NOT NULL;

-- What a node of the version before writes of a new lease is known here, and the other way round.
-- +goose StatementBegin
CREATE FUNCTION lease_document() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW.document_id IS NULL AND NEW.document_url LIKE 'doc\_%' ESCAPE '\' THEN
		NEW.document_id := NEW.document_url;
	END IF;
	NEW.document_url := NEW.document_id;
	RETURN NEW;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER lease_document BEFORE INSERT ON leases
FOR EACH ROW EXECUTE FUNCTION lease_document();
ALTER TABLE documents ALTER COLUMN clauses SET DEFAULT '{}';
-- +goose StatementBegin
CREATE FUNCTION lease_clauses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE leases SET terms = '{"clauses":' || NEW.clauses || '}'
	WHERE portfolio_id = NEW.portfolio_id AND id = NEW.lease_id AND terms = '{}';
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER lease_clauses AFTER INSERT ON documents
FOR EACH ROW WHEN (NEW.clauses <> '{}') EXECUTE FUNCTION lease_clauses();

-- What leases of a portfolio say of the landlord.
CREATE TABLE lease_details (
	portfolio_id BIGINT PRIMARY KEY REFERENCES portfolios (id) ON DELETE CASCADE,
	version BIGINT NOT NULL,
	updated_at BIGINT NOT NULL,
	name TEXT COLLATE "C",
	address TEXT COLLATE "C",
	phone TEXT COLLATE "C",
	signer TEXT COLLATE "C",
	title TEXT COLLATE "C"
);
INSERT INTO lease_details (portfolio_id, version, updated_at, name, address, phone, signer, title)
SELECT p.id, 1, a.created_at, CAST(a.lease_details AS JSON) ->> 'name', CAST(a.lease_details AS JSON) ->> 'address',
	CAST(a.lease_details AS JSON) ->> 'phone', CAST(a.lease_details AS JSON) ->> 'signer', CAST(a.lease_details AS JSON) ->> 'title'
FROM portfolios p
JOIN accounts a ON a.id = p.account_id
WHERE a.lease_details IS NOT NULL;

-- The terms of a lease take room of a demo portfolio.
-- +goose StatementBegin
CREATE FUNCTION demo_lease_terms_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	whose BIGINT;
	grown BIGINT := 0;
BEGIN
	IF TG_OP <> 'DELETE' THEN
		whose := NEW.portfolio_id;
		grown := octet_length(NEW.terms) - 2;
	END IF;
	IF TG_OP <> 'INSERT' THEN
		whose := OLD.portfolio_id;
		grown := grown - (octet_length(OLD.terms) - 2);
	END IF;
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, grown
	FROM demo_usage
	WHERE portfolio_id = whose AND grown <> 0;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER demo_lease_terms AFTER INSERT OR DELETE OR UPDATE OF terms ON leases
FOR EACH ROW EXECUTE FUNCTION demo_lease_terms_bytes();
