package portfoliostore

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/onetimecode"
)

// PutCode takes the place of an earlier code of the subject. The column signer_id has whatever a code is for: its
// name is from the time when signers alone had codes, and nodes of that version write it.
func (s *Store) PutCode(ctx context.Context, in access.Portfolio, c onetimecode.Code) error {
	_, err := s.db.Exec(ctx, `INSERT INTO signing_codes (signer_id, portfolio_id, mac, expires_at, tries)
		VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (signer_id) DO UPDATE
		SET mac = excluded.mac, expires_at = excluded.expires_at, tries = excluded.tries`,
		c.Subject, in.ID, c.MAC, c.ExpiresAt, c.Tries)
	return err
}

// TryCode counts a try at the code of a subject, and gives its MAC: "" where there is none, it has expired,
// or was tried too often.
func (s *Store) TryCode(
	ctx context.Context, in access.Portfolio, subject string, now clock.Time,
) (mac string, err error) {
	err = s.db.Atomically(ctx, func(ctx context.Context) error {
		_, err := s.db.One(ctx, `UPDATE signing_codes
			SET tries = tries - 1
			WHERE portfolio_id = $1 AND signer_id = $2 AND tries > 0 AND expires_at > $3
			RETURNING mac`, []any{in.ID, subject, int64(now)}, &mac)
		return err
	})
	return mac, err
}

// UseCode deletes a code, and reports whether it was there.
func (s *Store) UseCode(ctx context.Context, in access.Portfolio, subject, mac string) (bool, error) {
	n, err := s.db.Exec(ctx, "DELETE FROM signing_codes WHERE portfolio_id = $1 AND signer_id = $2 AND mac = $3",
		in.ID, subject, mac)
	return n == 1, err
}
