package accountstore

import (
	"cmp"
	"context"

	"portal/api/fault"
)

// Notices are those that a member has chosen, nil before they did.
func (s Teams) Notices(ctx context.Context, accountID, userID string) (chosen *string, err error) {
	found, err := s.db.One(ctx, `SELECT notices
		FROM members
		WHERE account_id = $1 AND user_id = $2`, []any{accountID, userID}, &chosen)
	if err != nil || !found {
		return nil, cmp.Or(err, error(fault.NotFound("member")))
	}
	return chosen, nil
}

// SetNotices keeps which notices a member wants.
func (s Teams) SetNotices(ctx context.Context, accountID, userID, chosen string) error {
	_, err := s.db.Exec(
		ctx,
		"UPDATE members SET notices = $3 WHERE account_id = $1 AND user_id = $2",
		accountID,
		userID,
		chosen,
	)
	return err
}
