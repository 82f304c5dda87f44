-- +goose Up
-- Photos of tickets. One that waits for its ticket, as the form that it came with was not sent yet, expires.
CREATE TABLE ticket_photos (
	portfolio_id INTEGER NOT NULL,
	id TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	tenant_id TEXT NOT NULL,
	ticket_id TEXT,
	width INTEGER NOT NULL, -- in pixels
	height INTEGER NOT NULL,
	content BLOB NOT NULL, -- JPEG
	thumbnail BLOB NOT NULL, -- JPEG
	expires_at INTEGER, -- NULL once it belongs to a ticket
	PRIMARY KEY (portfolio_id, id),
	FOREIGN KEY (portfolio_id, tenant_id) REFERENCES tenants (portfolio_id, id),
	FOREIGN KEY (portfolio_id, ticket_id) REFERENCES tickets (portfolio_id, id)
) STRICT;
CREATE INDEX ticket_photos_ticket ON ticket_photos (portfolio_id, ticket_id);
CREATE INDEX ticket_photos_tenant ON ticket_photos (portfolio_id, tenant_id);
CREATE INDEX ticket_photos_expiry ON ticket_photos (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX ticket_photos_id ON ticket_photos (id);

-- Of a ticket: its photos, as JSON without their content; when its tenant last wrote, and when a member of the
-- account last looked at it.
ALTER TABLE tickets ADD COLUMN photos TEXT;
ALTER TABLE tickets ADD COLUMN tenant_wrote_at INTEGER;
ALTER TABLE tickets ADD COLUMN seen_at INTEGER;

-- What happened to tickets of tenants, as tenant and landlord follow it: comments, photos, statuses, visits.
CREATE TABLE ticket_activities (
	portfolio_id INTEGER NOT NULL,
	id TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	ticket_id TEXT NOT NULL,
	kind TEXT NOT NULL,
	by_tenant INTEGER NOT NULL, -- 1 or 0
	author TEXT NOT NULL,
	words TEXT NOT NULL,
	status TEXT NOT NULL,
	visit_start INTEGER,
	visit_end INTEGER,
	PRIMARY KEY (portfolio_id, id),
	FOREIGN KEY (portfolio_id, ticket_id) REFERENCES tickets (portfolio_id, id)
) STRICT;
CREATE INDEX ticket_activities_ticket ON ticket_activities (portfolio_id, ticket_id, id);

-- The emails about a ticket to its tenant and to the landlord: the latest one, and when the next one leaves for what
-- has happened since.
CREATE TABLE ticket_notices (
	portfolio_id INTEGER NOT NULL,
	ticket_id TEXT NOT NULL,
	recipient TEXT NOT NULL, -- tenant or landlord
	sent_at INTEGER NOT NULL,
	due_at INTEGER,
	PRIMARY KEY (portfolio_id, ticket_id, recipient),
	FOREIGN KEY (portfolio_id, ticket_id) REFERENCES tickets (portfolio_id, id)
) STRICT;
CREATE INDEX ticket_notices_due ON ticket_notices (due_at) WHERE due_at IS NOT NULL;

-- A tenant who wants no more emails about tickets. Who has chosen which emails to get gets those about tickets, too.
ALTER TABLE tenant_links ADD COLUMN mail_stopped_at INTEGER;
UPDATE members SET notices = notices || ',tickets' WHERE notices <> '';

-- Photos and what is written about tickets take room of a demo portfolio.
-- +goose StatementBegin
CREATE TRIGGER demo_ticket_photos_added AFTER INSERT ON ticket_photos
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, 200 + length(NEW.content) + length(NEW.thumbnail)
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_ticket_photos_deleted AFTER DELETE ON ticket_photos
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, -(200 + length(OLD.content) + length(OLD.thumbnail))
	FROM demo_usage
	WHERE portfolio_id = OLD.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_ticket_activities_added AFTER INSERT ON ticket_activities
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, 200 + length(CAST(NEW.words AS BLOB))
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER demo_ticket_activities_deleted AFTER DELETE ON ticket_activities
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, -(200 + length(CAST(OLD.words AS BLOB)))
	FROM demo_usage
	WHERE portfolio_id = OLD.portfolio_id;
END;
-- +goose StatementEnd
