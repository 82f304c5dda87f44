package retentionstore

import (
	"context"

	"portal/api/clock"
)

// expiring are the tables of what works until a moment, with its column and their key.
var expiring = [...]struct{ table, key, until string }{
	{"sessions", "token_hash", "expires_at"},
	{"sign_ups", "email", "expires_at"},
	{"user_links", "token_hash", "expires_at"},
	{"ceremonies", "id_hash", "expires_at"},
	{"signing_codes", "signer_id", "expires_at"},
	{"ticket_photos", "id", "expires_at"},
	{"member_invitations", "id", "expires_at"},
	{"throttles", "subject", "until"},
	{"sent_forms", "name", "expires_at"},
	{"sent_mails", "subject", "expires_at"},
}

// ForgetExpired deletes what has expired at a moment, sessions that have ended among it, a
// bounded number of each kind at a time, and tells how many of the kind with the most.
func (s Accounts) ForgetExpired(ctx context.Context, now clock.Time, most int) (forgotten int64, err error) {
	for _, e := range expiring {
		n, err := s.db.Exec(ctx, `DELETE FROM `+e.table+`
			WHERE `+e.until+` <= $1 AND `+e.key+` IN (
				SELECT `+e.key+`
				FROM `+e.table+`
				WHERE `+e.until+` <= $1
				ORDER BY `+e.until+`
				LIMIT $2)`, int64(now), most)
		if err != nil {
			return 0, err
		}
		forgotten = max(forgotten, n)
	}
	return forgotten, nil
}
