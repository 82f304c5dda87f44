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
