-- +goose Up
-- The language in which a signer, or a tenant on their page, has last sent a form: 'en', 'es', or '' before that.
ALTER TABLE lease_signers ADD COLUMN language TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE tenant_links ADD COLUMN language TEXT COLLATE "C" NOT NULL DEFAULT '';
