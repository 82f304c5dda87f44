-- +goose Up
-- The codes that prove the addresses of signers, one at a time. A code itself is not stored.
CREATE TABLE signing_codes (
	signer_id TEXT PRIMARY KEY,
	portfolio_id INTEGER NOT NULL REFERENCES portfolios (id) ON DELETE CASCADE,
	mac TEXT NOT NULL,
	expires_at INTEGER NOT NULL,
	tries INTEGER NOT NULL -- that are left
) STRICT;
CREATE INDEX signing_codes_expiry ON signing_codes (expires_at);
CREATE INDEX signing_codes_portfolio ON signing_codes (portfolio_id);

-- The email with the link of a signer: when the latest one was sent, what became of it, and how many
-- reminders have followed.
ALTER TABLE lease_signers ADD COLUMN sent_at INTEGER;
ALTER TABLE lease_signers ADD COLUMN email_status TEXT;
ALTER TABLE lease_signers ADD COLUMN reminders INTEGER NOT NULL DEFAULT 0;
CREATE INDEX lease_signers_sent ON lease_signers (sent_at)
WHERE sent_at IS NOT NULL AND signed_at IS NULL AND declined_at IS NULL AND reminders < 2;
