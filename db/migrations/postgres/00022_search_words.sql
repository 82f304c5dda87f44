-- +goose Up
-- Searching: each word of a search begins a word of a property or a tenant. search_text has
-- the words of a record, folded (portfolio.SearchText), each behind a blank; it is empty in
-- rows from before this migration until the binary has filled it. The tables of words are an
-- index on it.
ALTER TABLE properties ADD COLUMN search_text TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE tenants ADD COLUMN search_text TEXT COLLATE "C" NOT NULL DEFAULT '';
CREATE INDEX properties_unsearched ON properties (portfolio_id, id) WHERE search_text = '';
CREATE INDEX tenants_unsearched ON tenants (portfolio_id, id) WHERE search_text = '';

CREATE TABLE property_words (
	portfolio_id BIGINT NOT NULL,
	word TEXT COLLATE "C" NOT NULL,
	property_id TEXT COLLATE "C" NOT NULL,
	PRIMARY KEY (portfolio_id, word, property_id)
);
CREATE TABLE tenant_words (
	portfolio_id BIGINT NOT NULL,
	word TEXT COLLATE "C" NOT NULL,
	tenant_id TEXT COLLATE "C" NOT NULL,
	PRIMARY KEY (portfolio_id, word, tenant_id)
);

-- +goose StatementBegin
CREATE FUNCTION properties_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP <> 'INSERT' THEN
		DELETE FROM property_words
		WHERE portfolio_id = OLD.portfolio_id AND property_id = OLD.id AND word = ANY(string_to_array(btrim(OLD.search_text), ' '));
	END IF;
	IF TG_OP <> 'DELETE' THEN
		INSERT INTO property_words (portfolio_id, word, property_id)
		SELECT NEW.portfolio_id, word, NEW.id
		FROM unnest(string_to_array(btrim(NEW.search_text), ' ')) AS t (word)
		ON CONFLICT DO NOTHING;
	END IF;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER properties_words_added AFTER INSERT ON properties
FOR EACH ROW WHEN (NEW.search_text > ' ') EXECUTE FUNCTION properties_words();
CREATE TRIGGER properties_words_changed AFTER UPDATE OF search_text ON properties
FOR EACH ROW WHEN (NEW.search_text <> OLD.search_text) EXECUTE FUNCTION properties_words();
CREATE TRIGGER properties_words_deleted AFTER DELETE ON properties
FOR EACH ROW WHEN (OLD.search_text > ' ') EXECUTE FUNCTION properties_words();

-- +goose StatementBegin
CREATE FUNCTION tenants_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP <> 'INSERT' THEN
		DELETE FROM tenant_words
		WHERE portfolio_id = OLD.portfolio_id AND tenant_id = OLD.id AND word = ANY(string_to_array(btrim(OLD.search_text), ' '));
	END IF;
	IF TG_OP <> 'DELETE' THEN
		INSERT INTO tenant_words (portfolio_id, word, tenant_id)
		SELECT NEW.portfolio_id, word, NEW.id
		FROM unnest(string_to_array(btrim(NEW.search_text), ' ')) AS t (word)
		ON CONFLICT DO NOTHING;
	END IF;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER tenants_words_added AFTER INSERT ON tenants
FOR EACH ROW WHEN (NEW.search_text > ' ') EXECUTE FUNCTION tenants_words();
CREATE TRIGGER tenants_words_changed AFTER UPDATE OF search_text ON tenants
FOR EACH ROW WHEN (NEW.search_text <> OLD.search_text) EXECUTE FUNCTION tenants_words();
CREATE TRIGGER tenants_words_deleted AFTER DELETE ON tenants
FOR EACH ROW WHEN (OLD.search_text > ' ') EXECUTE FUNCTION tenants_words();

-- The beginnings of whole addresses and names, which were searched before.
DROP INDEX properties_street;
DROP INDEX properties_road;
DROP INDEX properties_name;
DROP INDEX tenants_name;
DROP INDEX tenants_last_name;
