-- +goose Up
-- The codes that prove the addresses of signers, one at a time. A code itself is not stored.
CREATE TABLE signing_codes (
	signer_id TEXT COLLATE "C" PRIMARY KEY,
	portfolio_id BIGINT NOT NULL REFERENCES portfolios (id) ON DELETE CASCADE,
	mac TEXT COLLATE "C" NOT NULL,
	expires_at BIGINT NOT NULL,
	tries BIGINT NOT NULL -- that are left
);
CREATE INDEX signing_codes_expiry ON signing_codes (expires_at);
CREATE INDEX signing_codes_portfolio ON signing_codes (portfolio_id);

-- The email with the link of a signer: when the latest one was sent, what became of it, and how many
-- reminders have followed.
ALTER TABLE lease_signers ADD COLUMN sent_at BIGINT;
ALTER TABLE lease_signers ADD COLUMN email_status TEXT COLLATE "C";
ALTER TABLE lease_signers ADD COLUMN reminders BIGINT NOT NULL DEFAULT 0;
CREATE INDEX lease_signers_sent ON lease_signers (sent_at)
WHERE sent_at IS NOT NULL AND signed_at IS NULL AND declined_at IS NULL AND reminders < 2;
