package accountstore

import (
	"context"

	"portal/api/account"
	"portal/api/clock"
	"portal/api/developer"
	"portal/db"
	"portal/db/rows"
)

// personTable has what is known of a user who signs in, and where in a person its values are.
var personTable = rows.NewTable(
	"users",
	rows.Read("id", func(r *account.Person) *string { return &r.ID }),
	rows.Read("email", func(r *account.Person) *string { return &r.Email }),
	rows.Read("password_hash", func(r *account.Person) *string { return &r.PasswordHash }),
	rows.Read("role", func(r *account.Person) *developer.UserRole { return &r.Role }),
	rows.Read("created_at", func(r *account.Person) *clock.Time { return &r.CreatedAt }),
	rows.Read("totp_secret", func(r *account.Person) *[]byte { return &r.TOTP }),
	rows.Read("totp_since", func(r *account.Person) **clock.Time { return &r.TOTPSince }),
	rows.Read("totp_step", func(r *account.Person) *int64 { return &r.TOTPStep }),
	rows.Read("(SELECT COUNT(*) FROM passkeys k WHERE k.user_id = users.id)",
		func(r *account.Person) *int { return &r.Passkeys }),
)

// PersonByEmail finds a person by email address in lower case.
func (s *Store) PersonByEmail(ctx context.Context, email string) (account.Person, bool, error) {
	return personTable.First(db.Prompt(ctx), s.db, "WHERE email = $1", email)
}

// Person finds a person by id.
func (s *Store) Person(ctx context.Context, id string) (account.Person, bool, error) {
	return personTable.First(db.Prompt(ctx), s.db, "WHERE id = $1", id)
}

// LockPerson reads a person and lets other transactions that lock the same one wait until
// this one ends. On SQLite there are no others.
func (s *Store) LockPerson(ctx context.Context, id string) (account.Person, bool, error) {
	if err := s.db.Run(ctx, "UPDATE users SET email = email WHERE id = $1", id); err != nil {
		return account.Person{}, false, err
	}
	return s.Person(ctx, id)
}

// SetPassword sets the hash of a user's password.
func (s *Store) SetPassword(ctx context.Context, userID, hash string) error {
	return s.db.Run(ctx, "UPDATE users SET password_hash = $2 WHERE id = $1", userID, hash)
}

// Rehash takes the place of a hash that is still there.
func (s *Store) Rehash(ctx context.Context, userID, from, to string) error {
	return s.db.Run(
		ctx, "UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash = $2", userID, from, to,
	)
}

// SetEmail changes the address of a user; false says that it is taken.
func (s *Store) SetEmail(ctx context.Context, userID, email string) (bool, error) {
	_, taken, err := s.PersonByEmail(ctx, email)
	if err != nil || taken {
		return false, err
	}
	_, err = s.db.Exec(ctx, "UPDATE users SET email = $2 WHERE id = $1", userID, email)
	return err == nil, err
}

// SetTOTP sets the sealed secret of a user's authenticator, the moment since when there is
// one and the last step that was used.
func (s *Store) SetTOTP(ctx context.Context, userID string, sealed []byte, since *clock.Time, step int64) error {
	return s.db.Run(
		ctx,
		"UPDATE users SET totp_secret = $2, totp_since = $3, totp_step = $4 WHERE id = $1",
		userID,
		sealed,
		since,
		step,
	)
}

// UseStep notes that the code of a step was used; false says that it was before, or a
// later one.
func (s *Store) UseStep(ctx context.Context, userID string, step int64) (bool, error) {
	return s.db.Changes(ctx, "UPDATE users SET totp_step = $2 WHERE id = $1 AND totp_step < $2", userID, step)
}

// SetRecoveryCodes takes the place of all earlier ones.
func (s *Store) SetRecoveryCodes(ctx context.Context, userID string, hashes [][]byte) error {
	return s.db.Atomically(ctx, func(ctx context.Context) error {
		if err := s.db.Run(ctx, "DELETE FROM recovery_codes WHERE user_id = $1", userID); err != nil {
			return err
		}
		for _, h := range hashes {
			if err := s.db.Run(
				ctx, "INSERT INTO recovery_codes (user_id, code_hash) VALUES ($1, $2)", userID, h,
			); err != nil {
				return err
			}
		}
		return nil
	})
}

// UseRecoveryCode deletes a code and reports whether it was there.
func (s *Store) UseRecoveryCode(ctx context.Context, userID string, hash []byte) (bool, error) {
	return s.db.Changes(ctx, "DELETE FROM recovery_codes WHERE user_id = $1 AND code_hash = $2", userID, hash)
}

// RecoveryCodes is how many a user has left.
func (s *Store) RecoveryCodes(ctx context.Context, userID string) (n int, err error) {
	_, err = s.db.One(db.Prompt(ctx), "SELECT COUNT(*) FROM recovery_codes WHERE user_id = $1", []any{userID}, &n)
	return n, err
}

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
	return passkeyTable.AddOr(ctx, s.db, "ON CONFLICT (credential_id) DO NOTHING", k)
}

// PasskeysOf are the passkeys of a user in the order they were added.
func (s *Store) PasskeysOf(ctx context.Context, userID string) ([]account.Passkey, error) {
	return passkeyTable.All(db.Prompt(ctx), s.db, "WHERE user_id = $1 ORDER BY id", userID)
}

// PasskeyOf finds a passkey by the id of its credential.
func (s *Store) PasskeyOf(ctx context.Context, credentialID []byte) (account.Passkey, bool, error) {
	return passkeyTable.First(db.Prompt(ctx), s.db, "WHERE credential_id = $1", credentialID)
}

// SavePasskey writes what changes of a passkey: its name, what the library keeps and when
// it was used.
func (s *Store) SavePasskey(ctx context.Context, k *account.Passkey) error {
	return s.db.Run(ctx, `UPDATE passkeys
		SET credential = $3, name = $4, last_used_at = $5, cloned_at = $6
		WHERE user_id = $1 AND id = $2`, k.UserID, k.ID, k.Credential, k.Name, k.LastUsedAt, k.ClonedAt)
}

// RemovePasskey removes a passkey of a user and reports whether it was there.
func (s *Store) RemovePasskey(ctx context.Context, userID, id string) (bool, error) {
	return s.db.Changes(ctx, "DELETE FROM passkeys WHERE user_id = $1 AND id = $2", userID, id)
}

// RemovePasskeysSince removes the passkeys of a user that were added at or after a moment.
func (s *Store) RemovePasskeysSince(ctx context.Context, userID string, since clock.Time) error {
	return s.db.Run(ctx, "DELETE FROM passkeys WHERE user_id = $1 AND created_at >= $2", userID, int64(since))
}
