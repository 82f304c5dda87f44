-- +goose Up
-- Photos of tickets. One that waits for its ticket, as the form that it came with was not sent yet, expires.
CREATE TABLE ticket_photos (
	portfolio_id BIGINT NOT NULL,
	id TEXT COLLATE "C" NOT NULL,
	created_at BIGINT NOT NULL,
	tenant_id TEXT COLLATE "C" NOT NULL,
	ticket_id TEXT COLLATE "C",
	width BIGINT NOT NULL, -- in pixels
	height BIGINT NOT NULL,
	content BYTEA NOT NULL, -- JPEG
	thumbnail BYTEA NOT NULL, -- JPEG
	expires_at BIGINT, -- NULL once it belongs to a ticket
	PRIMARY KEY (portfolio_id, id),
	FOREIGN KEY (portfolio_id, tenant_id) REFERENCES tenants (portfolio_id, id),
	FOREIGN KEY (portfolio_id, ticket_id) REFERENCES tickets (portfolio_id, id)
);
CREATE INDEX ticket_photos_ticket ON ticket_photos (portfolio_id, ticket_id);
CREATE INDEX ticket_photos_tenant ON ticket_photos (portfolio_id, tenant_id);
CREATE INDEX ticket_photos_expiry ON ticket_photos (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX ticket_photos_id ON ticket_photos (id);

-- Of a ticket: its photos, as JSON without their content; when its tenant last wrote, and when a member of the
-- account last looked at it.
ALTER TABLE tickets ADD COLUMN photos TEXT COLLATE "C";
ALTER TABLE tickets ADD COLUMN tenant_wrote_at BIGINT;
ALTER TABLE tickets ADD COLUMN seen_at BIGINT;

-- What happened to tickets of tenants, as tenant and landlord follow it: comments, photos, statuses, visits.
CREATE TABLE ticket_activities (
	portfolio_id BIGINT NOT NULL,
	id TEXT COLLATE "C" NOT NULL,
	created_at BIGINT NOT NULL,
	ticket_id TEXT COLLATE "C" NOT NULL,
	kind TEXT COLLATE "C" NOT NULL,
	by_tenant BOOLEAN NOT NULL,
	author TEXT COLLATE "C" NOT NULL,
	words TEXT COLLATE "C" NOT NULL,
	status TEXT COLLATE "C" NOT NULL,
	visit_start BIGINT,
	visit_end BIGINT,
	PRIMARY KEY (portfolio_id, id),
	FOREIGN KEY (portfolio_id, ticket_id) REFERENCES tickets (portfolio_id, id)
);
CREATE INDEX ticket_activities_ticket ON ticket_activities (portfolio_id, ticket_id, id);

-- The emails about a ticket to its tenant and to the landlord: the latest one, and when the next one leaves for what
-- has happened since.
CREATE TABLE ticket_notices (
	portfolio_id BIGINT NOT NULL,
	ticket_id TEXT COLLATE "C" NOT NULL,
	recipient TEXT COLLATE "C" NOT NULL, -- tenant or landlord
	sent_at BIGINT NOT NULL,
	due_at BIGINT,
	PRIMARY KEY (portfolio_id, ticket_id, recipient),
	FOREIGN KEY (portfolio_id, ticket_id) REFERENCES tickets (portfolio_id, id)
);
CREATE INDEX ticket_notices_due ON ticket_notices (due_at) WHERE due_at IS NOT NULL;

-- A tenant who wants no more emails about tickets. Who has chosen which emails to get gets those about tickets, too.
ALTER TABLE tenant_links ADD COLUMN mail_stopped_at BIGINT;
UPDATE members SET notices = notices || ',tickets' WHERE notices <> '';

-- Photos and what is written about tickets take room of a demo portfolio.
-- +goose StatementBegin
CREATE FUNCTION demo_ticket_photos_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, CASE TG_OP WHEN 'INSERT' THEN 200 + octet_length(NEW.content) + octet_length(NEW.thumbnail)
		ELSE -(200 + octet_length(OLD.content) + octet_length(OLD.thumbnail)) END
	FROM demo_usage
	WHERE portfolio_id = CASE TG_OP WHEN 'INSERT' THEN NEW.portfolio_id ELSE OLD.portfolio_id END;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER demo_ticket_photos AFTER INSERT OR DELETE ON ticket_photos
FOR EACH ROW EXECUTE FUNCTION demo_ticket_photos_bytes();
-- +goose StatementBegin
CREATE FUNCTION demo_ticket_activities_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, CASE TG_OP WHEN 'INSERT' THEN 200 + octet_length(NEW.words)
		ELSE -(200 + octet_length(OLD.words)) END
	FROM demo_usage
	WHERE portfolio_id = CASE TG_OP WHEN 'INSERT' THEN NEW.portfolio_id ELSE OLD.portfolio_id END;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER demo_ticket_activities AFTER INSERT OR DELETE ON ticket_activities
FOR EACH ROW EXECUTE FUNCTION demo_ticket_activities_bytes();
