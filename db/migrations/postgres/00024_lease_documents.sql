-- +goose Up
-- The landlord's own clauses of a generated lease, from which its document is made anew when the lease
-- changes before anybody has signed it. leases.document_url is the id of the document then.
ALTER TABLE documents ADD COLUMN clauses TEXT COLLATE "C";
CREATE INDEX documents_id ON documents (id); -- a link names the document alone

-- What generated leases say of the landlord, as JSON.
ALTER TABLE accounts ADD COLUMN lease_details TEXT COLLATE "C";
