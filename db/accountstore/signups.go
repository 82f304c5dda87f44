package accountstore

import (
	"context"

	"portal/api/account"
	"portal/api/clock"
	"portal/db/rows"
)

// signUpTable has the columns of sign-ups, and where in one their values are.
var signUpTable = rows.NewTable(
	"sign_ups",
	rows.At("email", func(r *account.SigningUp) *string { return &r.Email }),
	rows.At("token_hash", func(r *account.SigningUp) *[]byte { return &r.TokenHash }),
	rows.At("claim_hash", func(r *account.SigningUp) *[]byte { return &r.ClaimHash }),
	rows.At("account_name", func(r *account.SigningUp) *string { return &r.AccountName }),
	rows.At("password_hash", func(r *account.SigningUp) *string { return &r.PasswordHash }),
	rows.At("created_at", func(r *account.SigningUp) *clock.Time { return &r.CreatedAt }),
	rows.At("expires_at", func(r *account.SigningUp) *clock.Time { return &r.ExpiresAt }),
)

// PutSignUp takes the place of an earlier sign-up with the same address.
func (s *Store) PutSignUp(ctx context.Context, u *account.SigningUp) error {
	_, err := signUpTable.Add(ctx, s.db, u, "ON CONFLICT (email) DO UPDATE SET "+signUpTable.Excluded("email"))
	return err
}

// SignUp finds a sign-up that has not expired by its token.
func (s *Store) SignUp(
	ctx context.Context, tokenHash []byte, now clock.Time,
) (u account.SigningUp, found bool, err error) {
	found, err = s.db.One(ctx, `SELECT `+signUpTable.Columns+`
		FROM sign_ups
		WHERE token_hash = $1 AND expires_at > $2`, []any{tokenHash, int64(now)}, signUpTable.Targets(&u)...)
	return u, found, err
}

// TakeSignUp is SignUp and deletes it, within the transaction of the context.
func (s *Store) TakeSignUp(
	ctx context.Context, tokenHash []byte, now clock.Time,
) (u account.SigningUp, found bool, err error) {
	found, err = s.db.One(ctx, `DELETE FROM sign_ups
		WHERE token_hash = $1 AND expires_at > $2
		RETURNING `+signUpTable.Columns, []any{tokenHash, int64(now)}, signUpTable.Targets(&u)...)
	return u, found, err
}

// linkTable has the columns of links, and where in one their values are.
var linkTable = rows.NewTable(
	"user_links",
	rows.At("token_hash", func(r *account.Link) *[]byte { return &r.TokenHash }),
	rows.At("user_id", func(r *account.Link) *string { return &r.UserID }),
	rows.At("purpose", func(r *account.Link) *account.Purpose { return &r.Purpose }),
	rows.At("email", func(r *account.Link) *string { return &r.Email }),
	rows.At("created_at", func(r *account.Link) *clock.Time { return &r.CreatedAt }),
	rows.At("expires_at", func(r *account.Link) *clock.Time { return &r.ExpiresAt }),
)

// AddLink adds a link to a user.
func (s *Store) AddLink(ctx context.Context, l *account.Link) error {
	_, err := linkTable.Add(ctx, s.db, l, "")
	return err
}

// Link finds a link that has not expired by its token.
func (s *Store) Link(
	ctx context.Context, tokenHash []byte, p account.Purpose, now clock.Time,
) (l account.Link, found bool, err error) {
	found, err = s.db.One(ctx, `SELECT `+linkTable.Columns+`
		FROM user_links
		WHERE token_hash = $1 AND purpose = $2 AND expires_at > $3`, []any{
		tokenHash, string(p), int64(now),
	}, linkTable.Targets(&l)...)
	return l, found, err
}

// TakeLink is Link and deletes it, within the transaction of the context.
func (s *Store) TakeLink(
	ctx context.Context, tokenHash []byte, p account.Purpose, now clock.Time,
) (l account.Link, found bool, err error) {
	found, err = s.db.One(ctx, `DELETE FROM user_links
		WHERE token_hash = $1 AND purpose = $2 AND expires_at > $3
		RETURNING `+linkTable.Columns, []any{tokenHash, string(p), int64(now)}, linkTable.Targets(&l)...)
	return l, found, err
}

// EndLinks deletes the links of a user for a purpose.
func (s *Store) EndLinks(ctx context.Context, userID string, p account.Purpose) error {
	_, err := s.db.Exec(ctx, "DELETE FROM user_links WHERE user_id = $1 AND purpose = $2", userID, string(p))
	return err
}

// ceremonyTable has the columns of ceremonies, and where in one their values are.
var ceremonyTable = rows.NewTable(
	"ceremonies",
	rows.At("id_hash", func(r *account.Ceremony) *[]byte { return &r.IDHash }),
	rows.At("user_id", func(r *account.Ceremony) **string { return &r.UserID }),
	rows.At("purpose", func(r *account.Ceremony) *string { return &r.Purpose }),
	rows.At("data", func(r *account.Ceremony) *[]byte { return &r.Data }),
	rows.At("expires_at", func(r *account.Ceremony) *clock.Time { return &r.ExpiresAt }),
)

// AddCeremony adds a ceremony.
func (s *Store) AddCeremony(ctx context.Context, c *account.Ceremony) error {
	_, err := ceremonyTable.Add(ctx, s.db, c, "")
	return err
}

// TakeCeremony finds a ceremony that has not expired and deletes it, within the
// transaction of the context.
func (s *Store) TakeCeremony(
	ctx context.Context, idHash []byte, now clock.Time,
) (c account.Ceremony, found bool, err error) {
	found, err = s.db.One(ctx, `DELETE FROM ceremonies
		WHERE id_hash = $1 AND expires_at > $2
		RETURNING `+ceremonyTable.Columns, []any{idHash, int64(now)}, ceremonyTable.Targets(&c)...)
	return c, found, err
}
