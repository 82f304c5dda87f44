-- +goose Up
-- Searching: each word of a search begins a word of a property or a tenant. search_text has
-- the words of a record, folded (portfolio.SearchText), each behind a blank; it is empty in
-- rows from before this migration until the binary has filled it. The tables of words are an
-- index on it.
ALTER TABLE properties ADD COLUMN search_text TEXT NOT NULL DEFAULT '';
ALTER TABLE tenants ADD COLUMN search_text TEXT NOT NULL DEFAULT '';
CREATE INDEX properties_unsearched ON properties (portfolio_id, id) WHERE search_text = '';
CREATE INDEX tenants_unsearched ON tenants (portfolio_id, id) WHERE search_text = '';

CREATE TABLE property_words (
	portfolio_id INTEGER NOT NULL,
	word TEXT NOT NULL,
	property_id TEXT NOT NULL,
	PRIMARY KEY (portfolio_id, word, property_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE tenant_words (
	portfolio_id INTEGER NOT NULL,
	word TEXT NOT NULL,
	tenant_id TEXT NOT NULL,
	PRIMARY KEY (portfolio_id, word, tenant_id)
) STRICT, WITHOUT ROWID;

-- +goose StatementBegin
CREATE TRIGGER properties_words_added AFTER INSERT ON properties
WHEN NEW.search_text > ' '
BEGIN
	INSERT OR IGNORE INTO property_words (portfolio_id, word, property_id)
	SELECT NEW.portfolio_id, value, NEW.id
	FROM json_each('["' || replace(trim(NEW.search_text), ' ', '","') || '"]');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER properties_words_changed AFTER UPDATE OF search_text ON properties
WHEN NEW.search_text <> OLD.search_text
BEGIN
	DELETE FROM property_words
	WHERE portfolio_id = OLD.portfolio_id AND property_id = OLD.id
		AND word IN (SELECT value FROM json_each('["' || replace(trim(OLD.search_text), ' ', '","') || '"]'));
	INSERT OR IGNORE INTO property_words (portfolio_id, word, property_id)
	SELECT NEW.portfolio_id, value, NEW.id
	FROM json_each('["' || replace(trim(NEW.search_text), ' ', '","') || '"]')
	WHERE value <> '';
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER properties_words_deleted AFTER DELETE ON properties
WHEN OLD.search_text > ' '
BEGIN
	DELETE FROM property_words
	WHERE portfolio_id = OLD.portfolio_id AND property_id = OLD.id
		AND word IN (SELECT value FROM json_each('["' || replace(trim(OLD.search_text), ' ', '","') || '"]'));
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER tenants_words_added AFTER INSERT ON tenants
WHEN NEW.search_text > ' '
BEGIN
	INSERT OR IGNORE INTO tenant_words (portfolio_id, word, tenant_id)
	SELECT NEW.portfolio_id, value, NEW.id
	FROM json_each('["' || replace(trim(NEW.search_text), ' ', '","') || '"]');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER tenants_words_changed AFTER UPDATE OF search_text ON tenants
WHEN NEW.search_text <> OLD.search_text
BEGIN
	DELETE FROM tenant_words
	WHERE portfolio_id = OLD.portfolio_id AND tenant_id = OLD.id
		AND word IN (SELECT value FROM json_each('["' || replace(trim(OLD.search_text), ' ', '","') || '"]'));
	INSERT OR IGNORE INTO tenant_words (portfolio_id, word, tenant_id)
	SELECT NEW.portfolio_id, value, NEW.id
	FROM json_each('["' || replace(trim(NEW.search_text), ' ', '","') || '"]')
	WHERE value <> '';
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER tenants_words_deleted AFTER DELETE ON tenants
WHEN OLD.search_text > ' '
BEGIN
	DELETE FROM tenant_words
	WHERE portfolio_id = OLD.portfolio_id AND tenant_id = OLD.id
		AND word IN (SELECT value FROM json_each('["' || replace(trim(OLD.search_text), ' ', '","') || '"]'));
END;
-- +goose StatementEnd

-- The beginnings of whole addresses and names, which were searched before.
DROP INDEX properties_street;
DROP INDEX properties_road;
DROP INDEX properties_name;
DROP INDEX tenants_name;
DROP INDEX tenants_last_name;
