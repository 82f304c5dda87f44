-- +goose Up
-- The document of a lease, by its id. document_url held an address or an id. It stays until the next
-- version, as do documents.clauses and accounts.lease_details: nodes of the version before may run on.
ALTER TABLE leases ADD COLUMN document_id TEXT;
UPDATE leases SET document_id = document_url WHERE document_url LIKE 'doc\_%' ESCAPE '\';

-- What the parties agree on beside dates and money, as JSON. Documents are made of it.
ALTER TABLE leases ADD COLUMN terms TEXT NOT NULL DEFAULT '{}';
UPDATE leases SET terms = COALESCE((
	SELECT '{"clauses":' || d.clauses || '}'
	FROM documents d
	WHERE d.portfolio_id = leases.portfolio_id AND d.id = leases.document_id AND d.clauses IS NOT NULL), '{}');

-- What leases of a portfolio say of the landlord.
CREATE TABLE lease_details (
	portfolio_id INTEGER PRIMARY KEY REFERENCES portfolios (id) ON DELETE CASCADE,
	version INTEGER NOT NULL,
	updated_at INTEGER NOT NULL,
	name TEXT,
	address TEXT,
	phone TEXT,
	signer TEXT,
	title TEXT
) STRICT;
INSERT INTO lease_details (portfolio_id, version, updated_at, name, address, phone, signer, title)
SELECT p.id, 1, a.created_at, json_extract(a.lease_details, '$.name'), json_extract(a.lease_details, '$.address'),
	json_extract(a.lease_details, '$.phone'), json_extract(a.lease_details, '$.signer'), json_extract(a.lease_details, '$.title')
FROM portfolios p
JOIN accounts a ON a.id = p.account_id
WHERE a.lease_details IS NOT NULL;

-- The terms of a lease take room of a demo portfolio.
-- +goose StatementBegin
CREATE TRIGGER demo_lease_terms_added AFTER INSERT ON leases
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, octet_length(NEW.terms) - 2
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id AND NEW.terms <> '{}';
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_lease_terms_deleted AFTER DELETE ON leases
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, 2 - octet_length(OLD.terms)
	FROM demo_usage
	WHERE portfolio_id = OLD.portfolio_id AND OLD.terms <> '{}';
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_lease_terms_changed AFTER UPDATE OF terms ON leases WHEN octet_length(NEW.terms) <> octet_length(OLD.terms)
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, octet_length(NEW.terms) - octet_length(OLD.terms)
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
