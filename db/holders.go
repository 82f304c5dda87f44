package db

import (
	"context"

	"portal/api/developer"
)

// IsMember tells whether a user takes part in an account.
func (d *DB) IsMember(ctx context.Context, accountID, userID string) (bool, error) {
	var one int
	return d.one(ctx, "SELECT 1 FROM members WHERE account_id = $1 AND user_id = $2", []any{accountID, userID}, &one)
}

// AccountByID finds an account.
func (d *DB) AccountByID(ctx context.Context, id string) (a developer.Account, found bool, err error) {
	found, err = d.one(ctx, `SELECT id, name, time_zone, plan, sustained, burst, unit_ceiling, created_at
		FROM accounts
		WHERE id = $1`, []any{id},
		&a.ID, &a.Name, &a.TimeZone, &a.Plan.Tier, &a.Plan.Sustained, &a.Plan.Burst, &a.Plan.Units, &a.CreatedAt)
	return a, found, err
}

const holders = `SELECT a.id, a.name, a.plan, u.id, u.email, m.role
	FROM users u
	JOIN members m ON m.user_id = u.id
	JOIN accounts a ON a.id = m.account_id
	WHERE `

func (d *DB) holders(ctx context.Context, which string, args ...any) ([]developer.Holder, error) {
	all := []developer.Holder{}
	err := d.each(ctx, holders+which, args, func(s scan) error {
		var h developer.Holder
		err := s(&h.AccountID, &h.Account, &h.Plan, &h.UserID, &h.Email, &h.Role)
		all = append(all, h)
		return err
	})
	return all, err
}

// Holders are the people whose e-mail address begins with a text, in the order of the
// addresses.
func (d *DB) Holders(ctx context.Context, email string, most int) ([]developer.Holder, error) {
	return d.holders(ctx, "u.email >= $1 AND u.email < $2 ORDER BY u.email, a.id LIMIT $3 + 0", email, email+"\U0010ffff", int64(most))
}

// HoldersOf are the people of an account, the longest there first.
func (d *DB) HoldersOf(ctx context.Context, accountID string) ([]developer.Holder, error) {
	return d.holders(ctx, "m.account_id = $1 ORDER BY m.created_at, u.id", accountID)
}
