package accountstore

import (
	"context"

	"portal/api/account"
	"portal/api/clock"
)

// PutSignUp takes the place of an earlier sign-up with the same address.
func (s Links) PutSignUp(ctx context.Context, u *account.SigningUp) error {
	_, err := s.db.Exec(
		ctx,
		`INSERT INTO sign_ups (email, token_hash, claim_hash, account_name, password_hash, created_at, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (email) DO UPDATE SET token_hash = excluded.token_hash,
			claim_hash = excluded.claim_hash, account_name = excluded.account_name,
			password_hash = excluded.password_hash, created_at = excluded.created_at, expires_at = excluded.expires_at`,
		u.Email,
		u.TokenHash,
		u.ClaimHash,
		u.AccountName,
		u.PasswordHash,
		u.CreatedAt,
		u.ExpiresAt,
	)
	return err
}

const signUpColumns = "email, token_hash, claim_hash, account_name, password_hash, created_at, expires_at"

func signUpInto(u *account.SigningUp) []any {
	return []any{&u.Email, &u.TokenHash, &u.ClaimHash, &u.AccountName, &u.PasswordHash, &u.CreatedAt, &u.ExpiresAt}
}

// SignUp finds a sign-up that has not expired by its token.
func (s Links) SignUp(
	ctx context.Context, tokenHash []byte, now clock.Time,
) (u account.SigningUp, found bool, err error) {
	found, err = s.db.One(ctx, `SELECT `+signUpColumns+`
		FROM sign_ups
		WHERE token_hash = $1 AND expires_at > $2`, []any{tokenHash, int64(now)}, signUpInto(&u)...)
	return u, found, err
}

// TakeSignUp is SignUp and deletes it, within the transaction of the context.
func (s Links) TakeSignUp(
	ctx context.Context, tokenHash []byte, now clock.Time,
) (u account.SigningUp, found bool, err error) {
	found, err = s.db.One(ctx, `DELETE FROM sign_ups
		WHERE token_hash = $1 AND expires_at > $2
		RETURNING `+signUpColumns, []any{tokenHash, int64(now)}, signUpInto(&u)...)
	return u, found, err
}

const linkColumns = "token_hash, user_id, purpose, email, created_at, expires_at"

func linkInto(l *account.Link) []any {
	return []any{&l.TokenHash, &l.UserID, &l.Purpose, &l.Email, &l.CreatedAt, &l.ExpiresAt}
}

// AddLink adds a link to a user.
func (s Links) AddLink(ctx context.Context, l *account.Link) error {
	_, err := s.db.Exec(ctx, "INSERT INTO user_links ("+linkColumns+") VALUES ($1, $2, $3, $4, $5, $6)",
		l.TokenHash, l.UserID, l.Purpose, l.Email, l.CreatedAt, l.ExpiresAt)
	return err
}

// Link finds a link that has not expired by its token.
func (s Links) Link(
	ctx context.Context, tokenHash []byte, p account.Purpose, now clock.Time,
) (l account.Link, found bool, err error) {
	found, err = s.db.One(ctx, `SELECT `+linkColumns+`
		FROM user_links
		WHERE token_hash = $1 AND purpose = $2 AND expires_at > $3`, []any{
		tokenHash,
		string(p),
		int64(now),
	}, linkInto(&l)...)
	return l, found, err
}

// TakeLink is Link and deletes it, within the transaction of the context.
func (s Links) TakeLink(
	ctx context.Context, tokenHash []byte, p account.Purpose, now clock.Time,
) (l account.Link, found bool, err error) {
	found, err = s.db.One(ctx, `DELETE FROM user_links
		WHERE token_hash = $1 AND purpose = $2 AND expires_at > $3
		RETURNING `+linkColumns, []any{tokenHash, string(p), int64(now)}, linkInto(&l)...)
	return l, found, err
}

// EndLinks deletes the links of a user for a purpose.
func (s Links) EndLinks(ctx context.Context, userID string, p account.Purpose) error {
	_, err := s.db.Exec(ctx, "DELETE FROM user_links WHERE user_id = $1 AND purpose = $2", userID, string(p))
	return err
}

// AddCeremony adds a ceremony.
func (s Links) AddCeremony(ctx context.Context, c *account.Ceremony) error {
	_, err := s.db.Exec(
		ctx,
		"INSERT INTO ceremonies (id_hash, user_id, purpose, data, expires_at) VALUES ($1, $2, $3, $4, $5)",
		c.IDHash,
		c.UserID,
		c.Purpose,
		c.Data,
		c.ExpiresAt,
	)
	return err
}

// TakeCeremony finds a ceremony that has not expired and deletes it, within the
// transaction of the context.
func (s Links) TakeCeremony(
	ctx context.Context, idHash []byte, now clock.Time,
) (c account.Ceremony, found bool, err error) {
	found, err = s.db.One(ctx, `DELETE FROM ceremonies
		WHERE id_hash = $1 AND expires_at > $2
		RETURNING id_hash, user_id, purpose, data, expires_at`, []any{idHash, int64(now)},
		&c.IDHash, &c.UserID, &c.Purpose, &c.Data, &c.ExpiresAt)
	return c, found, err
}
