package accountstore

import (
	"context"

	"portal/api/access"
	"portal/api/account"
	"portal/api/clock"
	"portal/db"
	"portal/db/rows"
)

// Memberships are the open accounts that a user takes part in, the oldest membership
// first.
func (s *Store) Memberships(ctx context.Context, userID string) ([]account.Membership, error) {
	all := []account.Membership{}
	err := s.db.Each(ctx, `SELECT `+membershipColumns+`
		FROM members m
		JOIN accounts a ON a.id = m.account_id
		JOIN portfolios l ON l.account_id = a.id AND l.mode = 'live'
		JOIN portfolios t ON t.account_id = a.id AND t.mode = 'test'
		WHERE m.user_id = $1 AND a.closed_at IS NULL
		ORDER BY m.created_at, a.id`, []any{userID}, func(scan db.Scan) error {
		var m membership
		if err := scan(m.into()...); err != nil {
			return err
		}
		all = append(all, *m.membership())
		return nil
	})
	return all, err
}

// Members are those of an account, the longest there first.
func (s *Store) Members(ctx context.Context, accountID string) ([]account.Member, error) {
	all := []account.Member{}
	err := s.db.Each(ctx, `SELECT u.id, u.email, m.role, m.created_at,
			CASE WHEN u.totp_secret IS NOT NULL OR EXISTS (SELECT 1 FROM passkeys k WHERE k.user_id = u.id)
				THEN 1 ELSE 0 END
		FROM members m
		JOIN users u ON u.id = m.user_id
		WHERE m.account_id = $1
		ORDER BY m.created_at, u.id`, []any{accountID}, func(scan db.Scan) error {
		var m account.Member
		var second int
		err := scan(&m.UserID, &m.Email, &m.Role, &m.Since, &second)
		m.Second = second == 1
		all = append(all, m)
		return err
	})
	return all, err
}

// RemoveMember ends the part of a user in an account.
func (s *Store) RemoveMember(ctx context.Context, accountID, userID string) error {
	_, err := s.db.Exec(ctx, "DELETE FROM members WHERE account_id = $1 AND user_id = $2", accountID, userID)
	return err
}

// RenameAccount gives an account a name and a time zone.
func (s *Store) RenameAccount(ctx context.Context, accountID, name, timeZone string) error {
	_, err := s.db.Exec(ctx, "UPDATE accounts SET name = $2, time_zone = $3 WHERE id = $1", accountID, name, timeZone)
	return err
}

// invitationTable has the columns of invitations to a team, and where in one their values are.
var invitationTable = rows.NewTable(
	"member_invitations",
	rows.At("id", func(r *account.Invitation) *string { return &r.ID }),
	rows.At("account_id", func(r *account.Invitation) *string { return &r.AccountID }),
	rows.At("email", func(r *account.Invitation) *string { return &r.Email }),
	rows.At("role", func(r *account.Invitation) *access.Role { return &r.Role }),
	rows.At("invited_by", func(r *account.Invitation) *string { return &r.InvitedBy }),
	rows.At("created_at", func(r *account.Invitation) *clock.Time { return &r.CreatedAt }),
	rows.At("expires_at", func(r *account.Invitation) *clock.Time { return &r.ExpiresAt }),
)

// invitedQuery finds invitations of people who are owners still.
var invitedQuery = `SELECT ` + invitationTable.Of("i") + `, a.name, u.email
	FROM member_invitations i
	JOIN accounts a ON a.id = i.account_id
	JOIN users u ON u.id = i.invited_by
	JOIN members o ON o.account_id = i.account_id AND o.user_id = i.invited_by AND o.role = 'owner'
	WHERE a.closed_at IS NULL AND `

func invitedInto(i *account.Invitation) []any {
	return append(invitationTable.Targets(i), &i.Account, &i.Inviter)
}

// PutInvitation takes the place of an earlier invitation of the address to the account.
func (s *Store) PutInvitation(ctx context.Context, i *account.Invitation, tokenHash []byte) error {
	_, err := invitationTable.Add(
		ctx,
		s.db,
		i,
		"ON CONFLICT (account_id, email) DO UPDATE SET token_hash = excluded.token_hash, "+
			invitationTable.Excluded("account_id", "email"),
		rows.Cell{Column: "token_hash", Value: tokenHash},
	)
	return err
}

// TeamInvitations are those of an account that are open, the oldest first.
func (s *Store) TeamInvitations(ctx context.Context, accountID string, now clock.Time) ([]account.Invitation, error) {
	all := []account.Invitation{}
	err := s.db.Each(ctx, invitedQuery+"i.account_id = $1 AND i.expires_at > $2 ORDER BY i.id", []any{
		accountID, int64(now),
	}, func(scan db.Scan) error {
		all = append(all, account.Invitation{})
		return scan(invitedInto(&all[len(all)-1])...)
	})
	return all, err
}

// TeamInvitation finds an open invitation by its token.
func (s *Store) TeamInvitation(
	ctx context.Context, tokenHash []byte, now clock.Time,
) (i account.Invitation, found bool, err error) {
	found, err = s.db.One(ctx, invitedQuery+"i.token_hash = $1 AND i.expires_at > $2", []any{
		tokenHash, int64(now),
	}, invitedInto(&i)...)
	return i, found, err
}

// TakeInvitation deletes an invitation of an account and reports whether it was there.
func (s *Store) TakeInvitation(ctx context.Context, accountID, id string) (bool, error) {
	n, err := s.db.Exec(ctx, "DELETE FROM member_invitations WHERE account_id = $1 AND id = $2", accountID, id)
	return n == 1, err
}
