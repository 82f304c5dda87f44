package accountstore

import (
	"cmp"
	"context"

	"portal/api/fault"
	"portal/db/rows"
)

// Notices are those that a member has chosen, nil before they did.
func (s *Store) Notices(ctx context.Context, accountID, userID string) (chosen *string, err error) {
	found, err := s.db.One(ctx, `SELECT notices
		FROM members
		WHERE account_id = $1 AND user_id = $2`, []any{accountID, userID}, &chosen)
	if err != nil || !found {
		return nil, cmp.Or(err, error(fault.NotFound("member")))
	}
	return chosen, nil
}

// SetNotices keeps which notices a member wants.
func (s *Store) SetNotices(ctx context.Context, accountID, userID, chosen string) error {
	_, err := s.db.Exec(
		ctx,
		"UPDATE members SET notices = $3 WHERE account_id = $1 AND user_id = $2",
		accountID,
		userID,
		chosen,
	)
	return err
}

// LeaseRecordMail reports whether a member wants the day's lease records.
func (s *Store) LeaseRecordMail(ctx context.Context, accountID, userID string) (bool, error) {
	wanted := 0
	found, err := s.db.One(ctx, `SELECT evidence_mail
		FROM members
		WHERE account_id = $1 AND user_id = $2`, []any{accountID, userID}, &wanted)
	if err != nil || !found {
		return false, cmp.Or(err, error(fault.NotFound("member")))
	}
	return wanted == 1, nil
}

// SetLeaseRecordMail keeps whether a member wants the day's lease records.
func (s *Store) SetLeaseRecordMail(ctx context.Context, accountID, userID string, wanted bool) error {
	_, err := s.db.Exec(
		ctx,
		"UPDATE members SET evidence_mail = $3 WHERE account_id = $1 AND user_id = $2",
		accountID,
		userID,
		rows.Bit(wanted),
	)
	return err
}
