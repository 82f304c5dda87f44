-- +goose Up
-- A change of a record touches only the words that come and go. Before, it deleted all words
-- of the record and inserted those of its new text.
DROP TRIGGER properties_words_changed;
DROP TRIGGER tenants_words_changed;

-- +goose StatementBegin
CREATE TRIGGER properties_words_changed AFTER UPDATE OF search_text ON properties
WHEN NEW.search_text <> OLD.search_text
BEGIN
	DELETE FROM property_words
	WHERE portfolio_id = OLD.portfolio_id AND property_id = OLD.id
		AND word IN (
			SELECT value
			FROM json_each('["' || replace(trim(OLD.search_text), ' ', '","') || '"]')
			WHERE instr(NEW.search_text || ' ', ' ' || value || ' ') = 0
		);
	INSERT OR IGNORE INTO property_words (portfolio_id, word, property_id)
	SELECT NEW.portfolio_id, value, NEW.id
	FROM json_each('["' || replace(trim(NEW.search_text), ' ', '","') || '"]')
	WHERE value <> '' AND instr(OLD.search_text || ' ', ' ' || value || ' ') = 0;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER tenants_words_changed AFTER UPDATE OF search_text ON tenants
WHEN NEW.search_text <> OLD.search_text
BEGIN
	DELETE FROM tenant_words
	WHERE portfolio_id = OLD.portfolio_id AND tenant_id = OLD.id
		AND word IN (
			SELECT value
			FROM json_each('["' || replace(trim(OLD.search_text), ' ', '","') || '"]')
			WHERE instr(NEW.search_text || ' ', ' ' || value || ' ') = 0
		);
	INSERT OR IGNORE INTO tenant_words (portfolio_id, word, tenant_id)
	SELECT NEW.portfolio_id, value, NEW.id
	FROM json_each('["' || replace(trim(NEW.search_text), ' ', '","') || '"]')
	WHERE value <> '' AND instr(OLD.search_text || ' ', ' ' || value || ' ') = 0;
END;
-- +goose StatementEnd
