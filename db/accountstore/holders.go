package accountstore

import (
	"context"

	"portal/api/developer"
	"portal/db"
)

// IsMember reports whether a user takes part in an account.
func (s *Store) IsMember(ctx context.Context, accountID, userID string) (bool, error) {
	var one int
	return s.db.One(ctx, "SELECT 1 FROM members WHERE account_id = $1 AND user_id = $2", []any{accountID, userID}, &one)
}

// AccountByID finds an account.
func (s *Store) AccountByID(ctx context.Context, id string) (a developer.Account, found bool, err error) {
	found, err = s.db.One(ctx, `SELECT id, name, time_zone, plan, sustained, burst, unit_ceiling, created_at
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

func (s *Store) holders(ctx context.Context, which string, args ...any) ([]developer.AccountMember, error) {
	all := []developer.AccountMember{}
	err := s.db.Each(ctx, holders+which, args, func(scan db.Scan) error {
		var h developer.AccountMember
		err := scan(&h.AccountID, &h.Account, &h.Plan, &h.UserID, &h.Email, &h.Role)
		all = append(all, h)
		return err
	})
	return all, err
}

// Holders are the people whose email address begins with a text, in the order of the
// addresses.
func (s *Store) Holders(ctx context.Context, f developer.MemberFilter) ([]developer.AccountMember, error) {
	least, end, which := f.Email, f.Email+"\U0010ffff", "u.email >= $1 AND u.email < $2"
	args := []any{least, end, int64(f.Limit)}
	if account, user := f.Position(); user != "" {
		var at string
		found, err := s.db.One(ctx, "SELECT email FROM users WHERE id = $1", []any{user}, &at)
		if err != nil || !found {
			return nil, err
		}
		// The position is a bound of the index too. The address may have changed to one outside the search.
		if f.Descending {
			which = "u.email >= $1 AND u.email <= $2 AND (u.email < $4 OR a.id < $5)"
			args = []any{least, min(end, at), int64(f.Limit), at, account}
		} else {
			which = "u.email >= $1 AND u.email < $2 AND (u.email > $4 OR a.id > $5)"
			args = []any{max(least, at), end, int64(f.Limit), at, account}
		}
	}
	order := " ORDER BY u.email, a.id LIMIT $3"
	if f.Descending {
		order = " ORDER BY u.email DESC, a.id DESC LIMIT $3"
	}
	return s.holders(ctx, which+order, args...)
}

// HoldersOf are the people of an account, the longest there first.
func (s *Store) HoldersOf(ctx context.Context, accountID string) ([]developer.AccountMember, error) {
	return s.holders(ctx, "m.account_id = $1 ORDER BY m.created_at, u.id", accountID)
}
