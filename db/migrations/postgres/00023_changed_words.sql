-- +goose Up
-- A change of a record touches only the words that come and go. Before, it deleted all words
-- of the record and inserted those of its new text.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION properties_words() RETURNS trigger LANGUAGE plpgsql AS $$
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
		DELETE FROM property_words
		WHERE portfolio_id = OLD.portfolio_id AND property_id = OLD.id AND word = ANY(before) AND word <> ALL(after);
	END IF;
	IF TG_OP <> 'DELETE' THEN
		INSERT INTO property_words (portfolio_id, word, property_id)
		SELECT NEW.portfolio_id, word, NEW.id
		FROM unnest(after) AS t (word)
		WHERE word <> ALL(before)
		ON CONFLICT DO NOTHING;
	END IF;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION tenants_words() RETURNS trigger LANGUAGE plpgsql AS $$
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
		DELETE FROM tenant_words
		WHERE portfolio_id = OLD.portfolio_id AND tenant_id = OLD.id AND word = ANY(before) AND word <> ALL(after);
	END IF;
	IF TG_OP <> 'DELETE' THEN
		INSERT INTO tenant_words (portfolio_id, word, tenant_id)
		SELECT NEW.portfolio_id, word, NEW.id
		FROM unnest(after) AS t (word)
		WHERE word <> ALL(before)
		ON CONFLICT DO NOTHING;
	END IF;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
