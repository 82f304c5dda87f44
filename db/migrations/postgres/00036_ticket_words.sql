-- +goose Up
-- Searching tickets: each word of a search begins a word of a ticket's title. search_text and the
-- table of words are as those of tenants (migrations search_words and changed_words).
ALTER TABLE tickets ADD COLUMN search_text TEXT COLLATE "C" NOT NULL DEFAULT '';
CREATE INDEX tickets_unsearched ON tickets (portfolio_id, id) WHERE search_text = '';

-- Tickets with common words are counted without their rows.
DROP INDEX tickets_facets;
CREATE INDEX tickets_facets ON tickets (portfolio_id, status, priority, category, id, search_text) WHERE id > '';

CREATE TABLE ticket_words (
	portfolio_id BIGINT NOT NULL,
	word TEXT COLLATE "C" NOT NULL,
	ticket_id TEXT COLLATE "C" NOT NULL,
	PRIMARY KEY (portfolio_id, word, ticket_id)
);

-- +goose StatementBegin
CREATE FUNCTION tickets_words() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	before TEXT[] := '{}';
	after TEXT[] := '{}';
BEGIN
	IF TG_OP <> 'INSERT' THEN
		before := string_to_array(btrim(OLD.search_text), ' ');
	END IF;
	IF TG_OP <> 'DELETE' THEN
		after := string_to_array(btrim(NEW.search_text), ' ');
	END IF;
	IF TG_OP <> 'INSERT' THEN
		DELETE FROM ticket_words
		WHERE portfolio_id = OLD.portfolio_id AND ticket_id = OLD.id AND word = ANY(before) AND word <> ALL(after);
	END IF;
	IF TG_OP <> 'DELETE' THEN
		INSERT INTO ticket_words (portfolio_id, word, ticket_id)
		SELECT NEW.portfolio_id, word, NEW.id
		FROM unnest(after) AS t (word)
		WHERE word <> ALL(before)
		ON CONFLICT DO NOTHING;
	END IF;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER tickets_words_added AFTER INSERT ON tickets
FOR EACH ROW WHEN (NEW.search_text > ' ') EXECUTE FUNCTION tickets_words();
CREATE TRIGGER tickets_words_changed AFTER UPDATE OF search_text ON tickets
FOR EACH ROW WHEN (NEW.search_text <> OLD.search_text) EXECUTE FUNCTION tickets_words();
CREATE TRIGGER tickets_words_deleted AFTER DELETE ON tickets
FOR EACH ROW WHEN (OLD.search_text > ' ') EXECUTE FUNCTION tickets_words();
