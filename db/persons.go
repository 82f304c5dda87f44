package db

import (
	"context"

	"portal/api/account"
	"portal/api/clock"
)

const personQuery = `SELECT u.id, u.email, u.password_hash, u.role, u.created_at, u.totp_secret, u.totp_since, u.totp_step,
		(SELECT COUNT(*) FROM passkeys k WHERE k.user_id = u.id)
	FROM users u
	WHERE `

func (d *DB) personBy(ctx context.Context, where, value string) (p account.Person, found bool, err error) {
	found, err = d.one(ctx, personQuery+where, []any{value}, &p.ID, &p.Email, &p.PasswordHash, &p.Role, &p.CreatedAt,
		&p.TOTP, &p.TOTPSince, &p.TOTPStep, &p.Passkeys)
	return p, found, err
}

// PersonByEmail finds a person by e-mail address in lower case.
func (d *DB) PersonByEmail(ctx context.Context, email string) (account.Person, bool, error) {
	return d.personBy(ctx, "u.email = $1", email)
}

// Person finds a person by id.
func (d *DB) Person(ctx context.Context, id string) (account.Person, bool, error) {
	return d.personBy(ctx, "u.id = $1", id)
}

// LockPerson reads a person and lets other transactions that lock the same one wait until
// this one ends. On SQLite there are no others.
func (d *DB) LockPerson(ctx context.Context, id string) (account.Person, bool, error) {
	if _, err := d.exec(ctx, "UPDATE users SET email = email WHERE id = $1", id); err != nil {
		return account.Person{}, false, err
	}
	return d.Person(ctx, id)
}

// SetPassword sets the hash of a user's password.
func (d *DB) SetPassword(ctx context.Context, userID, hash string) error {
	_, err := d.exec(ctx, "UPDATE users SET password_hash = $2 WHERE id = $1", userID, hash)
	return err
}

// Rehash takes the place of a hash that is still there.
func (d *DB) Rehash(ctx context.Context, userID, from, to string) error {
	_, err := d.exec(ctx, "UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash = $2", userID, from, to)
	return err
}

// SetEmail changes the address of a user; false says that it is taken.
func (d *DB) SetEmail(ctx context.Context, userID, email string) (bool, error) {
	_, taken, err := d.PersonByEmail(ctx, email)
	if err != nil || taken {
		return false, err
	}
	_, err = d.exec(ctx, "UPDATE users SET email = $2 WHERE id = $1", userID, email)
	return err == nil, err
}

// SetTOTP sets the sealed secret of a user's authenticator, the moment since when there is
// one and the last step that was used.
func (d *DB) SetTOTP(ctx context.Context, userID string, sealed []byte, since *clock.Time, step int64) error {
	_, err := d.exec(ctx, "UPDATE users SET totp_secret = $2, totp_since = $3, totp_step = $4 WHERE id = $1", userID, sealed, since, step)
	return err
}

// UseStep notes that the code of a step was used; false says that it was before, or a
// later one.
func (d *DB) UseStep(ctx context.Context, userID string, step int64) (bool, error) {
	n, err := d.exec(ctx, "UPDATE users SET totp_step = $2 WHERE id = $1 AND totp_step < $2", userID, step)
	return n == 1, err
}

// SetRecoveryCodes takes the place of all earlier ones.
func (d *DB) SetRecoveryCodes(ctx context.Context, userID string, hashes [][]byte) error {
	return d.Atomically(ctx, func(ctx context.Context) error {
		if _, err := d.exec(ctx, "DELETE FROM recovery_codes WHERE user_id = $1", userID); err != nil {
			return err
		}
		for _, h := range hashes {
			if _, err := d.exec(ctx, "INSERT INTO recovery_codes (user_id, code_hash) VALUES ($1, $2)", userID, h); err != nil {
				return err
			}
		}
		return nil
	})
}

// UseRecoveryCode deletes a code and tells whether it was there.
func (d *DB) UseRecoveryCode(ctx context.Context, userID string, hash []byte) (bool, error) {
	n, err := d.exec(ctx, "DELETE FROM recovery_codes WHERE user_id = $1 AND code_hash = $2", userID, hash)
	return n == 1, err
}

// RecoveryCodes is how many a user has left.
func (d *DB) RecoveryCodes(ctx context.Context, userID string) (n int, err error) {
	_, err = d.one(ctx, "SELECT COUNT(*) FROM recovery_codes WHERE user_id = $1", []any{userID}, &n)
	return n, err
}

// Throttle moves a subject's moment by a span, from now on where it has passed, and tells
// where it is then.
func (d *DB) Throttle(ctx context.Context, subject string, now, span clock.Time) (until clock.Time, err error) {
	err = d.Atomically(ctx, func(ctx context.Context) error {
		_, err := d.one(ctx, `INSERT INTO throttles (subject, until)
			VALUES ($1, CAST($2 AS BIGINT) + CAST($3 AS BIGINT))
			ON CONFLICT (subject) DO UPDATE SET until = CAST($3 AS BIGINT)
				+ CASE WHEN throttles.until > CAST($2 AS BIGINT) THEN throttles.until ELSE CAST($2 AS BIGINT) END
			RETURNING until`, []any{subject, int64(now), int64(span)}, &until)
		return err
	})
	return until, err
}
