-- +goose Up
-- What a demo portfolio holds more than it was made with. A portfolio has a row once it is made, and
-- so only demo portfolios are counted. Triggers count every row, whoever writes it, and add to
-- demo_growth, which no two transactions wait for; the sums move to demo_usage now and then.
CREATE TABLE demo_usage (
	portfolio_id BIGINT PRIMARY KEY REFERENCES portfolios (id) ON DELETE CASCADE,
	records BIGINT NOT NULL,
	bytes BIGINT NOT NULL
);
CREATE TABLE demo_growth (
	portfolio_id BIGINT NOT NULL,
	records BIGINT NOT NULL,
	bytes BIGINT NOT NULL
);
CREATE INDEX demo_growth_portfolio ON demo_growth (portfolio_id, records, bytes);
INSERT INTO demo_usage (portfolio_id, records, bytes) SELECT id, 0, 0 FROM portfolios WHERE mode = 'test';

-- Documents whose content is kept, the oldest first.
CREATE INDEX documents_kept ON documents (created_at) WHERE length(content) > 0;

-- A reset deletes what was sent with the requests of a demo portfolio.
CREATE INDEX request_exchanges_portfolio ON request_exchanges (portfolio_id);

-- +goose StatementBegin
CREATE FUNCTION demo_records() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END, 0
	FROM demo_usage
	WHERE portfolio_id = CASE TG_OP WHEN 'INSERT' THEN NEW.portfolio_id ELSE OLD.portfolio_id END;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER demo_properties AFTER INSERT OR DELETE ON properties
FOR EACH ROW EXECUTE FUNCTION demo_records();
CREATE TRIGGER demo_units AFTER INSERT OR DELETE ON units
FOR EACH ROW EXECUTE FUNCTION demo_records();
CREATE TRIGGER demo_tenants AFTER INSERT OR DELETE ON tenants
FOR EACH ROW EXECUTE FUNCTION demo_records();
CREATE TRIGGER demo_invitations AFTER INSERT OR DELETE ON invitations
FOR EACH ROW EXECUTE FUNCTION demo_records();
CREATE TRIGGER demo_leases AFTER INSERT OR DELETE ON leases
FOR EACH ROW EXECUTE FUNCTION demo_records();
CREATE TRIGGER demo_tickets AFTER INSERT OR DELETE ON tickets
FOR EACH ROW EXECUTE FUNCTION demo_records();
CREATE TRIGGER demo_payments AFTER INSERT OR DELETE ON payments
FOR EACH ROW EXECUTE FUNCTION demo_records();

-- +goose StatementBegin
CREATE FUNCTION demo_documents_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	whose BIGINT;
	grown BIGINT := 0;
BEGIN
	IF TG_OP <> 'DELETE' THEN
		whose := NEW.portfolio_id;
		grown := 300 + COALESCE(octet_length(NEW.content), 0);
	END IF;
	IF TG_OP <> 'INSERT' THEN
		whose := OLD.portfolio_id;
		grown := grown - (300 + COALESCE(octet_length(OLD.content), 0));
	END IF;
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, grown
	FROM demo_usage
	WHERE portfolio_id = whose AND grown <> 0;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER demo_documents AFTER INSERT OR DELETE OR UPDATE OF content ON documents
FOR EACH ROW EXECUTE FUNCTION demo_documents_bytes();

-- +goose StatementBegin
CREATE FUNCTION demo_imports_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	whose BIGINT;
	grown BIGINT := 0;
BEGIN
	IF TG_OP <> 'DELETE' THEN
		whose := NEW.portfolio_id;
		grown := 300 + COALESCE(octet_length(NEW.content), 0) + COALESCE(octet_length(NEW.preview), 0);
	END IF;
	IF TG_OP <> 'INSERT' THEN
		whose := OLD.portfolio_id;
		grown := grown - (300 + COALESCE(octet_length(OLD.content), 0) + COALESCE(octet_length(OLD.preview), 0));
	END IF;
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, grown
	FROM demo_usage
	WHERE portfolio_id = whose AND grown <> 0;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER demo_imports AFTER INSERT OR DELETE OR UPDATE OF content, preview ON imports
FOR EACH ROW EXECUTE FUNCTION demo_imports_bytes();

-- +goose StatementBegin
CREATE FUNCTION demo_events_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	whose BIGINT;
	grown BIGINT := 0;
BEGIN
	IF TG_OP <> 'DELETE' THEN
		whose := NEW.portfolio_id;
		grown := 300 + COALESCE(octet_length(NEW.body), 0);
	END IF;
	IF TG_OP <> 'INSERT' THEN
		whose := OLD.portfolio_id;
		grown := grown - (300 + COALESCE(octet_length(OLD.body), 0));
	END IF;
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, grown
	FROM demo_usage
	WHERE portfolio_id = whose AND grown <> 0;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER demo_events AFTER INSERT OR DELETE OR UPDATE OF body ON events
FOR EACH ROW EXECUTE FUNCTION demo_events_bytes();

-- +goose StatementBegin
CREATE FUNCTION demo_deliveries_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	whose BIGINT;
	grown BIGINT := 0;
BEGIN
	IF TG_OP <> 'DELETE' THEN
		whose := NEW.portfolio_id;
		grown := 300;
	END IF;
	IF TG_OP <> 'INSERT' THEN
		whose := OLD.portfolio_id;
		grown := grown - (300);
	END IF;
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, grown
	FROM demo_usage
	WHERE portfolio_id = whose AND grown <> 0;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER demo_deliveries AFTER INSERT OR DELETE ON deliveries
FOR EACH ROW EXECUTE FUNCTION demo_deliveries_bytes();

-- +goose StatementBegin
CREATE FUNCTION demo_mails_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	whose BIGINT;
	grown BIGINT := 0;
BEGIN
	IF TG_OP <> 'DELETE' THEN
		whose := NEW.portfolio_id;
		grown := 300 + COALESCE(octet_length(NEW.message), 0);
	END IF;
	IF TG_OP <> 'INSERT' THEN
		whose := OLD.portfolio_id;
		grown := grown - (300 + COALESCE(octet_length(OLD.message), 0));
	END IF;
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, grown
	FROM demo_usage
	WHERE portfolio_id = whose AND grown <> 0;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER demo_mails AFTER INSERT OR DELETE OR UPDATE OF message ON mails
FOR EACH ROW EXECUTE FUNCTION demo_mails_bytes();

-- +goose StatementBegin
CREATE FUNCTION demo_delivery_attempts_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	whose BIGINT;
	grown BIGINT := 0;
BEGIN
	IF TG_OP <> 'DELETE' THEN
		whose := NEW.portfolio_id;
		grown := 300 + COALESCE(octet_length(NEW.response_headers), 0) + COALESCE(octet_length(NEW.response_body), 0);
	END IF;
	IF TG_OP <> 'INSERT' THEN
		whose := OLD.portfolio_id;
		grown := grown - (300 + COALESCE(octet_length(OLD.response_headers), 0) + COALESCE(octet_length(OLD.response_body), 0));
	END IF;
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, grown
	FROM demo_usage
	WHERE portfolio_id = whose AND grown <> 0;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER demo_delivery_attempts AFTER INSERT OR DELETE OR UPDATE OF response_headers, response_body ON delivery_attempts
FOR EACH ROW EXECUTE FUNCTION demo_delivery_attempts_bytes();

-- +goose StatementBegin
CREATE FUNCTION demo_request_exchanges_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	whose BIGINT;
	grown BIGINT := 0;
BEGIN
	IF TG_OP <> 'DELETE' THEN
		whose := NEW.portfolio_id;
		grown := 300 + COALESCE(octet_length(NEW.sealed), 0);
	END IF;
	IF TG_OP <> 'INSERT' THEN
		whose := OLD.portfolio_id;
		grown := grown - (300 + COALESCE(octet_length(OLD.sealed), 0));
	END IF;
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, grown
	FROM demo_usage
	WHERE portfolio_id = whose AND grown <> 0;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER demo_request_exchanges AFTER INSERT OR DELETE OR UPDATE OF sealed ON request_exchanges
FOR EACH ROW EXECUTE FUNCTION demo_request_exchanges_bytes();
