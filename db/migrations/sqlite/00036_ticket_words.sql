-- +goose Up
-- Searching tickets: each word of a search begins a word of a ticket's title. search_text and the
-- table of words are as those of tenants (migrations search_words and changed_words).
ALTER TABLE tickets ADD COLUMN search_text TEXT NOT NULL DEFAULT '';
CREATE INDEX tickets_unsearched ON tickets (portfolio_id, id) WHERE search_text = '';

-- Tickets with common words are counted without their rows.
DROP INDEX tickets_facets;
CREATE INDEX tickets_facets ON tickets (portfolio_id, status, priority, category, id, search_text) WHERE id > '';

CREATE TABLE ticket_words (
	portfolio_id INTEGER NOT NULL,
	word TEXT NOT NULL,
	ticket_id TEXT NOT NULL,
	PRIMARY KEY (portfolio_id, word, ticket_id)
) STRICT, WITHOUT ROWID;

-- +goose StatementBegin
CREATE TRIGGER tickets_words_added AFTER INSERT ON tickets
WHEN NEW.search_text > ' '
BEGIN
	INSERT OR IGNORE INTO ticket_words (portfolio_id, word, ticket_id)
	SELECT NEW.portfolio_id, value, NEW.id
	FROM json_each('["' || replace(trim(NEW.search_text), ' ', '","') || '"]');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER tickets_words_changed AFTER UPDATE OF search_text ON tickets
WHEN NEW.search_text <> OLD.search_text
BEGIN
	DELETE FROM ticket_words
	WHERE portfolio_id = OLD.portfolio_id AND ticket_id = OLD.id
		AND word IN (
			SELECT value
			FROM json_each('["' || replace(trim(OLD.search_text), ' ', '","') || '"]')
			WHERE instr(NEW.search_text || ' ', ' ' || value || ' ') = 0
		);
	INSERT OR IGNORE INTO ticket_words (portfolio_id, word, ticket_id)
	SELECT NEW.portfolio_id, value, NEW.id
	FROM json_each('["' || replace(trim(NEW.search_text), ' ', '","') || '"]')
	WHERE value <> '' AND instr(OLD.search_text || ' ', ' ' || value || ' ') = 0;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER tickets_words_deleted AFTER DELETE ON tickets
WHEN OLD.search_text > ' '
BEGIN
	DELETE FROM ticket_words
	WHERE portfolio_id = OLD.portfolio_id AND ticket_id = OLD.id
		AND word IN (SELECT value FROM json_each('["' || replace(trim(OLD.search_text), ' ', '","') || '"]'));
END;
-- +goose StatementEnd
