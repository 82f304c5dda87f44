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
