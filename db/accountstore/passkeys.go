package accountstore

import (
	"context"

	"portal/api/account"
	"portal/api/clock"
	"portal/db"
	"portal/db/rows"
)

// passkeyTable has the columns of passkeys, and where in one their values are.
var passkeyTable = rows.NewTable(
	"passkeys",
	rows.At("id", func(r *account.Passkey) *string { return &r.ID }),
	rows.At("user_id", func(r *account.Passkey) *string { return &r.UserID }),
	rows.At("credential_id", func(r *account.Passkey) *[]byte { return &r.CredentialID }),
	rows.At("credential", func(r *account.Passkey) *[]byte { return &r.Credential }),
	rows.At("name", func(r *account.Passkey) *string { return &r.Name }),
	rows.At("created_at", func(r *account.Passkey) *clock.Time { return &r.CreatedAt }),
	rows.At("last_used_at", func(r *account.Passkey) **clock.Time { return &r.LastUsedAt }),
	rows.At("cloned_at", func(r *account.Passkey) **clock.Time { return &r.ClonedAt }),
)

// AddPasskey adds a passkey; false says that the credential is known already.
func (s *Store) AddPasskey(ctx context.Context, k *account.Passkey) (bool, error) {
	n, err := passkeyTable.Add(ctx, s.db, k, "ON CONFLICT (credential_id) DO NOTHING")
	return n == 1, err
}

// PasskeysOf are the passkeys of a user in the order they were added.
func (s *Store) PasskeysOf(ctx context.Context, userID string) ([]account.Passkey, error) {
	all := []account.Passkey{}
	err := s.db.Each(ctx, "SELECT "+passkeyTable.Columns+" FROM passkeys WHERE user_id = $1 ORDER BY id", []any{
		userID,
	}, func(scan db.Scan) error {
		all = append(all, account.Passkey{})
		return passkeyTable.Scan(scan, &all[len(all)-1])
	})
	return all, err
}

// PasskeyOf finds a passkey by the id of its credential.
func (s *Store) PasskeyOf(ctx context.Context, credentialID []byte) (k account.Passkey, found bool, err error) {
	found, err = s.db.One(ctx, "SELECT "+passkeyTable.Columns+" FROM passkeys WHERE credential_id = $1", []any{
		credentialID,
	}, passkeyTable.Targets(&k)...)
	return k, found, err
}

// SavePasskey writes what changes of a passkey: its name, what the library keeps and when
// it was used.
func (s *Store) SavePasskey(ctx context.Context, k *account.Passkey) error {
	_, err := s.db.Exec(ctx, `UPDATE passkeys
		SET credential = $3, name = $4, last_used_at = $5, cloned_at = $6
		WHERE user_id = $1 AND id = $2`, k.UserID, k.ID, k.Credential, k.Name, k.LastUsedAt, k.ClonedAt)
	return err
}

// RemovePasskey removes a passkey of a user and reports whether it was there.
func (s *Store) RemovePasskey(ctx context.Context, userID, id string) (bool, error) {
	n, err := s.db.Exec(ctx, "DELETE FROM passkeys WHERE user_id = $1 AND id = $2", userID, id)
	return n == 1, err
}

// RemovePasskeysSince removes the passkeys of a user that were added at or after a moment.
func (s *Store) RemovePasskeysSince(ctx context.Context, userID string, since clock.Time) error {
	_, err := s.db.Exec(ctx, "DELETE FROM passkeys WHERE user_id = $1 AND created_at >= $2", userID, int64(since))
	return err
}
