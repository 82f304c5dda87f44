-- +goose Up
-- Whether the attachment is the lease itself: the PDF of a lease whose text is the landlord's own.
ALTER TABLE lease_attachments ADD COLUMN is_lease INTEGER NOT NULL DEFAULT 0;
