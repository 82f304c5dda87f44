-- +goose Up
-- What a demo portfolio holds more than it was made with. A portfolio has a row once it is made, and
-- so only demo portfolios are counted. Triggers count every row, whoever writes it, and add to
-- demo_growth, which no two transactions wait for; the sums move to demo_usage now and then.
CREATE TABLE demo_usage (
	portfolio_id INTEGER PRIMARY KEY REFERENCES portfolios (id) ON DELETE CASCADE,
	records INTEGER NOT NULL,
	bytes INTEGER NOT NULL
) STRICT;
CREATE TABLE demo_growth (
	portfolio_id INTEGER NOT NULL,
	records INTEGER NOT NULL,
	bytes INTEGER NOT NULL
) STRICT;
CREATE INDEX demo_growth_portfolio ON demo_growth (portfolio_id, records, bytes);
INSERT INTO demo_usage (portfolio_id, records, bytes) SELECT id, 0, 0 FROM portfolios WHERE mode = 'test';

-- Documents whose content is kept, the oldest first.
CREATE INDEX documents_kept ON documents (created_at) WHERE length(content) > 0;

-- A reset deletes what was sent with the requests of a demo portfolio.
CREATE INDEX request_exchanges_portfolio ON request_exchanges (portfolio_id);

-- +goose StatementBegin
CREATE TRIGGER demo_properties_added AFTER INSERT ON properties
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 1, 0
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_properties_deleted AFTER DELETE ON properties
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, -1, 0
	FROM demo_usage
	WHERE portfolio_id = OLD.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_units_added AFTER INSERT ON units
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 1, 0
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_units_deleted AFTER DELETE ON units
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, -1, 0
	FROM demo_usage
	WHERE portfolio_id = OLD.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_tenants_added AFTER INSERT ON tenants
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 1, 0
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_tenants_deleted AFTER DELETE ON tenants
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, -1, 0
	FROM demo_usage
	WHERE portfolio_id = OLD.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_invitations_added AFTER INSERT ON invitations
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 1, 0
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_invitations_deleted AFTER DELETE ON invitations
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, -1, 0
	FROM demo_usage
	WHERE portfolio_id = OLD.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_leases_added AFTER INSERT ON leases
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 1, 0
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_leases_deleted AFTER DELETE ON leases
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, -1, 0
	FROM demo_usage
	WHERE portfolio_id = OLD.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_tickets_added AFTER INSERT ON tickets
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 1, 0
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_tickets_deleted AFTER DELETE ON tickets
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, -1, 0
	FROM demo_usage
	WHERE portfolio_id = OLD.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_payments_added AFTER INSERT ON payments
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 1, 0
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_payments_deleted AFTER DELETE ON payments
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, -1, 0
	FROM demo_usage
	WHERE portfolio_id = OLD.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_documents_added AFTER INSERT ON documents
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, 300 + COALESCE(length(NEW.content), 0)
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_documents_deleted AFTER DELETE ON documents
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, -(300 + COALESCE(length(OLD.content), 0))
	FROM demo_usage
	WHERE portfolio_id = OLD.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_documents_changed AFTER UPDATE OF content ON documents
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, (300 + COALESCE(length(NEW.content), 0)) - (300 + COALESCE(length(OLD.content), 0))
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_imports_added AFTER INSERT ON imports
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, 300 + COALESCE(length(NEW.content), 0) + COALESCE(length(NEW.preview), 0)
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_imports_deleted AFTER DELETE ON imports
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, -(300 + COALESCE(length(OLD.content), 0) + COALESCE(length(OLD.preview), 0))
	FROM demo_usage
	WHERE portfolio_id = OLD.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_imports_changed AFTER UPDATE OF content, preview ON imports
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, (300 + COALESCE(length(NEW.content), 0) + COALESCE(length(NEW.preview), 0)) - (300 + COALESCE(length(OLD.content), 0) + COALESCE(length(OLD.preview), 0))
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_events_added AFTER INSERT ON events
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, 300 + COALESCE(length(NEW.body), 0)
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_events_deleted AFTER DELETE ON events
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, -(300 + COALESCE(length(OLD.body), 0))
	FROM demo_usage
	WHERE portfolio_id = OLD.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_events_changed AFTER UPDATE OF body ON events
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, (300 + COALESCE(length(NEW.body), 0)) - (300 + COALESCE(length(OLD.body), 0))
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_deliveries_added AFTER INSERT ON deliveries
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, 300
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_deliveries_deleted AFTER DELETE ON deliveries
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, -(300)
	FROM demo_usage
	WHERE portfolio_id = OLD.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_mails_added AFTER INSERT ON mails
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, 300 + COALESCE(length(NEW.message), 0)
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_mails_deleted AFTER DELETE ON mails
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, -(300 + COALESCE(length(OLD.message), 0))
	FROM demo_usage
	WHERE portfolio_id = OLD.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_mails_changed AFTER UPDATE OF message ON mails
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, (300 + COALESCE(length(NEW.message), 0)) - (300 + COALESCE(length(OLD.message), 0))
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_delivery_attempts_added AFTER INSERT ON delivery_attempts
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, 300 + COALESCE(length(CAST(NEW.response_headers AS BLOB)), 0) + COALESCE(length(NEW.response_body), 0)
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_delivery_attempts_deleted AFTER DELETE ON delivery_attempts
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, -(300 + COALESCE(length(CAST(OLD.response_headers AS BLOB)), 0) + COALESCE(length(OLD.response_body), 0))
	FROM demo_usage
	WHERE portfolio_id = OLD.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_delivery_attempts_changed AFTER UPDATE OF response_headers, response_body ON delivery_attempts
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, (300 + COALESCE(length(CAST(NEW.response_headers AS BLOB)), 0) + COALESCE(length(NEW.response_body), 0)) - (300 + COALESCE(length(CAST(OLD.response_headers AS BLOB)), 0) + COALESCE(length(OLD.response_body), 0))
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_request_exchanges_added AFTER INSERT ON request_exchanges
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, 300 + COALESCE(length(NEW.sealed), 0)
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_request_exchanges_deleted AFTER DELETE ON request_exchanges
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, -(300 + COALESCE(length(OLD.sealed), 0))
	FROM demo_usage
	WHERE portfolio_id = OLD.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_request_exchanges_changed AFTER UPDATE OF sealed ON request_exchanges
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, (300 + COALESCE(length(NEW.sealed), 0)) - (300 + COALESCE(length(OLD.sealed), 0))
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
